"""`archmem mcp`: a real process, whose standard output is the protocol's alone and which ends with its client."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.mcp_door.greeting import CAPABILITIES, INSTRUCTIONS, VERSIONS, greet
from server.mcp_door.wire import LONGEST
from tests.server.agent import INITIALIZE, INITIALIZED, NAME, line
from tests.server.shop import Cli, cli_with, commit, make_shop

SLOW_TO_END = 5.0
"""Seconds; more than a process takes on a busy machine, less than a store waits for another writer."""


@contextmanager
def locked(cli: Cli) -> Iterator[None]:
    """Hold the store's write lock, so that every write waits."""
    other = sqlite3.connect(cli.environment["ARCHMEM_STORE"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def piped(cli: Cli, *messages: object) -> list[dict[str, object]]:
    """Give a process these messages at once and nothing more; return what it answered."""
    done = subprocess.run(
        [sys.executable, "-m", "server.cli", "mcp"],
        cwd=cli.folder,
        env=cli.environment,
        input=b"".join(json.dumps(one).encode() + b"\n" for one in messages),
        capture_output=True,
        check=True,
        timeout=30,
    )
    return [json.loads(one) for one in done.stdout.splitlines()]


def call(id: int, tool: str, **arguments: object) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def test_the_first_answer_says_what_the_server_is(cli: Cli) -> None:
    with line(cli) as agent:
        said = agent.begin()["result"]
        assert said["serverInfo"]["name"] == "archmem"
        assert said["capabilities"] == CAPABILITIES
        assert said["instructions"] == INSTRUCTIONS
        assert len(INSTRUCTIONS) < 700


@pytest.mark.parametrize("version", [*VERSIONS, "1999-01-01"])
def test_the_sdk_would_have_answered_the_same(cli: Cli, version: str) -> None:
    plain = {**INITIALIZE, "params": {**INITIALIZE["params"], "protocolVersion": version}}  # type: ignore[dict-item]
    # A ping first leaves all that follows to the SDK.
    first, second = piped(cli, {"jsonrpc": "2.0", "id": 5, "method": "ping"}, plain)
    assert first["id"] == 5
    greeting = greet(json.dumps(plain).encode())
    assert greeting is None if version not in VERSIONS else greeting is not None
    if greeting is not None:
        assert json.loads(greeting.answer) == second


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(VERSIONS),
        lambda some: st.lists(some) | st.dictionaries(st.sampled_from(["name", "version", "roots"]), some),
        max_leaves=6,
    ),
    st.sampled_from(["id", "params", "protocolVersion", "capabilities", "clientInfo", "method", "jsonrpc"]),
)
def test_whoever_is_greeted_is_welcome_to_the_sdk(value: object, where: str) -> None:
    from mcp_types import InitializeRequestParams, jsonrpc_message_adapter

    params = dict(INITIALIZE["params"])  # type: ignore[call-overload]
    asked = {**INITIALIZE, "params": params}
    (params if where in params else asked)[where] = value
    greeting = greet(json.dumps(asked).encode())
    if greeting is not None:
        message = jsonrpc_message_adapter.validate_json(greeting.request, by_name=False)
        InitializeRequestParams.model_validate(message.params, by_name=False)  # type: ignore[union-attr]
        assert message.id == greeting.id == json.loads(greeting.answer)["id"]  # type: ignore[union-attr]


def test_nothing_heavy_is_imported_before_the_first_line_is_read(cli: Cli) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "server.cli", "mcp"],
        cwd=cli.folder,
        env=cli.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    imported = {row.rpartition("|")[2].strip() for row in done.stderr.decode().splitlines()}
    assert "server.mcp_door.greeting" in imported
    heavy = {"mcp", "mcp_types", "pydantic", "numpy", "apsw", "onnxruntime", "anyio", "git"}
    assert not heavy & {name.partition(".")[0] for name in imported}
    assert "graph.memory_graph" not in imported


