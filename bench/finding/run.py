"""Who finds the elements that a task is about: `python -m bench.finding.run [--models FOLDER] [--tuned] [--verbose]`.

Thirty tasks about three models, written down before anything was measured (held_out.json), each in words that its right
elements do not use, which is checked before. hit@3: a right element is among the first three. Word overlap counts the
words (lower case, no stems) that a task and an element's text share; words is archmem without an embedder; blend is
archmem with the local one. Models of other teams are read from copies below FOLDER, and left out without one. The
bookshop is asked with its memories and without them.
"""

import argparse
import json
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import uuid_utils

from bench.finding.tasks import BOOKSHOP, Asked, Task, model_of, shared_words, tasks_of
from bench.machine import machine
from graph.elements import ArchitectureModel, Element, ElementKind
from graph.embedders import Embedder
from graph.embedders.local import LocalEmbedder
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore

_SCOPE = Scope(project="bench")
_FIRST = 3
Find = Callable[[str], Sequence[str]]


def main() -> None:
    """Print hit@3 by model and by way of finding, the misses, and how long a find takes on 2,000 elements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, metavar="FOLDER")
    parser.add_argument("--tuned", action="store_true", help="the tasks that the weights were chosen on")
    parser.add_argument("--verbose", action="store_true", help="name what was found in place of each miss")
    given = parser.parse_args()
    embedder = LocalEmbedder()
    total = {"word overlap": 0, "words": 0, "blend": 0}
    asked_all = 0
    for asked in tasks_of("tuned.json" if given.tuned else "held_out.json"):
        model = model_of(asked, given.models)
        if model is None:
            print(f"{asked.name}: no copy of {asked.repository} {asked.path} below {given.models}")
            continue
        _check(asked, model, strict=not given.tuned)
        for memories in (False, True) if asked.name == "bookshop" else (False,):
            ways = {
                "word overlap": _by_overlap(model),
                "words": _by_archmem(model, None, memories),
                "blend": _by_archmem(model, embedder, memories),
            }
            hits = {name: [_is_hit(find, task) for task in asked.tasks] for name, find in ways.items()}
            told = ", ".join(f"{name} {sum(found)}" for name, found in hits.items())
            print(f"{asked.name}{' with its memories' if memories else ''}, {len(asked.tasks)} tasks: {told}")
            if not memories:
                asked_all += len(asked.tasks)
                total = {name: total[name] + sum(found) for name, found in hits.items()}
            for task, hit in zip(asked.tasks, hits["blend"], strict=True):
                if not hit:
                    found = f" -> {', '.join(ways['blend'](task.task)[:_FIRST])}" if given.verbose else ""
                    print(f"  missed: {task.task} ({task.right[0].rpartition('.')[2]}){found}")
    print(f"all {asked_all}: {', '.join(f'{name} {found / max(1, asked_all):.2f}' for name, found in total.items())}")
    _measure_speed(embedder)
    print(machine())


def _check(asked: Asked, model: ArchitectureModel, *, strict: bool) -> None:
    elements = {element.ref: element for element in model.elements}
    for task in asked.tasks:
        missing = [ref for ref in task.right if ref not in elements]
        shared = shared_words(task, elements) if strict and not missing else ()
        if missing or shared:
            raise SystemExit(f"{asked.name}, {task.task}: not in the model {missing}, shared {shared}")


def _is_hit(find: Find, task: Task) -> bool:
    return bool(set(find(task.task)[:_FIRST]) & set(task.right))


def _by_overlap(model: ArchitectureModel) -> Find:
    def words(text: str) -> set[str]:
        return set(re.findall(r"[a-z0-9]+", text.lower()))

    held = {e.ref: words(" ".join((e.ref, e.description, e.technology, *e.tags, *e.source))) for e in model.elements}

    def find(task: str) -> list[str]:
        shared = {ref: len(words(task) & own) for ref, own in held.items()}
        return sorted((ref for ref, count in shared.items() if count), key=lambda ref: (-shared[ref], ref))

    return find


def _by_archmem(model: ArchitectureModel, embedder: Embedder | None, memories: bool) -> Find:
    graph = _graph(embedder)
    graph.import_model(_SCOPE, model)
    written = json.loads((BOOKSHOP / "memories.json").read_text(encoding="utf-8"))["memories"] if memories else []
    list(graph.remember_all(_SCOPE, [Draft.model_validate(one) for one in written], actor="bench"))
    graph.back_fill(_SCOPE)
    return lambda task: [one.ref for one in graph.find_elements(_SCOPE, task, limit=_FIRST).elements]


def _measure_speed(embedder: Embedder, elements: int = 2_000, runs: int = 20) -> None:
    nouns = "order basket invoice parcel refund search price author stock mail login index event header".split()

    def made(number: int) -> Element:
        one, other = nouns[number % len(nouns)], nouns[number // len(nouns) % len(nouns)]
        name = f"{one.title()}{other.title()}{number}"
        told = f"Keeps each {one} beside its {other}, part {number}."
        return Element(
            ref=name, kind=ElementKind.CONTAINER, name=name, description=told, source=(f"src/{one}/{number}",)
        )

    graph = _graph(embedder)
    graph.import_model(_SCOPE, ArchitectureModel(elements=tuple(map(made, range(elements)))))
    for filled in (False, True):
        if filled:
            began = time.perf_counter()
            graph.back_fill(_SCOPE)
            print(f"{elements} elements: all vectors made in {time.perf_counter() - began:.1f} s")
        took = []
        for _ in range(runs + 1):
            began = time.perf_counter()
            graph.find_elements(_SCOPE, "Return money when a parcel never arrives")
            took.append((time.perf_counter() - began) * 1_000)
        state = "with all vectors" if filled else "before any vector is kept"
        print(f"find {state}: first {took[0]:.0f} ms, then median {sorted(took[1:])[runs // 2]:.0f} ms")


def _graph(embedder: Embedder | None) -> MemoryGraph:
    store = SqliteStore(Path(tempfile.mkdtemp()) / "bench.db")
    return MemoryGraph(Parts(store, lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7()), embedder))


if __name__ == "__main__":
    main()
