"""Access keys at the doors: who is let in with and without one, and how often."""

from typing import Any

import httpx
import pytest

from graph.access import Right
from graph.errors import TooMany
from graph.memory_graph import MemoryGraph
from server.rest.rates import Rates
from server.settings import Settings
from tests.server.shop import IDENTITY, LIMIT, Cli
from tests.server.test_serving import serving
from tests.server.walking import Mcp


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_this_machine_needs_no_key_unless_a_proxy_asks(rest: httpx.Client) -> None:
    assert rest.get("/api/project").status_code == 200
    for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        answer = rest.get("/api/project", headers={header: "for=192.0.2.1"})
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorised")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert rest.get("/healthz", headers={"Via": "1.1 proxy"}).status_code == 200


@pytest.mark.parametrize(
    "header", ["Bearer nothing", "Basic dXNlcjpwYXNz", "Bearer archmem_x_y", "Bearer " + "x" * 5_000]
)
def test_a_key_that_is_given_is_looked_at_everywhere(rest: httpx.Client, header: str) -> None:
    answer = rest.get("/api/project", headers={"Authorization": header})
    assert answer.status_code == 401
    assert header.partition(" ")[2] not in answer.text
    assert "archmem access create" in answer.json()["next_step"]


def test_history_shows_the_keys_name(rest: httpx.Client, graph: MemoryGraph) -> None:
    token = graph.create_access_key("local", "ci", actor="test").token
    for actor, written in (("", "ci"), ("robot", "ci/robot")):
        headers = {**bearer(token), **({"X-Archmem-Actor": actor} if actor else {})}
        made = rest.post("/api/memories", json={"content": f"Written by {written}"}, headers=headers).json()
        assert made["memory"]["created_by"] == written


def test_keys_are_made_listed_and_revoked_over_rest(rest: httpx.Client, graph: MemoryGraph) -> None:
    admin = bearer(graph.create_access_key("local", "admin", right=Right.ADMIN, actor="test").token)
    body = {"name": "ci", "right": "read", "projects": [IDENTITY]}
    made = rest.post("/api/access-keys", json=body, headers=admin)
    assert made.status_code == 201
    reader = bearer(made.json()["token"])
    assert rest.get("/api/project", headers=reader).status_code == 200
    refused = rest.post("/api/access-keys", json={"name": "more"}, headers=reader)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    listed = rest.get("/api/access-keys", headers=admin).json()["keys"]
    assert [one["name"] for one in listed] == ["admin", "ci"]
    assert rest.post("/api/access-keys/ci/revoke", headers=admin).json()["revoked_at"]
    assert rest.get("/api/project", headers=reader).status_code == 401


def test_agents_are_held_to_their_key(url: str, graph: MemoryGraph) -> None:
    reader = graph.create_access_key("local", "reader", right=Right.READ, projects=[IDENTITY], actor="test").token
    agent = Mcp(url, IDENTITY, reader)
    answer = agent.request("tools/call", name="remember", arguments={"content": LIMIT})["result"]
    assert answer["isError"]
    assert "right to read" in answer["content"][0]["text"]
    agent.close()
    refused = httpx.post(f"{url}/mcp", json={}, headers=bearer("nothing"))
    assert refused.status_code == 401


@pytest.fixture
def settings(settings: Settings, request: pytest.FixtureRequest) -> Settings:
    return settings.model_copy(update=getattr(request, "param", {}))


