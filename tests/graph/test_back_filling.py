"""A back-fill beside other writers: a vector is kept with the text that it was made of, or not at all."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from graph.memory_graph import MemoryGraph
from graph.stores.sqlite import SqliteStore
from graph.vectors import Vector
from graph.views import Progress
from tests.graph.conftest import ME, SHOP, Make, draft, write
from tests.graph.embedders.provider import meaning


class Slow:
    """Embeds by words, and lets something happen meanwhile, once."""

    identity = name = "test:words:32"

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.meanwhile = meanwhile

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors = [np.array(meaning(text, 32), dtype=np.float32) for text in texts]
        self.meanwhile()
        self.meanwhile = lambda: None
        return [vector / np.linalg.norm(vector) for vector in vectors]


def kept(path: Path, name: str) -> dict[str, Vector]:
    store = SqliteStore(path)
    try:
        return store.read(SHOP, lambda unit: unit.vectors((name,), Slow.identity))
    finally:
        store.close()


def test_a_memory_that_is_renamed_meanwhile_is_embedded_as_it_reads_now(make: Make, store_path: Path) -> None:
    plain = make()
    name = write(plain, "Ten a second", title="Limits").id
    graph = make(Slow(lambda: plain.rename(SHOP, name, "Throttling", actor=ME)))
    assert graph.back_fill(SHOP, limit=1) == Progress(done=1, left=0)
    made = Slow().embed(["Throttling: Ten a second"])[0]
    assert np.array_equal(kept(store_path, name)[name], made)


@pytest.mark.parametrize(
    "leave",
    [
        lambda graph, name: graph.archive(SHOP, name, actor=ME),
        lambda graph, name: graph.supersede(SHOP, name, draft("Ten a minute"), actor=ME),
    ],
    ids=["archived", "superseded"],
)
def test_a_memory_that_leaves_meanwhile_gets_no_vector(
    make: Make, store_path: Path, leave: Callable[[MemoryGraph, str], object]
) -> None:
    plain = make()
    name = write(plain, "Ten a second").id
    graph = make(Slow(lambda: leave(plain, name)))
    assert graph.back_fill(SHOP).done == len(graph.memories(SHOP))
    assert kept(store_path, name) == {}


def test_what_did_not_change_is_kept_though_another_did(make: Make, store_path: Path) -> None:
    plain = make()
    one, other = (write(plain, text, title=text).id for text in ("Alpha", "Beta"))
    graph = make(Slow(lambda: plain.rename(SHOP, one, "Gamma", actor=ME)))
    assert graph.back_fill(SHOP, limit=2) == Progress(done=2, left=0)
    assert np.array_equal(kept(store_path, other)[other], Slow().embed(["Beta: Beta"])[0])
    assert np.array_equal(kept(store_path, one)[one], Slow().embed(["Gamma: Alpha"])[0])
