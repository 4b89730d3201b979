"""What the database keeps, as entries: for each kind where it stands in a scope, how it is found and read."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, get_args

from graph.claims import Anchor
from graph.codec import EventRecord
from graph.drift_report import DriftReport
from graph.elements import Decision, Element, Relationship
from graph.scopes import Project, Scope
from graph.stores.neo4j.base import key_at, scope_at
from graph.stores.neo4j.connection import Row, Transaction, from_micros
from graph.stores.neo4j.memories import RECORD, record_of
from graph.stores.port import Gap, Keys, Link, StoredDecision, StoredElement, StoredRun
from graph.stores.transfer import (
    AcceptedEntry,
    AnchorEntry,
    CitedEntry,
    DecisionEntry,
    ElementEntry,
    Entry,
    EntryKind,
    EventEntry,
    GapEntry,
    LinkEntry,
    MemoryEntry,
    ProjectEntry,
    RelationshipsEntry,
    ReplyEntry,
    RunEntry,
    ServedEntry,
    SessionEntry,
    SnapshotEntry,
    VectorsEntry,
)

Key = tuple[str, ...]


class _Source(NamedTuple):
    """Where a kind's entries stand.

    `standing` finds them in the scope `s` (`$scopes` are all that are dumped), in their `order`; `known` finds those
    with the key `k` (in the scope, `at` is its place, `first` that of its first part). `s` is then the entry's own
    scope; `make` takes `columns`.
    """

    standing: str
    order: str
    known: str
    columns: str
    make: Callable[[Scope, Row], Entry]


def _moment(micros: int | None) -> Any:
    return None if micros is None else from_micros(micros)


def _project(scope: Scope, row: Row) -> Entry:
    made = {"name": row[0], "created_at": from_micros(row[1]), "version": row[2], "identities": sorted(row[3])}
    return ProjectEntry(project=Project(organisation=scope.organisation, id=scope.project, **made))


def _element(scope: Scope, row: Row) -> Entry:
    stored = StoredElement(
        id=row[0],
        element=Element.model_validate_json(row[1]),
        retired_at=_moment(row[2]),
        verdict=row[3],
        drifted_at=_moment(row[4]),
    )
    return ElementEntry(scope=scope, stored=stored)


def _decision(scope: Scope, row: Row) -> Entry:
    made = Decision.model_validate_json(row[1])
    return DecisionEntry(scope=scope, stored=StoredDecision(id=row[0], decision=made, retired_at=_moment(row[2])))


def _memory(_: Scope, row: Row) -> Entry:
    title, content, search, terms, symbols, aliases = row[-6:]
    keys = Keys(
        title=title,
        content=content,
        search=search,
        terms=json.loads(terms),
        symbols=json.loads(symbols),
        aliases=sorted(aliases),
    )
    return MemoryEntry(record=record_of(row[:-6]), keys=keys)


def _vectors(scope: Scope, row: Row) -> Entry:
    return VectorsEntry(scope=scope, memory=row[0], model=row[1], key=row[2], search=row[3], content=row[4])


def _link(scope: Scope, row: Row) -> Entry:
    link = Link(id=row[0], memory=row[1], raw=row[2], keys=tuple(row[3]), target_kind=row[4], target=row[5])
    return LinkEntry(scope=scope, link=link)


def _relationships(scope: Scope, row: Row) -> Entry:
    return RelationshipsEntry(scope=scope, relationships=tuple(map(Relationship.model_validate_json, row[0])))


def _snapshot(scope: Scope, row: Row) -> Entry:
    return SnapshotEntry(scope=scope, anchor=Anchor(element=row[0], commit=row[1], blobs=json.loads(row[2])))


def _accepted(scope: Scope, row: Row) -> Entry:
    return AcceptedEntry(scope=scope, element=row[0], state=row[1], at=from_micros(row[2]), actor=row[3])


def _reply(scope: Scope, row: Row) -> Entry:
    return ReplyEntry(scope=scope, key=row[0], request=row[1], reply=row[2], at=from_micros(row[3]))


def _session(scope: Scope, row: Row) -> Entry:
    return SessionEntry(scope=scope, id=row[0], seen_at=from_micros(row[1]), reported_at=_moment(row[2]))


def _run(scope: Scope, row: Row) -> Entry:
    return RunEntry(scope=scope, run=StoredRun(id=row[0], report=DriftReport.model_validate_json(row[1])))


def _by_id(label: str, order: str, columns: str, make: Callable[[Scope, Row], Entry]) -> _Source:
    return _Source(
        f"MATCH (x:{label} {{scope_n: s.n}})",
        order,
        # What a pin alone has made of an element has no scope.
        f"MATCH (x:{label} {{id: k[0]}}) MATCH (s:Scope {{n: x.scope_n}})",
        columns,
        make,
    )


def _mark(how: str, entry: type[ServedEntry] | type[CitedEntry]) -> _Source:
    return _Source(
        f"MATCH (x:Session {{scope_n: s.n}})-[v:{how}]->(m:Memory) WHERE m.scope_n IN $scopes",
        "x.id, m.id",
        f"MATCH (s:Scope {{n: $scope}}) MATCH (x:Session {{at: first}})-[v:{how}]->(m:Memory {{id: k[1]}})",
        "x.id, m.id, v.at",
        lambda scope, row: entry(scope=scope, session=row[0], memory=row[1], at=from_micros(row[2])),
    )


_SOURCES: dict[EntryKind, _Source] = {
    "project": _Source(
        "WITH s WHERE s:Project",
        "s.n",
        "MATCH (s:Scope:Project {at: k[0] + '\n' + k[1]})",
        "s.name, s.created_at, s.version, [(s)<-[:LEADS_TO]-(i:Identity) | i.identity]",
        _project,
    ),
    "element": _by_id("Element", "x.id", "x.id, x.body, x.retired_at, x.verdict, x.drifted_at", _element),
    "relationships": _Source(
        "WITH s WHERE size(coalesce(s.relationships, [])) > 0",
        "s.n",
        "MATCH (s:Scope {n: $scope}) WHERE size(coalesce(s.relationships, [])) > 0",
        "s.relationships",
        _relationships,
    ),
    "decision": _by_id("Decision", "x.id", "x.id, x.body, x.retired_at", _decision),
    "memory": _Source(
        "MATCH (m:Memory {scope_n: s.n})",
        "m.id",
        "MATCH (m:Memory {id: k[0]}) MATCH (s:Scope {n: m.scope_n})",
        f"{RECORD}, m.title_key, m.content_key, m.search_key, m.terms, m.symbols, m.aliases",
        _memory,
    ),
    "vectors": _Source(
        "MATCH (m:Memory {scope_n: s.n}) WHERE m.search_vector IS NOT NULL",
        "m.id",
        "MATCH (m:Memory {id: k[0]}) WHERE m.search_vector IS NOT NULL MATCH (s:Scope {n: m.scope_n})",
        "m.id, m.vector_model, m.vector_key, m.search_vector, m.content_vector",
        _vectors,
    ),
    "link": _Source(
        "MATCH (m:Memory {scope_n: s.n})-[:WROTE]->(l:Link)",
        "m.id, l.n",
        "MATCH (l:Link {id: k[0]}) MATCH (s:Scope {n: l.scope_n})",
        "l.id, l.memory, l.raw, l.keys, l.target_kind, l.target",
        _link,
    ),
    "snapshot": _Source(
        "MATCH (x:Snapshot {scope_n: s.n}) WHERE EXISTS { (x)<-[:ANCHORED|ACCEPTED]-() }",
        "x.element, x.state",
        "MATCH (s:Scope {n: $scope}) MATCH (x:Snapshot {at: at})",
        "x.element, x.commit, x.body",
        _snapshot,
    ),
    "anchor": _Source(
        "MATCH (m:Memory {scope_n: s.n})-[a:ANCHORED]->(x:Snapshot)",
        "m.id, a.element",
        "MATCH (m:Memory {id: k[0]})-[a:ANCHORED {element: k[1]}]->(x:Snapshot) MATCH (s:Scope {n: m.scope_n})",
        "m.id, a.element, x.state",
        lambda scope, row: AnchorEntry(scope=scope, memory=row[0], element=row[1], state=row[2]),
    ),
    "accepted": _Source(
        "MATCH (s)-[a:ACCEPTED]->(x:Snapshot)",
        "a.element",
        "MATCH (s:Scope {n: $scope})-[a:ACCEPTED {element: k[0]}]->(x:Snapshot)",
        "a.element, x.state, a.at, a.actor",
        _accepted,
    ),
    "event": _by_id("Event", "x.n", "x.body", lambda _, row: EventEntry(event=EventRecord.model_validate_json(row[0]))),
    "reply": _Source(
        "MATCH (x:Reply {scope_n: s.n})",
        "x.key",
        "MATCH (s:Scope {n: $scope}) MATCH (x:Reply {at: at})",
        "x.key, x.request, x.reply, x.made_at",
        _reply,
    ),
    "session": _Source(
        # A mark alone makes a session that nobody has opened.
        "MATCH (x:Session {scope_n: s.n}) WHERE x.seen_at IS NOT NULL",
        "x.id",
        "MATCH (s:Scope {n: $scope}) MATCH (x:Session {at: at}) WHERE x.seen_at IS NOT NULL",
        "x.id, x.seen_at, x.reported_at",
        _session,
    ),
    "served": _mark("SERVED", ServedEntry),
    "cited": _mark("CITED", CitedEntry),
    "gap": _by_id(
        "Gap", "x.n", "x.body", lambda scope, row: GapEntry(scope=scope, gap=Gap.model_validate_json(row[0]))
    ),
    "run": _by_id("DriftRun", "x.n", "x.id, x.body", _run),
}
assert tuple(_SOURCES) == get_args(EntryKind)


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
                yield source.make(Scope(organisation=row[0], project=row[1]), row[2])

    def _one(self, scope: int, statement: str) -> int:
        row = self._tx.one(f"MATCH (s:Scope {{n: $scope}}) {statement}", scope=scope, scopes=self._scopes)
        return int(row[0]) if row else 0


def lock_scopes(tx: Transaction, scope: Scope, whole: bool) -> tuple[int, ...]:
    """Return the numbers of the scope, or of all of its organisation, which comes first; their writers wait."""
    rows = tx.rows(
        "MATCH (s:Scope) WHERE s.at = $at OR $whole AND s.organisation = $organisation "
        "WITH s ORDER BY s.n SET s.locked = true RETURN s.n AS n, s.project AS project ORDER BY project",
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
    return {tuple(row[0]): source.make(Scope(organisation=row[1], project=row[2]), row[3]) for row in rows}
