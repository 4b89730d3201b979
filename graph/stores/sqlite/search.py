"""Nomination and facts in the embedded store: what is held in memory, an index of terms, and the vectors."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from graph.ranking import Facts, TermStats
from graph.stores.matrix import ContentChange
from graph.stores.pairs import nearest_pairs
from graph.stores.port import Asked, Embedded, Embedding, NearPairs, Nomination
from graph.stores.rows import facts_of
from graph.stores.sqlite.base import Part, as_list
from graph.vectors import Vector

if TYPE_CHECKING:
    from graph.stores.held import Change, Held
    from graph.stores.nomination import Places

_VISIBLE = "scope_n IN (SELECT value FROM json_each(?2))"
_CITED = f"(SELECT count(*) FROM cited c WHERE c.memory_n = m.n AND c.{_VISIBLE})"
# What a session was served after its report, it had no chance to report.
_REPORTED = (
    "(SELECT count(*) FROM served v JOIN sessions x ON x.scope_n = v.scope_n AND x.id = v.session "
    f" WHERE v.memory_n = m.n AND v.at <= x.reported_at AND v.{_VISIBLE})"
)
_CHANGED = (
    "SELECT m.n, m.state = 'live', m.kind, m.confirmed_at, m.drifted_at IS NOT NULL, m.evidence, "
    f"{_CITED}, {_REPORTED}, EXISTS(SELECT 1 FROM about WHERE memory_n = m.n), m.terms, v.data, "
    "v.search_key = m.search_key FROM memories m LEFT JOIN vectors v "
    "ON v.memory_n = m.n AND v.space = 'search' AND v.model = ?1 AND v.data IS NOT NULL "
    "WHERE m.scope_n = ?3 AND m.seq > ?4 AND (m.state = 'live' OR ?5)"
)


class Search(Part):
    """Reads that recall and dedup need, and the vectors' writes."""

    def term_stats(self, terms: Sequence[str]) -> TermStats:
        """Return the number of live memories, and of those that hold each term, over the visible scopes."""
        with self._holding(None) as (held, places):
            counts = {term: held.count(places(term)) for term in terms}
            return TermStats(memories=held.counts().live, holding={term: n for term, n in counts.items() if n})

    def nominate(self, asked: Asked) -> Nomination:
        """Return every live memory that may stand among the best; all are looked at, so none is missed."""
        named = self._members("symbols", "key", asked.keys) if asked.keys else ()
        there = None if asked.elements is None else self._about(asked.elements)
        with self._holding(None if asked.vector is None else asked.model) as (held, places):
            members, beyond = held.best(
                asked,
                {term: places(term) for term in asked.terms},
                held.places(named),
                None if there is None else held.places(there),
            )
        rows = self._db.execute("SELECT id FROM memories WHERE n IN (SELECT value FROM json_each(?))", (str(members),))
        return Nomination(tuple(row[0] for row in rows), beyond)

    def near_contents(self, vector: Vector, model: str, at_least: float) -> tuple[tuple[str, float], ...]:
        """Return the exact scope's live memories whose content vector has at least this cosine, best first."""
        with self._shared.matrices.lock:
            matrix = self._shared.matrices.of((self._scope_n, model))
            matrix.take(self._content_changes(model, matrix.seen))
            return tuple(matrix.at_least(vector, at_least))

    def near_pairs(self, model: str, at_least: float, most: int) -> NearPairs:
        """Return the nearest pairs of the exact scope's live memories by content vector; see `nearest_pairs`."""
        with self._shared.matrices.lock:
            matrix = self._shared.matrices.of((self._scope_n, model))
            matrix.take(self._content_changes(model, matrix.seen))
            held = matrix.by_id()
        return nearest_pairs(held, at_least, most)

    def facts(self, ids: Sequence[str]) -> tuple[Facts, ...]:
        """Return what ranking needs of the live visible memories among these."""
        rows = self._db.execute(
            "SELECT m.id, m.kind, m.terms, m.symbols, m.confirmed_at, m.drifted_at, m.evidence, "
            "(SELECT json_group_array(element ORDER BY element) FROM about WHERE memory_n = m.n), "
            f"{_CITED}, {_REPORTED} FROM memories m "
            f"WHERE m.id IN (SELECT value FROM json_each(?1)) AND m.state = 'live' AND m.{_VISIBLE} ORDER BY m.id",
            (as_list(ids), self._visible_json),
        )
        return tuple(map(facts_of, rows))

    def vectors(self, ids: Sequence[str], model: str) -> dict[str, Vector]:
        """Return the search vectors of these memories, without those that are pending."""
        rows = self._db.execute(
            "SELECT m.id, v.data FROM memories m JOIN vectors v ON v.memory_n = m.n AND v.space = 'search' "
            "WHERE m.id IN (SELECT value FROM json_each(?)) AND m.scope_n IN (SELECT value FROM json_each(?)) "
            "AND v.model = ? AND v.data IS NOT NULL",
            (as_list(ids), self._visible_json, model),
        )
        import numpy as np

        return {name: np.frombuffer(data, dtype=np.float32) for name, data in rows}

    def without_vectors(self, model: str, *, after: str, limit: int) -> tuple[str, ...]:
        """Return the exact scope's live memories after an id without a vector of this model and of their text."""
        rows = self._db.execute(
            "SELECT m.id FROM memories m WHERE m.scope_n = ? AND m.state = 'live' AND m.id > ? AND NOT EXISTS ("
            "SELECT 1 FROM vectors v WHERE v.memory_n = m.n AND v.space = 'search' AND v.data IS NOT NULL "
            "AND v.model = ? AND v.search_key = m.search_key) ORDER BY m.id LIMIT ?",
            (self._scope_n, after, model, limit),
        )
        return tuple(row[0] for row in rows)

    def embedded(self, model: str) -> Embedded:
        """Return how many of the visible live memories have a vector of this model, of their present text or not."""
        with self._holding(model) as (held, _):
            live, embedded, current = held.counts()
        models = self._models() if current < live else (model,)[:live]
        return Embedded(live=live, embedded=embedded, pending=live - current, models=models)

    def put_vectors(self, memory: str, embedding: Embedding) -> bool:
        """Keep both vectors of a live memory; False when they are of a text that it no longer has."""
        self.vectors_changed = True
        number = self._number(memory)
        last = self._db.execute("SELECT last FROM vector_sequence").get
        vectors = (("search", embedding.search), ("content", embedding.content))
        kept = 0
        for place, (space, vector) in enumerate(vectors, start=1):
            self._db.execute(
                "INSERT OR REPLACE INTO vectors(memory_n, space, scope_n, seq, model, search_key, data) "
                "SELECT n, ?, scope_n, ?, ?, search_key, ? FROM memories "
                "WHERE n = ? AND state = 'live' AND search_key = ?",
                (space, last + place, embedding.model, vector.astype("<f4").tobytes(), number, embedding.key),
            )
            kept += self._db.changes()
        self._db.execute("UPDATE vector_sequence SET last = last + 2")
        return bool(kept)

    @contextmanager
    def _holding(self, model: str | None) -> "Iterator[tuple[Held, Callable[[str], Places]]]":
        """Give what is held of the visible memories, as new as this transaction, and the way to a term's rows."""
        last = self._db.execute("SELECT last FROM vector_sequence").get
        with self._shared.holdings.lock:
            held = self._shared.holdings.of(self._visible)
            if model is not None and held.model != model and held.seen > last:
                # Another thread has a newer view; the vectors of an older one would leave holes in it.
                self._shared.holdings.drop(self._visible)
                held = self._shared.holdings.of(self._visible)
            if held.seen < last:
                held.take([change for scope_n in self._visible for change in self._changes(held, scope_n)], last)
            if model is not None and held.model != model:
                held.embed(model, self._vectors_of(model))
            is_current = held.seen == last

            def places(term: str) -> "Places":
                return held.holding(term, lambda one: self._members("postings", "term", (one,)), keep=is_current)

            yield held, places

    def _changes(self, held: "Held", scope_n: int) -> "Iterator[Change]":
        from graph.stores.held import Change
        from graph.stores.nomination import GROUND_CODES, KIND_CODES

        known = (held.model, self._visible_json, scope_n, held.seen, held.seen >= 0)
        for n, live, kind, at, drifted, evidence, cited, reported, pinned, terms, data, current in self._db.execute(
            _CHANGED, known
        ):
            ground = GROUND_CODES[bool(drifted), evidence]
            columns = (
                *(n, live, KIND_CODES[kind], at, ground, cited, reported, pinned, hash(terms)),
                *(data is not None, bool(current)),
            )
            yield Change(columns, partial(json.loads, terms), data)

    def _content_changes(self, model: str, seen: int) -> Iterator[ContentChange]:
        rows = self._db.execute(
            "SELECT v.seq, v.memory_n, m.id, CASE WHEN v.model = ? THEN v.data END FROM vectors v "
            "JOIN memories m ON m.n = v.memory_n WHERE v.scope_n = ? AND v.space = 'content' AND v.seq > ? "
            "ORDER BY v.seq",
            (model, self._scope_n, seen),
        )
        return (ContentChange(*row) for row in rows)

    def _models(self) -> tuple[str, ...]:
        rows = self._db.execute(
            "SELECT DISTINCT model FROM vectors WHERE space = 'search' AND data IS NOT NULL "
            "AND scope_n IN (SELECT value FROM json_each(?)) ORDER BY model",
            (self._visible_json,),
        )
        return tuple(row[0] for row in rows)

    def _vectors_of(self, model: str) -> "Iterator[tuple[int, bytes, bool]]":
        return self._db.execute(
            "SELECT m.n, v.data, v.search_key = m.search_key FROM vectors v JOIN memories m ON m.n = v.memory_n "
            "WHERE v.scope_n IN (SELECT value FROM json_each(?)) AND v.space = 'search' AND v.model = ? "
            "AND v.data IS NOT NULL AND m.state = 'live'",
            (self._visible_json, model),
        )

    def _about(self, elements: Sequence[str]) -> tuple[int, ...]:
        rows = self._db.execute(
            "SELECT DISTINCT memory_n FROM about WHERE element IN (SELECT value FROM json_each(?))",
            (as_list(elements),),
        )
        return tuple(row[0] for row in rows)

    def _members(self, table: str, column: str, values: Iterable[str]) -> tuple[int, ...]:
        rows = self._db.execute(
            f"SELECT DISTINCT memory_n FROM {table} WHERE scope_n IN (SELECT value FROM json_each(?)) "
            f"AND {column} IN (SELECT value FROM json_each(?))",
            (self._visible_json, as_list(values)),
        )
        return tuple(row[0] for row in rows)
