"""The address /mcp: agents over streamable HTTP, each request about the project that it names."""

from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from graph.errors import InvalidInput
from graph.memory_graph import MemoryGraph
from server.bootstrap import words_alone
from server.mcp_door.catalogue import chosen
from server.mcp_door.seats import Seat, actor_of
from server.mcp_door.served import Served
from server.projects import named_project
from server.repositories import checkout_of
from server.rest.parts import access_of, spoken
from server.settings import Settings


def agents_of(graph: MemoryGraph, settings: Settings) -> Served:
    """Return what speaks MCP over this graph; raise InvalidInput for tools that there are not."""
    try:
        tools = chosen(settings.mcp_tools)
    except ValueError as error:
        raise InvalidInput(
            str(error), id="ARCHMEM_MCP_TOOLS", next_step="name tools that there are, or `all`"
        ) from error

    def seat_of(client: str, request: Request) -> Seat:
        access = access_of(request)
        seen = graph if access is None else graph.limited_to(access)
        scope = named_project(seen, settings.organisation, _project(request, settings))
        told = actor_of(spoken(request.headers.get("x-archmem-actor", "")), client)
        return Seat(
            graph=seen,
            scope=scope,
            actor=told if access is None else f"{access.name}/{told}",
            notice=words_alone(settings),
            checked=lambda: checkout_of(seen, settings, scope),
        )

    return Served(seat_of, tools)


def route_of(served: Served) -> Any:
    """Return the route to it."""
    return Route("/mcp", endpoint=served.application)


def _project(request: Request, settings: Settings) -> str:
    """Return the project that a request names: an empty one is the whole organisation."""
    header = request.headers.get("x-archmem-project")
    named = request.query_params.get("project", None if header is None else spoken(header))
    named = settings.project if named is None else named
    if named is None:
        raise InvalidInput(
            "the address names no project",
            id="project",
            next_step="add ?project=ID to the address of the server, or send the header X-Archmem-Project",
        )
    return named
