"""Entries taken into the embedded store, as they are: with their ids, versions and times, in one transaction."""

from collections.abc import Sequence

import apsw

from graph.errors import Unknown
from graph.memories import State
from graph.scopes import Project, Scope
from graph.stores.rows import to_micros
from graph.stores.sqlite.base import Shared, add_scope, as_list
from graph.stores.sqlite.drift import Drift
from graph.stores.sqlite.dumping import entry_of
from graph.stores.sqlite.events import Events
from graph.stores.sqlite.links import Links
from graph.stores.sqlite.memories import Memories
from graph.stores.sqlite.model import Model
from graph.stores.sqlite.reviews import Reviews
from graph.stores.sqlite.sessions import Sessions
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

ADD_PROJECT = (
    "INSERT INTO projects(organisation, id, name, created_at, version, repository, branch) VALUES(?,?,?,?,?,?,?)"
)


def project_row(project: Project) -> tuple[str | int, ...]:
    """Return the columns of a project."""
    made = to_micros(project.created_at)
    named = (project.organisation, project.id, project.name)
    return (*named, made, project.version, project.repository, project.branch)


class Restore:
    """One transaction that takes entries in."""

    def __init__(self, connection: apsw.Connection, shared: Shared) -> None:
        self._db = connection
        self._shared = shared
        self._grounds: dict[Scope, _Ground] = {}

    def restore(self, entries: Sequence[Entry]) -> tuple[Restored, ...]:
        """Take entries of one kind in as they are, each unless it is known or something stands in its place."""
        return tuple(map(self._restore, entries))

    def _restore(self, entry: Entry) -> Restored:
        ground = self._ground(entry.scope)
        held = entry_of(self._db, entry.kind, ground.scope_n, key_of(entry))
        if held is not None:
            return Restored("known" if held == entry else "differs")
        if rival := ground.rival(entry):
            return Restored("taken", rival)
        ground.add(entry)
        return Restored("new")

    def _ground(self, scope: Scope) -> "_Ground":
        if scope not in self._grounds:
            # The organisation first: what a scope sees is settled when its ground is made.
            for one in reversed(scope.visible):
                add_scope(self._db, one)
            self._grounds[scope] = _Ground(self._db, scope, self._shared)
        return self._grounds[scope]


class _Ground(Memories, Links, Model, Drift, Sessions, Reviews, Events):
    """The writes of one scope."""

    @property
    def scope_n(self) -> int:
        return self._scope_n

    def rival(self, entry: Entry) -> str:
        """Return the id of what has the entry's title, ref or identity already."""
        match entry:
            case MemoryEntry(record=record, keys=keys) if record.state is State.LIVE and keys.title:
                question = "SELECT id FROM memories WHERE scope_n = ? AND title_key = ? AND state = 'live'"
                found = self._db.execute(question, (self._scope_n, keys.title)).get
            case ElementEntry(stored=stored) if stored.retired_at is None:
                question = "SELECT id FROM elements WHERE scope_n = ? AND ref = ? AND retired_at IS NULL"
                found = self._db.execute(question, (self._scope_n, stored.element.ref)).get
            case ProjectEntry(project=project):
                found = self._db.execute(
                    "SELECT project FROM identities WHERE organisation = ? AND project <> ? "
                    "AND identity IN (SELECT value FROM json_each(?)) ORDER BY project LIMIT 1",
                    (project.organisation, project.id, as_list(project.identities)),
                ).get
            case _:
                found = None
        return str(found or "")

    def add(self, entry: Entry) -> None:
        """Write what is not there yet."""
        match entry:
            case ProjectEntry():
                self._add_project(entry)
            case ElementEntry(stored=element):
                self.put_element(element)
            case RelationshipsEntry(relationships=relationships):
                self.put_relationships(relationships)
            case DecisionEntry(stored=decision):
                self.put_decision(decision)
            case MemoryEntry(record=record, keys=keys):
                self._insert(record, keys)
                self._index(record, keys)
            case VectorsEntry():
                self._add_vectors(entry)
            case LinkEntry(link=link):
                self._add_link(self._required(link.memory), link)
            case SnapshotEntry(anchor=anchor):
                self._snapshot(anchor)
            case AnchorEntry():
                number = self._required(entry.memory)
                snapshot = self._required_snapshot(entry)
                self._db.execute("INSERT INTO anchors VALUES(?,?,?)", (number, entry.element, snapshot))
            case AcceptedEntry():
                values = (self._required_snapshot(entry), to_micros(entry.at), entry.actor)
                self._db.execute("INSERT INTO accepted VALUES(?,?,?,?,?)", (self._scope_n, entry.element, *values))
            case EventEntry(event=event):
                self.append(event)
            case ReplyEntry():
                self.remember_reply(entry.key, entry.request, entry.reply, entry.at)
            case SessionEntry():
                self.put_session(entry.session)
            case ServedEntry() | CitedEntry():
                self._add_mark(entry)
            case ProposalEntry(proposal=proposal):
                self.put_proposal(proposal)
            case DismissalEntry(dismissal=dismissal):
                self.dismiss(dismissal)
            case GapEntry(gap=gap):
                self.add_gap(gap)
            case RunEntry(run=run):
                self.put_run(run)

    def _add_project(self, entry: ProjectEntry) -> None:
        project = entry.project
        self._db.execute(ADD_PROJECT, project_row(project))
        self._db.executemany(
            "INSERT INTO identities VALUES(?,?,?)",
            [(project.organisation, identity, project.id) for identity in project.identities],
        )

    def _add_vectors(self, entry: VectorsEntry) -> None:
        number = self._required(entry.memory)
        last = self._db.execute("SELECT last FROM vector_sequence").get
        for place, (space, data) in enumerate((("search", entry.search), ("content", entry.content)), start=1):
            # An empty row is left where a memory was not live for a while.
            self._db.execute(
                "INSERT OR REPLACE INTO vectors(memory_n, space, scope_n, seq, model, search_key, data) "
                "VALUES(?,?,?,?,?,?,?)",
                (number, space, self._scope_n, last + place, entry.model, entry.key, data),
            )
        self._db.execute("UPDATE vector_sequence SET last = last + 2")

    def _add_mark(self, entry: ServedEntry | CitedEntry) -> None:
        number = self._required(entry.memory)
        self._db.execute(
            f"INSERT INTO {entry.kind}(memory_n, scope_n, session, at) VALUES(?,?,?,?)",
            (number, self._scope_n, entry.session, to_micros(entry.at)),
        )
        # A session's report counts for what it was served, and its own change was noticed before this came in.
        self._db.execute("UPDATE vector_sequence SET last = last + 1")
        self._db.execute("UPDATE memories SET seq = (SELECT last FROM vector_sequence) WHERE n = ?", (number,))

    def _required(self, memory: str) -> int:
        number = self._number(memory)
        if not number:
            raise Unknown(f"memory {memory} is not in this scope", id=memory, next_step="restore it first")
        return number

    def _required_snapshot(self, entry: AnchorEntry | AcceptedEntry) -> int:
        key = (self._scope_n, entry.element, entry.state)
        number = self._db.execute("SELECT n FROM snapshots WHERE scope_n = ? AND element = ? AND state = ?", key).get
        if number is None:
            raise Unknown(f"the state {entry.state} is not known", id=entry.element, next_step="restore it first")
        return int(number)
