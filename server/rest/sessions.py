"""Routes: sessions of agents, what one reads before its work, and the titles of all that is remembered."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from graph.work_views import Briefing, Finished, Manifest, SessionView, Started
from server.answers import MOST_LISTED, Cited, SessionPage, cite, sessions_of
from server.rest.bodies import Citations, NewSession, SessionEnd
from server.rest.parts import Actor, Graph, InScope, unique
from server.rest.reading import Reading

router = APIRouter(tags=["sessions"], route_class=Reading)

Name = Annotated[str, Path(max_length=200, description="The session's id.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED)]


@router.post("/sessions")
def start_session(graph: Graph, scope: InScope, actor: Actor, body: NewSession) -> Started:
    """Begin a unit of work, and brief its agent; when `gate` is `deny`, no session was made."""
    return graph.start_session(
        scope,
        body.task,
        agent=body.agent or actor,
        elements=unique(body.elements),
        paths=unique(body.paths),
        exclusive=body.exclusive,
    )


@router.get("/sessions")
def list_sessions(
    graph: Graph,
    scope: InScope,
    finished: Annotated[bool, Query(description="Those finished or given up instead of the open ones.")] = False,
    before: Annotated[str, Query(max_length=200, description="Continue with older ones than this: `next`.")] = "",
    limit: Limit = 100,
) -> SessionPage:
    """List sessions, the newest first."""
    return sessions_of(graph, scope, finished=finished, before=before, limit=limit)


@router.get("/sessions/{session}")
def get_session(graph: Graph, scope: InScope, session: Name) -> SessionView:
    """Return a session with its leases."""
    return graph.session(scope, session)


@router.post("/sessions/{session}/heartbeat")
def heartbeat(graph: Graph, scope: InScope, session: Name) -> SessionView:
    """Say that a session goes on, so that it keeps its leases; any other call with its id does so too."""
    return graph.heartbeat(scope, session)


@router.post("/sessions/{session}/finish")
def finish_session(graph: Graph, scope: InScope, actor: Actor, session: Name, body: SessionEnd) -> Finished:
    """End a session with one outcome, and record what it used; a second time answers the same outcome."""
    return graph.finish_session(
        scope,
        session,
        summary=body.summary,
        decisions=body.decisions,
        follow_ups=body.follow_ups,
        used=body.used,
        actor=actor,
        checkout=body.checkout,
    )


@router.post("/sessions/{session}/citations")
def cite_memories(graph: Graph, scope: InScope, session: Name, body: Citations) -> Cited:
    """Record what a session relied on; only that lifts rank."""
    return cite(graph, scope, session, body.used)


@router.get("/briefing")
def get_briefing(
    graph: Graph,
    scope: InScope,
    task: Annotated[str, Query(max_length=2_000)] = "",
    element: Annotated[
        tuple[str, ...], Query(max_length=50, description="Refs or unique names; repeat it for several.")
    ] = (),
    path: Annotated[tuple[str, ...], Query(max_length=50, description="Paths; repeat it for several.")] = (),
    session: Annotated[str, Query(max_length=200, description="The session that reads it.")] = "",
) -> Briefing:
    """Return what an agent should know before it starts: pitfalls first, in at most 2,000 characters."""
    return graph.briefing(scope, task, elements=unique(element), paths=unique(path), session=session)


@router.get("/manifest")
def get_manifest(
    graph: Graph,
    scope: InScope,
    after: Annotated[str, Query(max_length=200, description="Continue after this id: the last page's `next`.")] = "",
    limit: Limit = 100,
) -> Manifest:
    """Return the titles of all live memories of the project and its organisation, page by page."""
    return graph.manifest(scope, after=after, limit=limit)
