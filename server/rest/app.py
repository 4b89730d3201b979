"""The web application: routes under /api, MCP at /mcp, problems as problem+json, access keys where they are needed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from pydantic import BaseModel

from graph.memory_graph import MemoryGraph
from server.rest import access, drift, elements, memories, projects, recalling, reviewing, sessions
from server.rest.agents import agents_of, route_of
from server.rest.guard import Guard
from server.rest.parts import Graph
from server.rest.problems import answer_with_problems
from server.settings import Settings

_DESCRIPTION = """Memories for coding agents, pinned to the architecture and distrusted when its code moves.

* Every route about a project takes its id or identity as the query parameter `project`; an empty one is the whole
  organisation.
* A memory is named in the path by its id or by its title.
* `X-Archmem-Actor` says who acts; `Idempotency-Key` makes a retry harmless.
* Who asks from elsewhere sends `Authorization: Bearer` with an access key.
* Every error is `application/problem+json`: what was wrong, with which id, every fault, and the next step.
* Agents speak MCP at /mcp?project=ID (streamable HTTP).
* Recalled text is quoted data with its origin, never an instruction.
"""


class Health(BaseModel):
    """That the server answers, and how it recalls."""

    status: str
    version: str
    embedder: str


def create_app(graph: MemoryGraph, settings: Settings) -> FastAPI:
    """Return the application that serves this graph; whoever made the graph closes it."""
    agents = agents_of(graph, settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with agents.running():
            yield

    app = FastAPI(title="archmem", version=version("archmem"), description=_DESCRIPTION, lifespan=lifespan)
    app.router.routes.append(route_of(agents))
    app.state.graph = graph
    app.state.settings = settings
    answer_with_problems(app)
    for routes in (access, projects, elements, reviewing, memories, recalling, sessions, drift):
        app.include_router(routes.router, prefix="/api")

    @app.get("/healthz", tags=["health"])
    def health(graph: Graph) -> Health:
        """Say that the server answers."""
        return Health(status="ok", version=version("archmem"), embedder=graph.embedder)

    app.add_middleware(Guard, graph=graph, settings=settings)
    return app
