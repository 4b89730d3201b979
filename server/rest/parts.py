"""What routes are given: the graph, the scope that the request is about, who acts."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Header, Query, Request

from graph.access import Access
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.projects import named_project
from server.settings import Settings

DEFAULT_ACTOR = "rest/unknown"


# What waits for nothing is a coroutine: FastAPI would send a plain function to a thread of its pool.
async def graph_of(request: Request) -> MemoryGraph:
    """Return the graph as whoever asks may see it."""
    graph: MemoryGraph = request.app.state.graph
    access = access_of(request)
    return graph if access is None else graph.limited_to(access)


async def settings_of(request: Request) -> Settings:
    """Return the server's settings."""
    settings: Settings = request.app.state.settings
    return settings


def access_of(request: Request) -> Access | None:
    """Return what the request's access key allows; None for whoever may do everything on this machine."""
    access: Access | None = request.scope.get("archmem.access")
    return access


Graph = Annotated[MemoryGraph, Depends(graph_of)]
ServerSettings = Annotated[Settings, Depends(settings_of)]


def scope_of(
    graph: Graph,
    settings: ServerSettings,
    project: Annotated[
        str,
        Query(
            max_length=300,
            description="The project's id or identity (it may hold slashes); empty for the whole organisation.",
            examples=["github.com/acme/bookshop"],
        ),
    ],
) -> Scope:
    """Return the scope that the query parameter `project` names; raise Unknown with the known projects."""
    return named_project(graph, settings.organisation, project)


async def actor_of(
    request: Request,
    actor: Annotated[
        str, Header(alias="X-Archmem-Actor", max_length=200, description="Who acts, as history shows it.")
    ] = "",
) -> str:
    """Return who acts: nobody writes under another name than that of the access key."""
    told, access = spoken(actor).strip(), access_of(request)
    if access is not None:
        return f"{access.name}/{told}" if told else access.name
    return told or DEFAULT_ACTOR


async def key_of(
    key: Annotated[
        str, Header(alias="Idempotency-Key", max_length=200, description="Makes a retry of the same request harmless.")
    ] = "",
) -> str:
    """Return the client's key."""
    return spoken(key)


InScope = Annotated[Scope, Depends(scope_of)]
Actor = Annotated[str, Depends(actor_of)]
Key = Annotated[str, Depends(key_of)]


def spoken(header: str) -> str:
    """Return a header as UTF-8, which clients send, though it is read as Latin-1."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def unique(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names without repetitions and empty ones, in their order."""
    return tuple(dict.fromkeys(name for name in names if name))
