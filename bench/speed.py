"""How long a recall takes beside the embedding of its question, cold and warm, and how long writing takes.

Run: python -m bench.speed [--sizes 1000 10000 100000] [--questions 200]

Each question is embedded alone and recalled in turn, so that both meet the same machine. Up to 10,000 memories are
remembered as anybody would; above, the file is filled with their texts and random vectors, since embedding 100,000
texts would take longer than all the rest: what a scan costs does not depend on the numbers in it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

# As the command `archmem` sets it; read once, when numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import httpx
import numpy as np
import uuid_utils

from bench.corpus import facts, questions
from bench.machine import machine
from graph.embedders import Embedder
from graph.embedders.local import LocalEmbedder
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.vectors import Vector

SCOPE = Scope(project="bench")
EMBEDDED_UP_TO = 10_000
COLD_RUNS = 7


class Timed(LocalEmbedder):
    """The local model, with the seconds that it took."""

    def __init__(self) -> None:
        super().__init__()
        self.spent = 0.0

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        start = time.perf_counter()
        vectors = super().embed(texts)
        self.spent += time.perf_counter() - start
        return vectors


class Random:
    """Stands in for the local model where a file is only filled."""

    identity = LocalEmbedder.identity
    name = LocalEmbedder.name

    def __init__(self) -> None:
        self._chance = np.random.default_rng(0)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        made = self._chance.standard_normal((len(texts), 384), dtype=np.float32)
        return list(made / np.linalg.norm(made, axis=1, keepdims=True))


class Filled(NamedTuple):
    """What filling a file took: seconds in all, and in the embedder; 0 where vectors are random."""

    path: Path
    memories: int
    seconds: float
    embedding: float


class Warm(NamedTuple):
    """Milliseconds: the medians of embedding a question, of recall in process and over REST, and recall's 95th."""

    memories: int
    first: float
    embedding: float
    in_process: float
    in_process_95: float
    rest: float


def open_graph(path: Path, embedder: Embedder | None) -> MemoryGraph:
    return MemoryGraph(Parts(SqliteStore(path), lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7()), embedder))


def timed(work: Callable[[], object]) -> float:
    """Return how many milliseconds the work took."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def fill(folder: Path, count: int) -> Filled:
    path = folder / f"{count}.db"
    embedder = Timed() if count <= EMBEDDED_UP_TO else None
    graph = open_graph(path, embedder)
    graph.add_project(SCOPE.organisation, SCOPE.project, SCOPE.project)
    if embedder is not None:
        embedder.embed(["the model is loaded before the clock starts"])
        embedder.spent = 0.0
    made = graph.remember_all(SCOPE, facts(count), actor="bench")
    seconds = timed(lambda: list(made)) / 1e3
    graph.close()
    if embedder is None:
        filling = open_graph(path, Random())
        filling.back_fill(SCOPE)
        filling.close()
    return Filled(path, count, seconds, embedder.spent if embedder else 0.0)


def warm(filled: Filled, count: int) -> Warm:
    embedder = LocalEmbedder()
    graph = open_graph(filled.path, embedder)
    first, *asked = questions(count + 1)
    embedder.embed([first])
    opening = timed(lambda: graph.recall(SCOPE, first))
    alone, in_process, rest = [], [], []
    with Served(filled.path) as served:
        served.recall(first)
        for question in asked:
            alone.append(timed(lambda question=question: embedder.embed([question])))  # type: ignore[misc]
            in_process.append(timed(lambda question=question: graph.recall(SCOPE, question)))  # type: ignore[misc]
            rest.append(timed(lambda question=question: served.recall(question)))  # type: ignore[misc]
    graph.close()
    slow = statistics.quantiles(in_process, n=20)[-1]
    median = statistics.median
    return Warm(filled.memories, opening, median(alone), median(in_process), slow, median(rest))


class Served:
    """`archmem serve` on a file, asked over one kept connection."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-m", "server.cli", "--store", str(path), "--project", SCOPE.project]
        self._process = subprocess.Popen(
            [*command, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self._process.stdout is not None
        url = ""
        while "http" not in url:
            url = self._process.stdout.readline()
        self._client = httpx.Client(base_url=url[url.index("http") :].strip().removesuffix("/docs"), timeout=60)

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._process.terminate()
        self._process.communicate()

    def recall(self, question: str) -> None:
        answer = self._client.post("/api/recall", params={"project": SCOPE.project}, json={"question": question})
        answer.raise_for_status()


def writes(filled: Filled, count: int = 50) -> tuple[float, float]:
    """Return the median milliseconds of one remember, and of embedding its text."""
    embedder = Timed()
    graph = open_graph(filled.path, embedder)
    embedder.embed(["warm"])
    whole, alone = [], []
    for draft in facts(count, seed=7):
        embedder.spent = 0.0
        whole.append(timed(lambda draft=draft: graph.remember(SCOPE, draft, actor="bench")))  # type: ignore[misc]
        alone.append(embedder.spent * 1e3)
    graph.close()
    return statistics.median(whole), statistics.median(alone)


def cold(filled: Filled) -> dict[str, float]:
    """Return the medians of the parts of a first recall in a new process, in milliseconds."""
    asked = questions(COLD_RUNS, seed=9)
    runs = [
        json.loads(
            subprocess.run(
                [sys.executable, "-m", "bench.cold", str(filled.path), question, str(time.time())],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for question in asked
    ]
    command = [sys.executable, "-m", "server.cli", "--store", str(filled.path), "--project", SCOPE.project, "recall"]
    whole = [timed(lambda q=q: subprocess.run([*command, q], capture_output=True, check=True)) for q in asked]  # type: ignore[misc]
    parts = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    return parts | {"`archmem recall`, whole": statistics.median(whole)}


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    reader.add_argument("--questions", type=int, default=200)
    asked = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = [fill(Path(folder), size) for size in asked.sizes]
        print(f"{machine()}\n")
        print("| memories | first recall | embedding | recall in process | 95th | times | over REST | times |")
        print("|---|---|---|---|---|---|---|---|")
        for one in (warm(filled, asked.questions) for filled in files):
            print(
                f"| {one.memories:,} | {one.first:.0f} | {one.embedding:.1f} | {one.in_process:.1f} | "
                f"{one.in_process_95:.1f} | {one.in_process / one.embedding:.2f} | {one.rest:.1f} | "
                f"{one.rest / one.embedding:.2f} |"
            )
        print("\n| memories | import s | of it embedding s | times | one remember ms | of it embedding ms |")
        print("|---|---|---|---|---|---|")
        for filled in files:
            whole, alone = writes(filled)
            shown = f"{filled.embedding:.1f} | {filled.seconds / filled.embedding:.2f}" if filled.embedding else "– | –"
            print(f"| {filled.memories:,} | {filled.seconds:.1f} | {shown} | {whole:.1f} | {alone:.1f} |")
        print(f"\n| cold, {files[0].memories:,} memories | ms |\n|---|---|")
        for name, milliseconds in cold(files[0]).items():
            print(f"| {name} | {milliseconds:.0f} |")


if __name__ == "__main__":
    main()
