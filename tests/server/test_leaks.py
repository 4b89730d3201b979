"""A key of one project walks every route, tool, prompt and resource: of another project it learns nothing at all."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import uuid_utils

from graph.access import Right
from graph.elements import ArchitectureModel, Element, ElementKind
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.settings import Settings
from tests.server.shop import IDENTITY
from tests.server.walking import Mcp, ask, calls

THEIRS, NOBODYS = "example.org/team/zebra-vault", "example.org/team/zebrb-vaulu"
SECRET = "zebra"
"""Stands in everything that the other project has."""
REAL = {"memory": "Zebra ledger", "element": "Zebra.Vault", "key": "zebra-team"}
MADE_UP = {"memory": "Zebrb ledges", "element": "Zebrb.Vaulu", "key": "zebrb-tean"}
"""Names as long, of nothing."""
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,40}")
_TIME = re.compile(r'\d{4}-\d\d-\d\dT[\d:.]+Z?|"version":\d+')


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"mcp_tools": "all"})


@pytest.fixture(autouse=True)
def theirs(graph: MemoryGraph) -> dict[str, str]:
    """Fill another project with things of every kind; return their names."""
    scope = Scope(project=THEIRS)
    graph.add_project("local", THEIRS, "Zebra vault", ("zebra-alias",))
    system, vault = (
        Element(ref=ref, kind=kind, name=ref.rpartition(".")[2], parent=ref.rpartition(".")[0], description="zebra")
        for ref, kind in (("Zebra", ElementKind.SYSTEM), ("Zebra.Vault", ElementKind.CONTAINER))
    )
    graph.import_model(scope, ArchitectureModel(elements=(system, vault)))
    session = graph.start_session(scope, "Feed the zebra", agent="zebra-agent", elements=["Zebra.Vault"]).session
    for title in ("Zebra ledger", "Zebra door"):
        told = Draft(content=f"{title} opens at night, see [[Zebra ledger]] and [[Zebra gate]]", title=title)
        graph.remember(scope, told, actor="zebra-writer", session=session)
    proposal = graph.propose(scope, "Zebra door", draft=None, reason="the zebra left", actor="zebra-writer", session="")
    unanswered = graph.recall(scope, "quagga stripes of the zebra", elements=["Zebra.Vault"])
    graph.note_recall(scope, unanswered.model_copy(update={"answered": False}))
    attempt = graph.begin_attempt(scope, "zebra-writer")
    assert attempt is not None
    graph.create_access_key("local", REAL["key"], projects=[THEIRS], actor="zebra-admin")
    ids = {"session": session, "proposal": proposal.id, "attempt": attempt.id, "run": "zebra-run", "job": "zebra-job"}
    return {**REAL, **ids}


@pytest.fixture
def made_up(theirs: dict[str, str]) -> dict[str, str]:
    """Names of nothing, each as long as the real one."""
    ids = {name: str(uuid_utils.uuid7()) for name, value in theirs.items() if _ID.fullmatch(value)}
    return {**MADE_UP, "run": "zebrb-rnn", "job": "zebrb-jpb", **ids}


@pytest.fixture
def token(graph: MemoryGraph) -> str:
    """A key that may do everything, in the shop alone."""
    return graph.create_access_key("local", "shop-team", right=Right.ADMIN, projects=[IDENTITY], actor="test").token


@pytest.fixture
def client(url: str, token: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as made:
        yield made


@pytest.fixture
def description(url: str) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{url}/openapi.json").json()
    return found


def neutral(text: str, names: dict[str, str], project: str = "") -> str:
    """Return a text without what the asker said itself, nor what is another one each time."""
    for asked in sorted({*names.values(), *filter(None, [project])}, key=len, reverse=True):
        text = text.replace(asked, "@").replace(quote(asked, safe=""), "@")
    return _TIME.sub("#", _ID.sub("@", text))


def answer_of(response: httpx.Response, names: dict[str, str], project: str = "") -> tuple[int, str, list[str]]:
    text = neutral(response.text, names, project)
    assert SECRET not in text.lower(), text
    headers = [f"{name}: {value}" for name, value in response.headers.items() if name not in ("date", "x-request-id")]
    told = [neutral(one, names, project) for one in headers if not one.startswith("content-length")]
    return response.status_code, text, told


def test_another_project_is_answered_as_one_that_is_not_there(
    client: httpx.Client, description: dict[str, Any], theirs: dict[str, str]
) -> None:
    count = 0
    for call in calls(description, theirs):
        real = answer_of(ask(client, call, THEIRS), theirs, THEIRS)
        assert real == answer_of(ask(client, call, NOBODYS), theirs, NOBODYS), call.what
        by_alias = answer_of(ask(client, call, "zebra-alias"), theirs, "zebra-alias")
        assert by_alias == answer_of(ask(client, call, "zebrb-aliat"), theirs, "zebrb-aliat"), call.what
        count += 1
    assert count > 50


def test_what_another_project_has_is_answered_as_what_is_not_there(
    client: httpx.Client, description: dict[str, Any], theirs: dict[str, str], made_up: dict[str, str]
) -> None:
    for scope in (IDENTITY, ""):
        pairs = zip(calls(description, theirs), calls(description, made_up), strict=True)
        for real, imagined in pairs:
            ask(client, imagined, scope)  # what changes something changes it the first time
            there = answer_of(ask(client, real, scope), theirs)
            assert there == answer_of(ask(client, imagined, scope), made_up), (real.what, scope)


def test_agents_learn_as_little(url: str, token: str, theirs: dict[str, str], made_up: dict[str, str]) -> None:
    foreign, absent, own = (Mcp(url, project, token) for project in (THEIRS, NOBODYS, IDENTITY))
    seen = 0
    for (what, tool, real), (_, _, imagined) in zip(own.tools(theirs), own.tools(made_up), strict=True):
        there, nowhere = (
            neutral(str(one.request("tools/call", name=tool, arguments=real)), theirs, project)
            for one, project in ((foreign, THEIRS), (absent, NOBODYS))
        )
        assert there == nowhere, what
        assert SECRET not in there.lower()
        own.request("tools/call", name=tool, arguments=imagined)  # what changes something changes it the first time
        told = neutral(str(own.request("tools/call", name=tool, arguments=real)), theirs)
        assert told == neutral(str(own.request("tools/call", name=tool, arguments=imagined)), made_up), what
        assert SECRET not in told.lower(), what
        seen += 1
    assert seen > 30
    for uri in ("map", "manifest", "memory/{memory}", "element/{element}"):
        named, unnamed = (f"archmem://{uri.format(**{k: quote(v) for k, v in n.items()})}" for n in (theirs, made_up))
        there = neutral(str(foreign.request("resources/read", uri=named)), theirs, THEIRS)
        assert there == neutral(str(absent.request("resources/read", uri=named)), theirs, NOBODYS), uri
        told = neutral(str(own.request("resources/read", uri=named)), theirs)
        assert told == neutral(str(own.request("resources/read", uri=unnamed)), made_up), uri
        assert SECRET not in (there + told).lower()
    for project in (foreign, own):
        told = str(project.request("prompts/get", name="briefing", arguments={"task": "Open the vault at night"}))
        assert SECRET not in neutral(told, theirs, THEIRS).lower()
    for one in (foreign, absent, own):
        one.close()


def test_a_read_key_writes_nothing(
    url: str, graph: MemoryGraph, description: dict[str, Any], theirs: dict[str, str]
) -> None:
    token = graph.create_access_key("local", "reader", right=Right.READ, actor="test").token
    before = dumped(graph)
    refused = 0
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as reader:
        for call in calls(description, theirs):
            for project in (THEIRS, ""):
                status = ask(reader, call, project).status_code
                assert status < 500, call.what
                refused += status == 403
    agent = Mcp(url, THEIRS, token)
    for _, tool, arguments in agent.tools(theirs):
        agent.request("tools/call", name=tool, arguments=arguments)
    agent.close()
    assert refused > 20
    assert dumped(graph) == before


def dumped(graph: MemoryGraph) -> list[bytes]:
    lines: list[bytes] = []
    graph.export(Scope(), lines.append, whole=True)
    return [*lines, str(graph.access_keys("local")).encode()]


def test_a_list_holds_what_the_key_sees_and_counts_nothing_else(client: httpx.Client, graph: MemoryGraph) -> None:
    assert [one["id"] for one in client.get("/api/projects").json()["projects"]] == [IDENTITY]
    assert client.get("/api/memories", params={"project": IDENTITY}).json()["memories"] == []
    found = client.post("/api/recall", params={"project": IDENTITY}, json={"question": "zebra ledger"}).json()
    assert (found["answered"], found["omitted"]) == (False, 0)
    assert client.get("/api/memories", params={"project": THEIRS}).json()["candidates"] == [IDENTITY]
    whole = graph.create_access_key("local", "everywhere", right=Right.READ, actor="test").token
    both = client.get("/api/projects", headers={"Authorization": f"Bearer {whole}"}).json()["projects"]
    assert {one["id"] for one in both} == {IDENTITY, THEIRS}


def test_whether_something_exists_takes_the_same_questions_to_the_store(graph: MemoryGraph, token: str) -> None:
    limited = graph.limited_to(graph.access_of("local", token))
    store = limited._parts.store._store  # type: ignore[attr-defined]
    asked: list[str] = []
    for name in ("read", "write", "find_project", "projects"):
        whole = getattr(store, name)

        def counting(*arguments: Any, name: str = name, whole: Any = whole, **more: Any) -> Any:
            asked.append(name)
            return whole(*arguments, **more)

        setattr(store, name, counting)
    found = []
    for project in (THEIRS, NOBODYS):
        asked.clear()
        with pytest.raises(Exception, match="there is no project"):
            limited.project("local", project)
        found.append(list(asked))
    assert found[0] == found[1] == ["find_project", "projects"]
