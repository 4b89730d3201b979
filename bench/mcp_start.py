"""How long a coding agent waits for `archmem mcp` when it starts it: `python -m bench.mcp_start [RUNS]`.

Each run is a process of its own in a registered checkout of the sample; a cold one after the files of this environment
were dropped from the page cache. Standard output is a table in Markdown, milliseconds from the start of the process.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "c4-samples/bookshop"
STEPS = ("`initialize` answered", "`tools/list` answered", "first `recall` answered", "second `recall` answered")
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
QUESTION = {"name": "recall", "arguments": {"question": "why are payments not retried"}}


def prepare(folder: Path) -> dict[str, str]:
    """Make a registered checkout with one memory; return the environment in which it is found."""
    shutil.copytree(SAMPLE, folder / "shop")
    environment = {**os.environ, "ARCHMEM_STORE": str(folder / "archmem.db")}
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *arguments], cwd=folder / "shop", check=True)
    for arguments in (["init"], ["remember", "Never retry payments: the provider is not idempotent"], ["drift", "run"]):
        command = [sys.executable, "-m", "server.cli", *arguments]
        subprocess.run(command, cwd=folder / "shop", env=environment, check=False, capture_output=True)
    return environment


def drop(folders: list[Path]) -> None:
    """Drop the files below these folders from the page cache."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def run(folder: Path, environment: dict[str, str]) -> list[float]:
    """Return when each step was answered, in milliseconds."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "mcp"],
        cwd=folder / "shop",
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    spent = []
    for id, (method, params) in enumerate(
        (("initialize", INITIALIZE), ("tools/list", {}), ("tools/call", QUESTION), ("tools/call", QUESTION))
    ):
        asked: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["id"] == id
        assert "result" in answer, answer
        spent.append((time.perf_counter() - began) * 1e3)
    process.stdin.close()
    process.wait(10)
    return spent


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) == 2 else 9
    rows: dict[str, list[list[float]]] = {"warm": [], "cold": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = prepare(folder)
        run(folder, environment)
        environments = [
            Path(sys.prefix),
            Path(sys.base_prefix) / "lib",
            ROOT / "graph",
            ROOT / "drift",
            ROOT / "server",
        ]
        for kind, spent in rows.items():
            for _ in range(runs):
                if kind == "cold":
                    drop(environments)
                spent.append(run(folder, environment))
    print("| | warm, median | warm, worst | cold, median | cold, worst |\n|---|---|---|---|---|")
    for index, step in enumerate(STEPS):
        told = [
            f"{number:.0f}"
            for spent in rows.values()
            for number in (statistics.median(one[index] for one in spent), max(one[index] for one in spent))
        ]
        print(f"| {step} | {' | '.join(told)} |")


if __name__ == "__main__":
    main()
