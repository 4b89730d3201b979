"""Asks the search index for books."""

from collections.abc import Callable, Mapping
from typing import Any

PAGE = 20
Ask = Callable[[Mapping[str, Any]], list[str]]


def find_books(words: str, ask: Ask, page: int = 0) -> list[str]:
    """Return ISBNs, best first; the title counts three times as much as the author."""
    query = {
        "from": page * PAGE,
        "size": PAGE,
        "query": {"multi_match": {"query": words, "fields": ["title^3", "authors"], "fuzziness": "AUTO"}},
    }
    return ask(query)
