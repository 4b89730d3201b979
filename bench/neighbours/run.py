"""archmem beside mem0 and basic-memory: the same facts, questions and embedding model, one after the other.

Run: python -m bench.neighbours.run [--memories 1000 10000] [--questions 100] [--cache DIR]

The others are installed from PyPI, each into an environment of its own under DIR. basic-memory needs Python 3.12 or
newer: one on PATH, or the one that ARCHMEM_BENCH_PYTHON names. "Write" is what the system needs for the facts with the
model's time; where the system embeds the very facts, that is spent once, before, and added to each.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from bench.corpus import facts, questions
from bench.machine import machine
from bench.neighbours import archmem_driver
from bench.neighbours.embedding_server import DIMENSIONS, MODEL
from bench.neighbours.environments import BASIC_MEMORY, MEM0, NotInstalled, System, ready
from bench.neighbours.measured import Measured, from_driver, line, table
from graph.vectors import Vector

_HERE = Path(__file__).parent
_LIMIT = 10
_WARM_UP = 3
_BATCH = 100
_AT_ONCE = 4
_LONGEST = 900
_SHOWN = 300


def measure(count: int, questions: int, cache: Path) -> list[Measured]:
    """Measure every system with that many memories; one that cannot be had or fails is a row with the reason."""
    with tempfile.TemporaryDirectory() as folder, embedding_server() as url:
        job = make_job(count, questions, url)
        _say(f"embedding {count} facts")
        start = time.perf_counter()
        known = embed_facts(job["facts"], url)
        spent = time.perf_counter() - start
        measures: list[Callable[[], Measured]] = [
            lambda: _with_model(archmem_driver.in_process(_in(job, folder, "archmem-local"), known), spent),
            lambda: _with_model(archmem_driver.over_http(_in(job, folder, "archmem-http")), spent),
            lambda: _with_model(foreign(MEM0, "mem0", _in(job, folder, "mem0"), cache), spent),
            lambda: foreign(BASIC_MEMORY, "basic-memory", _in(job, folder, "basic-memory"), cache),
        ]
        rows = []
        for one in measures:
            rows.append(one())
            _say(line(rows[-1]))
    return rows


def make_job(count: int, asked: int, url: str) -> dict[str, Any]:
    """Return what a driver is told, without the folder."""
    every = list(questions(asked + _WARM_UP))
    return {
        "facts": [draft.content for draft in facts(count)],
        "questions": every[:asked],
        "warm_up": every[asked:],
        "limit": _LIMIT,
        "embedding_url": url,
        "model": MODEL,
        "dimensions": DIMENSIONS,
    }


@contextmanager
def embedding_server() -> Iterator[str]:
    """Run the embedding server in a process of its own; yield its URL."""
    command = [sys.executable, "-m", "bench.neighbours.embedding_server"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_HERE.parents[1])
    try:
        url = server.stdout.readline().strip() if server.stdout else ""
        if not url:
            raise RuntimeError("the embedding server does not start")
        yield url
    finally:
        server.terminate()
        server.wait()


def embed_facts(texts: list[str], url: str) -> dict[str, Vector]:
    """Have the server embed the facts and keep their vectors; return them too."""
    known: dict[str, Vector] = {}
    batches = [texts[first : first + _BATCH] for first in range(0, len(texts), _BATCH)]
    with httpx.Client(timeout=_LONGEST) as client, ThreadPoolExecutor(_AT_ONCE) as pool:

        def ask(batch: list[str]) -> list[Vector]:
            told = client.post(f"{url}/embeddings", json={"model": MODEL, "input": batch, "keep": True})
            return [np.array(each["embedding"], np.float32) for each in told.raise_for_status().json()["data"]]

        for batch, vectors in zip(batches, pool.map(ask, batches), strict=True):
            known.update(zip(batch, vectors, strict=True))
    return known


def foreign(system: System, name: str, job: dict[str, Any], cache: Path) -> Measured:
    """Run the system's driver inside its environment."""
    failed = Measured(name, system.version, len(job["facts"]))
    try:
        python = ready(system, cache)
    except NotInstalled as error:
        return failed._replace(reason=str(error))
    told = Path(job["folder"], "job.json")
    told.write_text(json.dumps(job), encoding="utf-8")
    driver = _HERE / f"{name.replace('-', '_')}_driver.py"
    _say(f"{name}: {len(job['facts'])} memories")
    try:
        code, told_out, told_err = _run_driver([str(python), str(driver), str(told)], job["folder"])
    except subprocess.TimeoutExpired:
        return failed._replace(reason=f"not done within {_LONGEST} s")
    if code:
        return failed._replace(reason=" ".join(told_err.strip().splitlines()[-1:])[:_SHOWN] or f"it ended with {code}")
    return from_driver(json.loads(told_out.splitlines()[-1]))


def _run_driver(command: list[str], folder: str) -> tuple[int, str, str]:
    """Return what it ended with and printed; whatever it started ends with it."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=_LONGEST)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, out, err


def environment(folder: str) -> dict[str, str]:
    """Return all that foreign code sees of the environment: its home is the folder, telemetry is off."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return {**kept, "HOME": folder, "TMPDIR": folder, "MEM0_TELEMETRY": "false", "DO_NOT_TRACK": "1"}


def _in(job: dict[str, Any], folder: str, name: str) -> dict[str, Any]:
    own = Path(folder, name)
    own.mkdir()
    return {**job, "folder": str(own)}


def _with_model(row: Measured, spent: float) -> Measured:
    return row if row.reason else row._replace(write_seconds=row.write_seconds + spent)


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="archmem beside mem0 and basic-memory.")
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "archmem-neighbours"))
    options = parser.parse_args()
    # A run that is ended from outside clears up too, once the requests under way are answered.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    rows = [row for count in options.memories for row in measure(count, options.questions, options.cache)]
    print(f"{machine()}\n\n{table(rows)}")


if __name__ == "__main__":
    main()
