"""Memories in Neo4j: by id, by name, by content; and what leads to them, kept in the same transaction."""

import json
from collections.abc import Sequence
from typing import Any

from graph.codec import Record
from graph.errors import DuplicateTitle, Unknown, VersionConflict
from graph.memories import Evidence, Kind, State
from graph.stores.neo4j.base import Part
from graph.stores.port import Keys, Named, Tally
from graph.stores.rows import as_micros, as_moment, from_micros, record_of, to_micros

RECORD = (
    "m.id, s.organisation, s.project, m.kind, m.state, m.version, m.created_at, m.created_by, m.confirmed_at, "
    "m.confirmed_by, coalesce(m.superseded_by, ''), m.drifted_at, m.evidence, m.body, "
    "[(m)-[:ABOUT]->(e:Element) | e.id], coalesce(m.unreviewed, false)"
)
_PINNED = "MATCH (m:Memory)-[:ABOUT]->(e:Element) WHERE m.state = 'live' AND m.scope_n IN $visible"


class Memories(Part):
    """Reads and writes of memories."""

    def memories(self, ids: Sequence[str]) -> tuple[Record, ...]:
        """Return the visible memories with these ids, in their order; unknown ids are left out."""
        rows = self._tx.rows(
            f"MATCH (m:Memory) WHERE m.id IN $ids AND m.scope_n IN $visible MATCH (s:Scope {{n: m.scope_n}}) "
            f"RETURN {RECORD}",
            ids=list(ids),
            visible=self._visible,
        )
        found = {record.id: record for record in map(record_of, rows)}
        return tuple(found[name] for name in ids if name in found)

    def listed(self, states: Sequence[State], *, after: str, limit: int) -> tuple[Record, ...]:
        """Return the exact scope's memories in these states by id, those after the given id."""
        rows = self._tx.rows(
            "MATCH (m:Memory) WHERE m.scope_n = $scope AND m.state IN $states AND m.id > $after "
            "WITH m ORDER BY m.id LIMIT $limit MATCH (s:Scope {n: $scope}) "
            f"RETURN {RECORD} ORDER BY m.id",
            scope=self._scope_n,
            states=[state.value for state in states],
            after=after,
            limit=limit,
        )
        return tuple(map(record_of, rows))

    def named(self, key: str) -> tuple[Named, ...]:
        """Return what a title's or alias's key leads to in the exact scope."""
        rows = self._tx.rows(
            "MATCH (:Key {at: $at})<-[n:NAMED]-(m:Memory) "
            "RETURN m.id AS id, m.state, n.by_alias, coalesce(m.superseded_by, '') ORDER BY id",
            at=self.at(key),
        )
        return tuple(
            Named(memory=name, state=State(state), by_alias=by_alias, superseded_by=successor)
            for name, state, by_alias, successor in rows
        )

    def same_content(self, key: str) -> tuple[str, ...]:
        """Return the exact scope's live memories whose normalised text has this key."""
        return self._ids("MATCH (m:Memory {live_content: $at})", at=self.at(key))

    def pinned(self, elements: Sequence[str]) -> tuple[str, ...]:
        """Return the visible live memories pinned to any of these elements."""
        return self._ids(f"{_PINNED} AND e.id IN $elements", elements=list(elements))

    def pin_counts(self) -> dict[str, int]:
        """Return how many visible live memories are pinned to each element that has any."""
        rows = self._tx.rows(f"{_PINNED} RETURN e.id, count(*)", visible=self._visible)
        return {row[0]: row[1] for row in rows}

    def unpinned(self) -> tuple[str, ...]:
        """Return the visible live memories that are about the whole project or organisation."""
        return self._ids(
            "MATCH (m:Memory) WHERE m.scope_n IN $visible AND m.state = 'live' AND NOT EXISTS { (m)-[:ABOUT]->() }"
        )

    def tallies(self) -> tuple[Tally, ...]:
        """Count the exact scope's live memories by element, kind, evidence and whether they drifted."""
        rows = self._tx.rows(
            "MATCH (m:Memory) WHERE m.scope_n = $scope AND m.state = 'live' OPTIONAL MATCH (m)-[:ABOUT]->(e:Element) "
            "WITH coalesce(e.id, '') AS element, m.kind AS kind, m.evidence AS evidence, "
            "m.drifted_at IS NULL AS held, max(m.drifted_at) AS drifted, max(m.confirmed_at) AS confirmed, "
            "count(*) AS memories RETURN element, kind, evidence, drifted, confirmed, memories",
            scope=self._scope_n,
        )
        # SQLite's order: nothing before a moment.
        rows.sort(key=lambda row: (row[0], row[1], row[2], -1 if row[3] is None else row[3]))
        return tuple(
            Tally(
                element=element,
                kind=Kind(kind),
                evidence=Evidence(evidence),
                drifted_at=as_moment(drifted),
                confirmed_at=from_micros(confirmed),
                memories=count,
            )
            for element, kind, evidence, drifted, confirmed, count in rows
        )

    def put(self, record: Record, keys: Keys) -> None:
        """Add a memory (version 1) or change it (version one above what is stored); raise VersionConflict otherwise."""
        is_live = record.state is State.LIVE
        title = self.at(keys.title) if is_live and keys.title else None
        stored = self._tx.one(
            "OPTIONAL MATCH (m:Memory {id: $id}) OPTIONAL MATCH (t:Memory {live_title: $title}) "
            "RETURN m.version, m.scope_n, t.id",
            id=record.id,
            title=title,
        )
        version, scope_n, namesake = stored or (None, None, None)
        if record.version != (version or 0) + 1:
            raise VersionConflict(
                f"memory {record.id} is at version {version or 0}, the change was made for {record.version - 1}",
                id=record.id,
                next_step="read the memory again and repeat the change",
            )
        if namesake not in (None, record.id):
            raise DuplicateTitle(
                "a live memory of this scope has this title",
                id=record.id,
                next_step="supersede it, or choose another title",
            )
        if version is None:
            self._create([record])
        elif scope_n not in self._visible:
            raise Unknown(f"memory {record.id} is not in this scope", id=record.id, next_step="use its own project")
        self._unindex(record.id)
        self._keep([(record, keys)])
        self._ground.touch((record.id,), vectors=record.state is not State.LIVE)

    def put_unindexed(self, record: Record) -> None:
        """Change a memory whose words, names, pins and state stay, so that no index is touched."""
        row = self._tx.one(
            "MATCH (m:Memory {id: $id}) WHERE m.scope_n = $scope AND m.version = $version SET m += $kept RETURN m.id",
            id=record.id,
            scope=self._scope_n,
            version=record.version - 1,
            kept=_standing(record),
        )
        if row is None:
            raise VersionConflict(
                f"memory {record.id} was changed meanwhile",
                id=record.id,
                next_step="read the memory again and repeat the change",
            )
        self._ground.touch((record.id,))

    def reindex(self, memory: str, keys: Keys) -> None:
        """Renew what a memory is found by without a new version: its own words are unchanged."""
        record = self.memories((memory,))[0]
        self._unindex(memory)
        self._keep([(record, keys)])
        self._ground.touch((memory,))

    def _create(self, records: Sequence[Record]) -> None:
        first = self.take_numbers(len(records))
        self._tx.run(
            "UNWIND $made AS made CREATE (m:Memory) SET m = made "
            # What it replaces may have been told so before.
            "WITH m MATCH (old:Memory {superseded_by: m.id}) CREATE (m)-[:SUPERSEDES]->(old)",
            made=[
                {
                    "id": record.id,
                    "n": number,
                    "scope_n": self._scope_n,
                    "created_at": to_micros(record.created_at),
                    "created_by": record.created_by,
                    "seq": 0,  # takes its number at the end of the write
                }
                for number, record in enumerate(records, first)
            ],
        )

    def _unindex(self, memory: str) -> None:
        self._tx.run("MATCH (:Memory {id: $id})-[r:NAMED|ABOUT|HOLDS|SPELLS]->() DELETE r", id=memory)

    def _keep(self, memories: Sequence[tuple[Record, Keys]]) -> None:
        """Write what changes of memories, and lead names, pins and, while they are live, terms and symbols to them."""
        self._tx.run(
            "UNWIND $memories AS one MATCH (m:Memory {id: one.id}) SET m += one.kept "
            "FOREACH (e IN one.elements | MERGE (x:Element {id: e}) CREATE (m)-[:ABOUT]->(x)) "
            "FOREACH (n IN one.names | MERGE (k:Key {at: n[0]}) CREATE (m)-[:NAMED {by_alias: n[1]}]->(k)) "
            "FOREACH (at IN one.terms | MERGE (k:Key {at: at}) CREATE (m)-[:HOLDS]->(k)) "
            "FOREACH (at IN one.symbols | MERGE (k:Key {at: at}) CREATE (m)-[:SPELLS]->(k)) "
            "WITH m MATCH (x:Memory {id: m.superseded_by}) MERGE (x)-[:SUPERSEDES]->(m)",
            memories=[self._row(record, keys) for record, keys in memories],
        )

    def _row(self, record: Record, keys: Keys) -> dict[str, Any]:
        is_live = record.state is State.LIVE
        names = dict.fromkeys(keys.aliases, True) | ({keys.title: False} if keys.title else {})
        kept = {
            "kind": record.kind.value,
            "state": record.state.value,
            "superseded_by": record.superseded_by or None,
            "live_title": self.at(keys.title) if is_live and keys.title else None,
            "live_content": self.at(keys.content) if is_live else None,
            **_standing(record),
            "title_key": keys.title,
            "aliases": list(keys.aliases),
            "content_key": keys.content,
            "search_key": keys.search,
            "terms": json.dumps(keys.terms),
            "symbols": json.dumps(keys.symbols),
        }
        if not is_live:
            kept |= {"vector_model": None, "vector_key": None, "search_vector": None, "content_vector": None}
        return {
            "id": record.id,
            "kept": kept,
            "elements": sorted(set(record.elements)),
            "names": [[self.at(key), by_alias] for key, by_alias in names.items()],
            "terms": [self.at(term) for term in dict.fromkeys(keys.terms)] if is_live else [],
            "symbols": [self.at(symbol) for symbol in dict.fromkeys(keys.symbols)] if is_live else [],
        }

    def _ids(self, match: str, **parameters: Any) -> tuple[str, ...]:
        rows = self._tx.rows(f"{match} RETURN DISTINCT m.id AS id ORDER BY id", visible=self._visible, **parameters)
        return tuple(row[0] for row in rows)


def _standing(record: Record) -> dict[str, Any]:
    return {
        "version": record.version,
        "confirmed_at": to_micros(record.confirmed_at),
        "confirmed_by": record.confirmed_by,
        "drifted_at": as_micros(record.drifted_at),
        "evidence": record.evidence.value,
        "unreviewed": record.unreviewed or None,
        "body": record.body,
    }
