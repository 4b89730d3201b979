"""Nomination and facts in the embedded store: an index of terms, and vectors by an in-process matrix."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from graph.memories import Evidence, Kind
from graph.ranking import Facts, TermStats
from graph.stores.port import Embedded, Embedding, Space
from graph.stores.sqlite.base import Part, as_list
from graph.stores.sqlite.connection import from_micros
from graph.vectors import Vector

if TYPE_CHECKING:
    from graph.stores.sqlite.matrix import Matrix

_VISIBLE = "scope_n IN (SELECT value FROM json_each(?2))"
_LIVE = "m.state = 'live' AND m.scope_n IN (SELECT value FROM json_each(?))"


class Search(Part):
    """Reads that recall and dedup need, and the vectors' writes."""

    def term_stats(self, terms: Sequence[str]) -> TermStats:
        """Return the number of live memories, and of those that hold each term, over the visible scopes."""
        count = self._db.execute(f"SELECT count(*) FROM memories m WHERE {_LIVE}", (self._visible_json,)).get
        holding = self._db.execute(
            "SELECT term, count(*) FROM postings WHERE scope_n IN (SELECT value FROM json_each(?)) "
            "AND term IN (SELECT value FROM json_each(?)) GROUP BY term",
            (self._visible_json, as_list(terms)),
        )
        return TermStats(memories=count, holding=dict(holding))

    def nominate_by_vector(self, vector: Vector, model: str, limit: int) -> tuple[str, ...]:
        """Return the live memories whose search vectors are nearest, best first; exact."""
        with self._matrices.lock:
            found = [pair for n in self._visible for pair in self._matrix(n, "search", model).nearest(vector, limit)]
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return tuple(name for name, _ in found[:limit])

    def nominate_by_terms(self, terms: Sequence[str]) -> tuple[str, ...]:
        """Return the live memories that hold any of the terms."""
        return self._holding("postings", "term", terms)

    def nominate_by_symbols(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Return the live memories with any of these look-up keys (titles, names, paths, identifiers)."""
        return self._holding("symbols", "key", keys)

    def near_contents(self, vector: Vector, model: str, at_least: float) -> tuple[tuple[str, float], ...]:
        """Return the exact scope's live memories whose content vector has at least this cosine, best first."""
        with self._matrices.lock:
            return tuple(self._matrix(self._scope_n, "content", model).at_least(vector, at_least))

    def facts(self, ids: Sequence[str]) -> tuple[Facts, ...]:
        """Return what ranking needs of the live visible memories among these."""
        rows = self._db.execute(
            "SELECT m.id, m.kind, m.terms, m.symbols, m.confirmed_at, m.drifted_at, m.evidence, "
            "(SELECT json_group_array(element ORDER BY element) FROM about WHERE memory_n = m.n), "
            f"(SELECT count(*) FROM cited c WHERE c.memory_n = m.n AND c.{_VISIBLE}), "
            # What a session was served after its report, it had no chance to report.
            "(SELECT count(*) FROM served v JOIN sessions x ON x.scope_n = v.scope_n AND x.id = v.session "
            f" WHERE v.memory_n = m.n AND v.at <= x.reported_at AND v.{_VISIBLE}) "
            f"FROM memories m WHERE m.id IN (SELECT value FROM json_each(?1)) AND m.state = 'live' AND m.{_VISIBLE} "
            "ORDER BY m.id",
            (as_list(ids), self._visible_json),
        )
        return tuple(
            Facts(
                id=row[0],
                kind=Kind(row[1]),
                terms=frozenset(json.loads(row[2])),
                symbols=frozenset(json.loads(row[3])),
                confirmed_at=from_micros(row[4]),
                drifted_at=None if row[5] is None else from_micros(row[5]),
                evidence=Evidence(row[6]),
                elements=tuple(json.loads(row[7])),
                cited_by=row[8],
                reported_to=row[9],
            )
            for row in rows
        )

    def vectors(self, ids: Sequence[str], model: str) -> dict[str, Vector]:
        """Return the search vectors of these memories, without those that are pending."""
        numbers = self._db.execute(
            "SELECT n, id, scope_n FROM memories WHERE id IN (SELECT value FROM json_each(?))", (as_list(ids),)
        )
        found: dict[str, Vector] = {}
        with self._matrices.lock:
            matrices = {n: self._matrix(n, "search", model) for n in self._visible}
            for number, name, scope_n in numbers:
                vector = matrices[scope_n].vector(number) if scope_n in matrices else None
                if vector is not None:
                    found[name] = vector
        return found

    def without_vectors(self, model: str, limit: int) -> tuple[str, ...]:
        """Return the exact scope's live memories whose vectors are missing, of another model or of an older text."""
        rows = self._db.execute(
            "SELECT m.id FROM memories m WHERE m.scope_n = ? AND m.state = 'live' AND NOT EXISTS ("
            "SELECT 1 FROM vectors v WHERE v.memory_n = m.n AND v.space = 'search' AND v.data IS NOT NULL "
            "AND v.model = ? AND v.search_key = m.search_key) ORDER BY m.id LIMIT ?",
            (self._scope_n, model, limit),
        )
        return tuple(row[0] for row in rows)

    def embedded(self, model: str) -> Embedded:
        """Return how many of the visible live memories have a vector of this model, of their present text or not."""
        live = self._db.execute(f"SELECT count(*) FROM memories m WHERE {_LIVE}", (self._visible_json,)).get
        rows = self._db.execute(
            "SELECT v.model, count(*), sum(v.search_key = m.search_key) FROM vectors v JOIN memories m "
            "ON m.n = v.memory_n WHERE v.space = 'search' AND v.data IS NOT NULL "
            "AND v.scope_n IN (SELECT value FROM json_each(?)) GROUP BY v.model",
            (self._visible_json,),
        )
        counts = {row[0]: row[1:] for row in rows}
        embedded, current = counts.get(model, (0, 0))
        return Embedded(live=live, embedded=embedded, pending=live - current, models=tuple(sorted(counts)))

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

    def _matrix(self, scope_n: int, space: Space, model: str) -> "Matrix":
        from graph.stores.sqlite.matrix import MatrixKey

        return self._matrices.current(MatrixKey(scope_n, space, model), self._db)

    def _holding(self, table: str, column: str, values: Iterable[str]) -> tuple[str, ...]:
        rows = self._db.execute(
            f"SELECT DISTINCT m.id FROM {table} p JOIN memories m ON m.n = p.memory_n "
            "WHERE p.scope_n IN (SELECT value FROM json_each(?)) "
            f"AND p.{column} IN (SELECT value FROM json_each(?)) ORDER BY m.id",
            (self._visible_json, as_list(values)),
        )
        return tuple(row[0] for row in rows)
