"""What the database keeps, as entries: for each kind where it stands in a scope, how it is found and read."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from graph.scopes import Scope
from graph.stores.entries import MAKERS
from graph.stores.neo4j.base import key_at, scope_at
from graph.stores.neo4j.connection import Transaction
from graph.stores.neo4j.memories import RECORD
from graph.stores.transfer import Entry, EntryKind

Key = tuple[str, ...]


class _Source(NamedTuple):
    """Where a kind's entries stand.

    `standing` finds them in the scope `s` (`$scopes` are all that are dumped), in their `order`; `known` finds those
    with the key `k` (in the scope, `at` is its place, `first` that of its first part). `s` is then the entry's own
    scope; `MAKERS` take the `columns`.
    """

    standing: str
    order: str
    known: str
    columns: str


def _by_id(label: str, order: str, columns: str) -> _Source:
    return _Source(
        f"MATCH (x:{label} {{scope_n: s.n}})",
        order,
        # What a pin alone has made of an element has no scope.
        f"MATCH (x:{label} {{id: k[0]}}) MATCH (s:Scope {{n: x.scope_n}})",
        columns,
    )


def _mark(how: str) -> _Source:
    return _Source(
        f"MATCH (x:Session {{scope_n: s.n}})-[v:{how}]->(m:Memory) WHERE m.scope_n IN $scopes",
        "x.id, m.id",
        f"MATCH (s:Scope {{n: $scope}}) MATCH (x:Session {{at: first}})-[v:{how}]->(m:Memory {{id: k[1]}})",
        "x.id, m.id, v.at",
    )


_SOURCES: dict[EntryKind, _Source] = {
    "project": _Source(
        "WITH s WHERE s:Project",
        "s.n",
        "MATCH (s:Scope:Project {at: k[0] + '\n' + k[1]})",
        "s.organisation, s.id, s.name, s.created_at, s.version, [(s)<-[:LEADS_TO]-(i:Identity) | i.identity], "
        "coalesce(s.repository, ''), coalesce(s.branch, '')",
    ),
    "element": _by_id("Element", "x.id", "x.id, x.body, x.retired_at, x.verdict, x.drifted_at"),
    "relationships": _Source(
        "WITH s WHERE size(coalesce(s.relationships, [])) > 0",
        "s.n",
        "MATCH (s:Scope {n: $scope}) WHERE size(coalesce(s.relationships, [])) > 0",
        "s.relationships",
    ),
    "decision": _by_id("Decision", "x.id", "x.id, x.body, x.retired_at"),
    "memory": _Source(
        "MATCH (m:Memory {scope_n: s.n})",
        "m.id",
        "MATCH (m:Memory {id: k[0]}) MATCH (s:Scope {n: m.scope_n})",
        f"{RECORD}, m.title_key, m.content_key, m.search_key, m.terms, m.symbols, m.aliases",
    ),
    "vectors": _Source(
        "MATCH (m:Memory {scope_n: s.n}) WHERE m.search_vector IS NOT NULL",
        "m.id",
        "MATCH (m:Memory {id: k[0]}) WHERE m.search_vector IS NOT NULL MATCH (s:Scope {n: m.scope_n})",
        "m.id, m.vector_model, m.vector_key, m.search_vector, m.content_vector",
    ),
    "link": _Source(
        "MATCH (m:Memory {scope_n: s.n})-[:WROTE]->(l:Link)",
        "m.id, l.id",
        "MATCH (l:Link {id: k[0]}) MATCH (s:Scope {n: l.scope_n})",
        "l.id, l.memory, l.raw, l.keys, l.target_kind, l.target",
    ),
    "snapshot": _Source(
        "MATCH (x:Snapshot {scope_n: s.n}) WHERE EXISTS { (x)<-[:ANCHORED|ACCEPTED]-() }",
        "x.element, x.state",
        "MATCH (s:Scope {n: $scope}) MATCH (x:Snapshot {at: at})",
        "x.element, x.commit, x.body",
    ),
    "anchor": _Source(
        "MATCH (m:Memory {scope_n: s.n})-[a:ANCHORED]->(x:Snapshot)",
        "m.id, a.element",
        "MATCH (m:Memory {id: k[0]})-[a:ANCHORED {element: k[1]}]->(x:Snapshot) MATCH (s:Scope {n: m.scope_n})",
        "m.id, a.element, x.state",
    ),
    "accepted": _Source(
        "MATCH (s)-[a:ACCEPTED]->(x:Snapshot)",
        "a.element",
        "MATCH (s:Scope {n: $scope})-[a:ACCEPTED {element: k[0]}]->(x:Snapshot)",
        "a.element, x.state, a.at, a.actor",
    ),
    "event": _by_id("Event", "x.n", "x.body"),
    "reply": _Source(
        "MATCH (x:Reply {scope_n: s.n})",
        "x.key",
        "MATCH (s:Scope {n: $scope}) MATCH (x:Reply {at: at})",
        "x.key, x.request, x.reply, x.made_at",
    ),
    "session": _Source(
        # A mark alone makes a session that nobody has opened.
        "MATCH (x:Session {scope_n: s.n}) WHERE x.seen_at IS NOT NULL",
        "x.id",
        "MATCH (s:Scope {n: $scope}) MATCH (x:Session {at: at}) WHERE x.seen_at IS NOT NULL",
        "x.id, x.seen_at, x.reported_at, coalesce(x.work, '')",
    ),
    "served": _mark("SERVED"),
    "cited": _mark("CITED"),
    "proposal": _by_id("Proposal", "x.id", "x.body"),
    "dismissal": _Source(
        "MATCH (x:Dismissal {scope_n: s.n})",
        "x.why, x.subject",
        "MATCH (s:Scope {n: $scope}) MATCH (x:Dismissal {at: at})",
        "x.why, x.subject, x.cause, x.dismissed_at, x.actor",
    ),
    "gap": _by_id("Gap", "x.n", "x.body"),
    "run": _by_id("DriftRun", "x.n", "x.id, x.body"),
}
assert tuple(_SOURCES) == tuple(MAKERS)


class Dump:
    """Everything that these scopes (by number) hold; their writers wait meanwhile, so that it is one view."""

    def __init__(self, tx: Transaction, scopes: Sequence[int]) -> None:
        self._tx = tx
        self._scopes = list(scopes)

    def counts(self) -> dict[EntryKind, int]:
        """Return how many entries there are of each kind that there is."""
        counts = {
            kind: sum(self._one(scope, f"{source.standing} RETURN count(*)") for scope in self._scopes)
            for kind, source in _SOURCES.items()
        }
        return {kind: count for kind, count in counts.items() if count}

    def entries(self, kind: EntryKind) -> Iterator[Entry]:
        """Yield a kind's entries, by scope."""
        source = _SOURCES[kind]
        statement = (
            f"MATCH (s:Scope {{n: $scope}}) {source.standing} "
            f"WITH * ORDER BY {source.order} RETURN s.organisation, s.project, [{source.columns}]"
        )
        for scope in self._scopes:
            for row in self._tx.each(statement, scope=scope, scopes=self._scopes):
                yield MAKERS[kind](Scope(organisation=row[0], project=row[1]), row[2])

    def _one(self, scope: int, statement: str) -> int:
        row = self._tx.one(f"MATCH (s:Scope {{n: $scope}}) {statement}", scope=scope, scopes=self._scopes)
        return int(row[0]) if row else 0


