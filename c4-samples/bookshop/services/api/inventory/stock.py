"""Copies in the warehouse, and those set aside for a customer."""

import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

HOLD_FOR = timedelta(minutes=15)
LOCK = "SELECT copies FROM stock WHERE isbn = %s FOR UPDATE"
HELD = "SELECT coalesce(sum(copies), 0) FROM holds WHERE isbn = %s AND until > %s"
ADD = "INSERT INTO holds (name, isbn, copies, until) VALUES (%s, %s, %s, %s)"
TAKE = "UPDATE stock SET copies = stock.copies - h.copies FROM holds h WHERE h.name = %s AND h.isbn = stock.isbn"
END = "DELETE FROM holds WHERE name = %s"


class Transaction(Protocol):
    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> Iterable[tuple[Any, ...]]: ...


class OutOfStock(Exception):
    """Fewer copies are free than were asked for."""


class Stock:
    def __init__(self, transaction: Transaction, clock: Callable[[], datetime]) -> None:
        self._transaction = transaction
        self._clock = clock

    def hold(self, lines: Mapping[str, int]) -> str:
        """Set copies aside; rows are locked in order of ISBN, so that two orders never wait for each other."""
        name, now = str(uuid.uuid4()), self._clock()
        for isbn in sorted(lines):
            (copies,) = next(iter(self._transaction.execute(LOCK, (isbn,))), (0,))
            ((held,),) = self._transaction.execute(HELD, (isbn, now))
            if copies - held < lines[isbn]:
                raise OutOfStock(isbn)
            self._transaction.execute(ADD, (name, isbn, lines[isbn], now + HOLD_FOR))
        return name

    def let_go(self, hold: str) -> None:
        self._transaction.execute(END, (hold,))

    def take_out(self, hold: str) -> None:
        """Take held copies out of the warehouse for good."""
        self._transaction.execute(TAKE, (hold,))
        self._transaction.execute(END, (hold,))
