"""The architecture model in Neo4j: elements, relationships, decisions of the exact scope."""

from collections.abc import Mapping, Sequence
from typing import Any

from graph.elements import Relationship
from graph.stores.neo4j.base import Part
from graph.stores.port import ElementVector, StoredDecision, StoredElement
from graph.stores.rows import as_micros, decision_of, element_of


class Model(Part):
    """Reads and writes of the model."""

    _elements: tuple[StoredElement, ...] | None = None

    def elements(self) -> tuple[StoredElement, ...]:
        """Return every element by ref, retired ones too; parsed once in a unit."""
        if self._elements is None:
            self._elements = self._read_elements()
        return self._elements

    def _read_elements(self) -> tuple[StoredElement, ...]:
        rows = self._tx.rows(
            "MATCH (e:Element {scope_n: $scope}) "
            "RETURN e.id AS id, e.body, e.retired_at, e.verdict, e.drifted_at, e.ref AS ref ORDER BY ref, id",
            scope=self._scope_n,
        )
        return tuple(map(element_of, rows))

    def relationships(self) -> tuple[Relationship, ...]:
        """Return every relationship in the order of import."""
        rows = self._tx.rows(
            "MATCH (s:Scope {n: $scope}) UNWIND coalesce(s.relationships, []) AS body RETURN body", scope=self._scope_n
        )
        return tuple(Relationship.model_validate_json(row[0]) for row in rows)

    def decisions(self) -> tuple[StoredDecision, ...]:
        """Return every decision by ref, retired ones too."""
        rows = self._tx.rows(
            "MATCH (d:Decision {scope_n: $scope}) RETURN d.id AS id, d.body, d.retired_at, d.ref AS ref "
            "ORDER BY ref, id",
            scope=self._scope_n,
        )
        return tuple(map(decision_of, rows))

    def element_vectors(self, model: str) -> dict[str, ElementVector]:
        """Return the vectors of this model, by the element's id."""
        import numpy as np

        rows = self._tx.rows(
            "MATCH (e:Element {scope_n: $scope}) WHERE e.vector_model = $model RETURN e.id, e.vector_key, e.vector",
            scope=self._scope_n,
            model=model,
        )
        return {name: ElementVector(key, np.frombuffer(data, dtype=np.float32)) for name, key, data in rows}

    def put_element_vectors(self, model: str, vectors: Mapping[str, ElementVector]) -> None:
        """Keep vectors of elements of the scope, in place of those that they had."""
        self._tx.run(
            "UNWIND $vectors AS v MATCH (e:Element {id: v.id}) WHERE e.scope_n = $scope "
            "SET e.vector_model = $model, e.vector_key = v.key, e.vector = v.data",
            scope=self._scope_n,
            model=model,
            vectors=[
                {"id": name, "key": one.key, "data": one.vector.astype("<f4").tobytes()}
                for name, one in vectors.items()
            ],
        )

    def put_element(self, element: StoredElement) -> None:
        """Add an element or change it, by its id."""
        self._put_elements([element])

    def _put_elements(self, elements: Sequence[StoredElement]) -> None:
        self._elements = None
        self._tx.run(
            # A pin may have made the node, which is no element of any scope until now.
            "UNWIND $elements AS kept MERGE (e:Element {id: kept.id}) SET e += kept "
            "WITH e MATCH (e)-[r:CONTAINS]-() DELETE r",
            elements=[self._element_row(element) for element in elements],
        )
        # Parent and children, whichever of them was put first.
        for other, contained in (
            ("p:Element {live_ref: e.parent_at}", "(p)-[:CONTAINS]->(e)"),
            ("c:Element {parent_at: e.live_ref}", "(e)-[:CONTAINS]->(c)"),
        ):
            self._tx.run(
                f"UNWIND $ids AS id MATCH (e:Element {{id: id}}) MATCH ({other}) MERGE {contained}",
                ids=[element.id for element in elements],
            )

    def _element_row(self, element: StoredElement) -> dict[str, Any]:
        one, is_live = element.element, element.retired_at is None
        return {
            "id": element.id,
            "scope_n": self._scope_n,
            "ref": one.ref,
            "live_ref": self.at(one.ref) if is_live else None,
            "parent_at": self.at(one.parent) if is_live and one.parent else None,
            "name": one.name,
            "kind": one.kind.value,
            "body": one.model_dump_json(exclude_defaults=True),
            "retired_at": as_micros(element.retired_at),
            "verdict": element.verdict,
            "drifted_at": as_micros(element.drifted_at),
        }

    def put_relationships(self, relationships: Sequence[Relationship]) -> None:
        """Replace all relationships; `USES` stands between the elements that are there."""
        self._tx.run(
            "MATCH (s:Scope {n: $scope}) SET s.relationships = $bodies "
            "WITH s OPTIONAL MATCH (:Element {scope_n: $scope})-[r:USES]->() DELETE r",
            scope=self._scope_n,
            bodies=[one.model_dump_json(exclude_defaults=True) for one in relationships],
        )
        self._tx.run(
            "UNWIND $uses AS u MATCH (a:Element {live_ref: u.source}), (b:Element {live_ref: u.target}) "
            "CREATE (a)-[:USES {description: u.description, technology: u.technology}]->(b)",
            uses=[
                {
                    "source": self.at(one.source),
                    "target": self.at(one.target),
                    "description": one.description,
                    "technology": one.technology,
                }
                for one in relationships
            ],
        )

    def put_decision(self, decision: StoredDecision) -> None:
        """Add a decision or change it, by its id."""
        self._put_decisions([decision])

    def _put_decisions(self, decisions: Sequence[StoredDecision]) -> None:
        self._tx.run(
            "UNWIND $decisions AS kept MERGE (d:Decision {id: kept.id}) SET d += kept",
            decisions=[
                {
                    "id": one.id,
                    "scope_n": self._scope_n,
                    "ref": one.decision.ref,
                    "title": one.decision.title,
                    "body": one.decision.model_dump_json(exclude_defaults=True),
                    "retired_at": as_micros(one.retired_at),
                }
                for one in decisions
            ],
        )
