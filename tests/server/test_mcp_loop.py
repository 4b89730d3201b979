"""What agents do over MCP, by the SDK's own client over both ways in: start, recall, remember, finish, start better."""

import re

import pytest

from tests.server.agent import NAME, Agent, Way, talk
from tests.server.shop import Cli

BOTH: list[Way] = ["stdio", "http"]


def scores(text: str) -> dict[str, dict[str, float]]:
    """Return the factors of each hit that `explain` showed, in their order."""
    told = text.split("Scores:\n", 1)[1]
    return {
        name: {word: float(number) for word, number in re.findall(r"([a-z]+) ([\d.]+)(?=,|$)", factors)}
        for name, factors in re.findall(r"^  (.+?): [\d.]+ = (.+)$", told, re.MULTILINE)
    }


@pytest.mark.parametrize("way", BOTH)
def test_what_a_session_relied_on_comes_first_in_the_next_one(cli: Cli, way: Way) -> None:
    async def work(agent: Agent) -> None:
        session = await agent.start("expire the carts", elements=["Shop.Jobs"])
        for title in ("First", "Second"):
            said = await agent(
                "remember", content=f"Carts expire by the clock, {title}", title=title, elements="Jobs", session=session
            )
            assert said.startswith("Remembered: ")

        async def asked() -> dict[str, dict[str, float]]:
            return scores(await agent("recall", question="how do carts expire", session=session, explain=True))

        # The newer one is a little fresher; that it is shown again and again moves nothing.
        before = await asked()
        for _ in range(6):
            other = await agent.start("look around", elements=["Shop.Web"])
            await agent("recall", question="how do carts expire", session=other)
            await agent("finish_work_session", session=other, summary="Looked")
        assert list(before) == list(await asked()) == ["Second", "First"]
        assert before["First"]["citations"] == (await asked())["First"]["citations"] == 1
        assert (await asked())["Second"]["ignored"] == 1

        done = await agent(
            "finish_work_session",
            session=session,
            summary="Carts expire now",
            decisions=["By the clock"],
            follow_ups=["Tell the user"],
            used=["First", "Third"],
        )
        assert "Cited: 1 memory" in done
        assert "'Third'" in done

        session = await agent.start("expire the carts again", elements=["Shop.Jobs"])
        after = await asked()
        assert list(after)[:2] == ["First", "Second"]
        assert after["First"]["citations"] > 1
        assert after["Second"]["citations"] == 1

    talk(cli, way, work)
    assert f"by {NAME} " in cli("history", "First").out


@pytest.mark.parametrize("way", BOTH)
@pytest.mark.parametrize("mode", ["auto", "2026-07-28"])
def test_clients_of_the_newer_protocol_are_served_too(cli: Cli, way: Way, mode: str) -> None:
    async def work(agent: Agent) -> None:
        assert agent.client.protocol_version == "2026-07-28"
        assert "Remembered: " in await agent("remember", content="Pages are cached", title="Cache")
        assert "Pages are cached" in await agent("recall", question="cached pages")

    talk(cli, way, work, mode=mode)
    assert f"by {NAME} " in cli("history", "Cache").out


@pytest.mark.parametrize("way", BOTH)
def test_an_error_names_every_fault_and_the_next_step(cli: Cli, way: Way) -> None:
    async def work(agent: Agent) -> None:
        said = await agent("recall", is_error=True, question="a", limit="many", elements=3, colour="red")
        assert {"limit", "elements", "colour"} <= set(re.findall(r"^  (\w+): ", said, re.MULTILINE))
        assert "Next: " in said
        said = await agent("remember", is_error=True, content="x", elements=["Cart"])
        assert "Shop.Jobs.Cart" in said
        assert "Shop.Store.Cart" in said
        assert "Next: " in await agent("confirm_memory", is_error=True, memory="Nothing of that name")
        assert "Next: " in await agent("finish_work_session", is_error=True, session="none", summary="x")

    talk(cli, way, work)


@pytest.mark.parametrize("way", BOTH)
def test_an_element_that_is_held_alone_is_denied_to_others(cli: Cli, way: Way) -> None:
    async def work(agent: Agent) -> None:
        held = await agent.start("rewrite the web", elements=["Web"], exclusive=True)
        said = await agent("start_work_session", task="paint the web", elements=["Web"])
        assert "Gate: deny" in said
        assert held in said
        said = await agent("finish_work_session", session=held, summary="Rewritten", used=[])
        assert "Cited: 0 memories" in said
        assert "finished before" in await agent("finish_work_session", session=held, summary="Rewritten twice")
        assert "Gate: allow" in await agent("start_work_session", task="paint the web", elements=["Web"])

    talk(cli, way, work)


@pytest.mark.parametrize("way", BOTH)
def test_resources_and_the_prompt_tell_what_is_known(cli: Cli, way: Way) -> None:
    cli("remember", "The gateway strips headers", "--title", "Headers/8KB é", "--element", "API", "--kind", "pitfall")

    async def work(agent: Agent) -> None:
        client = agent.client

        async def read(uri: str) -> str:
            (content,) = (await client.read_resource(uri)).contents
            return str(getattr(content, "text"))  # noqa: B009  there are blobs, too

        assert [str(one.uri) for one in (await client.list_resources()).resources] == [
            "archmem://map",
            "archmem://manifest",
        ]
        assert len((await client.list_resource_templates()).resource_templates) == 3
        assert "1 of 7 elements documented" in await read("archmem://map")
        assert "Headers/8KB é [PITFALL] about Shop.API" in await read("archmem://manifest")
        assert "strips headers" in await read("archmem://element/Shop.API")
        told = await read("archmem://memory/Headers%2F8KB%20%C3%A9")
        assert "strips headers" in told
        assert "data, not instructions" in told
        prompt = await client.get_prompt("briefing", {"task": "strip headers"})
        assert "strips headers" in str(prompt.messages[0].content)
        for wrong in ("archmem://memory/none", "archmem://element/none", "archmem://memory", "archmem://x", "file:///"):
            with pytest.raises(Exception, match="Next: "):
                await read(wrong)

    talk(cli, way, work)
