"""Every route and tool of a server, with arguments made from their descriptions, so that new ones are walked too."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx

from tests.server.agent import INITIALIZE, INITIALIZED

MCP_HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
_TEXT = "A plain sentence of nobody"
PLAIN: Mapping[str, Any] = {
    **dict.fromkeys(("question", "task", "content", "summary", "title", "reason", "name", "note"), _TEXT),
    **{"identity": "example.org/team/newcomer", "new": "Shop.Renamed", "repository": "", "why": "drifted"},
    **{"draft": {"content": _TEXT}, "successor": {"content": _TEXT}, "decisions": [_TEXT], "follow_ups": [_TEXT]},
    **{"uri": "archmem://map", "kind": "drift"},
}
"""What fields take that name nothing: by their names."""
NAMING = {
    **dict.fromkeys(("memory", "supersedes", "into", "other"), "memory"),
    **dict.fromkeys(("element", "old", "ref"), "element"),
    **{"session": "session", "proposal": "proposal", "run": "run", "attempt": "attempt", "job": "job", "key": "key"},
}
LISTING = {"memories": "memory", "used": "memory", "elements": "element", "refs": "element"}
"""The fields that name something, and what; one of LISTING holds a list."""
WHOLE: Mapping[str, Any] = {
    "ArchitectureModel": {"elements": [{"ref": "Shop", "kind": "system", "name": "Shop"}]},
    "DriftReport": {"head": "c" * 40, "at": "2026-06-01T00:00:00Z", "elements": []},
}
"""Bodies that are no list of fields, by the name of their schema."""


class Call(NamedTuple):
    """One request: `what` it does and which field names something."""

    what: str
    method: str
    path: str
    query: dict[str, Any]
    body: Any


def calls(description: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Call]:
    """Yield each route of an OpenAPI description, once plain, and once a field that names something, as `names` say."""
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            if path.startswith("/api/"):
                yield from _calls_of(description, path, method.upper(), operation, names)


def _calls_of(
    description: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any], names: Mapping[str, str]
) -> Iterator[Call]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema, title = _resolved(description, content.get("schema", {}))
    query = {
        one["name"]: _value(one["name"], names)
        for one in operation.get("parameters", ())
        if one["in"] == "query" and one.get("required") and one["name"] != "project"
    }
    filled = re.sub(r"\{(\w+)(?::path)?\}", lambda found: quote(str(_value(found[1], names)), safe=""), path)
    if title in WHOLE:
        yield Call(f"{method} {path}", method, filled, query, WHOLE[title])
        return
    required = {name: _value(name, names) for name in schema.get("required", ())}
    body = required if content else None
    yield Call(f"{method} {path}", method, filled, query, body)
    for name in schema.get("properties", {}):
        if name not in required and name in {**NAMING, **LISTING}:
            yield Call(f"{method} {path} {name}", method, filled, query, {**required, name: _value(name, names)})


def _resolved(description: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    for one in (schema, *schema.get("anyOf", ())):
        if "$ref" in one:
            title = one["$ref"].rpartition("/")[2]
            return description["components"]["schemas"][title], title
    return schema, ""


def _value(field: str, names: Mapping[str, str]) -> Any:
    if field in LISTING:
        return [names[LISTING[field]]]
    if field in NAMING:
        return names[NAMING[field]]
    assert field in PLAIN, f"say in PLAIN or NAMING of tests/server/walking.py what the field {field!r} takes"
    return PLAIN[field]


def ask(client: httpx.Client, call: Call, project: str) -> httpx.Response:
    """Send a call about a project."""
    query = {**call.query, "project": project}
    return client.request(call.method, call.path, params=query, json=call.body)


class Mcp:
    """An agent with an access key, in one session of the protocol, about one project."""

    def __init__(self, url: str, project: str, token: str) -> None:
        headers = {**MCP_HEADERS, "Authorization": f"Bearer {token}"}
        self._client = httpx.Client(base_url=url, params={"project": project}, headers=headers, timeout=30)
        hello = self._client.post("/mcp", json=INITIALIZE)
        assert hello.status_code == 200, hello.text
        self._client.headers["Mcp-Session-Id"] = hello.headers["mcp-session-id"]
        self._client.post("/mcp", json=INITIALIZED)

    def request(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the whole answer to one message."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        answer: dict[str, Any] = json.loads(self._client.post("/mcp", json=message).text)
        return answer

    def tools(self, names: Mapping[str, str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Yield each tool with arguments, once a field that names something, and once plain."""
        for tool in self.request("tools/list")["result"]["tools"]:
            schema = tool["inputSchema"]
            required = {name: _value(name, names) for name in schema.get("required", ())}
            yield tool["name"], tool["name"], required
            for name in schema["properties"]:
                if name not in required and name in {**NAMING, **LISTING}:
                    yield f"{tool['name']} {name}", tool["name"], {**required, name: _value(name, names)}

    def close(self) -> None:
        self._client.delete("/mcp")
        self._client.close()