def test_what_others_print_stays_out_of_the_protocol(cli: Cli, tmp_path: Path) -> None:
    # A banner by print, one by the descriptor as a C library writes it, one by a program that is started.
    banner = "import os, sys, threading, time, subprocess\ndef shout():\n"
    # The SDK is imported after the first answer; what is printed before archmem runs at all is not its own.
    banner += "  while 'mcp_types' not in sys.modules: time.sleep(0.01)\n  for _ in range(60):\n"
    banner += "    print('banner', flush=True); os.write(1, b'banner\\n'); time.sleep(0.05)\n"
    banner += "    if _ % 20 == 0: subprocess.run(['git', '--version'])\n"
    banner += "threading.Thread(target=shout, daemon=True).start()\n"
    (tmp_path / "sitecustomize.py").write_text(banner)
    commit(cli.folder, {"archmem.toml": (cli.folder / "archmem.toml").read_text()})
    with line(cli, ARCHMEM_EMBEDDER="auto", PYTHONPATH=str(tmp_path)) as agent:
        agent.begin()
        assert not agent.call("remember", 1, content="The limit is 100", elements=["API"])["isError"]
        assert agent.call("confirm_memory", 2, memory="nothing")["isError"]
        commit(cli.folder, {"src/api/limits.py": "LIMIT = 7\n\n\ndef allow(count):\n    return count < LIMIT * 2\n"})
        found = agent.call("recall", 3, question="which limit")["content"][0]["text"]
        assert "VERIFY" in found  # it was anchored at HEAD, and the first run of drift happened on the way
        for id in range(4, 40):
            agent.call("knowledge_map", id)
        agent.close()
        assert agent.process.wait(SLOW_TO_END) == 0
    assert len(agent.said) == 40
    assert all(json.loads(one)["jsonrpc"] == "2.0" for one in agent.said)


def test_requests_that_arrive_with_the_end_are_answered(cli: Cli) -> None:
    facts = [call(id, "remember", content=f"Fact {'abc'[id]}") for id in range(3)]
    hello = {**INITIALIZE, "id": "hello"}
    said = piped(cli, hello, INITIALIZED, *facts)
    assert {one["id"] for one in said} == {"hello", 0, 1, 2}, said
    assert all("result" in one for one in said)
    assert len(cli("list", "--json").json["memories"]) == 3


def test_the_process_ends_when_its_input_ends(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        agent.ask("tools/list")
        agent.close()
        assert agent.process.wait(SLOW_TO_END) == 0
        with pytest.raises(ProcessLookupError):
            os.killpg(agent.process.pid, 0)
    with line(cli) as agent:  # before it was spoken to
        agent.close()
        assert agent.process.wait(SLOW_TO_END) == 0


def test_a_call_that_hangs_does_not_keep_the_process(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        agent.call("recall", 1, question="anything")
        with locked(cli):
            agent.send(call(2, "remember", content="Never acknowledged"))
            agent.ask("ping", 3)
            agent.close()
            began = time.monotonic()
            assert agent.process.wait(SLOW_TO_END) == 0
            assert time.monotonic() - began < SLOW_TO_END
    assert cli("list", "--json").json["memories"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")
def test_sigterm_ends_it_at_once(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        agent.ask("tools/list")
        agent.process.send_signal(signal.SIGTERM)
        assert agent.process.wait(SLOW_TO_END) == -signal.SIGTERM


def test_calls_run_side_by_side_and_a_ping_is_answered_meanwhile(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        agent.call("recall", 1, question="anything")
        with locked(cli):
            agent.send(call(2, "remember", content="Written after the lock", title="Two"))
            agent.send(call(3, "remember", content="Something else entirely", title="Three"))
            assert agent.ask("ping", 4)["id"] == 4
            assert agent.ask("tools/call", 5, name="knowledge_map", arguments={})["id"] == 5
            time.sleep(0.3)
        # Both waited at the same time, so both are through as soon as the lock is free.
        assert {agent.receive()["id"], agent.receive()["id"]} == {2, 3}
    assert len(cli("list", "--json").json["memories"]) == 2


NO_REQUESTS: list[tuple[bytes, int, object]] = [
    (b"{bad", -32700, None),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"a": "\xff\xfe"}}', -32700, None),
    (b"\x00\x01\x02", -32700, None),
    (b"[" * 100_000, -32700, None),
    (b"[]", -32600, None),
    (b"3", -32600, None),
    (b'{"jsonrpc": "2.0", "id": 9, "method": 5}', -32600, 9),
    (b'{"jsonrpc": "1.0", "id": "x", "method": "ping"}', -32600, "x"),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"a": "\\ud800"}}', -32600, 9),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "nothing"}}', -32602, 9),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": 7}}', -32602, 9),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/fly"}', -32601, 9),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"a": "' + b"x" * LONGEST + b'"}}', -32600, None),
]


