"""How long a large model takes to be read and taken over, and how much memory; beside the official parser's time.

Run: python -m bench.model_import [--elements 2000] [--runs 5] [--parser RUN]

The model and a source file for each component are generated. Each run is a process of its own, so that its peak memory
is its own too. RUN is a program that reads the DSL files it is given, one JSON line each (the official parser behind a
shell script, say): its whole time is measured, its time for one more file, and its peak memory.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from bench.machine import machine

_CONTAINERS, _COMPONENTS = 5, 18
_MORE = 10
_PROJECT = "bench"


def generate(folder: Path, elements: int) -> Path:
    """Write a model of about so many elements and the source files of its components; return the model's path."""
    random = Random(1)
    each = 1 + _CONTAINERS + _CONTAINERS * _COMPONENTS
    systems, people = max(1, round(elements / each)), 20
    lines = ['workspace "Generated" {', "    !identifiers hierarchical", "    model {"]
    lines += [
        "        archetypes {",
        "            service = container {",
        '                technology "Go"',
        "            }",
    ]
    lines += ["        }", *(f'        u{n} = person "User {n}" "Uses the systems" "Staff"' for n in range(people))]
    names: list[str] = []
    for s in range(systems):
        lines += [
            f'        group "Area {s % 5}" {{',
            f'            s{s} = softwareSystem "System {s}" "Does part {s}" {{',
        ]
        for c in range(_CONTAINERS):
            lines.append(f'                c{c} = service "Service {c}" "Serves {s}.{c}" "Python" "Core,Tier {c}" {{')
            for k in range(_COMPONENTS):
                path = f"src/s{s}/c{c}/part_{k}.py"
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(f"PART = {k}\n")
                lines.append(f'                    k{k} = component "Part {k}" "Computes {k}" "Python" {{')
                lines += ["                        properties {", f'                            path "{path}"']
                lines += ["                        }", "                    }"]
                names.append(f"s{s}.c{c}.k{k}")
            lines.append("                }")
        lines += ["            }", "        }"]
    for number in range(elements * 3 // 2):
        one, other = random.sample(names, 2)
        lines.append(f'        {one} -> {other} "Calls {number}" "HTTP" "Sync"')
    lines += [f"        u{n} -> s{n % systems}" for n in range(people)]
    lines += ['        !elements "element.tag==Core" {', '            tags "Reviewed"', "        }", "    }", "}"]
    main = folder / "workspace.dsl"
    main.write_text("\n".join(lines) + "\n")
    return main


def measure_here(main: Path, store: Path) -> dict[str, float]:
    """Read and import the model in this process; return the seconds of each step and the peak memory in MB."""
    from graph.c4 import read_model
    from graph.elements import ArchitectureModel
    from graph.scopes import Scope
    from server.bootstrap import open_graph
    from server.settings import Settings
    from server.work_tree import WorkTree

    took: dict[str, float] = {}

    def timed(name: str, work: Callable[[], object]) -> None:
        start = time.perf_counter()
        work()
        took[name] = time.perf_counter() - start

    models: list[ArchitectureModel] = []
    graph = open_graph(Settings(store=store), None)
    scope = Scope(project=_PROJECT)
    timed("read", lambda: models.append(read_model(WorkTree(main.parent), [main.name])))
    timed("import", lambda: graph.import_model(scope, models[0]))
    timed("again", lambda: graph.import_model(scope, models[0]))
    graph.close()
    took["elements"], took["relationships"] = len(models[0].elements), len(models[0].relationships)
    took["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return took


def measure(main: Path, runs: int) -> dict[str, float]:
    """Return the medians of several processes, and the whole time that such a process takes."""
    found: list[dict[str, float]] = []
    for number in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            command = [sys.executable, "-m", "bench.model_import", "--here", str(main), f"{folder}/{number}.db"]
            done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
            found.append({**json.loads(done.stdout), "whole": time.perf_counter() - start})
    return {name: statistics.median(one[name] for one in found) for name in found[0]}


def measure_parser(parser: Path, main: Path, runs: int) -> tuple[float, float, float]:
    """Return the parser's whole seconds for one file, its seconds for one more, and its peak memory in MB."""

    def took(files: Sequence[Path]) -> float:
        start = time.perf_counter()
        subprocess.run([parser, *files], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start

    took([main])  # what it fetches or compiles once is not its time
    whole = statistics.median(took([main]) for _ in range(runs))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return whole, (took([main] * (1 + _MORE)) - whole) / _MORE, memory


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--elements", type=int, default=2_000)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--parser", type=Path)
    options.add_argument("--here", nargs=2, type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.here:
        print(json.dumps(measure_here(*chosen.here)))
        return
    with tempfile.TemporaryDirectory() as folder:
        model = generate(Path(folder), chosen.elements)
        if chosen.parser:
            whole, one_more, memory = measure_parser(chosen.parser, model, chosen.runs)
        ours = measure(model, chosen.runs)
        lines = model.read_text().count("\n")
    print(f"{machine()}\n")
    print(f"{ours['elements']:.0f} elements, {ours['relationships']:.0f} relationships, {lines} lines\n")
    print("| | seconds | peak memory MB |\n|---|---|---|")
    for step, name in (("read", "read"), ("import", "take over"), ("again", "take over again, unchanged")):
        print(f"| archmem: {name} | {ours[step]:.2f} | |")
    print(f"| archmem: read and take over | {ours['read'] + ours['import']:.2f} | |")
    print(f"| archmem: the whole process | {ours['whole']:.2f} | {ours['memory']:.0f} |")
    if chosen.parser:
        print(f"| official parser: the whole process | {whole:.2f} | {memory:.0f} |")
        print(f"| official parser: one more file, warm | {one_more:.2f} | |")


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
