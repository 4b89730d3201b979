"""The SDK's server: lists and calls tools, reads resources, gets prompts; the work is done in threads."""

import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, TypeVar

import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from graph.errors import ArchmemError
from server.errors import Problem, invalid, problem_of, unexpected, words_of
from server.mcp_door.greeting import INSTRUCTIONS, NAME
from server.mcp_door.prompts import PROMPTS
from server.mcp_door.resources import LISTED, TEMPLATES, read
from server.mcp_door.schemas import schema_of
from server.mcp_door.seats import Seat, Seats
from server.mcp_door.tools import TOOLS, Tool

T = TypeVar("T")
Context = ServerRequestContext[ThreadPoolExecutor, Any]

_log = logging.getLogger(__name__)


def speaker(seats: Seats, tools: Sequence[str]) -> Server[ThreadPoolExecutor]:
    """Return the server that offers these tools; each call finds its seat anew."""
    offered = {name: TOOLS[name] for name in tools}

    async def list_tools(_: Context, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_shown(tool) for tool in offered.values()])

    async def call_tool(context: Context, called: types.CallToolRequestParams) -> types.CallToolResult:
        tool = offered.get(called.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {called.name!r}; there are {', '.join(offered)}")

        def work(seat: Seat) -> tuple[str, Callable[[], None]]:
            arguments = tool.arguments.model_validate(called.arguments or {})
            told = tool.work(seat, arguments)

            def after() -> None:
                told.after()
                if not tool.is_heard:
                    seat.graph.hear(seat.scope, getattr(arguments, "session", "") or seat.session)

            return told.text, after

        try:
            text, after = await _in_thread(seats, context, work)
        except Exception as error:
            return types.CallToolResult(content=[_text(words_of(_problem(error)))], is_error=True)
        context.lifespan_context.submit(_quietly, after)
        return types.CallToolResult(content=[_text(text)])

    async def list_resources(_: Context, __: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[types.Resource(**one) for one in LISTED])

    async def list_templates(_: Context, __: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[types.ResourceTemplate(**one) for one in TEMPLATES]
        )

    async def read_resource(context: Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(asked.uri)
        text = await _or_refuse(_in_thread(seats, context, lambda seat: read(seat, uri)))
        content = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=_clean(text))
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(_: Context, __: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt(**one.shown) for one in PROMPTS.values()])

    async def get_prompt(context: Context, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        prompt = PROMPTS.get(asked.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {asked.name!r}; there are {', '.join(PROMPTS)}")
        given = asked.arguments or {}
        text = await _or_refuse(_in_thread(seats, context, lambda seat: prompt.get(seat, given)))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=_text(text))])

    return Server(
        NAME,
        version=version(NAME),
        instructions=INSTRUCTIONS,
        lifespan=_background,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


@asynccontextmanager
async def _background(_: Server[ThreadPoolExecutor]) -> AsyncIterator[ThreadPoolExecutor]:
    """Give the thread of what follows an answer: impressions, gaps, vectors; at the end it is waited for."""
    with ThreadPoolExecutor(1, "archmem-after") as after:
        yield after


async def _in_thread(seats: Seats, context: Context, work: Callable[[Seat], T]) -> T:
    """Do the work in a thread: the loop goes on meanwhile, and a call that is given up is not waited for."""
    client = context.session.client_params.client_info.name if context.session.client_params else ""
    return await anyio.to_thread.run_sync(lambda: work(seats(client, context.request)), abandon_on_cancel=True)


async def _or_refuse(result: Any) -> str:
    """Return the text; raise what went wrong as an error of the protocol."""
    try:
        text: str = await result
    except Exception as error:
        problem = _problem(error)
        code = types.INVALID_PARAMS if problem.status < 500 else types.INTERNAL_ERROR
        raise MCPError(code, words_of(problem), data=problem.model_dump(mode="json")) from error
    return text


def _problem(error: Exception) -> Problem:
    if isinstance(error, ValidationError):
        error = invalid(error)
    if isinstance(error, ArchmemError):
        return problem_of(error)
    _log.error("a call failed: %r", error, exc_info=bool(os.environ.get("ARCHMEM_DEBUG")))
    return unexpected(error)


def _quietly(after: Callable[[], None]) -> None:
    """Do what follows an answer that is given already; what hinders it is nobody's fault."""
    try:
        after()
    except Exception as error:
        _problem(error)


def _shown(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(read_only_hint=True) if tool.read_only else None
    return types.Tool(
        name=tool.name, description=tool.prompt, input_schema=schema_of(tool.arguments), annotations=hints
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=_clean(text))


def _clean(text: str) -> str:
    """Return the text without what is no Unicode, which no message can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
