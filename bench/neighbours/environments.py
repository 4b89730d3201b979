"""A virtual environment for each foreign system, kept in a cache folder, with one pinned version."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class System(NamedTuple):
    """A package on PyPI, the version measured, and the least Python that it runs on."""

    package: str
    version: str
    least_python: tuple[int, int]


class NotInstalled(Exception):
    """The system cannot be had here; the message says why."""


MEM0 = System("mem0ai", "2.2.1", (3, 10))
BASIC_MEMORY = System("basic-memory", "0.24.1", (3, 12))
_NEWEST = (3, 14)
_SHOWN = 300


def ready(system: System, cache: Path) -> Path:
    """Return the python of an environment that has the system, made when there is none; raise NotInstalled."""
    folder = cache.resolve() / f"{system.package}-{system.version}"
    python, done = folder / "bin" / "python", folder / "installed"
    if done.exists():
        _say(f"{system.package} {system.version} is installed in {folder}")
        return python
    base = _base_python(system)
    shutil.rmtree(folder, ignore_errors=True)
    _say(f"making {folder} with {base}")
    # Our own pip installs into it: a Python without ensurepip will do.
    _run([base, "-m", "venv", "--without-pip", str(folder)])
    _say(f"installing {system.package} {system.version}, which may take minutes")
    wanted = f"{system.package}=={system.version}"
    _run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", wanted])
    done.touch()
    return python


def _base_python(system: System) -> str:
    for candidate in _pythons():
        asked = subprocess.run(
            [candidate, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False
        )
        if not asked.returncode and system.least_python <= tuple(map(int, asked.stdout.split())) <= _NEWEST:
            return candidate
    least, newest = (".".join(map(str, version)) for version in (system.least_python, _NEWEST))
    raise NotInstalled(f"{system.package} {system.version} needs Python {least} to {newest}: none on PATH")


def _pythons() -> Iterator[str]:
    """Yield the pythons to try: what ARCHMEM_BENCH_PYTHON names, this one, then those on PATH."""
    yield from filter(None, [os.environ.get("ARCHMEM_BENCH_PYTHON")])
    yield sys.executable
    names = (f"python3.{minor}" for minor in range(_NEWEST[1], 9, -1))
    yield from filter(None, map(shutil.which, names))


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no output"]
        raise NotInstalled(f"{' '.join(command[1:4])} failed: {lines[-1][:_SHOWN]}")


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
