"""Routes: the elements that a task is about, what a change of one touches, and what to know before the work."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from graph.work_views import FoundElements, Impact, Plan
from server.rest.bodies import Task
from server.rest.parts import Graph, InScope, unique
from server.rest.reading import Reading

router = APIRouter(tags=["elements"], route_class=Reading)


@router.get("/elements/find")
def find_elements(
    graph: Graph,
    scope: InScope,
    question: Annotated[str, Query(max_length=2_000, description="A question, or what somebody is about to do.")],
    limit: Annotated[int | None, Query(ge=1, le=50, description="At most so many elements.")] = None,
) -> FoundElements:
    """Find the elements that a question means, by meaning and words; `text` is what an agent reads."""
    return graph.find_elements(scope, question, limit=limit)


@router.get("/elements/{element}/impact")
def impact_of(
    graph: Graph,
    scope: InScope,
    element: Annotated[str, Path(max_length=2_000, description="A ref, a unique name or a path of the repository.")],
    depth: Annotated[int | None, Query(ge=1, le=100, description="Through at most so many uses.")] = None,
) -> Impact:
    """Tell who uses an element, directly or through others, and what is known, held and decided there."""
    return graph.impact_of(scope, element, depth=depth)


@router.post("/plan")
def plan_work(graph: Graph, scope: InScope, body: Task) -> Plan:
    """Tell what to know before a task: elements in the order to work in, constraints, risks; `text` is for agents."""
    return graph.plan_work(scope, body.task, elements=unique(body.elements), session=body.session)
