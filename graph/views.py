"""What the façade answers: memories, hits, changes and coverage as every door shows them."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from graph.elements import Element
from graph.frozen import Frozen, Moment
from graph.memories import EventKind, Evidence, Kind, State
from graph.ranking import Factors


class LinkView(Frozen):
    """A wiki link of a memory; pending while `target` is empty."""

    raw: str
    kind: Literal["memory", "element", "decision"] | None = None
    target: str = ""
    name: str = ""


class MemoryView(Frozen):
    """A memory as people and agents read it; `elements` are the refs of its pins, retired ones have left the model."""

    id: str
    project: str
    kind: Kind
    state: State
    version: int
    title: str = ""
    content: str
    why: str = ""
    how_to_apply: str = ""
    when_to_use: str = ""
    claims: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    retired_elements: tuple[str, ...] = ()
    created_at: Moment
    created_by: str
    confirmed_at: Moment
    confirmed_by: str
    superseded_by: str = ""
    drifted_at: Moment | None = None
    evidence: Evidence = Evidence.NONE
    unreviewed: bool = False
    links: tuple[LinkView, ...] = ()

    @property
    def name(self) -> str:
        """The title, or the id of an untitled memory."""
        return self.title or self.id

    @property
    def place(self) -> str:
        """What it is about, in words; empty for the whole scope."""
        return ", ".join(f"{ref} (left the model)" if ref in self.retired_elements else ref for ref in self.elements)


class Similar(Frozen):
    """A near memory that was not confirmed; `differs` names the signs of a difference."""

    id: str
    title: str
    content: str
    cosine: float
    differs: tuple[str, ...]


class Remembered(Frozen):
    """The answer to remember: the memory that now holds the fact, and what happened on the way.

    `attached` counts links elsewhere that were waiting for this title; `embedded` is False while the vector is pending.
    """

    memory: MemoryView
    deduplicated: bool = False
    replaced: str = ""
    similar_to: tuple[Similar, ...] = ()
    pending_links: tuple[str, ...] = ()
    attached: int = 0
    embedded: bool = False
    replayed: bool = False


class Hit(Frozen):
    """A recalled memory or decision: its text with every warning in it, and why it is here.

    `via` is the id of the hit whose link pulled it in; `distance` the steps from the place asked about.
    """

    id: str
    type: Literal["memory", "decision"] = "memory"
    title: str
    kind: str
    elements: tuple[str, ...]
    text: str
    score: float
    verify: bool = False
    via: str = ""
    distance: int = 0
    memory: MemoryView | None = None
    factors: Factors | None = None


class Recall(Frozen):
    """The answer to recall; `text` is what an agent reads, `notices` what it must know about the answer itself."""

    question: str
    elements: tuple[str, ...] = ()
    answered: bool
    hits: tuple[Hit, ...] = ()
    omitted: int = 0
    mode: Literal["meaning and words", "words alone"]
    notices: tuple[str, ...] = ()
    as_of: str = ""
    text: str


class HistoryEntry(Frozen):
    """One event of a memory, with the memory as it was after it."""

    kind: EventKind
    at: Moment
    actor: str
    note: str = ""
    session: str = ""
    after: MemoryView


class ElementView(Frozen):
    """An element of the stored model with its drift stamp and how many live memories it has."""

    id: str
    element: Element
    retired: bool = False
    verdict: str = ""
    drifted_at: Moment | None = None
    memories: int = 0


class ElementChange(Frozen):
    """A stored element that an import would change, and in what."""

    ref: str
    fields: tuple[str, ...]


class Renamed(Frozen):
    """An element under its old and its new ref; its live memories come along."""

    old: str
    new: str
    memories: int = 0


class Removed(Frozen):
    """An element that left the model; it is retired and keeps its live memories."""

    ref: str
    memories: int = 0


class MaybeRenamed(Frozen):
    """A new element that may be one which left, and why; `memories` counts those of the old one and its parts."""

    old: str
    new: str
    reasons: tuple[str, ...]
    memories: int


class ModelDifference(Frozen):
    """What an import would do to the stored model, before it does it.

    `returned` had left the model before; `maybe_renamed` is for people to decide, the likeliest first.
    """

    elements: int
    added: tuple[str, ...] = ()
    changed: tuple[ElementChange, ...] = ()
    returned: tuple[str, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    removed: tuple[Removed, ...] = ()
    maybe_renamed: tuple[MaybeRenamed, ...] = ()
    relationships_added: int = 0
    relationships_removed: int = 0
    decisions_added: tuple[str, ...] = ()
    decisions_changed: tuple[str, ...] = ()
    decisions_removed: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether an import would change nothing that a person could see."""
        return self == ModelDifference(elements=self.elements)

    @property
    def steps(self) -> tuple[object, ...]:
        """What becomes of the elements, without their memories, which go on changing."""
        renamed = tuple((one.old, one.new) for one in self.renamed)
        return self.added, self.changed, self.returned, renamed, tuple(one.ref for one in self.removed)


