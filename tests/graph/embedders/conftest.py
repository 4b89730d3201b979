"""A provider of vectors on this machine."""

from collections.abc import Iterator

import pytest

from tests.graph.embedders.provider import Provider, serve


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serve() as started:
        yield started
