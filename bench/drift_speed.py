"""What a drift check costs beside the git commands it needs: `python -m bench.drift_speed REPOSITORY [--commits N]`.

The repository is cloned, and a model that maps every folder with code is committed on top. The
check compares HEAD with the state N first-parent commits before: cold (nothing kept), and warm (the run after). Beside
it, in the same minute, the git commands that any such check needs, and what lexing the changed files costs.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path

from bench.machine import machine
from drift import DriftPolicy, Repository
from drift.changes import Change
from drift.layouts import layout_of
from drift.lexing import lexer_name, tokens
from drift.normal_form import normal_form
from drift.significance import decoded

_ROUNDS = 5
_MEGABYTE = 1_000_000
_RAW = ("-r", "-z", "--raw", "--no-abbrev")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    parser.add_argument("--commits", type=int, default=500, metavar="N")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "clone")
        _git(Path(), "clone", "--quiet", "--no-checkout", str(given.repository.resolve()), str(place))
        head = _with_model(place)
        base = _git(place, "rev-parse", f"{head}~{given.commits}").decode().strip()
        with Repository.open(place) as repository:
            changes, _ = repository.diff(base, head, DriftPolicy().rename_limit)
            pairs = list(_pairs(repository, changes))
        total = int(_git(place, "rev-list", "--count", head))
        print(machine())
        print(f"{total} commits, {len(changes)} files changed in the last {given.commits}")
        _report_check(place, head, base, changes)
        _report_lexing(pairs)


def _report_check(place: Path, head: str, base: str, changes: tuple[Change, ...]) -> None:
    blobs = "".join(f"{blob}\n" for change in changes for blob in (change.old_blob, change.new_blob) if blob)
    commands = {
        "ls-tree of both": lambda: [_git(place, "ls-tree", "-r", "-z", rev) for rev in (base, head)],
        "diff-tree": lambda: _git(place, "diff-tree", *_RAW, "-M", "-l2000", base, head),
        "cat-file --batch": lambda: _git(place, "cat-file", "--batch", given=blobs.encode()),
        "log --raw": lambda: _git(place, "log", *_RAW, "--first-parent", "-m", "--no-renames", f"{base}..{head}"),
    }
    times: dict[str, list[tuple[float, float]]] = {}
    for number in range(_ROUNDS):
        for name, command in commands.items():
            times.setdefault(name, []).append(_measured(command))
        with tempfile.TemporaryDirectory() as cache:
            check = _check(place, head, base, Path(cache))
            times.setdefault("cold", []).append(_measured(check))
            times.setdefault("warm", []).append(_measured(check))
        times.setdefault("archmem --version", []).append(_measured(lambda: _archmem(place, Path(), "--version")))
        print(f"round {number + 1} of {_ROUNDS}", file=sys.stderr)
    best = {name: (min(wall for wall, _ in each), min(cpu for _, cpu in each)) for name, each in times.items()}
    wall, cpu = (sum(best[name][column] for name in commands) for column in (0, 1))
    best |= {"git in all": (wall, cpu), "goal: 1.5 of it + 150 ms": (1.5 * wall + 0.15, 1.5 * cpu + 0.15)}
    print("| least of five | wall ms | processor ms |\n|---|---|---|")
    for name, (one, other) in best.items():
        print(f"| {name} | {one * 1000:.0f} | {other * 1000:.0f} |")


def _report_lexing(pairs: list[tuple[str, str, str]]) -> None:
    size = sum(len(old) + len(new) for _, old, new in pairs) / _MEGABYTE

    def whole() -> None:
        for name, old, new in pairs:
            for text in (old, new):
                for _ in tokens(name, text):
                    pass

    def compared() -> None:
        for name, old, new in pairs:
            all(one == other for one, other in zip_longest(normal_form(name, old), normal_form(name, new)))

    print(f"{len(pairs)} changed files with a lexer, {size:.1f} MB")
    for name, work in {"lexed whole": whole, "compared to the first difference": compared}.items():
        start = time.process_time()
        work()
        spent = (time.process_time() - start) * 1000
        print(f"| {name} | {spent:.0f} ms | {spent / size:.0f} ms per MB |")


def _pairs(repository: Repository, changes: tuple[Change, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield lexer, old and new text of each changed file that has a lexer."""
    for change in changes:
        if change.added or change.removed or change.old_blob == change.new_blob:
            continue
        old, new = (decoded(repository.read_blob(blob) or b"") for blob in (change.old_blob, change.new_blob))
        name = lexer_name(change.new, new or "")
        if old and new and layout_of(name):
            yield name, old, new


def _with_model(place: Path) -> str:
    """Return a commit on top of HEAD whose model maps each folder with code to a container, and nothing else."""
    with Repository.open(place) as repository:
        head = repository.head()
        paths = repository.tree(head).sorted_paths
    suffixes = DriftPolicy().code_suffixes
    folders = sorted({path.split("/")[0] for path in paths if "/" in path and Path(path).suffix in suffixes})
    lines = ['workspace {\n  model {\n    it = softwareSystem "It" {']
    for number, folder in enumerate(folders):
        lines.append(f'      c{number} = container "{folder}" {{\n        properties {{\n          "source" "{folder}"')
        lines.append("        }\n      }")
    model = "\n".join([*lines, "    }\n  }\n}\n"])
    _git(place, "read-tree", head)
    for name, content in {"bench.dsl": model, "archmem.toml": '[model]\nfiles = ["bench.dsl"]\n'}.items():
        blob = _git(place, "hash-object", "-w", "--stdin", given=content.encode()).decode().strip()
        _git(place, "update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    tree = _git(place, "write-tree").decode().strip()
    who = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    return _git(place, *who, "commit-tree", tree, "-p", head, "-m", "A model").decode().strip()


def _check(place: Path, head: str, base: str, cache: Path) -> Callable[[], object]:
    return lambda: _archmem(place, cache, "drift", "check", "--json", "--target", head, "--base", base)


def _archmem(place: Path, cache: Path, *arguments: str) -> None:
    # Whoever installed it has it compiled.
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    program = Path(sys.executable).with_name("archmem")
    subprocess.run([program, *arguments], cwd=place, env=environment, check=False, stdout=subprocess.DEVNULL)


def _git(place: Path, *arguments: str, given: bytes = b"") -> bytes:
    return subprocess.run(["git", *arguments], cwd=place, input=given, check=True, stdout=subprocess.PIPE).stdout


def _measured(work: Callable[[], object]) -> tuple[float, float]:
    """Return the wall time and the processor time of the processes that were started, in seconds."""
    start, before = time.perf_counter(), os.times()
    work()
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, spent


if __name__ == "__main__":
    main()
