"""Clones of real repositories: what they hold, what they follow, and how they fail."""

import os
import stat
import time
from pathlib import Path

import pytest

from drift import Repository, clone_of, fetch_clone, parse_address
from graph.errors import Unavailable
from tests.drift.conftest import Checkout


def never() -> None:
    """Let a fetch go on."""


def fetched(folder: Path, origin: Path, branch: str = "", seconds: float = 30) -> Path:
    return fetch_clone(folder, parse_address(f"file://{origin}"), branch, seconds=seconds, go_on=never)


def head(clone: Path) -> str:
    with Repository.open(clone) as repository:
        return repository.head()


def test_a_clone_follows_the_head_of_its_origin_rewritten_or_not(shop: Checkout, tmp_path: Path) -> None:
    clones = tmp_path / "clones"
    clone = fetched(clones, shop.root)
    assert head(clone) == shop.git("rev-parse", "HEAD")
    assert clone == clone_of(clones, parse_address(f"file://{shop.root}"), "")
    second = shop.commit({"src/api/cart.js": "function add() {}\n"})
    assert fetched(clones, shop.root) == clone
    assert head(clone) == second
    shop.git("reset", "--quiet", "--hard", "HEAD~1")
    third = shop.commit({"src/api/cart.js": "function remove() {}\n"})
    fetched(clones, shop.root)
    assert head(clone) == third
    with Repository.open(clone) as repository:
        assert repository.has_commit(second), "a memory may be anchored there"
    assert [one.name for one in clones.iterdir()] == [clone.name]


def test_a_branch_is_followed_where_one_is_named(shop: Checkout, tmp_path: Path) -> None:
    main = shop.git("rev-parse", "HEAD")
    shop.git("checkout", "--quiet", "-b", "release/1")
    release = shop.commit({"src/api/cart.js": "function add() {}\n"})
    shop.git("checkout", "--quiet", "main")
    assert head(fetched(tmp_path / "clones", shop.root)) == main
    clone = fetched(tmp_path / "clones", shop.root, "release/1")
    assert head(clone) == release
    with pytest.raises(Unavailable, match="cannot be fetched"):
        fetched(tmp_path / "clones", shop.root, "nowhere")


def test_what_cannot_be_fetched_leaves_no_half_clone_and_an_old_one_as_it_was(shop: Checkout, tmp_path: Path) -> None:
    clones = tmp_path / "clones"
    with pytest.raises(Unavailable) as caught:
        fetched(clones, tmp_path / "nowhere")
    assert "nowhere" in caught.value.what
    assert list(clones.iterdir()) == []
    clone = fetched(clones, shop.root)
    known = head(clone)
    shop.root.rename(tmp_path / "moved")
    with pytest.raises(Unavailable):
        fetched(clones, shop.root)
    assert head(clone) == known


def test_a_clone_of_an_empty_repository_is_told(empty: Checkout, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="HEAD"):
        fetched(tmp_path / "clones", empty.root)


@pytest.fixture
def slow_ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a host that never answers: ssh is a program that waits."""
    program = tmp_path / "ssh"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("GIT_SSH", str(program))
    return "git@example.org:team/shop.git"


def test_a_host_that_does_not_answer_is_given_up_in_time(slow_ssh: str, tmp_path: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(Unavailable, match="too long"):
        fetch_clone(tmp_path / "clones", parse_address(slow_ssh), "", seconds=0.5, go_on=never)
    assert time.monotonic() - begun < 10


def test_a_fetch_ends_when_its_process_does(slow_ssh: str, tmp_path: Path) -> None:
    def stop() -> None:
        raise KeyError

    begun = time.monotonic()
    with pytest.raises(KeyError):
        fetch_clone(tmp_path / "clones", parse_address(slow_ssh), "", seconds=60, go_on=stop)
    assert time.monotonic() - begun < 10


def test_a_token_that_this_machine_adds_to_addresses_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "url.http://user:s3cret@127.0.0.1:9/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://example.org/")
    with pytest.raises(Unavailable) as caught:
        fetch_clone(tmp_path / "clones", parse_address("https://example.org/shop"), "", seconds=30, go_on=never)
    assert "s3cret" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)


def test_no_hook_of_the_machine_runs_while_it_is_fetched(
    shop: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = tmp_path / "template" / "hooks"
    hooks.mkdir(parents=True)
    hook = hooks / "reference-transaction"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    monkeypatch.setenv("GIT_TEMPLATE_DIR", os.fspath(hooks.parent))
    fetched(tmp_path / "clones", shop.root)
    assert not (tmp_path / "ran").exists()


def test_asking_git_ends_when_it_is_told_to(shop: Checkout) -> None:
    with Repository.open(shop.root) as repository:
        tree = repository.tree(repository.head())

        def stop() -> None:
            raise KeyError

        with repository.asking(stop):
            with pytest.raises(KeyError):
                repository.head()
            with pytest.raises(KeyError):
                repository.read_blob(tree.entries["workspace.dsl"].oid)
        assert repository.head()
