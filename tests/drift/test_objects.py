"""Objects by their full ids: what is here is read as it was committed, and no other name leads to one."""

import os
import signal
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from drift import Repository
from graph.claims import Anchor, Baseline
from graph.drift_report import Reason, Verdict
from graph.errors import InvalidInput, Unavailable
from graph.memories import Checkout as Standing
from tests.drift.conftest import Checkout, day

GONE = "0" * 39 + "1"
HEX = "0123456789abcdef"
FILES: Mapping[str, bytes] = {
    "empty": b"",
    "line": b"one\n",
    "no line end": b"one",
    "binary": bytes(range(256)) * 40,
    "looks like an answer": b"0123 missing\n0123 blob 3\nabc\n",
    "large": b"x" * 300_000,
}


def no_full_ids(oid: str) -> list[str]:
    """Return what git would take for the object, or for several questions, and what is no id at all."""
    return [
        "",
        " ",
        "HEAD",
        "main",
        oid[:12],
        oid[:-1],
        oid.upper(),
        f" {oid}",
        f"{oid}\n",
        f"{oid}\n{oid}",
        f"{oid}^0",
    ]


def test_an_object_is_read_as_it_was_committed_and_a_bad_question_shifts_no_answer(empty: Checkout) -> None:
    empty.commit(FILES)
    with Repository.open(empty.root) as repository:
        blobs = repository.tree("HEAD").blobs()
        for path, content in FILES.items():
            for asked in (*no_full_ids(blobs[path]), GONE, "f" * 40):
                assert repository.read_blob(asked) is None
            assert repository.read_blob(blobs[path]) == content


def test_a_reader_that_was_ended_is_told_and_the_next_question_is_answered(shop: Checkout) -> None:
    with Repository.open(shop.root) as repository:
        oid = repository.tree("HEAD").blobs()["src/api/pay.js"]
        expected = repository.read_blob(oid)
        os.kill(repository._reader.proc.pid, signal.SIGKILL)
        repository._reader.proc.wait()
        with pytest.raises(Unavailable, match="git ended") as caught:
            repository.read_blob(oid)
        assert caught.value.next_step
        assert repository.read_blob(oid) == expected


def test_a_closed_repository_reads_again(shop: Checkout) -> None:
    with Repository.open(shop.root) as repository:
        oid = repository.tree("HEAD").blobs()["src/api/pay.js"]
        expected = repository.read_blob(oid)
        repository.close()
        assert repository.read_blob(oid) == expected


def test_only_a_full_id_names_a_commit_that_is_here(shop: Checkout) -> None:
    head = shop.git("rev-parse", "HEAD")
    shop.git("commit", "--quiet", "--amend", "-m", "again", at=day(2))
    with Repository.open(shop.root) as repository:
        amended = repository.head()
        assert repository.has_commit(amended)
        assert repository.has_commit(head)  # reachable from nowhere now
        others = [GONE, *map(shop.git, ("rev-parse", "rev-parse"), ("HEAD^{tree}", "HEAD:src/api/pay.js"))]
        for name in (*no_full_ids(amended), *others):
            assert not repository.has_commit(name)


def test_a_branch_that_is_called_like_an_id_names_nothing(shop: Checkout) -> None:
    shop.git("update-ref", f"refs/heads/{GONE}", "HEAD")
    with Repository.open(shop.root) as repository:
        assert not repository.has_commit(GONE)
        assert repository.read_blob(GONE) is None
        with pytest.raises(InvalidInput):
            repository.tree(GONE)


def test_a_tree_is_read_by_the_full_id_of_a_commit_or_a_tree(shop: Checkout) -> None:
    commit, tree = shop.git("rev-parse", "HEAD"), shop.git("rev-parse", "HEAD^{tree}")
    below = shop.git("rev-parse", "HEAD:src/api")
    with Repository.open(shop.root) as repository:
        assert repository.tree(commit).blobs() == repository.tree(tree).blobs() == repository.tree("HEAD").blobs()
        assert set(repository.tree(below).blobs()) == {"cart.js", "pay.js"}
        blob = repository.tree(commit).blobs()["src/api/pay.js"]
        for name in (*(one for one in no_full_ids(commit) if one != "HEAD"), GONE, blob):
            with pytest.raises(InvalidInput) as caught:
                repository.tree(name)
            assert caught.value.id == name
            assert caught.value.next_step


def test_the_tree_of_head_is_that_of_the_commit_it_leads_to_now(shop: Checkout) -> None:
    with Repository.open(shop.root) as repository:
        assert "new.js" not in repository.tree("HEAD").blobs()
        shop.commit({"new.js": "1\n"})
        assert "new.js" in repository.tree("HEAD").blobs()


def test_a_repository_of_sha_256_has_longer_ids(make: Callable[[str], Checkout]) -> None:
    long = make("long")
    long.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main", "sha256")
    checkout = Checkout(long.root / "sha256")
    commit = checkout.commit({"a.txt": "one\n"})
    assert len(commit) == 64
    with Repository.open(checkout.root) as repository:
        blobs = repository.tree(commit).blobs()
        assert repository.has_commit(commit)
        assert not repository.has_commit(commit[:40])
        assert repository.read_blob(blobs["a.txt"]) == b"one\n"
        assert repository.read_blob(blobs["a.txt"][:40]) is None
        standing = Standing(commit=commit, blobs=dict(blobs))
    assert Anchor(element="Shop", commit=standing.commit, blobs=standing.blobs).commit == commit


# The types


@given(
    st.text(HEX, min_size=40, max_size=40) | st.text(HEX, min_size=64, max_size=64),
    st.text(max_size=70) | st.text(HEX, max_size=70),
)
def test_where_somebody_stands_is_told_by_full_ids_alone(full: str, other: str) -> None:
    standing = Standing(commit=full, blobs={"a": full})
    assert Standing.model_validate_json(standing.model_dump_json()) == standing
    is_full = len(other) in (40, 64) and set(other) <= set(HEX)
    for values in ({"commit": other}, {"commit": full, "blobs": {"a": other}}):
        if is_full:
            Standing.model_validate(values)
        else:
            with pytest.raises(ValidationError):
                Standing.model_validate(values)


@pytest.mark.parametrize("name", ["", "abc123", "a" * 39, "a" * 40, "a" * 64])
def test_what_was_recorded_may_be_cut_short(name: str) -> None:
    assert Anchor(element="Shop", commit=name, blobs={"a": name}).commit == name


@pytest.mark.parametrize("name", ["main", "HEAD", "a" * 65, "A" * 40, "a" * 40 + "\n", "a b", "--all", "abc^"])
def test_what_git_would_look_up_is_never_recorded(name: str) -> None:
    for values in ({"commit": name}, {"commit": "", "blobs": {"a": name}}):
        with pytest.raises(ValidationError):
            Anchor.model_validate({"element": "Shop", **values})


def test_an_accepted_commit_that_was_cut_short_is_an_unknown_baseline(shop: Checkout) -> None:
    short = shop.git("rev-parse", "HEAD")[:12]
    shop.commit({"src/api/pay.js": "other();\n"})
    for commit in (short, "", GONE):
        anchor = Anchor(element="Shop.API", commit=commit)
        finding = shop.verdict(baselines={"Shop.API": Baseline(anchor=anchor, accepted_at=day(1))})
        assert (finding.verdict, finding.reason) == (Verdict.UNVERIFIED, Reason.UNKNOWN_BASELINE)
