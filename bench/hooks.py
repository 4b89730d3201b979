"""How long an agent waits for its hooks: `python -m bench.hooks`, each hook a process of its own, as a client calls it.

A project of 400 elements with 2,000 memories, every third a pitfall, in a store without an embedder.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from bench.machine import machine
from graph.elements import ArchitectureModel, Element, ElementKind
from graph.memories import Draft, Kind
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.bootstrap import bootstrap
from server.settings import Settings

ELEMENTS, MEMORIES, EDITS = 400, 2_000, 40
PROJECT = "bench"


def fill(graph: MemoryGraph) -> None:
    """Register the project with its elements and memories."""
    scope = Scope(project=PROJECT)
    graph.add_project("local", PROJECT, "Bench")
    system = Element(ref="S", kind=ElementKind.SYSTEM, name="S")
    parts = [
        Element(ref=f"S.E{n}", kind=ElementKind.CONTAINER, name=f"E{n}", parent="S", source=(f"src/part{n}/**/*.py",))
        for n in range(ELEMENTS)
    ]
    graph.import_model(scope, ArchitectureModel(elements=(system, *parts)))
    kinds = (Kind.PITFALL, Kind.NOTE, Kind.CONVENTION)
    drafts = (
        Draft(content=f"Fact {n} of part {n % ELEMENTS}", kind=kinds[n % 3], elements=(f"S.E{n % ELEMENTS}",))
        for n in range(MEMORIES)
    )
    for _ in graph.remember_all(scope, drafts, actor="bench"):
        pass


def _processor() -> float:
    """Return the milliseconds of processor time that children have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1e3


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, root = Path(folder) / "home", Path(folder) / "code"
        home.mkdir()
        root.mkdir()
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        graph = bootstrap(Settings(store=home / "archmem.db", embedder="none"))
        fill(graph)
        graph.close()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("ARCHMEM_", "XDG_"))},
            "HOME": str(home),
            "ARCHMEM_STORE": str(home / "archmem.db"),
            "ARCHMEM_PROJECT": PROJECT,
            "ARCHMEM_EMBEDDER": "none",
        }

        spent_by: list[float] = []

        def call(hook: str, **more: object) -> tuple[float, str]:
            told = json.dumps({"session_id": "1", "cwd": str(root), **more}).encode()
            before, started = _processor(), time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "server.cli", "hook", hook, "--client", "bench"],
                input=told, capture_output=True, env=environment, check=True,
            )  # fmt: skip
            spent_by.append(_processor() - before)
            return (time.perf_counter() - started) * 1e3, done.stdout.decode()

        def edit(n: int) -> tuple[float, str]:
            path = str(root / f"src/part{n}/a/module.py")
            return call("pre-edit", tool_name="Edit", tool_input={"file_path": path, "new_string": "x" * 20_000})

        start, briefing = call("session-start")
        first = [edit(n) for n in range(EDITS)]
        again = [edit(0) for _ in range(EDITS)]
        end, _ = call("session-end")
        python = []
        for _ in range(EDITS):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            python.append((time.perf_counter() - began) * 1e3)
    print(machine())
    print(f"session-start {start:.0f} ms, {len(briefing)} characters; session-end {end:.0f} ms")
    for name, times in (("pre-edit, told", first), ("pre-edit, told before", again)):
        spent = [one for one, _ in times]
        most = max(len(text) for _, text in times)
        print(
            f"{name}: median {median(spent):.0f} ms, 95th {quantiles(spent, n=20)[-1]:.0f}, at most {most} characters"
        )
    print(f"pre-edit: median {median(spent_by[1:-1]):.0f} ms of processor time")
    print(f"Python alone: median {median(python):.0f} ms")


if __name__ == "__main__":
    main()