def test_a_line_that_is_no_request_is_answered_and_survived(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        for given, code, id in NO_REQUESTS:
            agent.send(given)
            said = agent.receive()
            assert (said["error"]["code"], said["id"]) == (code, id), given[:80]
            assert agent.ask("ping", 10) == {"jsonrpc": "2.0", "id": 10, "result": {}}


def test_too_much_is_refused_by_name(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        said = agent.call("remember", content="x" * 30_000, title="\x00", elements=["a"] * 60)
        assert said["isError"]
        assert {one.split(":")[0].strip() for one in said["content"][0]["text"].splitlines()} >= {"content", "elements"}
        assert agent.call("recall", question="x" * 1_000_000)["isError"]


def test_a_project_that_is_not_there_is_told_by_each_call_until_it_is(tmp_path: Path) -> None:
    cli = cli_with(make_shop(tmp_path / "shop"), tmp_path / "home")
    with line(cli) as agent:
        assert "serverInfo" in agent.begin()["result"]
        said = agent.call("recall", question="anything")
        assert said["isError"]
        assert "archmem init" in said["content"][0]["text"]
        cli("init")
        assert not agent.call("recall", question="anything")["isError"]
    nowhere = cli.at(tmp_path / "home")
    with line(nowhere) as agent:
        agent.begin()
        assert "Next: " in agent.call("knowledge_map")["content"][0]["text"]
    with line(nowhere, "-C", str(cli.folder)) as agent:
        agent.begin()
        assert "7 elements" in agent.call("knowledge_map")["content"][0]["text"]


def test_who_acts_is_the_client_or_who_the_settings_say(cli: Cli) -> None:
    for variable, actor in (("", NAME), ("reviewer", "reviewer")):
        with line(cli, ARCHMEM_ACTOR=variable) as agent:
            agent.begin()
            agent.call("remember", content=f"Written by {actor}", title=actor)
        assert f"by {actor} " in cli("history", actor).out


def test_a_path_is_meant_from_the_folder_that_the_agent_works_in(cli: Cli) -> None:
    cli("remember", "The limit is 100", "--element", "API")
    with line(cli.at(cli.folder / "src/api")) as agent:
        agent.begin()
        assert "limit is 100" in agent.call("recall", paths=["limits.py"])["content"][0]["text"]


def test_tools_that_there_are_not_are_refused_before_anything_is_said(cli: Cli) -> None:
    done = cli("mcp", "--tools", "recall,fly,swim", code=2)
    assert done.out == ""
    assert "fly, swim" in done.err
    assert "fly" in cli("mcp", code=2, ARCHMEM_MCP_TOOLS="fly").err


@pytest.mark.skipif(sys.platform == "win32", reason="the shell closes descriptors otherwise")
def test_without_standard_input_it_says_who_starts_it(cli: Cli) -> None:
    shell = ["sh", "-c", f"exec {shlex.quote(sys.executable)} -m server.cli mcp <&-"]
    done = subprocess.run(shell, cwd=cli.folder, env=cli.environment, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"a coding agent starts this command" in done.stderr
