"""How Neo4j recalls beside the embedded store: the same memories, the same questions, in turn; and what recall misses.

Run: python -m bench.graph_stores [--line 5.26|2026] [--questions 50]

One organisation: 20 projects of 500 memories, one of 10,000, one of 100,000 and one of 50. They are remembered in a
file with random vectors, migrated into a real Neo4j that the bench starts, and asked for on both. "Exact" scores every
memory of the project one by one by the ranking formula.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import uuid_utils

from bench.corpus import facts, questions
from bench.machine import machine
from bench.speed import Random, timed
from graph.codec import Codec
from graph.embedders import Embedder
from graph.embedders.local import LocalEmbedder
from graph.memories import State
from graph.memory_graph import MemoryGraph
from graph.migrating import migrate
from graph.parts import Parts
from graph.policy import GraphPolicy
from graph.ranking import Question, factors
from graph.scopes import Scope
from graph.stores.neo4j import Address, Neo4jStore
from graph.stores.port import ReadUnit
from graph.stores.sqlite import SqliteStore
from graph.stores.transfer import Store
from graph.terms import analyse, question_keys
from graph.vectors import Vector, cosines
from tests.neo4j.launcher import LINES, running

SIZES = {**{f"small{n:02}": 500 for n in range(20)}, "middle": 10_000, "large": 100_000, "tiny": 50}
ASKED = {"500, the first of 20": "small00", "10,000": "middle", "100,000": "large", "50": "tiny"}
EXACT_QUESTIONS = 20
JVM = ("-Xmx2g", "-XX:TieredStopAtLevel=4")


class Recording(LocalEmbedder):
    """The local model; `last` is the vector that recall asked with, of the telling words of the question."""

    last: Vector

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        made = super().embed(texts)
        self.last = made[-1]
        return made


class Row(NamedTuple):
    """One project: recall@10 against the exact scan on each store, and medians in milliseconds."""

    name: str
    right: dict[str, float]
    first: dict[str, float]
    warm: dict[str, float]
    scan: float


def scope(project: str) -> Scope:
    return Scope(project=project)


def graph_on(store: Store, embedder: Embedder | None) -> MemoryGraph:
    return MemoryGraph(Parts(store, lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7()), embedder))


def fill(store: Store) -> None:
    """Remember each project's facts, with random vectors."""
    graph = graph_on(store, None)
    for seed, (name, count) in enumerate(SIZES.items()):
        graph.add_project("local", name, name)
        for _ in graph.remember_all(scope(name), facts(count, seed), actor="bench"):
            pass
    filling = graph_on(store, Random())
    for name in SIZES:
        filling.back_fill(scope(name))


def exact(store: Store, project: str, asked: str, embedder: Recording, limit: int) -> list[str]:
    """Return the ids of the best for what was recalled last, each memory scored by itself."""
    codec, policy = Codec(), GraphPolicy().ranking

    def work(unit: ReadUnit) -> list[str]:
        ids = list(ids_of(unit))
        terms = tuple(codec.key(unit.scope, term) for term in analyse(asked))
        keys = frozenset(codec.key(unit.scope, key) for key in question_keys(asked))
        semantic = cosines(embedder.last, unit.vectors(ids, embedder.identity))
        question = Question(terms=terms, keys=keys, semantic=semantic)
        stats, now = unit.term_stats(terms), datetime.now(UTC)
        scored = [(factors(question, one, stats, now, policy), one.id) for one in unit.facts(ids)]
        best = sorted((-f.score, name) for f, name in scored if f.relevance >= policy.min_relevance)
        return [name for _, name in best[:limit]]

    return store.read(scope(project), work)


def ids_of(unit: ReadUnit) -> Iterator[str]:
    after = ""
    while page := unit.listed((State.LIVE,), after=after, limit=5_000):
        yield from (record.id for record in page)
        after = page[-1].id


