"""The doors on a store in Neo4j: what is told of it, and with which exit code."""

from pathlib import Path

import pytest

from tests.neo4j.launcher import LINES
from tests.neo4j.serving import Servers
from tests.server.shop import Cli, cli_with


@pytest.fixture(params=list(LINES))
def cli(request: pytest.FixtureRequest, neo4j_servers: Servers, shop: Path, home: Path) -> Cli:
    """A command line in the shop, whose store is an empty Neo4j."""
    address = neo4j_servers.empty(request.param)
    return cli_with(
        shop,
        home,
        ARCHMEM_STORE=address.url.replace("bolt://", "neo4j://"),
        ARCHMEM_NEO4J_USER=address.user,
        ARCHMEM_NEO4J_PASSWORD=address.password,
        ARCHMEM_NEO4J_DATABASE=address.database,
    )


def test_what_is_remembered_is_recalled_and_the_doctor_tells_the_version(cli: Cli) -> None:
    cli("init")
    cli("remember", "The gateway strips headers longer than 8KB", "--title", "Header limit")
    assert "8KB" in cli("recall", "headers of the gateway").out
    told = cli("doctor").out
    assert "opens: Neo4j Kernel" in told
    assert "driver" in told


@pytest.mark.parametrize(
    ("variable", "value", "what"),
    [
        ("ARCHMEM_NEO4J_PASSWORD", "wrong-word", "ARCHMEM_NEO4J_PASSWORD"),
        ("ARCHMEM_NEO4J_DATABASE", "nowhere", "no database 'nowhere'"),
        ("ARCHMEM_STORE", "neo4j://127.0.0.1:1", "does not answer"),
        ("ARCHMEM_STORE", "neo4j://me:secret-word@host", "ARCHMEM_NEO4J_PASSWORD"),
    ],
)
def test_a_store_that_cannot_be_opened_ends_with_2(cli: Cli, variable: str, value: str, what: str) -> None:
    wrong = Cli(cli.folder, {**cli.environment, variable: value}, cli.prefix)
    told = wrong("recall", "anything", code=2)
    assert what in told.err
    assert "Next: " in told.err
    assert "secret-word" not in told.err


def test_the_demo_plays_there(cli: Cli) -> None:
    told = cli("--store", cli.environment["ARCHMEM_STORE"], "demo").out
    assert told.count("[VERIFY") == 2
    assert "deduplicated: true" in told
