"""Real servers on a two-second schedule over a repository that somebody pushes to: nothing is called."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.shop import IDENTITY, LIMIT, Cli, cli_with, commit, git
from tests.server.test_serving import serving

API = "Shop.API"
SCHEDULE = '[drift]\nschedule = "every 2s"\n'


def limits(number: int) -> dict[str, str]:
    return {"src/api/limits.py": f"LIMIT = {number}\n\n\ndef allow(count):\n    return count < LIMIT\n"}


@pytest.fixture
def origin(shop: Path, tmp_path: Path) -> Path:
    """A bare repository to which the shop is pushed, whose project file says when it is checked."""
    folder = tmp_path / "origin.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(folder))
    git(shop, "remote", "add", "hub", str(folder))
    pushed(shop, {"archmem.toml": SCHEDULE})
    return folder


@pytest.fixture
def watching(cli: Cli, origin: Path, shop: Path, home: Path) -> Cli:
    """A command line whose store says that servers clone and check the shop, in which a memory is about the API."""
    other = cli_with(shop, home, ARCHMEM_CLONES=str(home / "clones"))
    told = other("project", "repository", f"file://{origin}").out
    assert "not cloned here yet" in told
    cli("remember", LIMIT, "--title", "Limit", "--element", API)
    return other


def pushed(shop: Path, files: dict[str, str]) -> str:
    made = commit(shop, files)
    git(shop, "push", "-q", "--force", "hub", "HEAD:main")
    return made


@contextmanager
def client(cli: Cli, *, kill: bool = False) -> Iterator[httpx.Client]:
    with serving(cli, kill=kill) as url, httpx.Client(base_url=url, params={"project": IDENTITY}, timeout=30) as rest:
        yield rest


def until(holds: Callable[[], Any], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)


def is_verify(rest: httpx.Client) -> bool:
    found = rest.post("/api/recall", json={"question": "how many requests a minute?"}).json()
    flagged = bool(found["hits"][0]["verify"])
    assert ("VERIFY" in found["text"]) is flagged
    return flagged


def attempts(rest: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = rest.get("/api/drift").json()["attempts"]
    return found


def wait_for(rest: httpx.Client, head: str) -> None:
    """Wait until a server has checked a commit."""

    def is_checked() -> bool:
        last = rest.get("/api/drift").json()["last"]
        return last is not None and last["head"] == head

    until(is_checked)


def wait_for_tick(rest: httpx.Client) -> None:
    """Wait until the schedule's next attempt has found nothing more to do."""
    last = attempts(rest)[0]["id"]
    until(lambda: (one := attempts(rest)[0])["id"] != last and one["state"] == "unchanged")


def test_a_push_flags_confirming_clears_and_both_survive_a_restart(watching: Cli, shop: Path) -> None:
    with client(watching, kill=True) as rest:
        wait_for(rest, git(shop, "rev-parse", "HEAD"))
        assert not is_verify(rest)
        pushed(shop, limits(200))
        until(lambda: is_verify(rest))
        rest.post("/api/memories/Limit/confirm").raise_for_status()
        assert not is_verify(rest)
        wait_for_tick(rest)
        assert not is_verify(rest)
        pushed(shop, limits(300))
        until(lambda: is_verify(rest))
        wait_for_tick(rest)
    with client(watching) as rest:
        assert is_verify(rest)
        rest.post("/api/memories/Limit/confirm").raise_for_status()
        assert not is_verify(rest)
        pushed(shop, limits(400))
        until(lambda: is_verify(rest))


def test_of_two_servers_one_records_the_run_of_each_commit(watching: Cli, shop: Path) -> None:
    heads = [git(shop, "rev-parse", "HEAD")]
    with client(watching) as one, client(watching) as other:
        wait_for(one, heads[0])
        for number in (200, 300, 400):
            heads.append(pushed(shop, limits(number)))
            wait_for(other, heads[-1])
        wait_for_tick(one)
        wait_for_tick(other)
        runs = other.get("/api/drift/runs").json()["runs"]
    assert [run["head"] for run in reversed(runs)] == heads


def test_what_fails_is_seen_and_tried_again(watching: Cli, origin: Path, shop: Path, home: Path) -> None:
    with client(watching) as rest:
        wait_for(rest, git(shop, "rev-parse", "HEAD"))
        origin.rename(origin.with_name("away"))
        until(lambda: attempts(rest)[0]["state"] == "failed")
        told = attempts(rest)[0]
        assert "cannot be fetched" in told["error"]
        assert told["next_step"]
        origin.with_name("away").rename(origin)
        broken = pushed(
            shop, {"workspace.dsl": 'workspace {\n  model {\n    shop = softwareSystem "Shop {\n', **limits(200)}
        )
        until(lambda: attempts(rest)[0]["head"] == "" and "workspace.dsl:" in attempts(rest)[0]["error"])
        assert not is_verify(rest)
        git(shop, "reset", "-q", "--hard", "HEAD~1")
        rewritten = pushed(shop, limits(300))
        wait_for(rest, rewritten)
        assert is_verify(rest)
        assert broken not in {run["head"] for run in rest.get("/api/drift/runs").json()["runs"]}
        shutil.rmtree(home / "clones")
        wait_for(rest, pushed(shop, limits(400)))
