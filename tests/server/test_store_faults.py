"""The command line on a store that cannot be used: exit code 2, one clear error, and nothing lost."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.server.shop import LIMIT, Cli, Done, write

SETPRIV = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
PRLIMIT = ("prlimit", "--fsize=32768")


@pytest.fixture
def store(cli: Cli) -> Path:
    """The shop's store with one memory in it."""
    cli("remember", LIMIT, "--title", "Limits")
    return Path(cli.environment["ARCHMEM_STORE"])


@pytest.fixture
def bound(cli: Cli) -> Cli:
    """A command line that permissions bind, whoever runs the tests."""
    if os.name != "posix":
        pytest.skip("permissions mean something else here")
    return cli.behind(*needed(SETPRIV)) if os.geteuid() == 0 else cli


def needed(command: tuple[str, ...]) -> tuple[str, ...]:
    if not shutil.which(command[0]) or subprocess.run([*command, "true"], check=False).returncode:
        pytest.skip(f"needs a {command[0]} that may do so")
    return command


def told(done: Done, what: str, next_step: str) -> None:
    error, following = done.err.splitlines()[-2:]
    assert error.startswith("Error: ")
    assert what in error
    assert following.startswith("Next: ")
    assert next_step in following
    assert done.out == ""


def test_a_store_that_is_read_only_is_read_and_not_written(cli: Cli, bound: Cli, store: Path) -> None:
    store.chmod(0o444)
    told(bound("remember", "Another fact", code=2), "read-only", "permissions")
    assert LIMIT in bound("recall", "requests").out
    for path in store.parent.iterdir():
        path.chmod(0o644)
    assert [one["content"] for one in cli("list", "--json").json["memories"]] == [LIMIT]


def test_a_store_that_may_not_be_read_is_told(cli: Cli, bound: Cli, store: Path) -> None:
    store.chmod(0)
    told(bound("recall", "requests", code=2), "cannot be opened", "permissions")
    store.chmod(0o644)
    assert LIMIT in cli("recall", "requests").out


def test_a_folder_that_may_not_be_written_is_told(cli: Cli, bound: Cli, store: Path) -> None:
    store.parent.chmod(0o555)
    try:
        told(bound("remember", "Another fact", code=2), "read-only", "permissions")
        elsewhere = str(store.parent / "other.db")
        told(bound("init", "--store", elsewhere, code=2), "cannot be opened", "--store")
        told(bound("init", "--store", str(store.parent / "new" / "a.db"), code=2), "cannot be made", "--store")
    finally:
        store.parent.chmod(0o755)
    assert LIMIT in cli("recall", "requests").out


def test_a_file_in_place_of_the_folder_is_told(cli: Cli, store: Path) -> None:
    below = str(store / "below" / "archmem.db")
    for command in (("init",), ("recall", "requests"), ("remember", "Another fact")):
        told(cli(*command, "--store", below, code=2), "cannot be made", "--store")
    told(cli("coverage", "--store", str(store.parent), code=2), "cannot be opened", "--store")
    assert LIMIT in cli("recall", "requests").out


def test_a_damaged_store_is_told_and_left_as_it_is(cli: Cli, store: Path) -> None:
    whole = store.read_bytes()
    store.write_bytes(whole[: len(whole) // 2])
    told(cli("recall", "requests", code=2), "damaged", "backup")
    done = cli("recall", "requests", "--json", code=2)
    assert (done.json["code"], done.json["status"]) == ("store_mismatch", 503)
    assert cli("doctor", "--json", code=2).json["checks"][-1]["status"] == "fail"
    assert store.read_bytes() == whole[: len(whole) // 2]
    store.write_bytes(whole)
    assert LIMIT in cli("recall", "requests").out


@pytest.mark.usefixtures("store")
def test_a_disk_that_takes_no_more_is_told_and_nothing_is_lost(cli: Cli) -> None:
    small = cli.behind(*needed(PRLIMIT))
    long = " ".join(f"word{n}" for n in range(2_000))
    told(small("remember", long, code=2), "nothing was written", "disk")
    assert [one["content"] for one in cli("list", "--json").json["memories"]] == [LIMIT]
    assert "remembered" in cli("remember", long).out


def test_a_file_that_is_no_store_is_not_served(cli: Cli, store: Path) -> None:
    write(store.parent, {"foreign.txt": "notes\n" * 100})
    done = cli("serve", "--port", "0", "--store", str(store.parent / "foreign.txt"), code=2)
    told(done, "not a store", "--store")
