"""The tools as an agent is shown them: few, short, each a prompt."""

import inspect
import json
import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.mcp_door.arguments import Asked
from server.mcp_door.catalogue import DEFAULT, OPTIONAL, chosen
from server.mcp_door.seats import actor_of
from server.mcp_door.texts import BUDGET, cut, within
from server.mcp_door.tools import TOOLS
from tests.server.agent import Line, line
from tests.server.shop import Cli, cli_with, commit, make_shop

ROOT = Path(__file__).parents[2]
MOST_BYTES = 8_192


def test_eight_tools_are_offered_and_their_list_is_short(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        listed = agent.ask("tools/list")
        assert tuple(tool["name"] for tool in listed["result"]["tools"]) == DEFAULT
        assert len(DEFAULT) == 8
        assert len(agent.said[-1]) < MOST_BYTES
        for tool in listed["result"]["tools"]:
            assert set(tool) <= {"name", "description", "inputSchema", "annotations"}
            assert '"title": "' not in json.dumps(tool["inputSchema"])


def test_all_or_some_of_the_others_are_offered_when_they_are_asked_for(cli: Cli) -> None:
    with line(cli, "--tools", "all") as agent:
        agent.begin()
        assert tuple(tool["name"] for tool in agent.ask("tools/list")["result"]["tools"]) == (*DEFAULT, *OPTIONAL)
    with line(cli, ARCHMEM_MCP_TOOLS="memory_history,recall") as agent:
        agent.begin()
        names = [tool["name"] for tool in agent.ask("tools/list")["result"]["tools"]]
        assert names == ["recall", "memory_history"]
        assert agent.ask("tools/call", name="remember", arguments={"content": "x"})["error"]["code"] == -32602


def test_the_docs_list_the_tools_that_there_are() -> None:
    docs = (ROOT / "docs/mcp.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (yes|when named) \|", docs, re.MULTILINE)
    assert rows == [*((name, "yes") for name in DEFAULT), *((name, "when named") for name in OPTIONAL)]


def test_the_settings_of_clients_in_the_docs_can_be_read() -> None:
    docs = (ROOT / "docs/mcp.md").read_text(encoding="utf-8")
    started = []
    for kind, text in re.findall(r"```(json|toml)\n(.+?)```", docs, re.DOTALL):
        settings = json.loads(text) if kind == "json" else tomllib.loads(text)
        (servers,) = settings.values()
        started.append(servers["archmem"])
    assert [one["args"] for one in started if "command" in one] == [["mcp"]] * 3
    assert [one["command"] for one in started if "command" in one] == ["archmem"] * 3
    assert [one["url"] for one in started if "url" in one] == [
        "http://127.0.0.1:8765/mcp?project=github.com/acme/bookshop"
    ]


def test_a_list_of_tools_may_name_the_sets() -> None:
    assert chosen("") == chosen("default") == chosen(" , ") == DEFAULT
    assert chosen("all") == chosen("all,recall") == (*DEFAULT, *OPTIONAL)
    assert chosen("memory_history, default") == (*DEFAULT, "memory_history")
    with pytest.raises(ValueError, match="fly, swim"):
        chosen("recall,fly,swim")


def test_the_catalogue_names_the_tools_that_there_are() -> None:
    assert set(TOOLS) == {*DEFAULT, *OPTIONAL}


@pytest.mark.parametrize("name", TOOLS)
def test_a_prompt_has_fifteen_lines_at_most(name: str) -> None:
    assert 0 < len(inspect.cleandoc(TOOLS[name].work.__doc__ or "").splitlines()) <= 15


def test_what_is_left_out_is_counted() -> None:
    lines = ["x" * 99] * 200
    text = within(lines)
    assert len(text) < BUDGET + 50
    assert text.endswith("(120 omitted)")
    assert cut("x" * 10, 4) == "xxxx…\n(6 characters omitted)"
    assert cut("x" * 4, 4) == "xxxx"


def test_answers_stay_within_their_budget(cli: Cli) -> None:
    with line(cli, "--tools", "all") as agent:
        agent.begin()
        long = agent.call("remember", content="word " * 3_900, title="Long", why="why " * 1_000)
        assert not long["isError"]
        for id in range(40):
            agent.call("remember", id, content=f"{'fact ' * 1_000}{id}", elements=["API"])
        for tool, arguments in (
            ("recall", {"question": "fact word"}),
            ("recall", {"question": "fact", "limit": 100}),
            ("knowledge_map", {}),
            ("memory_history", {"memory": "Long"}),
        ):
            text = agent.call(tool, **arguments)["content"][0]["text"]
            assert len(text) < BUDGET + 300, tool
        assert "left out" in agent.call("recall", question="fact", limit=100)["content"][0]["text"]
        read = agent.ask("resources/read", uri="archmem://memory/Long")["result"]["contents"][0]["text"]
        assert "characters omitted" in read


def test_the_tools_that_are_opted_into_do_their_work(cli: Cli) -> None:
    with line(cli, "--tools", "all") as agent:
        agent.begin()
        agent.call("remember", content="Headers over 8KB are cut", title="Headers", kind="pitfall", elements=["API"])
        made = agent.call("supersede_memory", memory="Headers", content="Headers over 16KB are cut")
        assert "It replaces " in made["content"][0]["text"]
        told = agent.call("memory_history", memory="Headers")["content"][0]["text"]
        assert "16KB" in told
        assert not agent.call("archive_memory", memory="Headers", reason="asked")["isError"]
        assert "Headers" not in agent.call("recall", question="headers")["content"][0]["text"]


def test_what_waits_for_a_look_is_shown_and_duplicates_become_one(cli: Cli) -> None:
    with line(cli, "--tools", "all") as agent:
        agent.begin()
        agent.call("remember", content="See [[Nowhere]] for the headers", title="One")
        agent.call("remember", content="Headers are cut", title="Two")
        assert "Nowhere" in agent.call("review_inbox", why="pending_link")["content"][0]["text"]
        assert agent.call("review_inbox", why=["boredom"])["isError"]
        assert "Merged into" in agent.call("merge_memories", memories=["One"], into="Two")["content"][0]["text"]
        assert "Two" in agent.call("recall", question="headers")["content"][0]["text"]


def test_who_works_and_what_drifted_can_be_asked(cli: Cli) -> None:
    commit(cli.folder, {"archmem.toml": (cli.folder / "archmem.toml").read_text()})
    with line(cli, "--tools", "all", ARCHMEM_CATCH_UP="30") as agent:
        agent.begin()

        def said(tool: str, **arguments: str) -> str:
            result = agent.call(tool, **arguments)
            assert not result["isError"]
            return str(result["content"][0]["text"])

        assert said("work_sessions") == "No session is open."
        agent.call("start_work_session", task="Paint\nthe web", elements=["Web"], exclusive=True)
        told = said("work_sessions")
        assert "Shop.Web alone" in told
        assert "Paint the web" in told
        id = told.split("\n- ")[1].split()[0]
        assert "[open]" in said("heartbeat", session=id)
        assert agent.call("heartbeat", session="none")["isError"]
        assert "0 drifted" not in said("drift_status")
        commit(cli.folder, {"src/api/limits.py": "def allow():\n    return False\n"})
        told = said("drift_status")
        assert "- Shop.API: drifted, 1 commit" in told
        assert "behind HEAD" not in told


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=5), some, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    """A process that offers every tool, in a registered shop."""
    folder = tmp_path_factory.mktemp("free")
    cli = cli_with(make_shop(folder / "shop"), folder / "home")
    cli("init")
    with line(cli, "--tools", "all") as agent:
        agent.begin()
        yield agent


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(sorted(TOOLS)), data=st.data())
def test_whatever_a_tool_is_given_it_answers_in_words(listening: Line, name: str, data: st.DataObject) -> None:
    fields = sorted(TOOLS[name].arguments.model_fields)
    names = st.sampled_from(fields) if fields else st.text(max_size=5)
    arguments = data.draw(
        st.dictionaries(names, ANYTHING, max_size=4) | st.dictionaries(st.text(), ANYTHING, max_size=2)
    )
    answer = listening.ask("tools/call", name=name, arguments=arguments)
    if "error" in answer:  # a text that is no Unicode, or nested too deeply
        assert answer["error"]["code"] in (-32600, -32602, -32700)
        return
    (content,) = answer["result"]["content"]
    assert content["text"]
    assert "Error" not in content["text"].split(":")[0]
    assert not answer["result"]["isError"] or "Next: " in content["text"]


