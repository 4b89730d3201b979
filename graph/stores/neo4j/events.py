"""Events, replies, gaps and leases in Neo4j."""

from collections.abc import Sequence
from datetime import datetime

from graph.codec import EventRecord
from graph.stores.neo4j.base import Part
from graph.stores.port import Gap
from graph.stores.rows import to_micros


class Events(Part):
    """Reads and writes of what happened."""

    def history(self, memory: str) -> tuple[EventRecord, ...]:
        """Return a visible memory's events, oldest first."""
        rows = self._tx.rows(
            "MATCH (e:Event {memory: $memory}) WHERE e.scope_n IN $visible RETURN e.body, e.n AS n ORDER BY n",
            memory=memory,
            visible=self._visible,
        )
        return tuple(EventRecord.model_validate_json(row[0]) for row in rows)

    def append(self, event: EventRecord) -> None:
        """Keep an event; nothing ever changes or removes one."""
        self._append([event])

    def replayed(self, key: str) -> tuple[str, str] | None:
        """Return the request and the reply that a client key stands for."""
        row = self._tx.one("MATCH (r:Reply {at: $at}) RETURN r.request, r.reply", at=self.at(key))
        return None if row is None else (row[0], row[1])

    def remember_reply(self, key: str, request: str, reply: str, at: datetime) -> None:
        """Keep the reply to a client key, so that a retry is answered and not done again."""
        self._tx.run(
            "CREATE (r:Reply) SET r = $kept",
            kept={
                "at": self.at(key),
                "scope_n": self._scope_n,
                "key": key,
                "request": request,
                "reply": reply,
                "made_at": to_micros(at),
            },
        )

    def gaps(self, limit: int) -> tuple[Gap, ...]:
        """Return the newest questions that found nothing."""
        rows = self._tx.rows(
            "MATCH (g:Gap {scope_n: $scope}) RETURN g.body, g.n AS n ORDER BY n DESC LIMIT $limit",
            scope=self._scope_n,
            limit=limit,
        )
        return tuple(Gap.model_validate_json(row[0]) for row in rows)

    def add_gap(self, gap: Gap) -> None:
        """Keep a question that found nothing."""
        self._tx.run(
            "CREATE (g:Gap) SET g = $kept",
            kept={
                "id": gap.id,
                "n": self.take_numbers(),
                "scope_n": self._scope_n,
                "at": to_micros(gap.at),
                "body": gap.model_dump_json(),
            },
        )

    def _append(self, events: Sequence[EventRecord]) -> None:
        first = self.take_numbers(len(events))
        self._tx.run(
            "UNWIND $events AS kept CREATE (e:Event) SET e = kept "
            "WITH e MATCH (m:Memory {id: e.memory}) CREATE (e)-[:CHANGED]->(m)",
            events=[
                {
                    "id": event.id,
                    "n": number,
                    "scope_n": self._scope_n,
                    "memory": event.memory,
                    "kind": event.kind.value,
                    "at": to_micros(event.at),
                    "actor": event.actor,
                    "body": event.model_dump_json(),
                }
                for number, event in enumerate(events, first)
            ],
        )

    def lease(self, name: str, holder: str, until: datetime, now: datetime) -> bool:
        """Take or renew a lease; False when another holds it and it has not run out."""
        row = self._tx.one(
            "MERGE (l:Lease {at: $at}) ON CREATE SET l.name = $name, l.holder = $holder, l.until = $until "
            "WITH l WHERE l.holder = $holder OR l.until <= $now SET l.holder = $holder, l.until = $until RETURN l.at",
            at=self.at(name),
            name=name,
            holder=holder,
            until=to_micros(until),
            now=to_micros(now),
        )
        return row is not None

    def release(self, name: str, holder: str) -> None:
        """Give a lease back, if it is still the holder's."""
        self._tx.run("MATCH (l:Lease {at: $at, holder: $holder}) DELETE l", at=self.at(name), holder=holder)
