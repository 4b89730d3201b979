"""Sessions in Neo4j: what they declared, were served and relied on."""

from collections.abc import Sequence
from datetime import datetime

from graph.sessions import Session
from graph.stores.neo4j.base import Part
from graph.stores.rows import as_micros, is_open, session_of, to_micros, work_body

_COLUMNS = "RETURN x.id AS id, x.seen_at, x.reported_at, coalesce(x.work, '')"


class Sessions(Part):
    """Reads and writes of sessions."""

    def session(self, name: str) -> Session | None:
        """Return a session of the exact scope."""
        row = self._tx.one(f"MATCH (x:Session {{at: $at}}) WHERE x.seen_at IS NOT NULL {_COLUMNS}", at=self.at(name))
        return None if row is None else session_of(row)

    def open_sessions(self) -> tuple[Session, ...]:
        """Return the sessions whose declared work is neither finished nor given up, by id."""
        rows = self._tx.rows(
            f"MATCH (x:Session {{scope_n: $scope}}) WHERE x.is_open {_COLUMNS} ORDER BY id", scope=self._scope_n
        )
        return tuple(map(session_of, rows))

    def ended_sessions(self, limit: int, *, before: str) -> tuple[Session, ...]:
        """Return the sessions whose work is finished or given up, newest first, those before an id if one is given."""
        rows = self._tx.rows(
            "MATCH (x:Session {scope_n: $scope}) WHERE x.work <> '' AND NOT x.is_open "
            f"AND ($before = '' OR x.id < $before) {_COLUMNS} ORDER BY id DESC LIMIT $limit",
            scope=self._scope_n,
            before=before,
            limit=limit,
        )
        return tuple(map(session_of, rows))

    def put_session(self, session: Session) -> None:
        """Add a session or change it, by its id, and lead it to the elements that it holds."""
        self._put_sessions([session])

    def _put_sessions(self, sessions: Sequence[Session]) -> None:
        self._tx.run(
            "UNWIND $sessions AS kept MERGE (x:Session {at: kept.at}) SET x += kept "
            "WITH x OPTIONAL MATCH (x)-[old:LEASES]->() DELETE old",
            sessions=[
                {
                    "at": self.at(one.id),
                    "id": one.id,
                    "scope_n": self._scope_n,
                    "seen_at": to_micros(one.seen_at),
                    "reported_at": as_micros(one.reported_at),
                    "work": work_body(one),
                    "is_open": is_open(one),
                }
                for one in sessions
            ],
        )
        leases = [
            [self.at(one.id), lease.element, lease.exclusive]
            for one in sessions
            if one.work and is_open(one)
            for lease in one.work.leases
            if lease.lost_at is None
        ]
        self._tx.run(
            "UNWIND $leases AS lease MATCH (x:Session {at: lease[0]}) MATCH (e:Element {id: lease[1]}) "
            "CREATE (x)-[:LEASES {exclusive: lease[2]}]->(e)",
            leases=leases,
        )

    def impress(self, session: str, memories: Sequence[str], at: datetime) -> None:
        """Record that a session was served these memories."""
        self._seen(session, at)
        self._mark("SERVED", session, memories, at)

    def cite(self, session: str, memories: Sequence[str], at: datetime) -> None:
        """Record that a session reported what it used: these memories, possibly none."""
        self._seen(session, at)
        served = self._tx.rows(
            "MATCH (x:Session {at: $at}) SET x.reported_at = $now WITH x MATCH (x)-[:SERVED]->(m:Memory) RETURN m.id",
            at=self.at(session),
            now=to_micros(at),
        )
        self._ground.touch(row[0] for row in served)
        self._ground.touch(self._mark("CITED", session, memories, at))

    def _seen(self, session: str, at: datetime) -> None:
        self._tx.run(
            "MERGE (x:Session {at: $at}) ON CREATE SET x.id = $id, x.scope_n = $scope SET x.seen_at = $now",
            at=self.at(session),
            id=session,
            scope=self._scope_n,
            now=to_micros(at),
        )

    def _mark(self, how: str, session: str, memories: Sequence[str], at: datetime) -> list[str]:
        """Lead a session to the visible memories among these that it does not lead to yet, and return those."""
        rows = self._tx.rows(
            "MATCH (x:Session {at: $at}) UNWIND $memories AS id MATCH (m:Memory {id: id}) "
            f"WHERE m.scope_n IN $visible AND NOT EXISTS {{ (x)-[:{how}]->(m) }} "
            f"CREATE (x)-[:{how} {{at: $now}}]->(m) RETURN m.id",
            at=self.at(session),
            memories=list(dict.fromkeys(memories)),
            visible=self._visible,
            now=to_micros(at),
        )
        return [row[0] for row in rows]
