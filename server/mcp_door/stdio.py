"""MCP by standard input and output: one client, one process, which ends with the client."""

import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from server.errors import BROKEN
from server.mcp_door.greeting import Greeting
from server.mcp_door.seats import OwnSeat
from server.mcp_door.speaking import speaker
from server.mcp_door.wire import LONGEST, Wire

_log = logging.getLogger(__name__)

_GRACE = 1.0
"""Seconds that calls may take to be answered when the client has closed its end."""
_OPENING = 10.0
"""Seconds that the store may take to be opened, before those."""

Sink = MemoryObjectSendStream[SessionMessage | Exception]
Answers = MemoryObjectReceiveStream[SessionMessage]


class Conversation:
    """Moves messages between the wire and the SDK's server, and answers what is no message.

    `opened` returns when the first call could be worked on.
    """

    def __init__(self, wire: Wire, first: bytes, greeting: Greeting | None, opened: Callable[[], None]) -> None:
        self._wire = wire
        self._opened = opened
        self._first = greeting.request if greeting else first
        self._greeting = greeting
        self._open: set[types.RequestId] = set()
        self._is_ending = False
        self._all_answered = anyio.Event()

    async def hold(self, server: Server[Any]) -> None:
        """Serve until the client closes its end, or no longer reads."""
        sink, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
        outgoing, answers = anyio.create_memory_object_stream[SessionMessage]()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._read, sink, outgoing.clone())
            tasks.start_soon(self._write, answers, tasks.cancel_scope.cancel)
            await server.run(incoming, outgoing, server.create_initialization_options())

    async def _read(self, sink: Sink, outgoing: MemoryObjectSendStream[SessionMessage]) -> None:
        line: bytes | None = self._first
        async with sink, outgoing:
            while line is not None:
                try:
                    message = _message(line)
                except _NoMessage as refused:
                    await outgoing.send(SessionMessage(refused.answer))
                else:
                    if isinstance(message, types.JSONRPCRequest):
                        self._open.add(message.id)
                    await sink.send(SessionMessage(message))
                line = await anyio.to_thread.run_sync(self._wire.read, abandon_on_cancel=True)
            self._is_ending = True
            if self._open:
                with anyio.move_on_after(_OPENING):
                    await anyio.to_thread.run_sync(self._opened, abandon_on_cancel=True)
                with anyio.move_on_after(_GRACE):
                    await self._all_answered.wait()
            _leave_in(_GRACE)

    async def _write(self, answers: Answers, end: Callable[[], None]) -> None:
        async with answers:
            async for one in answers:
                message = one.message
                if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
                    if self._is_sent(message.id):
                        continue
                    self._open.discard(message.id)
                line = message.model_dump_json(by_alias=True, exclude_unset=True).encode("utf-8")
                try:
                    # A client that does not read keeps only this thread waiting.
                    await anyio.to_thread.run_sync(self._wire.write, line, abandon_on_cancel=True)
                except OSError:  # the client is gone
                    _leave_in(_GRACE)
                    end()
                    return
                if self._is_ending and not self._open:
                    self._all_answered.set()

    def _is_sent(self, id: types.RequestId) -> bool:
        """Say whether this is the answer that the greeting gave already."""
        if self._greeting is None or id != self._greeting.id:
            return False
        self._greeting = None
        self._open.discard(id)
        return True


def converse(wire: Wire, first: bytes, greeting: Greeting | None, seat: OwnSeat, tools: Sequence[str]) -> NoReturn:
    """Serve the client whose first line was read already, and end the process with it."""
    # What is not committed was not acknowledged either, so both signals may end it anywhere.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = 0
    try:
        server = speaker(seat, tools)
        threading.Thread(target=seat.warm, daemon=True).start()
        anyio.run(Conversation(wire, first, greeting, seat.warm).hold, server)
        seat.close()
    except Exception:
        _log.exception("the conversation broke")
        code = BROKEN
    _leave(code)


def _leave(code: int = 0) -> NoReturn:
    """End the process, whatever threads still do: a call that nobody waits for must not keep it alive."""
    sys.stderr.flush()
    os._exit(code)


def _leave_in(seconds: float) -> None:
    timer = threading.Timer(seconds, _leave)
    timer.daemon = True
    timer.start()


class _NoMessage(Exception):
    """A line that is no message, with what answers it."""

    def __init__(self, code: int, what: str, id: object = None) -> None:
        known = id if isinstance(id, str) or type(id) is int else None
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=known, error=types.ErrorData(code=code, message=what))
        super().__init__(what)


def _message(line: bytes) -> types.JSONRPCMessage:
    """Return the message that a line holds; raise _NoMessage."""
    if len(line) > LONGEST:
        raise _NoMessage(types.INVALID_REQUEST, f"the message is longer than {LONGEST} bytes")
    try:
        message: types.JSONRPCMessage = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        raise _refusal(line, error) from error
    return message


def _refusal(line: bytes, error: ValidationError) -> _NoMessage:
    try:
        given = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as fault:
        return _NoMessage(types.PARSE_ERROR, f"the line is no JSON in UTF-8: {fault}")
    # The other side waits for the answer to its request, so it is told which one it was.
    id = given.get("id") if isinstance(given, dict) else None
    what = "; ".join(dict.fromkeys(one["msg"] for one in error.errors(include_url=False, include_input=False)))
    return _NoMessage(types.INVALID_REQUEST, f"the line is no JSON-RPC message: {what}", id)
