"""Outgoing events, written in the transaction of the change they tell of."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

ADD = "INSERT INTO outbox (topic, body) VALUES (%s, %s)"
TAKE = "SELECT id, topic, body FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT %s"
DONE = "UPDATE outbox SET sent_at = now() WHERE id = %s"


class Connection(Protocol):
    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> Iterable[tuple[Any, ...]]: ...
    def commit(self) -> None: ...


def announce(transaction: Connection, topic: str, body: Mapping[str, object]) -> None:
    """Add an event; the caller commits, so that order and event stand or fall together."""
    transaction.execute(ADD, (topic, json.dumps(body, sort_keys=True)))


def waiting(connection: Connection, most: int = 100) -> list[tuple[Any, ...]]:
    return list(connection.execute(TAKE, (most,)))


def mark_sent(connection: Connection, event: int) -> None:
    connection.execute(DONE, (event,))
