"""What sessions and the search for elements answer, as every door shows them."""

from collections.abc import Mapping
from typing import Literal

from graph.frozen import Frozen, Moment
from graph.sessions import Gate
from graph.views import MemoryView


class FoundElement(Frozen):
    """An element that a question means; `reasons` says by what it was found, in words."""

    ref: str
    kind: str
    name: str
    description: str = ""
    score: float
    reasons: tuple[str, ...] = ()


class FoundElements(Frozen):
    """The elements that a question means, best first; `text` is what an agent reads."""

    question: str
    elements: tuple[FoundElement, ...] = ()
    mode: Literal["meaning and words", "words alone"]
    notices: tuple[str, ...] = ()
    text: str


class LeaseConflict(Frozen):
    """An element that another session holds as well."""

    element: str
    session: str
    agent: str
    task: str
    exclusive: bool
    since: Moment


class Affected(Frozen):
    """An element that a change reaches; `path` are refs from it to what changed, `distance` the uses on the way."""

    ref: str
    kind: str
    distance: int
    path: tuple[str, ...]


class KnownThere(Frozen):
    """A live memory about one of the elements that a change touches."""

    id: str
    title: str
    kind: str
    elements: tuple[str, ...] = ()
    verify: bool = False


class DecisionThere(Frozen):
    """A decision about one of the elements, or one that a memory about them links to."""

    ref: str
    title: str
    status: str = ""


class Impact(Frozen):
    """What a change of an element touches: what contains it, its parts, who uses any of them, what is known there.

    `text` is what an agent reads, `omitted` how many lines its budget left out.
    """

    element: str
    contained_in: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    dependants: tuple[Affected, ...] = ()
    memories: tuple[KnownThere, ...] = ()
    leases: tuple[LeaseConflict, ...] = ()
    decisions: tuple[DecisionThere, ...] = ()
    omitted: int = 0
    text: str = ""


class PlannedElement(Frozen):
    """An element to work on; `needs` are those of the plan that it builds on, `verdict` that of the last drift run."""

    ref: str
    kind: str
    name: str
    description: str = ""
    needs: tuple[str, ...] = ()
    verdict: str = ""
    drifted_at: Moment | None = None


class Plan(Frozen):
    """What to know before a task, in the order to work in: each element after those that it needs.

    `constraints` are conventions, rules and preferences; `risks` pitfalls and what must be verified; `known` is what
    else is about the task. `served` are the ids of the memories that `text` tells in full, `omitted` counts the rest.
    """

    task: str
    elements: tuple[PlannedElement, ...] = ()
    constraints: tuple[KnownThere, ...] = ()
    decisions: tuple[DecisionThere, ...] = ()
    risks: tuple[KnownThere, ...] = ()
    leases: tuple[LeaseConflict, ...] = ()
    dependants: tuple[Affected, ...] = ()
    known: tuple[KnownThere, ...] = ()
    left_open: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    omitted: int = 0
    served: tuple[str, ...] = ()
    as_of: str = ""
    text: str = ""


class LeaseView(Frozen):
    """An element (by ref) that a session holds, or held until `lost_at`."""

    element: str
    exclusive: bool = False
    lost_at: Moment | None = None


class SessionView(Frozen):
    """A session as people and agents read it; `state` is expired after so long a silence that its leases are lost."""

    id: str
    state: Literal["open", "expired", "finished"]
    agent: str
    task: str
    started_at: Moment
    seen_at: Moment
    finished_at: Moment | None = None
    leases: tuple[LeaseView, ...] = ()
    outcome: str = ""


class Briefing(Frozen):
    """What an agent reads before it starts; `served` are the ids of the memories that `text` tells in full."""

    text: str
    elements: tuple[str, ...] = ()
    served: tuple[str, ...] = ()
    as_of: str = ""


class Started(Frozen):
    """The answer to a start: no `session` when the gate denies; `found` are the elements that nobody named.

    `served` are the ids of the memories that the briefing tells in full.
    """

    session: str
    gate: Gate
    elements: tuple[str, ...] = ()
    found: tuple[FoundElement, ...] = ()
    conflicts: tuple[LeaseConflict, ...] = ()
    briefing: str
    served: tuple[str, ...] = ()


class Finished(Frozen):
    """The answer to a finish: the one outcome, what was cited (ids), and names that match nothing or several.

    `lost` are the refs whose leases silence had lost before; `repeated` says that it was finished already.
    """

    session: str
    outcome: MemoryView
    cited: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    repeated: bool = False


class ManifestLine(Frozen):
    """One live memory in the table of contents."""

    id: str
    title: str
    kind: str
    elements: tuple[str, ...] = ()
    verify: bool = False


class Manifest(Frozen):
    """A page of the table of contents, by id; `next` continues it, empty at the end."""

    total: int
    memories: tuple[ManifestLine, ...] = ()
    next: str = ""


class NotedElement(Frozen):
    """An element with its source, and the memories (ids) to be told before an edit there, in their order."""

    ref: str
    source: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class EditNotes(Frozen):
    """What is to be told before an edit, for every element; `texts` are the memories as they are quoted, by id."""

    elements: tuple[NotedElement, ...] = ()
    texts: Mapping[str, str] = {}
