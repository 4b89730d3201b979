"""What a store gives away and takes in whole: everything that it keeps of a scope, one typed entry at a time.

An entry stands after those that it names, so that a store can take them in as they come. Leases are no entries: they
belong to processes.
"""

import base64
import binascii
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, Protocol, Self, TypeVar

from pydantic import BeforeValidator, Field, PlainSerializer

from graph.claims import Anchor
from graph.codec import EventRecord, Record
from graph.elements import Relationship
from graph.frozen import Frozen, Moment
from graph.reviews import Dismissal, Proposal
from graph.scopes import Project, Scope
from graph.sessions import Session, Work
from graph.stores.port import Gap, GraphStore, Keys, Link, StoredDecision, StoredElement, StoredRun

T = TypeVar("T")
N = TypeVar("N")

EntryKind = Literal[
    "project",
    "element",
    "relationships",
    "decision",
    "memory",
    "vectors",
    "link",
    "snapshot",
    "anchor",
    "accepted",
    "event",
    "reply",
    "session",
    "served",
    "cited",
    "proposal",
    "dismissal",
    "gap",
    "run",
]
"""The kinds of entries, in the order in which they come."""


def _from_base64(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ValueError("is no base64") from error


Floats = Annotated[
    bytes,
    BeforeValidator(_from_base64),
    PlainSerializer(lambda data: base64.b64encode(data).decode("ascii"), return_type=str, when_used="json"),
]
"""A vector: float32, little-endian, in base64 where it is written as JSON."""


class ProjectEntry(Frozen):
    """A project with the names that lead to it."""

    kind: Literal["project"] = "project"
    project: Project

    @property
    def scope(self) -> Scope:
        return Scope(organisation=self.project.organisation, project=self.project.id)


class Scoped(Frozen):
    """An entry that does not hold its scope in itself."""

    kind: EntryKind
    scope: Scope


class ElementEntry(Scoped):
    """An element, retired or not, with its drift stamps."""

    kind: Literal["element"] = "element"
    stored: StoredElement


class RelationshipsEntry(Scoped):
    """All relationships of a scope in the order of import; a scope without any has no such entry."""

    kind: Literal["relationships"] = "relationships"
    relationships: tuple[Relationship, ...]


class DecisionEntry(Scoped):
    """A decision, retired or not."""

    kind: Literal["decision"] = "decision"
    stored: StoredDecision


class MemoryEntry(Frozen):
    """A memory in any state, its aliases' keys in their order."""

    kind: Literal["memory"] = "memory"
    record: Record
    keys: Keys

    @property
    def scope(self) -> Scope:
        return self.record.scope


class VectorsEntry(Scoped):
    """A live memory's two vectors; `key` is that of the search text which they were made of, present or older."""

    kind: Literal["vectors"] = "vectors"
    memory: str
    model: str
    key: str
    search: Floats
    content: Floats


class LinkEntry(Scoped):
    """A wiki link; those of one memory in the order in which they stand there."""

    kind: Literal["link"] = "link"
    link: Link


class SnapshotEntry(Scoped):
    """A state of an element's source (by its id) that anchors or accepted baselines name by `Anchor.state`."""

    kind: Literal["snapshot"] = "snapshot"
    anchor: Anchor


class AnchorEntry(Scoped):
    """The state in which a memory's pin was known to hold."""

    kind: Literal["anchor"] = "anchor"
    memory: str
    element: str
    state: str


class AcceptedEntry(Scoped):
    """An element's accepted baseline."""

    kind: Literal["accepted"] = "accepted"
    element: str
    state: str
    at: Moment
    actor: str


class EventEntry(Frozen):
    """An event, in the order in which they happened."""

    kind: Literal["event"] = "event"
    event: EventRecord

    @property
    def scope(self) -> Scope:
        return self.event.after.scope


class ReplyEntry(Scoped):
    """The reply to a client key."""

    kind: Literal["reply"] = "reply"
    key: str
    request: str
    reply: str
    at: Moment


class SessionEntry(Scoped):
    """A session: when it was seen last, when it last reported what it used, and its work if it declared any."""

    kind: Literal["session"] = "session"
    id: str
    seen_at: Moment
    reported_at: Moment | None
    # Left out where there is none: an export without it is what it was before sessions declared any.
    work: Work | None = Field(default=None, exclude_if=lambda value: value is None)

    @classmethod
    def of(cls, scope: Scope, session: Session) -> Self:
        """Return the entry of a session."""
        return cls(scope=scope, **session.model_dump())

    @property
    def session(self) -> Session:
        return Session(id=self.id, seen_at=self.seen_at, reported_at=self.reported_at, work=self.work)


class ServedEntry(Scoped):
    """A session was served a memory of its project or of the organisation."""

    kind: Literal["served"] = "served"
    session: str
    memory: str
    at: Moment


class CitedEntry(Scoped):
    """A session relied on a memory of its project or of the organisation."""

    kind: Literal["cited"] = "cited"
    session: str
    memory: str
    at: Moment


class ProposalEntry(Scoped):
    """A proposed change of a memory, decided or not."""

    kind: Literal["proposal"] = "proposal"
    proposal: Proposal


class DismissalEntry(Scoped):
    """An entry of the review inbox that somebody dismissed."""

    kind: Literal["dismissal"] = "dismissal"
    dismissal: Dismissal


class GapEntry(Scoped):
    """A question that found nothing, in the order in which they were asked."""

    kind: Literal["gap"] = "gap"
    gap: Gap


class RunEntry(Scoped):
    """A drift run without its anchors, in the order in which they were recorded."""

    kind: Literal["run"] = "run"
    run: StoredRun


Entry = (
    ProjectEntry
    | ElementEntry
    | RelationshipsEntry
    | DecisionEntry
    | MemoryEntry
    | VectorsEntry
    | LinkEntry
    | SnapshotEntry
    | AnchorEntry
    | AcceptedEntry
    | EventEntry
    | ReplyEntry
    | SessionEntry
    | ServedEntry
    | CitedEntry
    | ProposalEntry
    | DismissalEntry
    | GapEntry
    | RunEntry
)


BATCH = 500
BATCH_BYTES = 4_000_000
"""How many entries, and how much of them, is taken in at once: one statement of a server's store for all."""


def batches(entries: Iterable[tuple[N, Entry]], size: Callable[[N], int]) -> Iterator[list[tuple[N, Entry]]]:
    """Yield entries, each with something noted of it that tells its size, in batches of one kind."""
    batch: list[tuple[N, Entry]] = []
    held = 0
    for note, entry in entries:
        if batch and (entry.kind != batch[0][1].kind or len(batch) == BATCH or held + size(note) > BATCH_BYTES):
            yield batch
            batch, held = [], 0
        batch.append((note, entry))
        held += size(note)
    if batch:
        yield batch


def key_of(entry: Entry) -> tuple[str, ...]:
    """Return what an entry is known by: an id of all scopes, or what is unique in its own."""
    match entry:
        case ProjectEntry(project=project):
            return (project.organisation, project.id)
        case ElementEntry(stored=one) | DecisionEntry(stored=one):
            return (one.id,)
        case RelationshipsEntry():
            return ()
        case MemoryEntry(record=record):
            return (record.id,)
        case VectorsEntry():
            return (entry.memory,)
        case LinkEntry(link=link):
            return (link.id,)
        case SnapshotEntry(anchor=anchor):
            return (anchor.element, anchor.state)
        case AnchorEntry():
            return (entry.memory, entry.element)
        case AcceptedEntry():
            return (entry.element,)
        case EventEntry(event=event):
            return (event.id,)
        case ReplyEntry():
            return (entry.key,)
        case SessionEntry():
            return (entry.id,)
        case ServedEntry() | CitedEntry():
            return (entry.session, entry.memory)
        case ProposalEntry(proposal=proposal):
            return (proposal.id,)
        case DismissalEntry(dismissal=dismissal):
            return (dismissal.why.value, dismissal.subject)
        case GapEntry(gap=gap):
            return (gap.id,)
        case RunEntry(run=run):
            return (run.id,)


class Restored(NamedTuple):
    """What became of an entry: `by` is the id of what has the name of one whose name is taken.

    One that differs has its id, or all that it is known by, in common with something else that the store holds.
    """

    outcome: Literal["new", "known", "differs", "taken"]
    by: str = ""


class DumpUnit(Protocol):
    """One consistent view of everything that some scopes hold."""

    def counts(self) -> Mapping[EntryKind, int]:
        """Return how many entries there are of each kind that there is, in the order in which they come."""

    def entries(self, kind: EntryKind) -> Iterator[Entry]:
        """Yield a kind's entries: by scope, the organisation first, then by id or in their own order."""


class RestoreUnit(Protocol):
    """One transaction that takes entries in: all of it happens, or nothing."""

    def restore(self, entries: Sequence[Entry]) -> tuple[Restored, ...]:
        """Take entries of one kind in as they are, each unless it is known or something stands in its place."""


class Store(GraphStore, Protocol):
    """A store that can be emptied into another one and filled from it."""

    @property
    def identity(self) -> str:
        """What tells this store from every other, however it is addressed."""

    def organisations(self) -> tuple[str, ...]:
        """Return the organisations of which there is anything, by name."""

    def dump(self, scope: Scope, work: Callable[[DumpUnit], T], *, whole: bool = False) -> T:
        """Run `work` on all that the exact scope holds, or the `whole` organisation; takes no write lock.

        What a session was served or cited of a scope that is not dumped is left out. A store of a server may let
        writes wait meanwhile.
        """

    def restoring(self, work: Callable[[RestoreUnit], T]) -> T:
        """Run `work` in one transaction over any scopes; it may run twice, and nothing of it stays when it raises."""
