"""How long the review inbox takes, by how much there is to look at.

Run: python -m bench.inbox [--sizes 1000 10000 50000] [--neo4j 5.26|2026]

A file is filled with texts and random vectors, a twentieth of them near another one's; a tenth is unreviewed, a tenth
links nowhere, a tenth drifted, and 2,000 impressions of sessions that cited nothing are kept. Every figure is the
median of five: the first page of all reasons when a store was just opened and again, and of each reason alone. With
--neo4j each file is migrated into a real Neo4j, which is asked the same.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import uuid_utils

from bench.corpus import facts
from bench.machine import machine
from bench.speed import Random
from graph.drift_report import DriftReport, Finding, Verdict
from graph.elements import ArchitectureModel, Element, ElementKind
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.migrating import migrate
from graph.parts import Parts
from graph.reviews import Why
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.stores.transfer import Store
from graph.vectors import Vector
from tests.neo4j.launcher import LINES, running

SCOPE = Scope(project="bench")
RUNS = 5


class Alike(Random):
    """Random vectors, every twentieth near the one before it."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        made = super().embed(texts)
        for at in range(1, len(made), 20):
            near = made[at - 1] + np.float32(0.02) * made[at]
            made[at] = near / np.linalg.norm(near)
        return made


Open = Callable[[], Store]


def opened(store: Store) -> MemoryGraph:
    return MemoryGraph(Parts(store, lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7()), Alike()))


def fill(path: Path, count: int) -> None:
    """Keep so many memories, some of them with every reason to be looked at."""
    store = SqliteStore(path)
    graph = opened(store)
    element = Element(ref="Bench", kind=ElementKind.SYSTEM, name="Bench", source=("src",))
    graph.import_model(SCOPE, ArchitectureModel(elements=(element,)))

    def drafted(n: int, draft: Draft) -> Draft:
        update: dict[str, object] = {"unreviewed": n % 10 == 0, "elements": ("Bench",) if n % 10 == 1 else ()}
        if n % 10 == 2:
            update["content"] = f"{draft.content} [[Nowhere {n}]]"
        return draft.model_copy(update=update)

    drafts = (drafted(n, one) for n, one in enumerate(islice(facts(count), count)))
    ids = [one.memory.id for one in graph.remember_all(SCOPE, drafts, actor="bench") if not isinstance(one, Exception)]
    now = datetime.now(UTC)
    finding = Finding(ref="Bench", kind=ElementKind.SYSTEM, verdict=Verdict.DRIFTED, landed_at=now)
    graph.record_drift(SCOPE, DriftReport(score=0.0, band="poor", head="c", at=now, elements=(finding,)))
    for n in range(20):
        store.write(SCOPE, lambda unit, n=n: unit.impress(f"s{n}", ids[:100], now))  # type: ignore[misc]
        graph.cite(SCOPE, f"s{n}", ())
    graph.close()


def median(work: Callable[[], object]) -> float:
    """Return milliseconds."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1_000)
    return statistics.median(taken)


def first(store: Open) -> None:
    """Open the store and ask for a page."""
    graph = opened(store())
    graph.inbox(SCOPE)
    graph.close()


def tell(name: str, store: Open) -> None:
    """Print the figures of one store."""
    graph = opened(store())
    found = graph.inbox(SCOPE)
    counts = ", ".join(f"{count} {why.value}" for why, count in found.counts.items())
    print(f"{name}: {counts} {' '.join(found.notices)}")
    alone = {why.value: median(partial(graph.inbox, SCOPE, why=(why,))) for why in Why}
    print(
        f"  all, just opened {median(partial(first, store)):.0f} ms, again {median(partial(graph.inbox, SCOPE)):.0f} ms"
    )
    print(f"  alone: {', '.join(f'{why} {taken:.0f} ms' for why, taken in alone.items())}", flush=True)
    graph.close()


def tell_neo4j(line: str, path: Path, size: int) -> None:
    """Print the figures of the same memories in a Neo4j."""
    from graph.stores.neo4j import Address, Neo4jStore

    with running(LINES[line], "-Xmx2g", "-XX:TieredStopAtLevel=4") as server:
        open_store = partial(Neo4jStore, Address(server.url, server.user, server.password))
        source, target = SqliteStore(path), open_store()
        migrate(source, target)
        source.close()
        target.close()
        tell(f"{size}, Neo4j {line}", open_store)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--neo4j", choices=list(LINES), default="")
    chosen = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        for size in chosen.sizes:
            path = Path(folder) / f"{size}.db"
            fill(path, size)
            tell(f"{size}, the file", partial(SqliteStore, path))
            if chosen.neo4j:
                tell_neo4j(chosen.neo4j, path, size)


if __name__ == "__main__":
    main()
