"""Entries taken into the database, as they are: with their ids, versions and times, a batch by a few statements."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import TypeVar

from graph.errors import Unknown
from graph.memories import State
from graph.scopes import Scope
from graph.stores.neo4j.base import Ground, find_scopes, identity_at, lock_scope, scope_at
from graph.stores.neo4j.drift import Drift
from graph.stores.neo4j.dumping import entries_of
from graph.stores.neo4j.events import Events
from graph.stores.neo4j.links import Links
from graph.stores.neo4j.memories import Memories
from graph.stores.neo4j.model import Model
from graph.stores.neo4j.reviews import Reviews
from graph.stores.neo4j.sessions import Sessions
from graph.stores.rows import to_micros
from graph.stores.transfer import (
    AcceptedEntry,
    AnchorEntry,
    CitedEntry,
    DecisionEntry,
    DismissalEntry,
    ElementEntry,
    Entry,
    EventEntry,
    GapEntry,
    LinkEntry,
    MemoryEntry,
    ProjectEntry,
    ProposalEntry,
    RelationshipsEntry,
    ReplyEntry,
    Restored,
    RunEntry,
    ServedEntry,
    SessionEntry,
    SnapshotEntry,
    VectorsEntry,
    key_of,
)

T = TypeVar("T")


class Restore:
    """One transaction that takes entries in."""

    def __init__(self, ground: Ground) -> None:
        self._of_tx = ground
        self._grounds: dict[Scope, _Ground] = {}

    def restore(self, entries: Sequence[Entry]) -> tuple[Restored, ...]:
        """Take entries of one kind in as they are, each unless it is known or something stands in its place."""
        found: list[Restored] = []
        for scope, some in groupby(entries, key=lambda entry: entry.scope):
            found.extend(self._ground(scope).restore(list(some)))
        return tuple(found)

    def _ground(self, scope: Scope) -> "_Ground":
        if scope not in self._grounds:
            # The organisation first: what a scope sees is settled when its ground is made.
            for one in reversed(scope.visible):
                lock_scope(self._of_tx.tx, one)
            _, numbers = find_scopes(self._of_tx.tx, scope.visible)
            self._grounds[scope] = _Ground(self._of_tx, scope, numbers)
        return self._grounds[scope]


class _Ground(Memories, Links, Model, Drift, Sessions, Reviews, Events):
    """The writes of one scope."""

    def restore(self, entries: Sequence[Entry]) -> list[Restored]:
        """Take a scope's entries of one kind in."""
        held = entries_of(self._tx, entries[0].kind, self._scope_n, map(key_of, entries))
        owners = self._owners(entries)
        fresh: list[Entry] = []
        found: list[Restored] = []
        for entry in entries:
            key, name, claims = key_of(entry), _id_of(entry), self._claims(entry)
            rivals = sorted({owners[claim] for claim in claims if claim in owners} - {name})
            if key in held:
                found.append(Restored("known" if held[key] == entry else "differs"))
            elif rivals:
                found.append(Restored("taken", rivals[0]))
            else:
                found.append(Restored("new"))
                fresh.append(entry)
                held[key] = entry
                owners.update(dict.fromkeys(claims, name))
        if fresh:
            self._add(fresh)
        return found

    def _claims(self, entry: Entry) -> list[str]:
        """Return the names that the entry alone may have."""
        match entry:
            case MemoryEntry(record=record, keys=keys) if record.state is State.LIVE and keys.title:
                return [self.at(keys.title)]
            case ElementEntry(stored=stored) if stored.retired_at is None:
                return [self.at(stored.element.ref)]
            case ProjectEntry(project=project):
                return [identity_at(project.organisation, identity) for identity in project.identities]
        return []

    def _owners(self, entries: Sequence[Entry]) -> dict[str, str]:
        """Return the id of what has each of the names that these entries want."""
        found_by = {
            "memory": "MATCH (x:Memory {live_title: name}) RETURN name, x.id",
            "element": "MATCH (x:Element {live_ref: name}) RETURN name, x.id",
            "project": "MATCH (:Identity {at: name})-[:LEADS_TO]->(x:Project) RETURN name, x.id",
        }.get(entries[0].kind)
        if found_by is None:
            return {}
        names = [name for entry in entries for name in self._claims(entry)]
        rows = self._tx.rows(f"UNWIND $names AS name {found_by}", names=names)
        return {row[0]: row[1] for row in rows}

    def _add(self, entries: Sequence[Entry]) -> None:
        """Write what is not there yet."""
        match entries[0]:
            case ProjectEntry():
                self._add_projects(_of(entries, ProjectEntry))
            case ElementEntry():
                self._put_elements([one.stored for one in _of(entries, ElementEntry)])
            case RelationshipsEntry(relationships=relationships):
                self.put_relationships(relationships)
            case DecisionEntry():
                self._put_decisions([one.stored for one in _of(entries, DecisionEntry)])
            case MemoryEntry():
                memories = [(one.record, one.keys) for one in _of(entries, MemoryEntry)]
                self._create([record for record, _ in memories])
                self._keep(memories)
                self._ground.touch(record.id for record, _ in memories)
            case VectorsEntry():
                self._add_vectors(_of(entries, VectorsEntry))
            case LinkEntry():
                links = [one.link for one in _of(entries, LinkEntry)]
                self._require(link.memory for link in links)
                self._add_links(links)
            case SnapshotEntry():
                self._keep_snapshots([one.anchor for one in _of(entries, SnapshotEntry)])
            case AnchorEntry():
                self._add_anchors(_of(entries, AnchorEntry))
            case AcceptedEntry():
                self._add_accepted(_of(entries, AcceptedEntry))
            case EventEntry():
                self._append([one.event for one in _of(entries, EventEntry)])
            case ReplyEntry():
                for reply in _of(entries, ReplyEntry):
                    self.remember_reply(reply.key, reply.request, reply.reply, reply.at)
            case SessionEntry():
                self._put_sessions([one.session for one in _of(entries, SessionEntry)])
            case ServedEntry():
                self._add_marks("SERVED", [(one.session, one.memory, one.at) for one in _of(entries, ServedEntry)])
            case CitedEntry():
                self._add_marks("CITED", [(one.session, one.memory, one.at) for one in _of(entries, CitedEntry)])
            case ProposalEntry():
                self._put_proposals([one.proposal for one in _of(entries, ProposalEntry)])
            case DismissalEntry():
                self._put_dismissals([one.dismissal for one in _of(entries, DismissalEntry)])
            case GapEntry():
                for gap in _of(entries, GapEntry):
                    self.add_gap(gap.gap)
            case RunEntry():
                for run in _of(entries, RunEntry):
                    self.put_run(run.run)

    def _add_projects(self, entries: Sequence[ProjectEntry]) -> None:
        self._tx.run(
            "UNWIND $projects AS kept MATCH (p:Scope {at: kept.at}) SET p:Project SET p += kept.set "
            "WITH p, kept UNWIND kept.identities AS identity "
            "MERGE (i:Identity {at: identity[0]}) "
            "ON CREATE SET i.identity = identity[1] CREATE (i)-[:LEADS_TO]->(p)",
            projects=[
                {
                    "at": scope_at(entry.scope),
                    "identities": [
                        [identity_at(entry.project.organisation, one), one] for one in entry.project.identities
                    ],
                    "set": {
                        "id": entry.project.id,
                        "name": entry.project.name,
                        "version": entry.project.version,
                        "created_at": to_micros(entry.project.created_at),
                        "repository": entry.project.repository,
                        "branch": entry.project.branch,
                    },
                }
                for entry in entries
            ],
        )

    def _add_vectors(self, entries: Sequence[VectorsEntry]) -> None:
        self._require(entry.memory for entry in entries)
        self._tx.run(
            "UNWIND $vectors AS v MATCH (m:Memory {id: v[0]}) SET m.vector_model = v[1], m.vector_key = v[2], "
            "m.search_vector = v[3], m.content_vector = v[4]",
            vectors=[[one.memory, one.model, one.key, one.search, one.content] for one in entries],
        )
        self._ground.touch((entry.memory for entry in entries), vectors=True)

    def _add_anchors(self, entries: Sequence[AnchorEntry]) -> None:
        self._require(entry.memory for entry in entries)
        self._require_states(entries)
        self._tx.run(
            "UNWIND $anchors AS a MATCH (m:Memory {id: a[0]}), (s:Snapshot {at: a[2]}) "
            "CREATE (m)-[:ANCHORED {element: a[1]}]->(s)",
            anchors=[[one.memory, one.element, self.at(one.element, one.state)] for one in entries],
        )

    def _add_accepted(self, entries: Sequence[AcceptedEntry]) -> None:
        self._require_states(entries)
        self._tx.run(
            "MATCH (x:Scope {n: $scope}) UNWIND $accepted AS a MATCH (s:Snapshot {at: a[1]}) "
            "CREATE (x)-[:ACCEPTED {element: a[0], at: a[2], actor: a[3]}]->(s)",
            scope=self._scope_n,
            accepted=[[one.element, self.at(one.element, one.state), to_micros(one.at), one.actor] for one in entries],
        )

    def _add_marks(self, how: str, marks: Sequence[tuple[str, str, datetime]]) -> None:
        self._require(memory for _, memory, _ in marks)
        self._tx.run(
            "UNWIND $marks AS mark MATCH (m:Memory {id: mark[2]}) MERGE (x:Session {at: mark[0]}) "
            f"ON CREATE SET x.id = mark[1], x.scope_n = $scope CREATE (x)-[:{how} {{at: mark[3]}}]->(m)",
            scope=self._scope_n,
            marks=[[self.at(session), session, memory, to_micros(at)] for session, memory, at in marks],
        )
        # A session's report counts for what it was served.
        self._ground.touch(memory for _, memory, _ in marks)

    def _require(self, memories: Iterable[str]) -> None:
        wanted = list(memories)
        rows = self._tx.rows(
            "MATCH (m:Memory) WHERE m.id IN $ids AND m.scope_n IN $visible RETURN m.id",
            ids=wanted,
            visible=self._visible,
        )
        found = {row[0] for row in rows}
        for memory in wanted:
            if memory not in found:
                raise Unknown(f"memory {memory} is not in this scope", id=memory, next_step="restore it first")

    def _require_states(self, entries: Sequence[AnchorEntry] | Sequence[AcceptedEntry]) -> None:
        wanted = {self.at(one.element, one.state): one for one in entries}
        rows = self._tx.rows("MATCH (s:Snapshot) WHERE s.at IN $at RETURN s.at", at=list(wanted))
        found = {row[0] for row in rows}
        for at, one in wanted.items():
            if at not in found:
                raise Unknown(f"the state {one.state} is not known", id=one.element, next_step="restore it first")


def _of(entries: Sequence[Entry], kind: type[T]) -> list[T]:
    return [entry for entry in entries if isinstance(entry, kind)]


def _id_of(entry: Entry) -> str:
    match entry:
        case MemoryEntry(record=record):
            return record.id
        case ElementEntry(stored=stored):
            return stored.id
        case ProjectEntry(project=project):
            return project.id
    return ""
