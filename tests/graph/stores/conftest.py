"""Every store that keeps the port, each real and empty."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.stores.sqlite import SqliteStore
from graph.stores.transfer import Store

STORES = ("sqlite",)


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from _opened(request, tmp_path / "archmem.db")


@pytest.fixture(params=STORES)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A second store, of every kind, for what is carried from one to another."""
    yield from _opened(request, tmp_path / "target.db")


def _opened(request: pytest.FixtureRequest, path: Path) -> Iterator[Store]:
    assert request.param == "sqlite"
    made = SqliteStore(path)
    yield made
    made.close()
