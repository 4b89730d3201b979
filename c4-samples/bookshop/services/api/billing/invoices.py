"""Invoices: amounts in cents, tax by the country of delivery."""

BOOK_TAX_PER_MILLE = {"DE": 70, "AT": 100, "FR": 55, "GB": 0}
DEFAULT_TAX_PER_MILLE = 200


def tax(gross_cents: int, country: str) -> int:
    """Return the tax that is inside a gross price, rounded half up."""
    share = BOOK_TAX_PER_MILLE.get(country, DEFAULT_TAX_PER_MILLE)
    return (2 * gross_cents * share + 1000 + share) // (2 * (1000 + share))


def invoice_number(year: int, count: int) -> str:
    """Return the next number; numbers run without a hole, so a cancelled invoice keeps its own."""
    return f"{year}-{count:06d}"