@settings(max_examples=60, deadline=None)
@given(uri=st.text(max_size=30).map("archmem://".__add__) | st.text(max_size=30).map("archmem://memory/".__add__))
def test_whatever_address_is_read_it_is_answered(listening: Line, uri: str) -> None:
    answer = listening.ask("resources/read", uri=uri)
    assert "result" in answer or answer["error"]["code"] in (-32600, -32602)


def test_lists_are_taken_as_agents_write_them() -> None:
    for written, meant in (
        ("API", ("API",)),
        ("", ()),
        (None, ()),
        (["API", "Web"], ("API", "Web")),
        ('["API", "Web"]', ("API", "Web")),
        ("[[Headers]]", ("[[Headers]]",)),
    ):
        assert Asked.model_validate({"elements": written}).elements == meant


def test_a_text_with_a_nul_is_refused_by_the_name_of_each_field(listening: Line) -> None:
    said = listening.call("remember", content="a\0b", elements=["c\0"], title="fine")
    assert said["isError"]
    assert {"content", "elements"} <= set(re.findall(r"^  (\w+): ", said["content"][0]["text"], re.MULTILINE))


def test_a_client_is_called_what_can_be_shown() -> None:
    assert actor_of("", "Claude\0 Code\n") == "Claude Code"
    assert actor_of("reviewer", "Claude Code") == "reviewer"
    assert actor_of("", " \t") == "mcp/unknown"
    assert len(actor_of("x" * 1_000)) == 200


