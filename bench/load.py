"""Three servers on one Neo4j under load, one of them killed and started again each minute: what is kept, what waits.

Run: python -m bench.load [--seconds 300] [--clients 4] [--memories 2000] [--line 5.26]

Clients remember facts of their own, each under an idempotency key, and recall three times as often. An answer that does
not come is asked for again at the next server under the same key, as an agent would. Meanwhile somebody pushes to the
project's repository, which the servers check each ten seconds. At the end every acknowledged write is looked up, and
every commit's runs are counted. Each client embeds each question itself just before it is recalled, so that both meet
the same machine.
"""

import argparse
import itertools
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import httpx
import uuid_utils

from bench.corpus import facts, questions
from bench.machine import machine
from graph.embedders.local import LocalEmbedder
from tests.neo4j.launcher import LINES, Server, running

PROJECT = "example.org/bench/bookshop"
SAMPLE = Path(__file__).parent.parent / "c4-samples" / "bookshop"
SERVERS = 3
KILLED_EVERY = 60.0  # seconds
DEAD_FOR = 3.0
PUSHED_EVERY = 25.0
RECALLS_PER_WRITE = 3
PATIENCE = 30.0


class Node:
    """One server process on a port of its own."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._environment = environment
        self._folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "server.cli", "serve", "--port", str(self.port)]
        with (self._folder / f"server-{self.port}.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=self._folder, env=dict(self._environment), stdout=log, stderr=log
            )
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if httpx.get(f"{self.url}/healthz", timeout=2).is_success:
                    return
            except httpx.HTTPError:
                pass
            if time.monotonic() > deadline:
                raise SystemExit(f"the server at {self.url} does not start; see its log")
            time.sleep(0.1)

    def end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)


@dataclass
class Seen:
    """What one client saw: each acknowledged fact with its memory's id, milliseconds, and what had to be repeated."""

    acknowledged: dict[str, str] = field(default_factory=dict)
    remember: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    embedding: list[float] = field(default_factory=list)
    repeated: Counter[str] = field(default_factory=Counter)
    replayed: int = 0
    merged: int = 0


class Client:
    """Asks the servers in turn, and goes on to the next when one does not answer."""

    def __init__(self, number: int, nodes: Sequence[Node], seen: Seen) -> None:
        self._turn = itertools.cycle(nodes[number % len(nodes) :] + nodes[: number % len(nodes)])  # type: ignore[operator]
        self._http = httpx.Client(params={"project": PROJECT}, timeout=PATIENCE)
        self._seen = seen

    def ask(self, path: str, body: Mapping[str, Any], times: list[float], key: str = "") -> dict[str, Any]:
        while True:
            node = next(self._turn)
            start = time.perf_counter()
            try:
                headers = {"Idempotency-Key": key} if key else {}
                answer = self._http.post(f"{node.url}{path}", json=dict(body), headers=headers)
            except httpx.TransportError as error:
                self._seen.repeated[type(error).__name__] += 1
                time.sleep(0.05)
                continue
            if answer.status_code == 503:
                self._seen.repeated["503"] += 1
                time.sleep(0.2)
                continue
            answer.raise_for_status()
            times.append((time.perf_counter() - start) * 1e3)
            made: dict[str, Any] = answer.json()
            return made


def work(number: int, nodes: Sequence[Node], until: float, seen: Seen, embedder: LocalEmbedder) -> None:
    client, told = Client(number, nodes, seen), facts(100_000, seed=1_000 + number)
    asked = itertools.cycle(questions(500, seed=number))
    while time.monotonic() < until:
        content = next(told).content.replace("ticket ", f"ticket {number}-")
        answer = client.ask("/api/memories", {"content": content}, seen.remember, str(uuid_utils.uuid7()))
        seen.acknowledged[content] = answer["memory"]["id"]
        seen.replayed += answer["replayed"]
        seen.merged += answer["deduplicated"]
        for question in itertools.islice(asked, RECALLS_PER_WRITE):
            start = time.perf_counter()
            embedder.embed([question])
            seen.embedding.append((time.perf_counter() - start) * 1e3)
            client.ask("/api/recall", {"question": question}, seen.recall)


