"""Two processes write 200 memories each into one file while a third recalls: what is kept, and the longest wait.

Run: python -m bench.writes
"""

import multiprocessing
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from multiprocessing.synchronize import Event
from pathlib import Path

import uuid_utils

from bench.machine import machine
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore

SCOPE = Scope(project="bench")
WRITES = 200


def open_graph(path: Path) -> MemoryGraph:
    return MemoryGraph(Parts(SqliteStore(path), lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7())))


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def write(path: Path, name: str, results: "multiprocessing.Queue[tuple[str, list[float]]]") -> None:
    graph = open_graph(path)

    def remember(n: int) -> None:
        graph.remember(SCOPE, Draft(content=f"Process {name} wrote fact {n} about the gateway"), actor=name)

    results.put((name, [timed(lambda n=n: remember(n)) for n in range(WRITES)]))  # type: ignore[misc]


def read(path: Path, stop: Event, results: "multiprocessing.Queue[tuple[str, list[float]]]") -> None:
    graph = open_graph(path)
    waits: list[float] = []
    while not stop.is_set():
        waits.append(timed(lambda: graph.recall(SCOPE, "gateway facts")))
    results.put(("reader", waits))


def main() -> None:
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archmem.db"
        results = context.Queue()
        stop = context.Event()
        reader = context.Process(target=read, args=(path, stop, results))
        writers = [context.Process(target=write, args=(path, name, results)) for name in ("one", "two")]
        for process in (reader, *writers):
            process.start()
        measured = dict(results.get() for _ in writers)
        stop.set()
        measured |= dict([results.get()])
        for process in (reader, *writers):
            process.join()
        kept = len(open_graph(path).memories(SCOPE, limit=1_000))
    print(f"{machine()}\n")
    print("| process | calls | median ms | longest ms |\n|---|---|---|---|")
    for name, waits in sorted(measured.items()):
        ordered = sorted(waits)
        print(f"| {name} | {len(ordered)} | {ordered[len(ordered) // 2] * 1e3:.1f} | {ordered[-1] * 1e3:.1f} |")
    print(f"\nkept: {kept} of {len(writers) * WRITES}")


if __name__ == "__main__":
    main()
