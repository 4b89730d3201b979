"""Books and their prices."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Book:
    isbn: str
    title: str
    authors: tuple[str, ...]
    cents: int
    listed: bool = True


def is_isbn(text: str) -> bool:
    """Check the last digit of an ISBN-13."""
    digits = text.replace("-", "")
    if len(digits) != 13 or not digits.isdigit():
        return False
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return total % 10 == 0


def shown_price(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"
