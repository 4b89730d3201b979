"""Routes: drift runs that a server makes or that clients made in their checkouts, and what was accepted."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Path, Query, status

from graph.attempts import Attempt
from graph.drift_report import DriftReport
from graph.stores.port import StoredRun
from server.answers import Accepted, DriftRuns, DriftStatus, Ran, accept_baselines, record, runs_of
from server.rest.bodies import Acceptance
from server.rest.parts import Actor, Graph, InScope, ServerSettings
from server.rest.reading import Reading
from server.watching import accept_refs, attempt_run, begin_run, status_of

router = APIRouter(tags=["drift"], prefix="/drift", route_class=Reading)

Id = Annotated[str, Path(max_length=200)]


@router.get("")
def get_status(graph: Graph, settings: ServerSettings, scope: InScope) -> DriftStatus:
    """Return which repository is checked by itself and when, the last run, the latest attempts with their errors."""
    return status_of(graph, settings, scope)


@router.post("/attempts", status_code=status.HTTP_202_ACCEPTED)
def start_run(graph: Graph, settings: ServerSettings, scope: InScope, actor: Actor, tasks: BackgroundTasks) -> Attempt:
    """Start a run over the project's repository; ask for the attempt by its id until its state is another."""
    begun = begin_run(graph, scope, actor)
    tasks.add_task(attempt_run, graph, settings, scope, begun)
    return begun


@router.get("/attempts/{attempt}")
def get_attempt(graph: Graph, scope: InScope, attempt: Id) -> Attempt:
    """Return how far an attempt is: its state, the recorded run's id, or its error."""
    return graph.attempt(scope, attempt)


@router.get("/runs")
def list_runs(
    graph: Graph,
    scope: InScope,
    before: Annotated[str, Query(max_length=200, description="Continue before this id: the last page's `next`.")] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> DriftRuns:
    """List the runs in numbers, the newest first; `limit=1` is the latest."""
    return runs_of(graph, scope, before=before, limit=limit)


@router.post("/runs")
def record_run(graph: Graph, scope: InScope, body: DriftReport) -> Ran:
    """Record a run: elements are stamped, memories flagged and cleared."""
    return record(graph, scope, body)


@router.get("/runs/{run}")
def get_run(graph: Graph, scope: InScope, run: Id) -> StoredRun:
    """Return one run in full, without its anchors; of an old one the score and the verdicts are kept."""
    return graph.drift_run(scope, run)


@router.post("/accept")
def accept(graph: Graph, settings: ServerSettings, scope: InScope, actor: Actor, body: Acceptance) -> Accepted:
    """Accept elements as they are; no memory's flag is cleared. `content` is the file to commit for it.

    Give either their states, or their refs alone: then they are accepted as the HEAD of the server's repository has
    them.
    """
    if body.refs:
        return accept_refs(graph, settings, scope, body.refs, actor)
    return accept_baselines(graph, scope, body.baselines, actor)
