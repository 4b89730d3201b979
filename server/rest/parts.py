"""What routes are given: the graph, the scope that the request is about, who acts."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Header, Query, Request

from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.projects import named_project
from server.settings import Settings

DEFAULT_ACTOR = "rest/unknown"


# What waits for nothing is a coroutine: FastAPI would send a plain function to a thread of its pool.
async def graph_of(request: Request) -> MemoryGraph:
    """Return the graph that is served."""
    graph: MemoryGraph = request.app.state.graph
    return graph


async def settings_of(request: Request) -> Settings:
    """Return the server's settings."""
    settings: Settings = request.app.state.settings
    return settings


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
    actor: Annotated[
        str, Header(alias="X-Archmem-Actor", max_length=200, description="Who acts, as history shows it.")
    ] = "",
) -> str:
    """Return who acts."""
    return spoken(actor).strip() or DEFAULT_ACTOR


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
