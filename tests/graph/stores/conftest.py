"""Every store that keeps the port, each real and empty: the embedded one, and Neo4j of each line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.stores.sqlite import SqliteStore
from graph.stores.transfer import Store
from tests.neo4j.launcher import LINES

STORES = ("sqlite", *(f"neo4j-{line}" for line in LINES))
# What one Neo4j gives away, another one takes in as the embedded store does.
PAIRS = [(one, other) for one in STORES for other in STORES if "sqlite" in (one, other)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test of the contract on every store, or from every store to every other."""
    wanted = {"store", "target"} & set(metafunc.fixturenames)
    if wanted == {"store", "target"}:
        metafunc.parametrize(("store", "target"), PAIRS, indirect=True)
    elif wanted:
        metafunc.parametrize("store", STORES, indirect=True)


@pytest.fixture
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from _opened(request, tmp_path / "archmem.db")


@pytest.fixture
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A second store, of every kind, for what is carried from one to another."""
    yield from _opened(request, tmp_path / "target.db")


def _opened(request: pytest.FixtureRequest, path: Path) -> Iterator[Store]:
    kind, _, line = request.param.partition("-")
    made = SqliteStore(path) if kind == "sqlite" else _neo4j(request, line)
    yield made
    made.close()


def _neo4j(request: pytest.FixtureRequest, line: str) -> Store:
    servers = request.getfixturevalue("neo4j_servers")
    from graph.stores.neo4j import Neo4jStore

    return Neo4jStore(servers.empty(line))
