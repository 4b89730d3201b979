"""Nomination and facts in Neo4j: what is held in memory, the keys that lead to memories, and the vectors."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from graph.ranking import Facts, TermStats
from graph.stores.holdings import Holdings
from graph.stores.matrix import ContentChange, Matrix
from graph.stores.neo4j.base import Part, key_at
from graph.stores.pairs import nearest_pairs
from graph.stores.port import Asked, Embedded, Embedding, NearPairs, Nomination
from graph.stores.rows import Row, facts_of
from graph.vectors import Vector

if TYPE_CHECKING:
    from graph.stores.held import Change, Held
    from graph.stores.nomination import Places

_CITED = "COUNT { (m)<-[:CITED]-(x:Session) WHERE x.scope_n IN $visible }"
# What a session was served after its report, it had no chance to report.
_REPORTED = "COUNT { (m)<-[v:SERVED]-(x:Session) WHERE x.scope_n IN $visible AND v.at <= x.reported_at }"
_CHANGED = (
    "MATCH (m:Memory) WHERE m.scope_n = $scope AND m.seq > $seen AND (m.state = 'live' OR $all) "
    "RETURN m.n, m.state = 'live', m.kind, m.confirmed_at, m.drifted_at IS NOT NULL, m.evidence, "
    f"{_CITED}, {_REPORTED}, EXISTS {{ (m)-[:ABOUT]->() }}, m.terms, "
    "CASE WHEN m.vector_model = $model THEN m.search_vector END, m.vector_key = m.search_key"
)


class Search(Part):
    """Reads that recall and dedup need, and the vectors' writes."""

    def term_stats(self, terms: Sequence[str]) -> TermStats:
        """Return the number of live memories, and of those that hold each term, over the visible scopes."""
        with self._holding(None, terms) as (held, places):
            counts = {term: held.count(places(term)) for term in terms}
            return TermStats(memories=held.counts().live, holding={term: n for term, n in counts.items() if n})

    def nominate(self, asked: Asked) -> Nomination:
        """Return every live memory that may stand among the best; all are looked at, so none is missed."""
        named = [number for found in self._members("SPELLS", asked.keys).values() for number in found]
        there = None if asked.elements is None else self._about(asked.elements)
        with self._holding(None if asked.vector is None else asked.model, asked.terms) as (held, places):
            members, beyond = held.best(
                asked,
                {term: places(term) for term in asked.terms},
                held.places(dict.fromkeys(named)),
                None if there is None else held.places(there),
            )
        rows = self._tx.rows("MATCH (m:Memory) WHERE m.n IN $members RETURN m.id", members=members)
        return Nomination(tuple(row[0] for row in rows), beyond)

    def near_contents(self, vector: Vector, model: str, at_least: float) -> tuple[tuple[str, float], ...]:
        """Return the exact scope's live memories whose content vector has at least this cosine, best first."""
        own = self._ground.embedded
        with self._contents(model) as matrix:
            near = matrix.at_least(vector, at_least)
        if own:
            mine = Matrix()
            mine.take(self._content_changes("m.id IN $own", model, 0))
            near = [*(one for one in near if one[0] not in own), *mine.at_least(vector, at_least)]
        return tuple(sorted(near, key=lambda one: (-one[1], one[0])))

    def near_pairs(self, model: str, at_least: float, most: int) -> NearPairs:
        """Return the nearest pairs of the exact scope's live memories by content vector; see `nearest_pairs`.

        What the same write embedded is not among them yet.
        """
        with self._contents(model) as matrix:
            held = matrix.by_id()
        return nearest_pairs(held, at_least, most)

    def facts(self, ids: Sequence[str]) -> tuple[Facts, ...]:
        """Return what ranking needs of the live visible memories among these."""
        rows = self._tx.rows(
            "MATCH (m:Memory) WHERE m.id IN $ids AND m.state = 'live' AND m.scope_n IN $visible "
            "RETURN m.id AS id, m.kind, m.terms, m.symbols, m.confirmed_at, m.drifted_at, m.evidence, "
            f"[(m)-[:ABOUT]->(e:Element) | e.id], {_CITED}, {_REPORTED} ORDER BY id",
            ids=list(ids),
            visible=self._visible,
        )
        return tuple(map(facts_of, rows))

    def vectors(self, ids: Sequence[str], model: str) -> dict[str, Vector]:
        """Return the search vectors of these memories, without those that are pending."""
        rows = self._tx.rows(
            "MATCH (m:Memory) WHERE m.id IN $ids AND m.scope_n IN $visible AND m.vector_model = $model "
            "AND m.search_vector IS NOT NULL RETURN m.id, m.search_vector",
            ids=list(ids),
            visible=self._visible,
            model=model,
        )
        import numpy as np

        return {name: np.frombuffer(data, dtype=np.float32) for name, data in rows}

    def without_vectors(self, model: str, *, after: str, limit: int) -> tuple[str, ...]:
        """Return the exact scope's live memories after an id without a vector of this model and of their text."""
        rows = self._tx.rows(
            "MATCH (m:Memory) WHERE m.scope_n = $scope AND m.state = 'live' AND m.id > $after "
            "AND (m.search_vector IS NULL OR m.vector_model <> $model OR m.vector_key <> m.search_key) "
            "RETURN m.id AS id ORDER BY id LIMIT $limit",
            scope=self._scope_n,
            after=after,
            model=model,
            limit=limit,
        )
        return tuple(row[0] for row in rows)

    def embedded(self, model: str) -> Embedded:
        """Return how many of the visible live memories have a vector of this model, of their present text or not."""
        with self._holding(model, ()) as (held, _):
            live, embedded, current = held.counts()
        models = self._models() if current < live else (model,)[:live]
        return Embedded(live=live, embedded=embedded, pending=live - current, models=models)

    def put_vectors(self, memory: str, embedding: Embedding) -> bool:
        """Keep both vectors of a live memory; False when they are of a text that it no longer has."""
        row = self._tx.one(
            "MATCH (m:Memory {id: $id}) WHERE m.scope_n IN $visible AND m.state = 'live' AND m.search_key = $key "
            "SET m += $kept RETURN m.id",
            id=memory,
            visible=self._visible,
            key=embedding.key,
            kept={
                "vector_model": embedding.model,
                "vector_key": embedding.key,
                "search_vector": embedding.search.astype("<f4").tobytes(),
                "content_vector": embedding.content.astype("<f4").tobytes(),
            },
        )
        if row is not None:
            self._ground.touch((memory,), vectors=True)
        return row is not None

    @contextmanager
    def _holding(self, model: str | None, terms: Sequence[str]) -> "Iterator[tuple[Held, Callable[[str], Places]]]":
        """Give what is held of the visible memories, as new as the sequence, and the way to the rows of these terms."""
        ground = self._ground
        # What is not committed yet nobody else may see.
        holdings = Holdings() if ground.changed else ground.shared.holdings
        with holdings.lock:
            held = holdings.of(tuple(self._visible))
            if held.seen < ground.last or ground.changed:
                changes = [change for scope in self._visible for change in self._changes(held, scope)]
                held.take(changes, max(held.seen, ground.settled))
            if model is not None and held.model != model:
                held.embed(model, self._vectors_of(model))
            is_settled = held.seen == ground.last
            found: dict[str, list[int]] = {}

            def read(term: str) -> Iterable[int]:
                if term not in found:
                    # All terms of a question in one statement, when any of them is not held.
                    found.update(self._members("HOLDS", terms))
                return found[term]

            def places(term: str) -> "Places":
                return held.holding(term, read, keep=is_settled)

            yield held, places

    def _changes(self, held: "Held", scope_n: int) -> "Iterator[Change]":
        from graph.stores.held import Change
        from graph.stores.nomination import GROUND_CODES, KIND_CODES

        rows = self._tx.rows(
            _CHANGED, scope=scope_n, seen=held.seen, all=held.seen >= 0, visible=self._visible, model=held.model
        )
        for n, live, kind, at, drifted, evidence, cited, reported, pinned, terms, data, current in rows:
            ground = GROUND_CODES[drifted, evidence]
            columns = (
                *(n, live, KIND_CODES[kind], at, ground, cited, reported, pinned, hash(terms)),
                *(data is not None, data is not None and bool(current)),
            )
            yield Change(columns, partial(json.loads, terms), data)

    @contextmanager
    def _contents(self, model: str) -> Iterator[Matrix]:
        """Give the content vectors as they are committed."""
        own, matrices = self._ground.embedded, self._ground.shared.matrices
        with matrices.lock:
            matrix = matrices.of((self._scope_n, model))
            seen = matrix.seen
            if seen < self._ground.last:
                matrix.take(self._content_changes("m.content_seq > $seen AND NOT m.id IN $own", model, seen))
                # What this write changed itself is left out, so nothing beyond is seen of the others' either.
                matrix.seen = seen if own else max(seen, self._ground.settled)
            yield matrix

    def _content_changes(self, which: str, model: str, seen: int) -> list[ContentChange]:
        rows = self._tx.rows(
            f"MATCH (m:Memory) WHERE m.scope_n = $scope AND {which} "
            "RETURN coalesce(m.content_seq, 0) AS seq, m.n, m.id, "
            "CASE WHEN m.vector_model = $model THEN m.content_vector END ORDER BY seq",
            scope=self._scope_n,
            seen=seen,
            model=model,
            own=list(self._ground.embedded),
        )
        return [ContentChange(*row) for row in rows]

    def _models(self) -> tuple[str, ...]:
        rows = self._tx.rows(
            "MATCH (m:Memory) WHERE m.scope_n IN $visible AND m.search_vector IS NOT NULL "
            "RETURN DISTINCT m.vector_model AS model ORDER BY model",
            visible=self._visible,
        )
        return tuple(row[0] for row in rows)

    def _vectors_of(self, model: str) -> list[tuple[int, bytes, bool]]:
        rows: list[Row] = self._tx.rows(
            "MATCH (m:Memory) WHERE m.scope_n IN $visible AND m.state = 'live' AND m.vector_model = $model "
            "AND m.search_vector IS NOT NULL RETURN m.n, m.search_vector, m.vector_key = m.search_key",
            visible=self._visible,
            model=model,
        )
        return [(n, data, current) for n, data, current in rows]

    def _about(self, elements: Sequence[str]) -> list[int]:
        rows = self._tx.rows(
            "MATCH (e:Element)<-[:ABOUT]-(m:Memory) WHERE e.id IN $elements RETURN DISTINCT m.n",
            elements=list(elements),
        )
        return [row[0] for row in rows]

    def _members(self, how: str, names: Iterable[str]) -> dict[str, list[int]]:
        """Return the numbers of the visible live memories that each name leads to."""
        found: dict[str, list[int]] = {name: [] for name in names}
        by_key = {key_at(number, name): name for name in found for number in self._visible}
        if by_key:
            rows = self._tx.rows(
                f"MATCH (k:Key)<-[:{how}]-(m:Memory) WHERE k.at IN $keys RETURN k.at, m.n", keys=list(by_key)
            )
            for at, number in rows:
                found[by_key[at]].append(number)
        return found
