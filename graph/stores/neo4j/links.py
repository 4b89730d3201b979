"""Wiki links in Neo4j: a node for each, with the keys that it may name; and `LINKS_TO` to where it leads."""

from collections.abc import Iterable, Sequence
from typing import Any

from graph.stores.neo4j.base import Part
from graph.stores.port import Link, TargetKind
from graph.stores.rows import link_of

_RETURN = " RETURN DISTINCT l.id AS id, l.memory, l.raw, l.keys, l.target_kind, l.target ORDER BY id"
_LABELS: dict[TargetKind, str] = {"memory": "Memory", "element": "Element", "decision": "Decision"}


class Links(Part):
    """Reads and writes of links."""

    def links_from(self, memories: Sequence[str]) -> tuple[Link, ...]:
        """Return the links in these memories, in the order in which they stand there."""
        return self._links(
            "MATCH (m:Memory)-[:WROTE]->(l:Link) WHERE m.id IN $memories AND l.scope_n IN $visible",
            memories=list(memories),
            visible=self._visible,
        )

    def links_to(self, targets: Sequence[str]) -> tuple[Link, ...]:
        """Return the links of live memories that lead to these ids."""
        return self._links(
            "MATCH (l:Link)<-[:WROTE]-(m:Memory) WHERE l.target IN $targets AND m.state = 'live' "
            "AND l.scope_n IN $visible",
            targets=list(targets),
            visible=self._visible,
        )

    def links_naming(self, keys: Iterable[str]) -> tuple[Link, ...]:
        """Return the exact scope's links that may name any of these keys, attached or not."""
        return self._links(
            "MATCH (k:Key)<-[:MAY_NAME]-(l:Link) WHERE k.at IN $keys",
            keys=[self.at(key) for key in dict.fromkeys(keys)],
        )

    def pending_links(self) -> tuple[Link, ...]:
        """Return the exact scope's links of live memories that lead nowhere."""
        return self._links(
            "MATCH (l:PendingLink)<-[:WROTE]-(m:Memory) WHERE l.scope_n = $scope AND m.state = 'live'",
            scope=self._scope_n,
        )

    def put_links(self, memory: str, links: Sequence[Link]) -> None:
        """Replace the memory's links."""
        self._tx.run(
            "MATCH (m:Memory {id: $memory}) WHERE m.scope_n IN $visible OPTIONAL MATCH (m)-[:WROTE]->(l:Link) "
            "DETACH DELETE l WITH DISTINCT m OPTIONAL MATCH (m)-[r:LINKS_TO]->() DELETE r",
            memory=memory,
            visible=self._visible,
        )
        self._add_links(links)

    def attach(self, link: str, kind: TargetKind | None, target: str) -> None:
        """Lead a link to a target, or make it pending again."""
        self._tx.run(
            "MATCH (l:Link {id: $link}) WHERE l.scope_n = $scope "
            "SET l.target_kind = $kind, l.target = $target "
            "FOREACH (x IN CASE WHEN $target = '' THEN [l] ELSE [] END | SET x:PendingLink) "
            "FOREACH (x IN CASE WHEN $target = '' THEN [] ELSE [l] END | REMOVE x:PendingLink) "
            "WITH l MATCH (l)<-[:WROTE]-(:Memory)-[r:LINKS_TO {link: $link}]->() DELETE r",
            link=link,
            scope=self._scope_n,
            kind=kind,
            target=target,
        )
        if kind is not None and target:
            self._draw(kind, [link])

    def _add_links(self, links: Sequence[Link]) -> None:
        if not links:
            return
        self._tx.run(
            "UNWIND $links AS link MATCH (m:Memory {id: link.kept.memory}) WHERE m.scope_n IN $visible "
            "CREATE (m)-[:WROTE]->(l:Link) SET l = link.kept "
            "FOREACH (x IN CASE WHEN l.target = '' THEN [l] ELSE [] END | SET x:PendingLink) "
            "FOREACH (at IN link.keys | MERGE (k:Key {at: at}) CREATE (l)-[:MAY_NAME]->(k))",
            visible=self._visible,
            links=[
                {
                    "kept": {
                        "id": link.id,
                        "scope_n": self._scope_n,
                        "memory": link.memory,
                        "raw": link.raw,
                        "keys": list(dict.fromkeys(link.keys)),
                        "target_kind": link.target_kind,
                        "target": link.target,
                    },
                    "keys": [self.at(key) for key in dict.fromkeys(link.keys)],
                }
                for link in links
            ],
        )
        for kind in _LABELS:
            self._draw(kind, [link.id for link in links if link.target and link.target_kind == kind])

    def _draw(self, kind: TargetKind, links: Sequence[str]) -> None:
        """Lead the memories of these links to where the links lead."""
        if links:
            self._tx.run(
                "UNWIND $links AS id MATCH (l:Link {id: id})<-[:WROTE]-(m:Memory) WHERE l.scope_n = $scope "
                f"MATCH (x:{_LABELS[kind]} {{id: l.target}}) CREATE (m)-[:LINKS_TO {{raw: l.raw, link: l.id}}]->(x)",
                links=list(links),
                scope=self._scope_n,
            )

    def _links(self, match: str, **parameters: Any) -> tuple[Link, ...]:
        return tuple(map(link_of, self._tx.rows(match + _RETURN, **parameters)))
