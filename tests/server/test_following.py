"""Commands notice that HEAD moved: they check it when that is quick, else they say which commit the flags are of."""

import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from drift import Repository
from graph.attempts import DOOR, SCHEDULE, AttemptState
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.bootstrap import bootstrap
from server.following import catch_up
from server.settings import Settings, load_settings
from tests.server.shop import IDENTITY, LIMIT, Cli, cli_with, commit, git

API = "Shop.API"
SCOPE = Scope(project=IDENTITY)
AMPLE = 60.0  # seconds: these tests are about what is checked, on however busy a machine
CHANGED = {"src/api/limits.py": "LIMIT = 200\n\n\ndef allow(count):\n    return count < LIMIT\n"}


@pytest.fixture
def used(cli: Cli, shop: Path, home: Path) -> Cli:
    """A command line in the shop, in which a memory is about the API and a run was recorded."""
    cli("remember", LIMIT, "--title", "Limit", "--element", API)
    cli("drift", "run")
    return cli_with(shop, home, ARCHMEM_CATCH_UP=f"{AMPLE}")


@pytest.fixture
def ample(used: Cli) -> Settings:
    return load_settings({}, used.environment)


@pytest.fixture
def opened(ample: Settings) -> Iterator[MemoryGraph]:
    graph = bootstrap(ample)
    yield graph
    graph.close()


def heads(cli: Cli) -> list[str]:
    return [run["head"] for run in cli("drift", "history", "--json").json["runs"]]


def test_a_recall_flags_by_itself_what_a_commit_changed(used: Cli, shop: Path) -> None:
    first = git(shop, "rev-parse", "HEAD")
    assert used("recall", "requests").err == "words alone: the embedder is switched off (ARCHMEM_EMBEDDER=none)\n"
    assert heads(used) == [first]
    made = commit(shop, CHANGED)
    found = used("recall", "requests")
    assert "VERIFY" in found.out
    assert "flags are" not in found.err
    assert used("recall", "requests", "--json").json["as_of"] == made
    assert heads(used) == [made, first]
    used("confirm", "Limit")
    assert "VERIFY" not in used("recall", "requests").out


def test_coverage_counts_what_a_commit_changed(used: Cli, shop: Path) -> None:
    commit(shop, CHANGED)
    cells = {one["ref"]: one for one in used("coverage", "--json").json["cells"]}
    assert (cells[API]["verdict"], cells[API]["flagged"]) == ("drifted", 1)


def test_what_takes_too_long_is_told_and_not_tried_again(opened: MemoryGraph, ample: Settings, shop: Path) -> None:
    checked = git(shop, "rev-parse", "HEAD")
    commit(shop, CHANGED)
    head = commit(shop, {"src/web/page.js": "export const page = () => 2\n"})
    with Repository.open(shop) as repository:
        told = catch_up(opened, ample.model_copy(update={"catch_up": 1e-6}), SCOPE, repository)
    assert told == f"flags are as of commit {checked[:12]}, 2 commits behind HEAD; run `archmem drift run`"
    (attempt,) = opened.attempts(SCOPE)
    assert (attempt.by, attempt.state, attempt.head) == (DOOR, AttemptState.GAVE_UP, head)
    with Repository.open(shop) as repository:
        assert catch_up(opened, ample, SCOPE, repository) == told
    assert [run.report.head for run in opened.drift_runs(SCOPE)] == [checked]
    assert not opened.recall(SCOPE, "requests").hits[0].verify
    newest = commit(shop, {"src/web/page.js": "export const page = () => 3\n"})
    with Repository.open(shop) as repository:
        assert catch_up(opened, ample, SCOPE, repository) == ""
    assert opened.checked_head(SCOPE) == newest
    assert opened.recall(SCOPE, "requests").hits[0].verify


