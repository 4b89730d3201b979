"""The architecture model in the embedded store: elements, relationships, decisions of the exact scope."""

from collections.abc import Mapping, Sequence

from graph.elements import Relationship
from graph.stores.port import ElementVector, StoredDecision, StoredElement
from graph.stores.rows import as_micros, decision_of, element_of
from graph.stores.sqlite.base import Part


class Model(Part):
    """Reads and writes of the model."""

    _elements: tuple[StoredElement, ...] | None = None

    def elements(self) -> tuple[StoredElement, ...]:
        """Return every element by ref, retired ones too; parsed once in a unit."""
        if self._elements is None:
            self._elements = self._read_elements()
        return self._elements

    def _read_elements(self) -> tuple[StoredElement, ...]:
        rows = self._db.execute(
            "SELECT id, body, retired_at, verdict, drifted_at FROM elements WHERE scope_n = ? ORDER BY ref, id",
            (self._scope_n,),
        )
        return tuple(map(element_of, rows))

    def relationships(self) -> tuple[Relationship, ...]:
        """Return every relationship in the order of import."""
        rows = self._db.execute("SELECT body FROM relationships WHERE scope_n = ? ORDER BY rowid", (self._scope_n,))
        return tuple(Relationship.model_validate_json(row[0]) for row in rows)

    def decisions(self) -> tuple[StoredDecision, ...]:
        """Return every decision by ref, retired ones too."""
        rows = self._db.execute(
            "SELECT id, body, retired_at FROM decisions WHERE scope_n = ? ORDER BY ref", (self._scope_n,)
        )
        return tuple(map(decision_of, rows))

    def element_vectors(self, model: str) -> dict[str, ElementVector]:
        """Return the vectors of this model, by the element's id."""
        import numpy as np

        rows = self._db.execute(
            "SELECT element, text_key, data FROM element_vectors WHERE scope_n = ? AND model = ?",
            (self._scope_n, model),
        )
        return {name: ElementVector(key, np.frombuffer(data, dtype=np.float32)) for name, key, data in rows}

    def put_element_vectors(self, model: str, vectors: Mapping[str, ElementVector]) -> None:
        """Keep vectors of elements of the scope, in place of those that they had."""
        self._db.executemany(
            "INSERT OR REPLACE INTO element_vectors SELECT id, scope_n, ?, ?, ? FROM elements "
            "WHERE id = ? AND scope_n = ?",
            [
                (model, one.key, one.vector.astype("<f4").tobytes(), name, self._scope_n)
                for name, one in vectors.items()
            ],
        )

    def put_element(self, element: StoredElement) -> None:
        """Add an element or change it, by its id."""
        self._elements = None
        self._db.execute(
            "INSERT INTO elements VALUES(?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET ref = excluded.ref, "
            "body = excluded.body, retired_at = excluded.retired_at, verdict = excluded.verdict, "
            "drifted_at = excluded.drifted_at",
            (
                element.id,
                self._scope_n,
                element.element.ref,
                element.element.model_dump_json(exclude_defaults=True),
                as_micros(element.retired_at),
                element.verdict,
                as_micros(element.drifted_at),
            ),
        )

    def put_relationships(self, relationships: Sequence[Relationship]) -> None:
        """Replace all relationships."""
        self._db.execute("DELETE FROM relationships WHERE scope_n = ?", (self._scope_n,))
        self._db.executemany(
            "INSERT INTO relationships VALUES(?,?,?,?)",
            [(self._scope_n, r.source, r.target, r.model_dump_json(exclude_defaults=True)) for r in relationships],
        )

    def put_decision(self, decision: StoredDecision) -> None:
        """Add a decision or change it, by its id."""
        self._db.execute(
            "INSERT INTO decisions VALUES(?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET ref = excluded.ref, "
            "body = excluded.body, retired_at = excluded.retired_at",
            (
                decision.id,
                self._scope_n,
                decision.decision.ref,
                decision.decision.model_dump_json(exclude_defaults=True),
                as_micros(decision.retired_at),
            ),
        )
