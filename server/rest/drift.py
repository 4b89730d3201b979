"""Routes: drift runs that clients made in their checkouts, and what was accepted."""

from typing import Annotated

from fastapi import APIRouter, Query

from graph.drift_report import DriftReport
from server.answers import Accepted, DriftRuns, Ran, accept_baselines, record, runs_of
from server.rest.bodies import Acceptance
from server.rest.parts import Actor, Graph, InScope
from server.rest.reading import Reading

router = APIRouter(tags=["drift"], prefix="/drift", route_class=Reading)


@router.get("/runs")
def list_runs(graph: Graph, scope: InScope, limit: Annotated[int, Query(ge=1, le=100)] = 20) -> DriftRuns:
    """List the newest runs first; `limit=1` is the latest."""
    return runs_of(graph, scope, limit)


@router.post("/runs")
def record_run(graph: Graph, scope: InScope, body: DriftReport) -> Ran:
    """Record a run: elements are stamped, memories flagged and cleared."""
    return record(graph, scope, body)


@router.post("/accept")
def accept(graph: Graph, scope: InScope, actor: Actor, body: Acceptance) -> Accepted:
    """Accept elements as they are; no memory's flag is cleared. `content` is the file to commit for it."""
    return accept_baselines(graph, scope, body.baselines, actor)
