"""The architecture model in Neo4j: elements, relationships, decisions of the exact scope."""

from collections.abc import Sequence
from functools import lru_cache

from graph.elements import Decision, Element, Relationship
from graph.stores.neo4j.base import Part
from graph.stores.neo4j.connection import from_micros, to_micros
from graph.stores.port import StoredDecision, StoredElement


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
        return tuple(
            StoredElement(
                id=name,
                element=_element(body),
                retired_at=None if retired is None else from_micros(retired),
                verdict=verdict,
                drifted_at=None if drifted is None else from_micros(drifted),
            )
            for name, body, retired, verdict, drifted, _ in rows
        )

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
        return tuple(
            StoredDecision(
                id=name,
                decision=Decision.model_validate_json(body),
                retired_at=None if retired is None else from_micros(retired),
            )
            for name, body, retired, _ in rows
        )

    def put_element(self, element: StoredElement) -> None:
        """Add an element or change it, by its id."""
        self._elements = None
        one, is_live = element.element, element.retired_at is None
        self._tx.run(
            # A pin may have made the node, which is no element of any scope until now.
            "MERGE (e:Element {id: $id}) SET e += $kept WITH e OPTIONAL MATCH (e)-[r:CONTAINS]-() DELETE r",
            id=element.id,
            kept={
                "scope_n": self._scope_n,
                "ref": one.ref,
                "live_ref": self.at(one.ref) if is_live else None,
                "parent_at": self.at(one.parent) if is_live and one.parent else None,
                "name": one.name,
                "kind": one.kind.value,
                "body": one.model_dump_json(exclude_defaults=True),
                "retired_at": None if element.retired_at is None else to_micros(element.retired_at),
                "verdict": element.verdict,
                "drifted_at": None if element.drifted_at is None else to_micros(element.drifted_at),
            },
        )
        # Parent and children, whichever of them was put first.
        self._tx.run(
            "MATCH (e:Element {id: $id}), (p:Element {live_ref: e.parent_at}) CREATE (p)-[:CONTAINS]->(e)",
            id=element.id,
        )
        self._tx.run(
            "MATCH (e:Element {id: $id}), (c:Element {parent_at: e.live_ref}) CREATE (e)-[:CONTAINS]->(c)",
            id=element.id,
        )

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
        self._tx.run(
            "MERGE (d:Decision {id: $id}) SET d += $kept",
            id=decision.id,
            kept={
                "scope_n": self._scope_n,
                "ref": decision.decision.ref,
                "title": decision.decision.title,
                "body": decision.decision.model_dump_json(exclude_defaults=True),
                "retired_at": None if decision.retired_at is None else to_micros(decision.retired_at),
            },
        )


@lru_cache(maxsize=16_384)
def _element(body: str) -> Element:
    return Element.model_validate_json(body)
