"""Events, replies, gaps and leases in the embedded store."""

from datetime import datetime

from graph.codec import EventRecord
from graph.stores.port import Gap
from graph.stores.rows import to_micros
from graph.stores.sqlite.base import Part


class Events(Part):
    """Reads and writes of what happened."""

    def history(self, memory: str) -> tuple[EventRecord, ...]:
        """Return a visible memory's events, oldest first."""
        rows = self._db.execute(
            "SELECT body FROM events WHERE memory = ? AND scope_n IN (SELECT value FROM json_each(?)) ORDER BY n",
            (memory, self._visible_json),
        )
        return tuple(EventRecord.model_validate_json(row[0]) for row in rows)

    def append(self, event: EventRecord) -> None:
        """Keep an event; nothing ever changes or removes one."""
        self._db.execute(
            "INSERT INTO events(id, scope_n, memory, kind, at, actor, body) VALUES(?,?,?,?,?,?,?)",
            (
                event.id,
                self._scope_n,
                event.memory,
                event.kind,
                to_micros(event.at),
                event.actor,
                event.model_dump_json(),
            ),
        )

    def replayed(self, key: str) -> tuple[str, str] | None:
        """Return the request and the reply that a client key stands for."""
        rows = self._db.execute(
            "SELECT request, reply FROM replies WHERE scope_n = ? AND key = ?", (self._scope_n, key)
        )
        row = next(rows, None)
        return None if row is None else (str(row[0]), str(row[1]))

    def remember_reply(self, key: str, request: str, reply: str, at: datetime) -> None:
        """Keep the reply to a client key, so that a retry is answered and not done again."""
        self._db.execute("INSERT INTO replies VALUES(?,?,?,?,?)", (self._scope_n, key, request, reply, to_micros(at)))

    def gaps(self, limit: int) -> tuple[Gap, ...]:
        """Return the newest questions that found nothing."""
        rows = self._db.execute(
            "SELECT body FROM gaps WHERE scope_n = ? ORDER BY n DESC LIMIT ?", (self._scope_n, limit)
        )
        return tuple(Gap.model_validate_json(row[0]) for row in rows)

    def add_gap(self, gap: Gap) -> None:
        """Keep a question that found nothing."""
        self._db.execute(
            "INSERT INTO gaps(id, scope_n, at, body) VALUES(?,?,?,?)",
            (gap.id, self._scope_n, to_micros(gap.at), gap.model_dump_json()),
        )

    def lease(self, name: str, holder: str, until: datetime, now: datetime) -> bool:
        """Take or renew a lease; False when another holds it and it has not run out."""
        self._db.execute(
            "INSERT INTO leases VALUES(?,?,?,?) ON CONFLICT(scope_n, name) DO UPDATE SET holder = excluded.holder, "
            "until = excluded.until WHERE leases.holder = excluded.holder OR leases.until <= ?",
            (self._scope_n, name, holder, to_micros(until), to_micros(now)),
        )
        return bool(self._db.changes())

    def release(self, name: str, holder: str) -> None:
        """Give a lease back, if it is still the holder's."""
        self._db.execute(
            "DELETE FROM leases WHERE scope_n = ? AND name = ? AND holder = ?", (self._scope_n, name, holder)
        )
