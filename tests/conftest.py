"""What tests of several packages share: real Neo4j servers."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.neo4j.launcher import LINES, told

if TYPE_CHECKING:
    from tests.neo4j.serving import Servers


def pytest_report_header() -> list[str]:
    """Say on what the tests of Neo4j run."""
    return [f"Neo4j: {', '.join(map(told, LINES.values()))}"]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what drift runs find out of the user's cache."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def neo4j_servers() -> "Iterator[Servers]":
    """Give the Neo4j servers of both lines, which are started when they are first asked for."""
    pytest.importorskip("neo4j", reason="the extra `neo4j` is not installed")
    from tests.neo4j.serving import Servers

    with ExitStack() as stack:
        yield Servers(stack)
