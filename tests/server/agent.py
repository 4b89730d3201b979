"""Coding agents: the SDK's real client over both ways in, and a process spoken to in raw lines."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from queue import Queue
from typing import Any, Literal

import anyio
from mcp import Client, StdioServerParameters
from mcp_types import Implementation, TextContent

from tests.server.shop import IDENTITY, Cli
from tests.server.test_serving import serving

NAME = "claude-code"
Way = Literal["stdio", "http"]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": NAME, "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Agent:
    """A client of the SDK, and its calls in short."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, *, is_error: bool = False, **arguments: Any) -> str:
        """Call a tool and return its text; whether it failed is checked, and that no traceback is shown."""
        result = await self.client.call_tool(tool, arguments)
        content = result.content[0]
        assert isinstance(content, TextContent)
        assert "Traceback" not in content.text
        assert bool(result.is_error) is is_error, content.text
        return content.text

    async def start(self, task: str, **more: Any) -> str:
        """Start a session and return its id."""
        found = re.search(r"Session (\S+):", await self("start_work_session", task=task, **more))
        assert found is not None
        return found[1]


def talk(cli: Cli, way: Way, work: Callable[[Agent], Awaitable[None]], *arguments: str, mode: str = "legacy") -> None:
    """Let an agent work that reaches archmem this way."""

    async def connected() -> None:
        async with _client(cli, way, arguments, mode) as client:
            await work(Agent(client))

    anyio.run(connected)


@asynccontextmanager
async def _client(cli: Cli, way: Way, arguments: tuple[str, ...], mode: str) -> AsyncIterator[Client]:
    info = Implementation(name=NAME, version="1")
    if way == "stdio":
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "server.cli", "mcp", *arguments], env=cli.environment, cwd=cli.folder
        )
        async with Client(server, client_info=info, mode=mode, read_timeout_seconds=30) as client:
            yield client
    else:
        with serving(cli) as url:
            address = f"{url}/mcp?project={IDENTITY}"
            async with Client(address, client_info=info, mode=mode, read_timeout_seconds=30) as client:
                yield client


class Line:
    """A process of `archmem mcp`, spoken to in raw lines; each line that it answers must be JSON-RPC."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.said: list[bytes] = []
        self._answers: Queue[Any] = Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, message: Any) -> None:
        """Send a message, or bytes as they are."""
        assert self.process.stdin is not None
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self, timeout: float = 30) -> Any:
        """Return the next message; None at the end."""
        return self._answers.get(timeout=timeout)

    def ask(self, method: str, id: int | str = 1, **params: Any) -> Any:
        """Send a request and return its answer."""
        self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        return self.receive()

    def call(self, tool: str, id: int | str = 1, **arguments: Any) -> Any:
        """Call a tool and return the answer's result."""
        return self.ask("tools/call", id, name=tool, arguments=arguments)["result"]

    def begin(self) -> Any:
        """Say hello and return the answer."""
        self.send(INITIALIZE)
        answer = self.receive()
        self.send(INITIALIZED)
        return answer

    def close(self) -> None:
        """Close the process's standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            self._answers.put(json.loads(line))
        self._answers.put(None)


@contextmanager
def line(cli: Cli, *arguments: str, **environment: str) -> Iterator[Line]:
    """Give a process that is ended afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "mcp", *arguments],
        cwd=cli.folder,
        env={**cli.environment, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    made = Line(process)
    try:
        yield made
    finally:
        process.kill()
        process.wait(10)
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()
