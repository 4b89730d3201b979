"""Measures archmem, in this process: `remember` for each fact, `recall` for each question."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import uuid_utils

from bench.neighbours.measured import Measured
from graph.embedders import Embedder
from graph.embedders.dialects import OpenAI
from graph.embedders.local import LocalEmbedder
from graph.embedders.remote import RemoteEmbedder
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.vectors import Vector
from graph.views import Recall

SCOPE = Scope(project="bench")
_TIMEOUT = 60.0


class Kept(LocalEmbedder):
    """The local model, with the facts' vectors at hand, as the embedding server has them."""

    def __init__(self, known: Mapping[str, Vector]) -> None:
        super().__init__()
        self._known = known

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._known[text] if text in self._known else super(Kept, self).embed([text])[0] for text in texts]


def in_process(job: Mapping[str, Any], known: Mapping[str, Vector]) -> Measured:
    """Measure with the model in this process, as archmem comes."""
    return _measured("archmem, model in process", job, Kept(known))


def over_http(job: Mapping[str, Any]) -> Measured:
    """Measure with the model behind the same server as the others use."""
    embedder = RemoteEmbedder(OpenAI(), job["model"], job["embedding_url"], timeout=_TIMEOUT)
    return _measured("archmem, model over HTTP", job, embedder)


def _measured(name: str, job: Mapping[str, Any], embedder: Embedder) -> Measured:
    with _opened(Path(job["folder"], "archmem.db"), embedder) as graph:
        start = time.perf_counter()
        for fact in job["facts"]:
            graph.remember(SCOPE, Draft(content=fact), actor="bench")
        written = time.perf_counter() - start

        def recall(question: str) -> Recall:
            return graph.recall(SCOPE, question, limit=job["limit"])

        for question in job["warm_up"]:
            recall(question)
        asked = [_timed(recall, question) for question in job["questions"]]
    embedded = [_timed(lambda text: embedder.embed([text]), question) for question in job["questions"]]
    return Measured(
        system=name,
        version=version("archmem"),
        memories=len(job["facts"]),
        write_seconds=written,
        write_how="`remember` one by one",
        search_ms=tuple(spent for spent, _ in asked),
        embed_ms=tuple(spent for spent, _ in embedded),
        answered=sum(bool(recall.hits) for _, recall in asked),
    )


@contextmanager
def _opened(path: Path, embedder: Embedder) -> Iterator[MemoryGraph]:
    parts = Parts(SqliteStore(path), lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7()), embedder)
    graph = MemoryGraph(parts)
    try:
        yield graph
    finally:
        graph.close()


def _timed(work: Callable[[str], Any], question: str) -> tuple[float, Any]:
    start = time.perf_counter()
    given = work(question)
    return (time.perf_counter() - start) * 1e3, given