@pytest.mark.parametrize("settings", [{"rate_limit": 3}], indirect=True)
def test_who_asks_too_often_waits(rest: httpx.Client, graph: MemoryGraph) -> None:
    one, other = (bearer(graph.create_access_key("local", name, actor="test").token) for name in ("one", "other"))
    answers = [rest.get("/api/project", headers=one) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
    assert answers[-1].json()["code"] == "too_many_requests"
    assert rest.get("/api/project", headers=other).status_code == 200


def test_who_guesses_keys_waits_and_nobody_else(rest: httpx.Client) -> None:
    codes = [rest.get("/api/project", headers=bearer(f"guess {n}")).status_code for n in range(35)]
    assert codes.count(401) in (30, 31)
    assert codes[-1] == 429
    assert rest.get("/api/project").status_code == 200


def test_a_bucket_fills_again_and_what_is_unused_is_forgotten() -> None:
    now = [0.0]
    rates = Rates(60, lambda: now[0])
    for _ in range(60):
        rates.take("one")
    with pytest.raises(TooMany) as waits:
        rates.take("one")
    assert 0 < waits.value.seconds <= 1
    now[0] += waits.value.seconds
    rates.take("one")
    for number in range(11_000):
        rates.take(str(number))
    assert len(rates._buckets) <= 10_000
    unlimited = Rates(0)
    for _ in range(1_000):
        unlimited.take("one")
        unlimited.look("one")


@pytest.mark.parametrize(
    "settings", [{"host": "0.0.0.0"}, {"host": "0.0.0.0", "allowed_hosts": ("shop.example.org",)}], indirect=True
)
def test_elsewhere_everything_but_health_needs_a_key(
    rest: httpx.Client, graph: MemoryGraph, settings: Settings
) -> None:
    token = graph.create_access_key("local", "ci", actor="test").token
    for path in ("/api/project", "/docs", "/openapi.json", "/mcp", "/nothing"):
        assert rest.get(path).status_code == 401, path
    assert rest.get("/healthz").status_code == 200
    assert rest.get("/api/project", headers=bearer(token)).status_code == 200
    named = {**bearer(token), "Host": "shop.example.org:8765"}
    assert rest.get("/api/project", headers=named).status_code == 200
    foreign = rest.get("/api/project", headers={**bearer(token), "Host": "evil.example.org"})
    assert foreign.status_code == (421 if settings.allowed_hosts else 200)
    page = rest.get("/api/project", headers={**bearer(token), "Origin": "https://evil.example.org"})
    assert page.status_code == 403


@pytest.mark.parametrize("settings", [{"allowed_hosts": ("shop.example.org",)}], indirect=True)
def test_behind_a_proxy_a_listed_name_is_served_to_keys(rest: httpx.Client, graph: MemoryGraph) -> None:
    token = graph.create_access_key("local", "ci", actor="test").token
    assert rest.get("/api/project", headers={"Host": "shop.example.org"}).status_code == 401
    assert rest.get("/api/project", headers={"Host": "shop.example.org", **bearer(token)}).status_code == 200
    assert rest.get("/api/project", headers={"Host": "other.example.org", **bearer(token)}).status_code == 421


def test_a_server_for_elsewhere_does_not_start_without_a_key(cli: Cli) -> None:
    refused = cli("serve", "--host", "0.0.0.0", "--port", "0", code=2)
    assert "archmem access create" in refused.err
    token = cli("access", "create", "ci").out.strip()
    with serving(cli, "--host", "0.0.0.0") as url:
        address = url.replace("0.0.0.0", "127.0.0.1")
        query = {"project": IDENTITY}
        assert httpx.get(f"{address}/api/project", params=query).status_code == 401
        assert httpx.get(f"{address}/api/project", params=query, headers=bearer(token)).status_code == 200
        cli("access", "revoke", "ci")
        assert httpx.get(f"{address}/api/project", params=query, headers=bearer(token)).status_code == 401


def test_the_command_line_makes_lists_and_revokes(cli: Cli) -> None:
    assert "no access keys" in cli("access", "list").out
    made: Any = cli("access", "create", "ci", "--right", "read", "--for", IDENTITY, "--expires", "90d", "--json").json
    assert (made["right"], made["projects"]) == ("read", [IDENTITY])
    assert made["token"].startswith("archmem_")
    listed = cli("access", "list").out
    assert made["token"] not in listed
    assert "ci (" in listed
    assert "good until" in listed
    assert "revoked" in cli("access", "revoke", "ci").out
    assert "no period" in cli("access", "create", "x", "--expires", "soon", code=2).err
    unknown = cli("access", "create", "x", "--for", "example.org/nothing", code=2)
    assert IDENTITY in unknown.err
