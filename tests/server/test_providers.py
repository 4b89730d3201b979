"""A provider of vectors behind the real command line: changed, killed over, down; no memory is ever lost."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from graph.memories import Draft, Kind
from graph.scopes import Scope
from server.bootstrap import bootstrap
from server.settings import Settings, load_settings
from tests.graph.embedders.provider import KEY, Asked, Provider, serve, status
from tests.server.shop import IDENTITY, Cli

SCOPE = Scope(project=IDENTITY)
FACT = "Clients that call too often are throttled"
QUESTION = "rate limiting"
COUNT = 100
ELEMENTS = 8  # of the shop, which have vectors too


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serve() as started:
        started.sizes.update(small=512, large=768)
        yield started


def environment(provider: Provider, model: str) -> dict[str, str]:
    return {
        "ARCHMEM_EMBEDDER": "openai",
        "ARCHMEM_EMBEDDER_MODEL": model,
        "ARCHMEM_EMBEDDER_URL": f"{provider.url}/v1",
        "ARCHMEM_EMBEDDER_KEY": KEY,
        "ARCHMEM_EMBEDDER_TIMEOUT": "10",
    }


def with_model(cli: Cli, provider: Provider, model: str = "small") -> Cli:
    return Cli(cli.folder, {**cli.environment, **environment(provider, model)})


def settings(cli: Cli, provider: Provider, model: str = "small") -> Settings:
    return load_settings({}, {"ARCHMEM_STORE": cli.environment["ARCHMEM_STORE"], **environment(provider, model)})


def fill(cli: Cli, provider: Provider) -> set[str]:
    """Store the fact among many others with vectors of the small model; return all ids."""
    graph = bootstrap(settings(cli, provider))
    told = [FACT, *(f"Setting number{i} of module{i} belongs to team{i}" for i in range(COUNT - 1))]
    drafts = [Draft(content=content, kind=Kind.NOTE) for content in told]
    ids = {graph.remember(SCOPE, draft, actor="agent/test").memory.id for draft in drafts}
    graph.close()
    assert len(ids) == COUNT
    return ids


def recall(cli: Cli, question: str = QUESTION) -> Any:
    return cli("recall", question, "--json").json


def test_another_model_is_said_and_reindex_mends_it(cli: Cli, provider: Provider) -> None:
    fill(cli, provider)
    small, large = with_model(cli, provider), with_model(cli, provider, "large")
    assert recall(small)["hits"][0]["memory"]["content"] == FACT
    other = recall(large)
    assert other["mode"] == "words alone"
    assert other["hits"] == []
    assert any("openai:large:768" in one and "openai:small:512" in one for one in other["notices"])
    assert any("archmem reindex" in one for one in other["notices"])
    # After its answer a recall makes the first 32 itself.
    assert large("reindex", "--json").json == {"done": COUNT - 32 + ELEMENTS, "left": 0}
    mended = recall(large)
    assert (mended["mode"], mended["notices"]) == ("meaning and words", [])
    assert mended["hits"][0]["memory"]["content"] == FACT


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills otherwise")
def test_a_reindex_killed_half_way_loses_nothing_and_goes_on(cli: Cli, provider: Provider) -> None:
    known = fill(cli, provider)
    large = with_model(cli, provider, "large")
    batches: list[Asked] = []
    reached, released = threading.Event(), threading.Event()

    def hold(asked: Asked) -> None:
        batches.append(asked)
        # A probe for the size, a request for the first 32 memories, and one for the next.
        if len(batches) == 3:
            reached.set()
            released.wait(60)

    provider.before = hold
    running = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "reindex"],
        cwd=large.folder,
        env=large.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert reached.wait(60)
        os.kill(running.pid, signal.SIGKILL)
    finally:
        running.kill()
        running.communicate()
        released.set()
    assert running.returncode == -signal.SIGKILL

    graph = bootstrap(settings(cli, provider, "large"))
    assert graph.back_fill(SCOPE, limit=0).left == COUNT - 32 + ELEMENTS
    half = graph.recall(SCOPE, QUESTION)
    graph.close()
    assert half.mode == "meaning and words"
    assert f"{COUNT - 32} of {COUNT} memories have no vector" in half.notices[0]
    assert large("reindex", "--json").json == {"done": COUNT - 32 + ELEMENTS, "left": 0}
    graph = bootstrap(settings(cli, provider, "large"))
    assert {view.id for view in graph.memories(SCOPE, limit=500)} == known
    assert graph.back_fill(SCOPE).model_dump() == {"done": 0, "left": 0}
    found = graph.recall(SCOPE, QUESTION)
    graph.close()
    assert (found.mode, found.notices) == ("meaning and words", ())
    assert found.hits[0].memory is not None
    assert found.hits[0].memory.content == FACT


def test_while_the_provider_is_down_memories_are_kept_and_recall_goes_by_words(cli: Cli, provider: Provider) -> None:
    provider.then(*[status(500, Retry_After="0")] * 50)
    cli = with_model(cli, provider)
    written = cli("remember", FACT, "--kind", "note")
    assert KEY not in written.out + written.err
    assert len(provider.asked) == 5
    answer = recall(cli)
    assert (answer["mode"], answer["hits"]) == ("words alone", [])
    assert any("words alone" in one and "500" in one for one in answer["notices"])
    by_words = recall(cli, "throttled clients")
    assert by_words["hits"][0]["memory"]["content"] == FACT
    failed = cli("reindex", code=2)
    assert "answers 500" in failed.err
    assert KEY not in failed.out + failed.err
    provider.faults.clear()
    assert cli("reindex", "--json").json == {"done": 1 + ELEMENTS, "left": 0}
    assert recall(cli)["hits"][0]["memory"]["content"] == FACT


def test_the_doctor_asks_the_provider_and_tells_no_key(cli: Cli, provider: Provider) -> None:
    fill(cli, provider)

    def checks(model: str = "small") -> dict[str, tuple[str, str]]:
        done = with_model(cli, provider, model)("doctor", "--json")
        assert KEY not in done.out + done.err
        return {check["name"]: (check["status"], check["what"]) for check in done.json["checks"]}

    well = checks()
    assert well["embedder"][0] == "ok"
    assert "openai:small:512 answers" in well["embedder"][1]
    assert well["vectors"][1].startswith(f"{ELEMENTS} memories and elements")
    with_model(cli, provider)("reindex")
    assert "vectors" not in checks()
    other = checks("large")
    missing = f"{COUNT + ELEMENTS} memories and elements have no vector of openai:large:768 yet"
    assert other["vectors"] == ("warn", missing)
    provider.then(status(401))
    refused = checks()
    assert refused["embedder"][0] == "warn"
    assert "refuses the key" in refused["embedder"][1]
    provider.then(*[status(503, Retry_After="0")] * 20)
    down = checks()
    assert (down["embedder"][0], down["store"][0]) == ("warn", "ok")
    assert "words alone" in down["embedder"][1]


def test_health_does_not_ask_the_provider(cli: Cli, provider: Provider) -> None:
    graph = bootstrap(settings(cli, provider))
    assert graph.embedder == "openai:small"
    assert provider.asked == []
    graph.close()