def test_a_model_that_cannot_be_read_is_told_and_recall_answers(used: Cli, shop: Path) -> None:
    checked = git(shop, "rev-parse", "HEAD")
    commit(shop, {"workspace.dsl": 'workspace {\n  model {\n    x = softwareSystem "X {\n'})
    for _ in range(2):
        found = used("recall", "requests")
        assert LIMIT in found.out
        assert f"flags are as of commit {checked[:12]}, 1 commit behind HEAD; " in found.err
    assert heads(used) == [checked]


def test_a_rewritten_history_is_checked_as_well(used: Cli, shop: Path) -> None:
    git(shop, "commit", "-q", "--amend", "--allow-empty", "-m", "another first")
    head = commit(shop, CHANGED)
    assert "VERIFY" in used("recall", "requests").out
    assert heads(used)[0] == head


def test_while_another_run_is_on_flags_are_told_as_of_before(opened: MemoryGraph, ample: Settings, shop: Path) -> None:
    commit(shop, CHANGED)
    assert opened.lease(SCOPE, "drift-run", "another", 60)
    with Repository.open(shop) as repository:
        assert "another drift run of this project is on" in catch_up(opened, ample, SCOPE, repository)
        opened.release(SCOPE, "drift-run", "another")
        assert catch_up(opened, ample, SCOPE, repository) == ""


def test_while_somebody_else_writes_nobody_waits(opened: MemoryGraph, ample: Settings, shop: Path) -> None:
    commit(shop, CHANGED)
    other = apsw.Connection(str(ample.store))
    other.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    with Repository.open(shop) as repository:
        assert "another process held the store" in catch_up(opened, ample, SCOPE, repository)
        assert time.monotonic() - begun < 20
        other.execute("ROLLBACK")
        other.close()
        assert catch_up(opened, ample, SCOPE, repository) == ""


def test_where_a_server_checks_the_project_commands_leave_it_to_it(used: Cli, opened: MemoryGraph, shop: Path) -> None:
    used("project", "repository", ".")
    opened.begin_attempt(SCOPE, SCHEDULE)
    checked = git(shop, "rev-parse", "HEAD")
    commit(shop, CHANGED)
    told = used("recall", "requests").err
    assert f"flags are as of commit {checked[:12]}, 1 commit behind HEAD; the server's" in told
    assert heads(used) == [checked]


def test_where_no_server_checks_though_one_could_commands_do(used: Cli, shop: Path) -> None:
    used("project", "repository", ".")
    made = commit(shop, CHANGED)
    assert "VERIFY" in used("recall", "requests").out
    assert heads(used)[0] == made


def test_a_command_may_be_kept_from_checking(used: Cli, shop: Path) -> None:
    checked = git(shop, "rev-parse", "HEAD")
    commit(shop, CHANGED)
    for _ in range(2):
        assert f"flags are as of commit {checked[:12]}, 1 " in used("recall", "requests", ARCHMEM_CATCH_UP="0").err
    assert heads(used) == [checked]
    assert "VERIFY" in used("recall", "requests").out


def test_a_checkout_of_another_project_is_not_checked_for_this_one(used: Cli, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    commit(other, {"README.md": "another\n"})
    found = used.at(other)("recall", "requests", "--project", IDENTITY)
    assert LIMIT in found.out
    assert "flags" not in found.err
    assert len(heads(used)) == 1


def test_a_project_without_a_model_is_recalled_in_peace(tmp_path: Path, used: Cli) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    git(bare, "init", "-q", "-b", "main")
    commit(bare, {"README.md": "another\n"})
    at = used.at(bare)
    at("init")
    at("remember", LIMIT)
    found = at("recall", "requests")
    assert LIMIT in found.out


def test_where_head_did_not_move_it_costs_next_to_nothing(opened: MemoryGraph, ample: Settings, shop: Path) -> None:
    with Repository.open(shop) as repository:
        best = 1.0
        for _ in range(10):
            begun = time.perf_counter()
            assert catch_up(opened, ample, SCOPE, repository) == ""
            best = min(best, time.perf_counter() - begun)
    assert best < 0.05
