"""Every store that keeps the port, each real and empty."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.stores.port import GraphStore
from graph.stores.sqlite import SqliteStore
from tests.neo4j.launcher import LINES


@pytest.fixture(params=["sqlite", *(f"neo4j-{line}" for line in LINES)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphStore]:
    kind, _, line = request.param.partition("-")
    made = SqliteStore(tmp_path / "archmem.db") if kind == "sqlite" else _neo4j(request, line)
    yield made
    made.close()


def _neo4j(request: pytest.FixtureRequest, line: str) -> GraphStore:
    servers = request.getfixturevalue("neo4j_servers")
    from graph.stores.neo4j import Neo4jStore

    return Neo4jStore(servers.empty(line))