def disturb(nodes: Sequence[Node], until: float) -> int:
    """Kill each minute the next server, and start it again; return how often."""
    killed = 0
    for node in itertools.cycle(nodes):
        if time.monotonic() + KILLED_EVERY > until:
            return killed
        time.sleep(KILLED_EVERY)
        node.end(signal.SIGKILL)
        killed += 1
        time.sleep(DEAD_FOR)
        node.start()
    return killed


def push(checkout: Path, until: float, pushed: list[str]) -> None:
    """Change the code and push it, every now and then."""
    code = checkout / "services/api/checkout/place_order.py"
    original = code.read_text("utf-8")
    for number in itertools.count(1):
        code.write_text(
            f"{original}\n\nLIMIT_{number} = {number}\n\n\ndef limit_{number}() -> int:\n    return {number}\n"
        )
        git(checkout, "commit", "-qam", f"Limit {number}")
        git(checkout, "push", "-q", "origin", "HEAD:main")
        pushed.append(git(checkout, "rev-parse", "HEAD").strip())
        if time.monotonic() + PUSHED_EVERY > until:
            return
        time.sleep(PUSHED_EVERY)


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@contextmanager
def servers(neo4j: Server, folder: Path, checkout: Path, memories: int) -> Iterator[list[Node]]:
    """Give the running servers over a store with the project, its repository and some memories."""
    environment = {
        **os.environ,
        "ARCHMEM_STORE": neo4j.url,
        "ARCHMEM_NEO4J_USER": neo4j.user,
        "ARCHMEM_NEO4J_PASSWORD": neo4j.password,
        "ARCHMEM_EMBEDDER": "local",
        "ARCHMEM_DRIFT_SCHEDULE": "every 10s",
        "ARCHMEM_CLONES": str(folder / "clones"),
        "ARCHMEM_REPOSITORIES": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_STATE_HOME": str(folder / "state"),
    }

    def archmem(*arguments: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "server.cli", *arguments],
            cwd=checkout,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    archmem("init")
    archmem("project", "repository", f"file://{folder / 'origin.git'}", "--branch", "main")
    nodes = [Node(environment, folder) for _ in range(SERVERS)]
    try:
        for node in nodes:
            node.start()
        with httpx.Client(base_url=nodes[0].url, params={"project": PROJECT}, timeout=60) as rest:
            for draft in facts(memories):
                rest.post("/api/memories", json={"content": draft.content, "kind": draft.kind}).raise_for_status()
        yield nodes
    finally:
        for node in nodes:
            node.end(signal.SIGTERM)


def kept(node: Node) -> list[dict[str, Any]]:
    """Return every live memory of the project."""
    found: list[dict[str, Any]] = []
    after = ""
    with httpx.Client(base_url=node.url, params={"project": PROJECT}, timeout=60) as rest:
        while True:
            page = rest.get("/api/memories", params={"after": after, "limit": 500}).json()
            found.extend(page["memories"])
            after = page["next"]
            if not after:
                return found


def runs(node: Node) -> Counter[str]:
    """Return how many drift runs were recorded of each commit."""
    answer = httpx.get(f"{node.url}/api/drift/runs", params={"project": PROJECT, "limit": 100}, timeout=60)
    return Counter(run["head"] for run in answer.json()["runs"])


