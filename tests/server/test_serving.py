"""`archmem serve`: a real process that listens, answers and ends."""

import asyncio
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from server.rest.serving import _listen
from tests.server.shop import IDENTITY, LIMIT, Cli


@contextmanager
def serving(cli: Cli, *arguments: str, kill: bool = False) -> Iterator[str]:
    """Give the address of a server that is ended afterwards, or killed."""
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(
        command, cwd=cli.folder, env=cli.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        address = ""
        while not address:
            line = process.stderr.readline()
            assert line, process.wait(10)
            found = re.search(r"http://\S+(?=/docs)", line)
            address = found.group() if found else ""
        yield address
    finally:
        (process.kill if kill else process.terminate)()
        out, _ = process.communicate(timeout=20)
        assert out == ""


def test_what_the_command_line_wrote_is_served_and_the_other_way_round(cli: Cli) -> None:
    cli("remember", LIMIT, "--title", "Limits")
    with serving(cli) as url, httpx.Client(base_url=url, params={"project": IDENTITY}, timeout=30) as rest:
        assert rest.get("/healthz").json()["status"] == "ok"
        assert rest.get("/api/memories/Limits").json()["content"] == LIMIT
        assert rest.post("/api/memories", json={"content": "Pages are cached"}).status_code == 200
        assert "Pages are cached" in cli("recall", "pages").out
        cli("remember", "Served while the file is shared", "--title", "Shared")
        assert rest.get("/api/memories/Shared").status_code == 200


def test_a_foreign_address_and_a_taken_port_are_refused(cli: Cli) -> None:
    assert "access key" in cli("serve", "--host", "0.0.0.0", code=2).err
    with serving(cli) as url:
        assert "Next: " in cli("serve", "--port", url.rpartition(":")[2], code=2).err


def test_an_answer_does_not_wait_for_the_one_before_to_be_acknowledged() -> None:
    undelayed: list[int] = []

    async def look() -> None:
        def accepted(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            made = writer.get_extra_info("socket")
            undelayed.append(made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with _listen("127.0.0.1", 0) as listener:
            async with await asyncio.start_server(accepted, sock=listener):
                reader, writer = await asyncio.open_connection(*listener.getsockname())
                await reader.read()
                writer.close()
                await writer.wait_closed()

    asyncio.run(look())
    assert undelayed[0] != 0
