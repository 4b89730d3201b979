"""Sessions in the embedded store: what they declared, were served and relied on."""

from collections.abc import Sequence
from datetime import datetime

from graph.sessions import Session
from graph.stores.rows import as_micros, is_open, session_of, to_micros, work_body
from graph.stores.sqlite.base import Part

_COLUMNS = "SELECT id, seen_at, reported_at, work FROM sessions WHERE scope_n = ?"


class Sessions(Part):
    """Reads and writes of sessions."""

    def session(self, name: str) -> Session | None:
        """Return a session of the exact scope."""
        row = next(self._db.execute(f"{_COLUMNS} AND id = ?", (self._scope_n, name)), None)
        return None if row is None else session_of(row)

    def open_sessions(self) -> tuple[Session, ...]:
        """Return the sessions whose declared work is neither finished nor given up, by id."""
        return tuple(map(session_of, self._db.execute(f"{_COLUMNS} AND is_open ORDER BY id", (self._scope_n,))))

    def ended_sessions(self, limit: int, *, before: str) -> tuple[Session, ...]:
        """Return the sessions whose work is finished or given up, newest first, those before an id if one is given."""
        rows = self._db.execute(
            f"{_COLUMNS} AND work <> '' AND NOT is_open AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?",
            (self._scope_n, before, before, limit),
        )
        return tuple(map(session_of, rows))

    def put_session(self, session: Session) -> None:
        """Add a session or change it, by its id."""
        self._db.execute(
            "INSERT INTO sessions(id, scope_n, seen_at, reported_at, work, is_open) VALUES(?,?,?,?,?,?) "
            "ON CONFLICT(scope_n, id) DO UPDATE SET seen_at = excluded.seen_at, reported_at = excluded.reported_at, "
            "work = excluded.work, is_open = excluded.is_open",
            (
                session.id,
                self._scope_n,
                to_micros(session.seen_at),
                as_micros(session.reported_at),
                work_body(session),
                is_open(session),
            ),
        )

    def impress(self, session: str, memories: Sequence[str], at: datetime) -> None:
        """Record that a session was served these memories."""
        self._seen(session, at)
        self._mark("served", session, memories, at)

    def cite(self, session: str, memories: Sequence[str], at: datetime) -> None:
        """Record that a session reported what it used: these memories, possibly none."""
        self._seen(session, at)
        self._db.execute(
            "UPDATE sessions SET reported_at = ? WHERE scope_n = ? AND id = ?", (to_micros(at), self._scope_n, session)
        )
        self._mark("cited", session, memories, at)

    def _seen(self, session: str, at: datetime) -> None:
        self._db.execute(
            "INSERT INTO sessions(id, scope_n, seen_at) VALUES(?,?,?) "
            "ON CONFLICT(scope_n, id) DO UPDATE SET seen_at = excluded.seen_at",
            (session, self._scope_n, to_micros(at)),
        )

    def _mark(self, table: str, session: str, memories: Sequence[str], at: datetime) -> None:
        numbers = [number for number in map(self._number, memories) if number]
        self._db.executemany(
            f"INSERT OR IGNORE INTO {table}(memory_n, scope_n, session, at) VALUES(?,?,?,?)",
            [(number, self._scope_n, session, to_micros(at)) for number in numbers],
        )
