"""Jobs of real servers: of several on one store, one makes the missing vectors; another goes on when it ends."""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.memories import Draft, Kind
from graph.scopes import Scope
from server.bootstrap import bootstrap
from server.settings import load_settings
from tests.graph.embedders.provider import Asked, Provider, serve
from tests.neo4j.launcher import LINES
from tests.neo4j.serving import Servers
from tests.server.shop import IDENTITY, Cli, cli_with
from tests.server.test_providers import with_model
from tests.server.test_serving import serving

COUNT = 100
SCOPES = (Scope(project=IDENTITY), Scope())


@pytest.fixture(params=["sqlite", *(f"neo4j-{line}" for line in LINES)])
def cli(request: pytest.FixtureRequest, cli: Cli, shop: Path, home: Path) -> Cli:
    """A command line in the shop, whose store is of each kind."""
    kind, _, line = request.param.partition("-")
    if kind == "sqlite":
        return cli
    servers: Servers = request.getfixturevalue("neo4j_servers")
    address = servers.empty(line)
    other = cli_with(
        shop,
        home,
        ARCHMEM_STORE=address.url,
        ARCHMEM_NEO4J_USER=address.user,
        ARCHMEM_NEO4J_PASSWORD=address.password,
        ARCHMEM_NEO4J_DATABASE=address.database,
    )
    other("init")
    return other


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider that takes its time."""
    with serve() as started:
        started.before = lambda _: time.sleep(0.3)
        yield started


def asked_for(provider: Provider) -> Counter[str]:
    """Return how often each text was embedded; a server asks for one of its own to learn the model's size."""
    return Counter(text for asked in list(provider.asked) for text in asked.texts if text.startswith("Setting"))


def waited_for(provider: Provider, count: int, seconds: float = 40) -> Counter[str]:
    """Return what was embedded once that many texts were, and nothing more comes."""
    deadline = time.monotonic() + seconds
    while len(asked_for(provider)) < count and time.monotonic() < deadline:
        time.sleep(0.1)
    return asked_for(provider)


def fill(cli: Cli) -> set[str]:
    """Remember facts without vectors, in the project and in the organisation; return their texts."""
    graph = bootstrap(load_settings({}, {**cli.environment, "ARCHMEM_EMBEDDER": "none"}))
    texts = {f"Setting number{i} of module{i} belongs to team{i}" for i in range(COUNT)}
    for place, text in enumerate(sorted(texts)):
        graph.remember(SCOPES[place % 2], Draft(content=text, kind=Kind.NOTE), actor="agent/test")
    graph.close()
    return texts


def test_of_two_servers_one_makes_the_missing_vectors(cli: Cli, provider: Provider) -> None:
    texts = fill(cli)
    served = with_model(cli, provider)
    with serving(served), serving(served):
        done = waited_for(provider, len(texts))
        # Whoever had not the lease looks again after ten seconds.
        time.sleep(11)
        assert asked_for(provider) == done
    assert set(done.values()) == {1}
    assert set(done) == texts


def test_when_one_server_ends_another_goes_on(cli: Cli, provider: Provider) -> None:
    fill(cli)
    served = with_model(cli, provider)

    def slow(_: Asked) -> None:
        time.sleep(1)

    provider.before = slow
    with serving(served):
        with serving(served):
            waited_for(provider, 1)
        done = waited_for(provider, COUNT)
    assert len(done) == COUNT