class ModelChange(Frozen):
    """What an import changed; `renamed` maps old refs to new ones, `removed` elements keep their memories.

    `maybe_renamed` was taken for new and gone; renaming one tells otherwise.
    """

    elements: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: Mapping[str, str] = Field(default_factory=dict)
    removed: tuple[str, ...] = ()
    maybe_renamed: tuple[MaybeRenamed, ...] = ()
    relationships: int = 0
    decisions: int = 0
    attached: int = 0
    warnings: tuple[str, ...] = ()


class ElementsRenamed(Frozen):
    """The elements that go by another ref now: the one that was named, and its parts."""

    renamed: tuple[Renamed, ...]


class Stamped(Frozen):
    """What recording a drift run changed: elements stamped, memories newly flagged and cleared (ids)."""

    run: str
    stamped: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()


class Cell(Frozen):
    """One element of the knowledge map; `freshness` is the best of its memories, 0 to 1."""

    ref: str
    kind: str
    name: str
    parent: str
    counted: bool
    documented: bool
    outcomes_only: bool
    memories: int
    by_kind: Mapping[str, int]
    pitfalls: int
    freshness: float
    flagged: int
    verdict: str
    drifted_at: Moment | None = None


class GapView(Frozen):
    """An undocumented element worth writing about, with the reasons that rank it."""

    ref: str
    commits: int
    dependants: int
    asked: int


class Coverage(Frozen):
    """The knowledge map in numbers; `share` is documented / counted in percent, None when nothing is counted.

    `unanswered` are the latest questions that found nothing, each until a memory written since answers it by words.
    """

    headline: str
    documented: int
    counted: int
    outcomes_only: int
    share: float | None
    project_wide: int
    cells: tuple[Cell, ...]
    gaps: tuple[GapView, ...]
    unanswered: tuple[str, ...] = ()


class Exported(Frozen):
    """What an export holds: of one project (an empty one: of the organisation itself), or of all without a project.

    `counts` tells how many entries of each kind; `sha256` is the digest that seals them.
    """

    organisation: str
    project: str | None
    counts: Mapping[str, int]
    vectors: bool
    sha256: str


class Imported(Frozen):
    """What an import did: how many entries of each kind are new in the store, and how many it held already."""

    organisation: str
    project: str | None
    new: Mapping[str, int]
    known: Mapping[str, int]
    vectors: bool


class Migrated(Frozen):
    """What a migration did: how many entries of each kind both stores hold now, how many of them are new in the target.

    `sha256` is the digest of all of them, the same in both.
    """

    organisations: tuple[str, ...]
    counts: Mapping[str, int]
    new: Mapping[str, int]
    sha256: str


class Progress(Frozen):
    """How far a back-fill, an export, an import or a migration is."""

    done: int
    left: int
