"""Feeds the search index."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

BATCH = 500
ALIAS = "books"
Put = Callable[[str, list[Mapping[str, Any]]], None]


def rebuild(books: Iterable[Mapping[str, Any]], put: Put, switch: Callable[[str, str], None], today: date) -> str:
    """Fill a new index and point the alias at it; readers never see a half-filled one."""
    name = f"{ALIAS}-{today:%Y%m%d}"
    batch: list[Mapping[str, Any]] = []
    for book in books:
        batch.append(book)
        if len(batch) == BATCH:
            put(name, batch)
            batch = []
    if batch:
        put(name, batch)
    switch(ALIAS, name)
    return name