def measure(name: str, project: str, stores: dict[str, Store], count: int) -> Row:
    embedder = Recording()
    graphs = {kind: graph_on(store, embedder) for kind, store in stores.items()}
    asked = questions(count, seed=3)
    first = {kind: timed(lambda g=graph: g.recall(scope(project), asked[0])) for kind, graph in graphs.items()}  # type: ignore[misc]
    for question in asked[:10]:
        for graph in graphs.values():
            graph.recall(scope(project), question)
    took: dict[str, list[float]] = {kind: [] for kind in graphs}
    for question in asked:
        for kind, graph in graphs.items():
            took[kind].append(timed(lambda g=graph, q=question: g.recall(scope(project), q)))  # type: ignore[misc]
    found: dict[str, list[float]] = {kind: [] for kind in graphs}
    scans = []
    own = set(stores["SQLite"].read(scope(project), lambda unit: list(ids_of(unit))))
    for question in asked[:EXACT_QUESTIONS]:
        answers = {
            kind: [hit.id for hit in graph.recall(scope(project), question, limit=10).hits]
            for kind, graph in graphs.items()
        }
        start = time.perf_counter()
        best = exact(stores["SQLite"], project, question, embedder, 10)
        scans.append((time.perf_counter() - start) * 1e3)
        for kind, hits in answers.items():
            if foreign := set(hits) - own:
                raise SystemExit(f"{kind} recalled {foreign} of another project in {project}")
            found[kind].append(len(set(best) & set(hits)) / len(best) if best else 1.0)
    return Row(
        name,
        {kind: statistics.mean(values) for kind, values in found.items()},
        first,
        {kind: statistics.median(values) for kind, values in took.items()},
        statistics.median(scans),
    )


def report(rows: Sequence[Row], line: str, version: str, filled: float, migrated: tuple[float, int]) -> str:
    kinds = list(rows[0].warm)
    out = [
        f"{machine()}; {version}; {sum(SIZES.values()):,} memories in {len(SIZES)} projects",
        f"filled in {filled:.0f} s; migrated into Neo4j {line}: {migrated[1]:,} entries in {migrated[0]:.0f} s, "
        f"{migrated[1] / migrated[0]:,.0f} a second, both stores read again and compared in that time",
        "",
        "| memories of the project | " + " | ".join(f"recall@10 {kind}" for kind in kinds) + " | "
        + " | ".join(f"first ms {kind}" for kind in kinds) + " | " + " | ".join(f"warm ms {kind}" for kind in kinds)
        + " | times | exact scan ms |",
        "|---" * (3 * len(kinds) + 3) + "|",
    ]  # fmt: skip
    for row in rows:
        cells = (
            *(f"{row.right[kind]:.3f}" for kind in kinds),
            *(f"{row.first[kind]:,.0f}" for kind in kinds),
            *(f"{row.warm[kind]:.1f}" for kind in kinds),
        )
        times = row.warm[kinds[1]] / row.warm[kinds[0]]
        out.append(f"| {row.name} | {' | '.join(cells)} | {times:.2f} | {row.scan:,.0f} |")
    return "\n".join(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--line", choices=list(LINES), default="5.26")
    parser.add_argument("--questions", type=int, default=50)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running(LINES[chosen.line], *JVM) as server:
        file = SqliteStore(Path(folder, "archmem.db"))
        filled = timed(lambda: fill(file)) / 1e3
        neo4j = Neo4jStore(Address(server.url, server.user, server.password))
        start = time.perf_counter()
        done = migrate(file, neo4j)
        took = time.perf_counter() - start
        stores: dict[str, Store] = {"SQLite": file, "Neo4j": neo4j}
        rows = [measure(name, project, stores, chosen.questions) for name, project in ASKED.items()]
        print(report(rows, chosen.line, neo4j.version, filled, (took, sum(done.counts.values()))))
        neo4j.close()
        file.close()


if __name__ == "__main__":
    main()
