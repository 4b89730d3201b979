"""The store's port: domain verbs by capability, over one unit of work that is bound to a scope.

A unit sees its scope's visible records (project and organisation) where a verb reads for recall, and its exact scope
where titles, dedup and the model are concerned. No verb takes a scope: the unit has it, so none can forget it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol, TypeVar

from graph.access import AccessKey
from graph.attempts import Attempt
from graph.claims import Anchor, Baseline
from graph.codec import EventRecord, Record
from graph.drift_report import DriftReport
from graph.elements import Decision, Element, Relationship
from graph.frozen import Frozen, Moment
from graph.memories import Evidence, Kind, State
from graph.policy import RankingPolicy
from graph.ranking import Facts, TermStats
from graph.reviews import Dismissal, Proposal
from graph.scopes import Project, Scope
from graph.sessions import Session
from graph.vectors import Vector

T = TypeVar("T")


class Keys(Frozen):
    """What a memory is found by; `content` is the key of its normalised text, `search` that of its search text."""

    title: str = ""
    aliases: tuple[str, ...] = ()
    content: str
    search: str
    terms: tuple[str, ...]
    symbols: tuple[str, ...]


class Named(Frozen):
    """A memory that a name key leads to."""

    memory: str
    state: State
    by_alias: bool
    superseded_by: str


class Tally(Frozen):
    """How many live memories about one element (none: the whole scope) stand alike, and when one was last true."""

    element: str
    kind: Kind
    evidence: Evidence
    drifted_at: Moment | None
    confirmed_at: Moment
    memories: int


class StoredElement(Frozen):
    """An element with its stable id and its drift stamps; a retired one left the model but kept its memories."""

    id: str
    element: Element
    retired_at: Moment | None = None
    verdict: str = ""
    drifted_at: Moment | None = None


class StoredDecision(Frozen):
    """A decision with its stable id."""

    id: str
    decision: Decision
    retired_at: Moment | None = None


TargetKind = Literal["memory", "element", "decision"]


class Link(Frozen):
    """A wiki link of a memory: `raw` as written, `keys` what it may name, best first; pending without a `target`."""

    id: str
    memory: str
    raw: str
    keys: tuple[str, ...]
    target_kind: TargetKind | None = None
    target: str = ""


class MemoryAnchor(Frozen):
    """The state in which a memory's pin was known to hold; `element` is the element's id."""

    memory: str
    element: str
    anchor: Anchor


class Gap(Frozen):
    """A question that found nothing."""

    id: str
    question: str
    elements: tuple[str, ...]
    at: Moment
    session: str = ""


class StoredRun(Frozen):
    """A drift run as it was recorded."""

    id: str
    report: DriftReport


class Embedded(Frozen):
    """How far the scope's vectors are: live memories, those with any vector of this model, all models found.

    `pending` memories have no vector of this model, or one of an older text, which serves meanwhile.
    """

    live: int
    embedded: int
    pending: int
    models: tuple[str, ...]


class Embedding(NamedTuple):
    """A memory's two vectors, the model that made them, and the look-up key of the search text.

    `search` is of the whole search text; `content` of the content alone, which dedup compares.
    """

    model: str
    key: str
    search: Vector
    content: Vector


class ElementVector(NamedTuple):
    """An element's vector, and the key of the text that it was made of, which may be older than the element's."""

    key: str
    vector: Vector


class Drifted(NamedTuple):
    """A live memory whose ground moved, or whose claims do not stand any more."""

    memory: str
    drifted_at: datetime | None
    evidence: Evidence


class Ignored(NamedTuple):
    """A live memory that no session cited: how many were served it, and how many of those reported after it."""

    memory: str
    served_to: int
    reported_to: int


class NearPair(NamedTuple):
    """Two live memories whose contents are near, the lesser id first."""

    one: str
    other: str
    cosine: float


class NearPairs(NamedTuple):
    """The nearest pairs; `compared` memories of `embedded` were held against all that are older."""

    pairs: tuple[NearPair, ...] = ()
    compared: int = 0
    embedded: int = 0


class Asked(NamedTuple):
    """What to nominate for: keyed terms and whole keys of a question, its vector with the model that made it.

    `elements` are those of the place asked about, beside which project-wide memories count; None asks everywhere.
    `given` is the relevance of everything there when no question is asked. Without a limit, all that is relevant.
    """

    terms: tuple[str, ...]
    keys: frozenset[str]
    policy: RankingPolicy
    now: datetime
    vector: Vector | None = None
    model: str = ""
    elements: tuple[str, ...] | None = None
    given: float | None = None
    limit: int | None = None


class Nomination(NamedTuple):
    """The memories that may stand among the best, by id, and how many more are relevant."""

    ids: tuple[str, ...]
    beyond: int


class MemoryReads(Protocol):
    """Memories by id, by name, in order."""

    def memories(self, ids: Sequence[str]) -> tuple[Record, ...]: ...
    def listed(self, states: Sequence[State], *, after: str, limit: int) -> tuple[Record, ...]: ...
    def named(self, key: str) -> tuple[Named, ...]: ...
    def same_content(self, key: str) -> tuple[str, ...]: ...
    def pinned(self, elements: Sequence[str]) -> tuple[str, ...]: ...
    def pin_counts(self) -> dict[str, int]: ...
    def unpinned(self) -> tuple[str, ...]: ...
    def tallies(self) -> tuple[Tally, ...]: ...


class SearchReads(Protocol):
    """Nomination and facts; scores are made in the core."""

    def term_stats(self, terms: Sequence[str]) -> TermStats: ...
    def nominate(self, asked: Asked) -> Nomination: ...
    def near_contents(self, vector: Vector, model: str, at_least: float) -> tuple[tuple[str, float], ...]: ...
    def near_pairs(self, model: str, at_least: float, most: int) -> NearPairs: ...
    def facts(self, ids: Sequence[str]) -> tuple[Facts, ...]: ...
    def vectors(self, ids: Sequence[str], model: str) -> dict[str, Vector]: ...
    def without_vectors(self, model: str, *, after: str, limit: int) -> tuple[str, ...]: ...
    def embedded(self, model: str) -> Embedded: ...


class LinkReads(Protocol):
    """Wiki links, both ways, by their ids: those of one memory as they stand in it."""

    def links_from(self, memories: Sequence[str]) -> tuple[Link, ...]: ...
    def links_to(self, targets: Sequence[str]) -> tuple[Link, ...]: ...
    def links_naming(self, keys: Iterable[str]) -> tuple[Link, ...]: ...
    def pending_links(self) -> tuple[Link, ...]: ...


class ModelReads(Protocol):
    """The architecture model of the exact scope."""

    def elements(self) -> tuple[StoredElement, ...]: ...
    def relationships(self) -> tuple[Relationship, ...]: ...
    def decisions(self) -> tuple[StoredDecision, ...]: ...
    def element_vectors(self, model: str) -> dict[str, ElementVector]: ...


class DriftReads(Protocol):
    """Runs, accepted baselines and anchors."""

    def last_run(self) -> StoredRun | None: ...
    def last_head(self) -> str: ...
    def runs(self, limit: int, *, before: str = "", skip: int = 0) -> tuple[StoredRun, ...]: ...
    def run(self, name: str) -> StoredRun | None: ...
    def attempts(self) -> tuple[Attempt, ...]: ...
    def baselines(self) -> dict[str, Baseline]: ...
    def anchors(self, memories: Sequence[str] | None = None) -> tuple[MemoryAnchor, ...]: ...
    def anchor_states(self) -> dict[tuple[str, str], str]: ...


class SessionReads(Protocol):
    """Sessions of the exact scope."""

    def session(self, name: str) -> Session | None: ...
    def open_sessions(self) -> tuple[Session, ...]: ...
    def ended_sessions(self, limit: int, *, before: str) -> tuple[Session, ...]: ...


class ReviewReads(Protocol):
    """What waits for a look, in the exact scope."""

    def drifted(self) -> tuple[Drifted, ...]: ...
    def ignored(self, sessions: int) -> tuple[Ignored, ...]: ...
    def unreviewed(self) -> tuple[str, ...]: ...
    def twins(self) -> tuple[tuple[str, ...], ...]: ...
    def proposals(self) -> tuple[Proposal, ...]: ...
    def proposal(self, name: str) -> Proposal | None: ...
    def dismissals(self) -> tuple[Dismissal, ...]: ...


class EventReads(Protocol):
    """What happened, oldest first."""

    def history(self, memory: str) -> tuple[EventRecord, ...]: ...
    def replayed(self, key: str) -> tuple[str, str] | None: ...
    def gaps(self, limit: int) -> tuple[Gap, ...]: ...


class ReadUnit(
    MemoryReads, SearchReads, LinkReads, ModelReads, DriftReads, SessionReads, ReviewReads, EventReads, Protocol
):
    """One consistent view of a scope."""

    @property
    def scope(self) -> Scope: ...

    def organisation(self) -> "ReadUnit | None":
        """Return the same view of the organisation's own scope, for a project; None for the organisation."""


