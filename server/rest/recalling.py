"""Route: recall."""

from fastapi import APIRouter, BackgroundTasks

from graph.views import Recall
from server.rest.bodies import Question
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