def lock_scopes(tx: Transaction, scope: Scope, whole: bool) -> tuple[int, ...]:
    """Return the numbers of the scope, or of all of its organisation, which comes first; their writers wait."""
    rows = tx.rows(
        "MATCH (s:Scope) WHERE s.at = $at OR $whole AND s.organisation = $organisation "
        "WITH s ORDER BY s.project SET s.locked = true RETURN s.n AS n, s.project AS project ORDER BY project",
        at=scope_at(scope),
        organisation=scope.organisation,
        whole=whole,
    )
    return tuple(row[0] for row in rows)


def entries_of(tx: Transaction, kind: EntryKind, scope_n: int, keys: Iterable[Key]) -> dict[Key, Entry]:
    """Return what the store holds under these keys of a scope's entries, by key."""
    source = _SOURCES[kind]
    rows = tx.rows(
        f"UNWIND $keys AS row WITH row[0] AS k, row[1] AS at, row[2] AS first {source.known} "
        f"RETURN k, s.organisation, s.project, [{source.columns}]",
        keys=[[list(key), key_at(scope_n, *key), key_at(scope_n, *key[:1])] for key in keys],
        scope=scope_n,
    )
    return {tuple(row[0]): MAKERS[kind](Scope(organisation=row[1], project=row[2]), row[3]) for row in rows}
