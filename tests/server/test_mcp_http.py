"""MCP on `archmem serve`: /mcp by streamable HTTP, each request about the project that it names."""

import json
from typing import Any

import httpx
import pytest

from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.rest.app import create_app
from server.settings import Settings
from tests.server.agent import INITIALIZE, INITIALIZED
from tests.server.shop import IDENTITY, LIMIT

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Caller:
    """A client that posts messages by hand, in one session of the protocol."""

    def __init__(self, url: str, query: dict[str, str], **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.client = httpx.Client(base_url=url, params=query, headers={**HEADERS, **named}, timeout=30)
        hello = self.client.post("/mcp", json=INITIALIZE)
        assert hello.status_code == 200, hello.text
        self.client.headers["Mcp-Session-Id"] = hello.headers["mcp-session-id"]
        assert self.client.post("/mcp", json=INITIALIZED).status_code == 202

    def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Call a tool; return whether it failed, and the text."""
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        answer = self.client.post("/mcp", json={**request, "params": {"name": tool, "arguments": arguments}})
        result = json.loads(answer.text)["result"]
        return result["isError"], result["content"][0]["text"]

    def close(self) -> None:
        assert self.client.delete("/mcp").status_code == 200
        self.client.close()


def test_a_request_is_about_the_project_that_it_names(url: str, graph: MemoryGraph) -> None:
    graph.add_project("local", "github.com/acme/other", "Other")
    by_query = Caller(url, {"project": IDENTITY})
    assert by_query.call("remember", content=LIMIT, title="Limit")[0] is False
    by_header = Caller(url, {}, X_Archmem_Project=IDENTITY)
    assert LIMIT in by_header.call("recall", question="requests a minute")[1]
    other = Caller(url, {"project": "github.com/acme/other"})
    assert LIMIT not in other.call("recall", question="requests a minute")[1]
    organisation = Caller(url, {"project": ""})
    assert organisation.call("remember", content="Write in English", title="English")[0] is False
    assert "English" in other.call("recall", question="which language, English")[1]
    for one in (by_query, by_header, other, organisation):
        one.close()


@pytest.mark.parametrize("query", [{}, {"project": "github.com/acme/nothing"}, {"project": "x" * 5_000}])
def test_without_a_known_project_each_call_says_what_to_do(url: str, query: dict[str, str]) -> None:
    caller = Caller(url, query)
    failed, said = caller.call("knowledge_map")
    assert failed
    assert "Next: " in said
    caller.close()


def test_who_acts_is_the_client_or_who_the_header_says(url: str, graph: MemoryGraph) -> None:
    scope = Scope(project=IDENTITY)
    for headers, actor in (({}, "claude-code"), ({"X_Archmem_Actor": "reviewer"}, "reviewer")):
        caller = Caller(url, {"project": IDENTITY}, **headers)
        caller.call("remember", content=f"Written by {actor}", title=actor)
        assert graph.memory(scope, actor).created_by == actor
        caller.close()


def test_a_page_of_another_site_and_a_foreign_name_are_refused(url: str) -> None:
    foreign = httpx.post(f"{url}/mcp", json=INITIALIZE, headers={**HEADERS, "Origin": "https://example.org"})
    assert (foreign.status_code, foreign.json()["code"]) == (403, "foreign_origin")
    rebound = httpx.post(f"{url}/mcp", json=INITIALIZE, headers={**HEADERS, "Host": "example.org"})
    assert (rebound.status_code, rebound.json()["code"]) == (421, "foreign_host")


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"{bad", 400), (b"\xff", 400), (b"[]", 400), (b'"' + b"x" * 5_000_000 + b'"', 413)],
    ids=["no JSON", "no UTF-8", "no message", "too long"],
)
def test_a_body_that_is_no_message_is_refused(url: str, body: bytes, status: int) -> None:
    answer = httpx.post(f"{url}/mcp?project={IDENTITY}", content=body, headers=HEADERS)
    assert answer.status_code == status
    assert httpx.get(f"{url}/healthz").status_code == 200


def test_tools_that_there_are_not_stop_the_server(graph: MemoryGraph, settings: Settings) -> None:
    with pytest.raises(Exception, match="fly"):
        create_app(graph, settings.model_copy(update={"mcp_tools": "all,fly"}))