def test_elements_are_found_by_what_is_said_of_them(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        agent.call("remember", content="Requests a minute are counted here", elements=["API"])
        found = agent.call("find_elements", question="count the requests")
        assert not found["isError"]
        assert "Shop.API" in found["content"][0]["text"]
        assert agent.call("find_elements", question="")["isError"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("recall", {"question": "the cart"}),
        ("remember", {"content": "Carts expire"}),
        ("confirm_memory", {"memory": "Header limit"}),
        ("find_elements", {"question": "the cart"}),
        ("impact_of", {"element": "API"}),
        ("plan_work", {"task": "Rework the pages"}),
        ("supersede_memory", {"memory": "Header limit", "content": "It strips headers over 16KB"}),
        ("memory_history", {"memory": "Header limit"}),
        ("review_inbox", {}),
    ],
)
def test_every_call_with_the_id_of_a_session_keeps_it_alive(cli: Cli, tool: str, arguments: dict[str, str]) -> None:
    cli("remember", "It strips headers over 8KB", "--title", "Header limit")
    id = cli("session", "start", "Look around", "--id").out.strip()
    before = cli("session", "show", id, "--json").json["seen_at"]
    with line(cli, "--tools", "all") as agent:
        agent.begin()
        assert not agent.call(tool, session=id, **arguments)["isError"]
        # It is noted after the answer.
        until = time.monotonic() + 20
        while (seen := cli("session", "show", id, "--json").json["seen_at"]) == before and time.monotonic() < until:
            time.sleep(0.1)
    assert seen > before


def test_a_task_is_planned_where_that_is_offered(cli: Cli) -> None:
    with line(cli, "--tools", "all") as agent:
        agent.begin()
        agent.call("remember", content="The web retries twice", kind="pitfall", title="Retries", elements=["Web"])
        told = agent.call("plan_work", task="Rework the pages", elements=["Web"])["content"][0]["text"]
        assert "1. Shop.Web" in told
        assert "- **Retries** [PITFALL]" in told


def test_what_depends_on_an_element_is_shown_before_it_is_changed(cli: Cli) -> None:
    with line(cli) as agent:
        agent.begin()
        agent.call("remember", content="The web retries twice", title="Retries", elements=["Web"])
        shown = agent.call("impact_of", element="API")
        assert not shown["isError"]
        assert "Shop.Web" in shown["content"][0]["text"]
        assert "Retries" in shown["content"][0]["text"]
        assert "Shop.Store.Cart" in agent.call("impact_of", element="Cart")["content"][0]["text"]


def test_the_skill_and_the_hook_name_the_arguments_that_the_tools_have(cli: Cli) -> None:
    skill = (ROOT / "server/installing/skill/SKILL.md").read_text("utf-8")
    named = {*re.findall(r"takes `(\w+)`", skill), *re.findall(r"follow-ups and `(\w+)`", skill)}
    assert named == {"used"} <= set(TOOLS["finish_work_session"].arguments.model_fields)
    begun = json.dumps({"session_id": "1", "cwd": str(cli.folder), "source": "startup"})
    told = cli("hook", "session-start", "--client", "claude-code", input=begun.encode()).out
    assert "as `used`" in told
