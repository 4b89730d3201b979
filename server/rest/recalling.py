"""Routes: recall, and what a session relied on."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Path

from graph.views import Recall
from server.answers import Cited, cite
from server.rest.bodies import Citations, Question
from server.rest.parts import Graph, InScope, unique
from server.rest.reading import Reading

router = APIRouter(tags=["recall"], route_class=Reading)


@router.post("/recall")
def recall(graph: Graph, scope: InScope, body: Question, tasks: BackgroundTasks) -> Recall:
    """Answer a question, or tell what is known about a place; `text` is what an agent reads."""
    found = graph.recall(
        scope,
        body.question,
        elements=unique(body.elements),
        paths=unique(body.paths),
        limit=body.limit,
        budget=body.budget,
        explain=body.explain,
    )
    tasks.add_task(graph.note_recall, scope, found, session=body.session)
    return found


@router.post("/sessions/{session}/citations")
def cite_memories(
    graph: Graph, scope: InScope, session: Annotated[str, Path(max_length=200)], body: Citations
) -> Cited:
    """Record what a session relied on; only that lifts rank."""
    return cite(graph, scope, session, body.used)
