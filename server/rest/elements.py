"""Routes: the elements that a task is about."""

from typing import Annotated

from fastapi import APIRouter, Query

from graph.work_views import FoundElements
from server.rest.parts import Graph, InScope
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