class WriteUnit(ReadUnit, Protocol):
    """One transaction on a scope: all of it happens, or nothing."""

    def projects(self) -> "tuple[WriteUnit, ...]":
        """Return the same transaction in the scope of each of the organisation's projects; none for a project."""

    def put(self, record: Record, keys: Keys) -> None: ...
    def put_unindexed(self, record: Record) -> None: ...
    def reindex(self, memory: str, keys: Keys) -> None: ...
    def put_vectors(self, memory: str, embedding: Embedding) -> bool: ...
    def put_links(self, memory: str, links: Sequence[Link]) -> None: ...
    def attach(self, link: str, kind: TargetKind | None, target: str) -> None: ...
    def put_anchors(self, memory: str, anchors: Sequence[Anchor]) -> None: ...
    def append(self, event: EventRecord) -> None: ...
    def remember_reply(self, key: str, request: str, reply: str, at: datetime) -> None: ...
    def put_element(self, element: StoredElement) -> None: ...
    def put_element_vectors(self, model: str, vectors: Mapping[str, ElementVector]) -> None: ...
    def put_relationships(self, relationships: Sequence[Relationship]) -> None: ...
    def put_decision(self, decision: StoredDecision) -> None: ...
    def put_run(self, run: StoredRun) -> None: ...
    def thin_run(self, run: StoredRun) -> None: ...
    def put_attempts(self, attempts: Sequence[Attempt]) -> None: ...
    def accept(self, element: str, baseline: Baseline, actor: str) -> None: ...
    def put_session(self, session: Session) -> None: ...
    def impress(self, session: str, memories: Sequence[str], at: datetime) -> None: ...
    def cite(self, session: str, memories: Sequence[str], at: datetime) -> None: ...
    def put_proposal(self, proposal: Proposal) -> None: ...
    def dismiss(self, dismissal: Dismissal) -> None: ...
    def add_gap(self, gap: Gap) -> None: ...
    def lease(self, name: str, holder: str, until: datetime, now: datetime) -> bool: ...
    def release(self, name: str, holder: str) -> None: ...


class GraphStore(Protocol):
    """Everything that archmem keeps, behind units of work."""

    def read(self, scope: Scope, work: Callable[[ReadUnit], T]) -> T:
        """Run `work` on one consistent view of the scope; takes no write lock."""

    def write(self, scope: Scope, work: Callable[[WriteUnit], T]) -> T:
        """Run `work` in one transaction; it may run twice, and nothing of it stays when it raises."""

    def projects(self, organisation: str) -> tuple[Project, ...]:
        """Return the organisation's projects by name."""

    def find_project(self, organisation: str, identity: str) -> Project | None:
        """Return the project with this id or identity."""

    def put_project(self, project: Project) -> None:
        """Add or change a project; raise Conflict when an identity is another project's."""

    def put_access_key(self, key: AccessKey) -> None:
        """Keep an access key, in place of one with its id."""

    def access_keys(self, organisation: str) -> tuple[AccessKey, ...]:
        """Return the organisation's access keys by id."""

    def access_key(self, name: str) -> AccessKey | None:
        """Return the access key of this id."""

    def close(self) -> None:
        """Release files and connections."""
