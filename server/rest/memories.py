"""Routes: memories, from remember to archive.

A memory is named in the path by its id or its title (percent-encoded); an id never ends like a route.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from graph.memories import State
from graph.views import MemoryView, Remembered
from server.answers import MOST_LISTED, History, MemoryPage, history_of, page_of
from server.repositories import checkout_of
from server.rest.bodies import Archival, Confirmation, NewMemory, Renaming, Successor
from server.rest.parts import Actor, Graph, InScope, Key, ServerSettings
from server.rest.reading import Reading

router = APIRouter(tags=["memories"], route_class=Reading)

Name = Annotated[str, Path(description="The memory's id or title.")]


@router.post("/memories")
def remember(graph: Graph, scope: InScope, actor: Actor, key: Key, body: NewMemory) -> Remembered:
    """Store one fact, or confirm the memory that holds it already; acknowledged after commit."""
    made = graph.remember(
        scope,
        body.draft(),
        actor=actor,
        checkout=body.checkout,
        supersedes=body.supersedes,
        version=body.version,
        key=key,
        session=body.session,
    )
    return made


@router.get("/memories")
def list_memories(
    graph: Graph,
    scope: InScope,
    state: Annotated[tuple[State, ...], Query(description="States to list; repeat it for several.")] = (State.LIVE,),
    after: Annotated[str, Query(description="Continue after this id: the last page's `next`.")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100,
) -> MemoryPage:
    """List memories by id, page by page."""
    return page_of(graph, scope, states=state, after=after, limit=limit)


@router.get("/memories/{memory:path}/history")
def get_history(graph: Graph, scope: InScope, memory: Name) -> History:
    """Return a memory's events, oldest first, each with the memory as it was then."""
    return history_of(graph, scope, memory)


@router.get("/memories/{memory:path}")
def get_memory(graph: Graph, scope: InScope, memory: Name) -> MemoryView:
    """Return one memory, in any state."""
    return graph.memory(scope, memory)


@router.post("/memories/{memory:path}/confirm")
def confirm(
    graph: Graph,
    settings: ServerSettings,
    scope: InScope,
    actor: Actor,
    memory: Name,
    body: Confirmation | None = None,
) -> MemoryView:
    """Say that it still holds: resets freshness and clears the drift flag.

    Who gives no checkout confirms it as of the last drift run, where the server has the repository.
    """
    body = body or Confirmation()
    checkout = body.checkout or checkout_of(graph, settings, scope)
    return graph.confirm(scope, memory, actor=actor, checkout=checkout, version=body.version, session=body.session)


@router.post("/memories/{memory:path}/supersede")
def supersede(graph: Graph, scope: InScope, actor: Actor, key: Key, memory: Name, body: Successor) -> Remembered:
    """Replace it by a newer one: it leaves recall and stays in history."""
    made = graph.supersede(
        scope,
        memory,
        body.draft(),
        actor=actor,
        checkout=body.checkout,
        version=body.version,
        key=key,
        session=body.session,
    )
    return made


@router.post("/memories/{memory:path}/archive")
def archive(graph: Graph, scope: InScope, actor: Actor, memory: Name, body: Archival | None = None) -> MemoryView:
    """Take it out of recall; it stays in history."""
    body = body or Archival()
    return graph.archive(scope, memory, actor=actor, reason=body.reason, version=body.version)


@router.post("/memories/{memory:path}/rename")
def rename(graph: Graph, scope: InScope, actor: Actor, memory: Name, body: Renaming) -> MemoryView:
    """Give it another title; the old one stays as an alias, so no link breaks."""
    return graph.rename(scope, memory, body.title, actor=actor, version=body.version)
