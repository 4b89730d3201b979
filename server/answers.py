"""Answers that are no single view of the graph, in the one shape that REST sends and `--json` prints."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from drift import ACCEPTED_FILE, write_accepted
from graph.claims import Baseline
from graph.drift_report import DriftReport
from graph.memories import State
from graph.memory_graph import MemoryGraph
from graph.scopes import Project, Scope
from graph.stores.port import StoredRun
from graph.views import ElementView, HistoryEntry, MemoryView, ModelChange, Stamped

MOST_LISTED = 500


class Projects(BaseModel):
    """The organisation's projects."""

    projects: tuple[Project, ...]


class Elements(BaseModel):
    """The stored elements, retired ones too."""

    elements: tuple[ElementView, ...]


class MemoryPage(BaseModel):
    """One page of memories by id; `next` is what to pass as `after`, empty at the end."""

    memories: tuple[MemoryView, ...]
    next: str = ""


class History(BaseModel):
    """What happened to a memory, oldest first."""

    entries: tuple[HistoryEntry, ...]


class Cited(BaseModel):
    """What a session relied on; `unmatched` are the names of no memory, or of several."""

    session: str
    used: tuple[str, ...]
    unmatched: tuple[str, ...]


class DriftRuns(BaseModel):
    """The newest runs first, without their anchors."""

    runs: tuple[StoredRun, ...]


class Ran(BaseModel):
    """A recorded drift run: the report without its anchors, and what it stamped, flagged and cleared."""

    report: DriftReport
    stamped: Stamped


class Accepted(BaseModel):
    """The elements accepted as they are; `content` is what the accepted file holds then, `recorded` the store's part.

    `file` is the file's path in the repository.
    """

    refs: tuple[str, ...]
    recorded: tuple[str, ...]
    file: str
    content: str


class KnownDrift(BaseModel):
    """The findings that the baseline file lets pass now, and which it gained and lost."""

    file: str
    known: int
    added: tuple[str, ...]
    removed: tuple[str, ...]


class Commented(BaseModel):
    """What became of a pull request's comment, and where it is."""

    outcome: Literal["created", "updated", "skipped"]
    url: str = ""


class Initialised(BaseModel):
    """What `archmem init` found and did; `file` says whether `archmem.toml` was written or kept."""

    project: Project
    is_new: bool = Field(description="Whether the store did not know the project.")
    file: str
    models: tuple[str, ...]
    change: ModelChange
    next_steps: tuple[str, ...]


class _Chosen(BaseModel):
    state: tuple[State, ...]


def states_of(names: Sequence[str]) -> tuple[State, ...]:
    """Return the states of these names, live alone for none; raise ValidationError with every fault."""
    return _Chosen.model_validate({"state": names}).state or (State.LIVE,)


def page_of(
    graph: MemoryGraph, scope: Scope, *, states: Sequence[State] = (State.LIVE,), after: str = "", limit: int = 100
) -> MemoryPage:
    """Return one page of memories."""
    memories = graph.memories(scope, states=states, after=after, limit=limit + 1)
    shown = memories[:limit]
    return MemoryPage(memories=shown, next=shown[-1].id if len(memories) > limit else "")


def elements_of(graph: MemoryGraph, scope: Scope) -> Elements:
    """Return the stored elements."""
    return Elements(elements=graph.elements(scope))


def history_of(graph: MemoryGraph, scope: Scope, name: str) -> History:
    """Return a memory's history."""
    return History(entries=graph.history(scope, name))


def cite(graph: MemoryGraph, scope: Scope, session: str, used: Sequence[str]) -> Cited:
    """Record what a session relied on."""
    return Cited(session=session, used=tuple(used), unmatched=graph.cite(scope, session, used))


def runs_of(graph: MemoryGraph, scope: Scope, limit: int) -> DriftRuns:
    """Return the newest drift runs."""
    runs = graph.drift_runs(scope, limit)
    return DriftRuns(runs=tuple(StoredRun(id=run.id, report=without_anchors(run.report)) for run in runs))


def record(graph: MemoryGraph, scope: Scope, report: DriftReport) -> Ran:
    """Record a drift run."""
    return Ran(report=without_anchors(report), stamped=graph.record_drift(scope, report))


def accept_baselines(graph: MemoryGraph, scope: Scope, baselines: Sequence[Baseline], actor: str) -> Accepted:
    """Record accepted elements, and show the accepted file that says the same."""
    by_ref = {one.anchor.element: one for one in baselines}
    recorded = graph.accept_drift(scope, by_ref, actor=actor)
    content = write_accepted(list(graph.baselines(scope).values()))
    return Accepted(refs=tuple(by_ref), recorded=recorded, file=ACCEPTED_FILE, content=content)


def without_anchors(report: DriftReport) -> DriftReport:
    """Return the report without its anchors, which hold the blob ids of every pinned file."""
    return report.model_copy(update={"anchors": ()})
