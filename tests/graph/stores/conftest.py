"""Every store that keeps the port, each real and empty."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.stores.port import GraphStore
from graph.stores.sqlite import SqliteStore


@pytest.fixture(params=["sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphStore]:
    assert request.param == "sqlite"
    made = SqliteStore(tmp_path / "archmem.db")
    yield made
    made.close()
