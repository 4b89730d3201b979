"""Answers that are no single view of the graph, in the one shape that REST sends and `--json` prints."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from graph.access import AccessKeyView
from graph.attempts import Attempt
from graph.claims import Baseline
from graph.drift_report import DriftReport
from graph.frozen import Moment
from graph.memories import State
from graph.memory_graph import MemoryGraph
from graph.scopes import Project, Scope
from graph.stores.port import StoredRun
from graph.views import ElementView, HistoryEntry, MemoryView, ModelChange, Stamped
from graph.work_views import SessionView

MOST_LISTED = 500


class Projects(BaseModel):
    """The organisation's projects."""

    projects: tuple[Project, ...]


class AccessKeys(BaseModel):
    """The organisation's access keys, revoked ones too."""

    keys: tuple[AccessKeyView, ...]


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


class SessionPage(BaseModel):
    """One page of sessions, the newest first; `next` is what to pass as `before`, empty at the end."""

    sessions: tuple[SessionView, ...]
    next: str = ""


class RunSummary(BaseModel):
    """A recorded drift run in numbers; `counts` tells how many elements have each verdict, `new` how many folders."""

    id: str
    at: Moment
    head: str
    head_at: Moment | None
    base: str
    score: float | None
    band: str
    counts: dict[str, int]
    new: int


class DriftRuns(BaseModel):
    """One page of runs in numbers, the newest first; `next` is what to pass as `before`, empty at the end."""

    runs: tuple[RunSummary, ...]
    next: str = ""


class DriftStatus(BaseModel):
    """What a server checks by itself and when, the last run in numbers, and the latest attempts, newest first.

    `problem` says why the schedule is not known.
    """

    repository: str
    branch: str
    schedule: str
    next_at: Moment | None
    problem: str = ""
    last: RunSummary | None
    attempts: tuple[Attempt, ...]


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


def sessions_of(
    graph: MemoryGraph, scope: Scope, *, finished: bool = False, before: str = "", limit: int = 100
) -> SessionPage:
    """Return one page of sessions."""
    found = graph.sessions(scope, finished=finished, before=before, limit=limit + 1)
    shown = found[:limit]
    return SessionPage(sessions=shown, next=shown[-1].id if len(found) > limit else "")


def runs_of(graph: MemoryGraph, scope: Scope, *, before: str = "", limit: int = 20) -> DriftRuns:
    """Return one page of drift runs in numbers."""
    runs = graph.drift_runs(scope, limit + 1, before=before)
    shown = runs[:limit]
    return DriftRuns(runs=tuple(map(summary_of, shown)), next=shown[-1].id if len(runs) > limit else "")


def summary_of(run: StoredRun) -> RunSummary:
    """Return a run in numbers."""
    told = run.report
    return RunSummary(
        id=run.id,
        at=told.at,
        head=told.head,
        head_at=told.head_at,
        base=told.base,
        score=told.score,
        band=told.band,
        counts=told.counts(),
        new=len(told.new),
    )


def record(graph: MemoryGraph, scope: Scope, report: DriftReport) -> Ran:
    """Record a drift run."""
    return Ran(report=without_anchors(report), stamped=graph.record_drift(scope, report))


def accept_baselines(graph: MemoryGraph, scope: Scope, baselines: Sequence[Baseline], actor: str) -> Accepted:
    """Record accepted elements, and show the accepted file that says the same."""
    from drift import ACCEPTED_FILE, write_accepted

    by_ref = {one.anchor.element: one for one in baselines}
    recorded = graph.accept_drift(scope, by_ref, actor=actor)
    content = write_accepted(list(graph.baselines(scope).values()))
    return Accepted(refs=tuple(by_ref), recorded=recorded, file=ACCEPTED_FILE, content=content)


def record_accepted(
    graph: MemoryGraph, scope: Scope, gained: Sequence[Baseline], content: str, file: str, actor: str
) -> Accepted:
    """Record what an accepted file gained, for the elements that the store knows."""
    known = {one.element.ref for one in graph.elements(scope) if not one.retired}
    baselines = {one.anchor.element: one for one in gained if one.anchor.element in known}
    recorded = graph.accept_drift(scope, baselines, actor=actor) if baselines else ()
    return Accepted(refs=tuple(one.anchor.element for one in gained), recorded=recorded, file=file, content=content)


def without_anchors(report: DriftReport) -> DriftReport:
    """Return the report without its anchors, which hold the blob ids of every pinned file."""
    return report.model_copy(update={"anchors": ()})