def percentiles(times: Sequence[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return f"{cuts[49]:,.0f} | {cuts[94]:,.0f} | {cuts[98]:,.0f} | {max(times):,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--line", choices=list(LINES), default="5.26")
    chosen = parser.parse_args()
    random.seed(0)
    with tempfile.TemporaryDirectory() as made, running(LINES[chosen.line], "-XX:TieredStopAtLevel=4") as neo4j:
        folder = Path(made)
        checkout = repository(folder)
        with servers(neo4j, folder, checkout, chosen.memories) as nodes:
            embedder, pushed = LocalEmbedder(), list[str]()
            embedder.embed(["the model is loaded before the clock starts"])
            seen = [Seen() for _ in range(chosen.clients)]
            until = time.monotonic() + chosen.seconds
            threads = [
                threading.Thread(target=work, args=(number, nodes, until, one, embedder))
                for number, one in enumerate(seen)
            ]
            threads.append(threading.Thread(target=push, args=(checkout, until, pushed)))
            for thread in threads:
                thread.start()
            killed = disturb(nodes, until)
            for thread in threads:
                thread.join()
            # The last push is checked within ten seconds, and a run that a killed server began after a minute.
            deadline = time.monotonic() + 90
            while (checked := runs(nodes[0])).keys() < {pushed[-1]} and time.monotonic() < deadline:
                time.sleep(1)
            print(report(seen, kept(nodes[0]), checked, pushed, killed, chosen))


def repository(folder: Path) -> Path:
    """Return a checkout of a new repository with the sample, which servers clone from `origin.git` beside it."""
    checkout = shutil.copytree(SAMPLE, folder / "checkout")
    git(folder, "init", "-q", "--bare", "-b", "main", "origin.git")
    git(checkout, "init", "-q", "-b", "main")
    toml = checkout / "archmem.toml"
    toml.write_text(toml.read_text("utf-8").replace("[project]", f'[project]\nid = "{PROJECT}"'), "utf-8")
    git(checkout, "add", "-A")
    git(checkout, "commit", "-qm", "The shop")
    git(checkout, "remote", "add", "origin", str(folder / "origin.git"))
    git(checkout, "push", "-q", "origin", "HEAD:main")
    return checkout


def report(
    seen: Sequence[Seen],
    memories: Sequence[Mapping[str, Any]],
    checked: Counter[str],
    pushed: Sequence[str],
    killed: int,
    chosen: argparse.Namespace,
) -> str:
    by_content = Counter(str(one["content"]) for one in memories)
    by_id = {str(one["id"]): str(one["content"]) for one in memories}
    written = {content: name for one in seen for content, name in one.acknowledged.items()}
    lost = [content for content, name in written.items() if by_id.get(name) is None]
    twice = [content for content, count in by_content.items() if count > 1]
    repeated = sum((one.repeated for one in seen), Counter[str]())
    remember, recall, embedding = (
        [value for one in seen for value in getattr(one, name)] for name in ("remember", "recall", "embedding")
    )
    again = {head[:12]: count for head, count in checked.items() if count > 1}
    unchecked = [head[:12] for head in pushed[-1:] if not checked[head]]
    return "\n".join(
        (
            f"{machine()}; Neo4j {chosen.line}; {SERVERS} servers, {chosen.clients} clients, {chosen.seconds:.0f} s, "
            f"{killed} kills; {chosen.memories:,} memories before",
            f"acknowledged writes: {len(written):,}; lost: {len(lost)}; duplicated: {len(twice)}; "
            f"merged with another: {sum(one.merged for one in seen)}; "
            f"answered again from their key: {sum(one.replayed for one in seen)}",
            f"asked again: {dict(repeated) or 'nothing'}",
            f"pushes: {len(pushed)}; commits checked: {len(checked)}; checked twice: {again or 'none'}; "
            f"the last one unchecked: {unchecked or 'no'}",
            "",
            "| milliseconds | p50 | p95 | p99 | longest |",
            "|---|---|---|---|---|",
            f"| remember | {percentiles(remember)} |",
            f"| recall | {percentiles(recall)} |",
            f"| the same question embedded by the client | {percentiles(embedding)} |",
        )
    )


if __name__ == "__main__":
    main()
