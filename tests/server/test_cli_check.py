"""`archmem drift check` at home in CI: formats, the ratchet, memories, by the real command in real repositories."""

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from server.memory_sources import EXPORT_FILE
from tests.server.shop import FILES, LIMIT, MODEL, Cli, cli_with, commit, git, make_shop, write

BASELINE = ".archmem/drift-baseline.json"
CHANGED = {"src/api/limits.py": "LIMIT = 200\n"}


@pytest.fixture
def bare(tmp_path: Path, home: Path) -> Cli:
    """A command line in the shop, without a store."""
    found = cli_with(make_shop(tmp_path / "shop"), home)
    del found.environment["ARCHMEM_STORE"]
    return found


def test_one_run_writes_every_format(bare: Cli, tmp_path: Path) -> None:
    commit(bare.folder, CHANGED)
    names = ("markdown", "sarif", "junit", "json", "dotenv", "comment", "text")
    files = [f"--format={name}={tmp_path / name}" for name in names]
    out = bare("drift", "check", "--change-from", "HEAD~1", "--format", "github", *files).out
    assert out.splitlines()[0].startswith("::error title=drifted%3A Shop.API,file=workspace.dsl,line=5::Shop.API: ")
    assert "Drift score **100 → 75**" in (tmp_path / "markdown").read_text("utf-8")
    assert json.loads((tmp_path / "sarif").read_text("utf-8"))["version"] == "2.1.0"
    assert Xml.fromstring((tmp_path / "junit").read_text("utf-8"))[0].attrib["failures"] == "1"
    assert json.loads((tmp_path / "json").read_text("utf-8"))["score"] == 75
    assert "status=kept" in (tmp_path / "dotenv").read_text("utf-8").splitlines()
    assert "Drift score **100 → 75**" in (tmp_path / "comment").read_text("utf-8")
    assert (tmp_path / "text").read_text("utf-8").startswith("drift: score 75 (good)")


def test_text_goes_to_standard_output_where_nothing_else_does(bare: Cli, tmp_path: Path) -> None:
    assert bare("drift", "check", f"--format=json={tmp_path / 'json'}").out.startswith("drift: score 100")
    assert bare("drift", "check", f"--format=sarif={tmp_path / 'sarif'}", "--json").json["score"] == 100
    assert "only one of" in bare("drift", "check", "--format", "json", "--format", "text", code=2).err
    assert "names no file" in bare("drift", "check", "--format", "json=", code=2).err
    assert "cannot be written" in bare("drift", "check", f"--format=json={tmp_path / 'no' / 'json'}", code=2).err


def test_the_ratchet_fails_on_new_findings_alone(bare: Cli) -> None:
    commit(bare.folder, CHANGED)
    bare("drift", "check")
    assert "1 drifted, missing or new finding" in bare("drift", "check", "--fail-on", "new", code=1).out
    assert bare("drift", "baseline", "--json").json == {
        "file": BASELINE,
        "known": 1,
        "added": ["drifted Shop.API"],
        "removed": [],
    }
    bare("drift", "check", "--fail-on", "new", code=1)  # it is not committed yet
    commit(bare.folder, {})
    bare("drift", "check", "--fail-on", "new")
    bare("drift", "check", "--fail-on", "any", code=1)
    bare("drift", "check", "--min-score", "80", code=1)
    commit(bare.folder, {"src/extra/new.py": "x = 1\n"})
    done = bare("drift", "check", "--json", code=1).json  # `new` is the default where the file is committed
    assert done["reasons"] == [f"1 drifted, missing or new finding that was not in {BASELINE}"]
    assert done["known"] == [{"rule": "drifted", "subject": "Shop.API"}]
    bare("drift", "check", "--fail-on", "none")


def test_the_baseline_file_shrinks_when_drift_is_mended(bare: Cli) -> None:
    commit(bare.folder, CHANGED)
    bare("drift", "baseline")
    commit(bare.folder, {})
    commit(bare.folder, {"src/api/limits.py": FILES["src/api/limits.py"], "src/extra/new.py": "x = 1\n"})
    out = bare("drift", "check", code=1).out
    assert "known, but no longer there: drifted Shop.API" in out
    assert "archmem drift baseline --prune" in out
    done = bare("drift", "baseline", "--prune", "--json").json
    assert (done["known"], done["added"], done["removed"]) == (0, [], ["drifted Shop.API"])
    assert json.loads((bare.folder / BASELINE).read_text("utf-8"))["known"] == []


def test_what_a_shallow_clone_cannot_check_stays_known(bare: Cli, tmp_path: Path) -> None:
    commit(bare.folder, CHANGED)
    bare("drift", "baseline")
    commit(bare.folder, {BASELINE: (bare.folder / BASELINE).read_text("utf-8")})
    git(tmp_path, "clone", "-q", "--depth", "1", bare.folder.as_uri(), "shallow")
    shallow = bare.at(tmp_path / "shallow")
    assert shallow("drift", "check", "--json", code=3).json["obsolete"] == []
    for options in (["--prune"], []):
        done = shallow("drift", "baseline", *options, "--json").json
        assert (done["known"], done["removed"]) == (1, [])


def test_a_faulty_baseline_file_is_wrong_use(bare: Cli) -> None:
    commit(bare.folder, {BASELINE: '{"version": 2, "known": [{"ref": "A"}]}'})
    done = bare("drift", "check", "--json", code=2).json
    assert [one["where"] for one in done["faults"]] == [f"{BASELINE} version", f"{BASELINE} known.0.verdict"]


def test_fail_on_is_a_setting_too(bare: Cli) -> None:
    commit(bare.folder, {**CHANGED, "archmem.toml": '[drift]\nfail_on = "any"\n'})
    bare("drift", "check", code=1)
    bare("drift", "check", "--fail-on", "none")
    commit(bare.folder, {"archmem.toml": '[drift]\nfail_on = "some"\n'})
    assert "fail_on" in bare("drift", "check", code=2).err


def test_without_a_file_what_the_merge_base_had_is_not_new(bare: Cli) -> None:
    commit(bare.folder, CHANGED)
    git(bare.folder, "checkout", "-qb", "work")
    commit(bare.folder, {"src/web/page.js": "export const page = () => 1  \n"})
    bare("drift", "check", "--change-from", "main", "--fail-on", "new")
    commit(bare.folder, {"src/web/page.js": "export const page = () => 2\n"})
    done = bare("drift", "check", "--change-from", "main", "--fail-on", "new", "--json", code=1).json
    assert done["reasons"] == ["1 drifted, missing or new finding that was not at the merge base"]
    assert (done["change"]["score_before"], done["change"]["score_after"]) == (75, 50)
    assert done["change"]["touched"] == {"Shop.Web": ["src/web/page.js"]}
    # What main does meanwhile is not this change.
    git(bare.folder, "checkout", "-q", "main")
    commit(bare.folder, {"src/jobs/cart.py": "CART = 3\n"})
    git(bare.folder, "checkout", "-q", "work")
    touched = bare("drift", "check", "--change-from", "main", "--json").json["change"]["touched"]
    assert list(touched) == ["Shop.Web"]


def test_a_shallow_clone_cannot_tell_what_is_new(bare: Cli, tmp_path: Path) -> None:
    git(bare.folder, "checkout", "-qb", "work")
    commit(bare.folder, CHANGED)
    git(bare.folder, "checkout", "-q", "main")
    commit(bare.folder, {"src/jobs/cart.py": "CART = 3\n"})
    git(tmp_path, "clone", "-q", "--depth", "1", "--no-single-branch", "-b", "work", bare.folder.as_uri(), "shallow")
    shallow = bare.at(tmp_path / "shallow")
    done = shallow("drift", "check", "--change-from", "origin/main", "--fail-on", "new", "--json", code=3).json
    assert "shallow clone" in done["detail"]
    told = shallow("drift", "check", "--change-from", "origin/main", code=3).out
    assert "undecided: no element could be checked" in told
    assert "shallow clone" in told


def test_what_is_staged_is_checked(bare: Cli) -> None:
    write(bare.folder, CHANGED)
    bare("drift", "check", "--staged", "--fail-on", "any")
    git(bare.folder, "add", "-A")
    bare("drift", "check", "--staged", "--fail-on", "any", code=1)
    bare("drift", "check", "--fail-on", "any")
    done = bare("drift", "check", "--staged", "--change-from", "HEAD", "--json").json
    assert done["change"]["touched"] == {"Shop.API": ["src/api/limits.py"]}
    assert "not both" in bare("drift", "check", "--staged", "--target", "main", code=2).err
    git(bare.folder, "commit", "-qm", "mine")
    git(bare.folder, "checkout", "-qb", "theirs", "HEAD~1")
    commit(bare.folder, {"src/api/limits.py": "LIMIT = 300\n"})
    with pytest.raises(Exception, match="merge"):
        git(bare.folder, "merge", "-q", "main")
    assert "index cannot be written" in bare("drift", "check", "--staged", code=2).err


def exported(cli: Cli) -> None:
    """Commit what the store remembers."""
    (cli.folder / ".archmem").mkdir(exist_ok=True)
    cli("export", EXPORT_FILE)
    commit(cli.folder, {}, "memories")


def remembered(cli: Cli) -> None:
    cli("remember", LIMIT, "--element", "API", "--title", "Rate limit", "--kind", "pitfall")
    cli("remember", "The page is static", "--element", "Web", "--title", "Static page")
    cli("remember", "Deploys are on Tuesdays", "--title", "Deploys")


def test_memories_of_a_committed_export_apply_and_go_stale(cli: Cli, shop: Path, tmp_path: Path) -> None:
    remembered(cli)
    exported(cli)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", shop.as_uri(), "clone")
    ci = cli_with(clone, tmp_path / "runner")
    del ci.environment["ARCHMEM_STORE"]
    git(clone, "checkout", "-qb", "work")
    commit(clone, {**CHANGED, "src/web/page.js": "export const page = () =>   1\n"})
    done = ci("drift", "check", "--change-from", "origin/main", "--json").json
    notes = [(one["name"], one["stale"], one["verify"]) for one in done["change"]["memories"]]
    assert notes == [("Rate limit", True, True), ("Static page", False, False)]
    assert done["change"]["origin"] == f"from {EXPORT_FILE}"
    out = ci("drift", "check", "--base", "origin/main", "--format", "comment").out
    assert "This change makes this memory stale" in out
    assert "archmem confirm 'Rate limit'" in out
    linked = ci("drift", "check", "--change-from", "origin/main", "--format=comment", "--server=https://x.example/")
    assert "(<https://x.example/api/memories/" in linked.out
    ci("drift", "check", "--server", "javascript:x", code=2)
    # Merged, and nothing else changed: it stays doubtful, and is not this change's doing.
    commit(clone, {"src/api/other.py": "x = 1\n"})
    again = ci("drift", "check", "--change-from", "HEAD~1", "--json").json["change"]["memories"]
    assert [(one["name"], one["stale"], one["verify"]) for one in again] == [("Rate limit", False, True)]
    assert not (tmp_path / "runner" / ".local").exists()


def test_memories_follow_an_element_that_the_change_renames(cli: Cli, shop: Path) -> None:
    remembered(cli)
    exported(cli)
    commit(shop, {**CHANGED, "workspace.dsl": MODEL.replace('container "API"', 'container "Gateway"')})
    del cli.environment["ARCHMEM_STORE"]
    notes = cli("drift", "check", "--change-from", "HEAD~1", "--json").json["change"]["memories"]
    assert [(one["name"], one["elements"], one["stale"]) for one in notes] == [("Rate limit", ["Shop.Gateway"], True)]


def test_a_claim_that_a_change_broke_is_told_with_its_memory(cli: Cli, shop: Path) -> None:
    for title, symbol in (("Guard", "allow"), ("Limit", "LIMIT")):
        said = f"Every request goes through {title}"
        cli("remember", said, "--element", "API", "--title", title, "--claim", f"src/api/limits.py::{symbol}")
    exported(cli)
    commit(shop, {"src/api/limits.py": "LIMIT = 100\n\n\ndef admit(count):\n    return count < LIMIT\n"})
    del cli.environment["ARCHMEM_STORE"]
    done = cli("drift", "check", "--change-from", "HEAD~1", "--json").json
    assert [(one["asked"]["claim"]["symbol"], one["evidence"]) for one in done["claims"]] == [
        ("allow", "gone"),
        ("LIMIT", "intact"),
    ]
    # Its claims being intact, the other one is a quiet note and no alarm.
    assert [(one["name"], one["stale"]) for one in done["change"]["memories"]] == [("Guard", True), ("Limit", False)]
    out = cli("drift", "check", "--format", "github").out
    assert "::warning title=claim-gone%3A " in out
    assert "file=src/api/limits.py" in out
    assert "Guard cites src/api/limits.py::allow, gone" in out


def test_a_flag_that_was_exported_from_this_branch_is_still_this_changes_doing(cli: Cli, shop: Path) -> None:
    remembered(cli)
    git(shop, "checkout", "-qb", "work")
    commit(shop, CHANGED)
    cli("drift", "run")
    exported(cli)
    without = {name: value for name, value in cli.environment.items() if name != "ARCHMEM_STORE"}
    ci = Cli(shop, without)
    notes = ci("drift", "check", "--change-from", "main", "--json").json["change"]["memories"]
    assert [(one["name"], one["stale"]) for one in notes] == [("Rate limit", True)]


def test_memories_come_from_a_named_store_which_is_not_written(cli: Cli, shop: Path) -> None:
    remembered(cli)
    commit(shop, CHANGED)
    store = Path(cli.environment["ARCHMEM_STORE"])
    before = cli("drift", "run", "--json").json["report"]["head"]
    commit(shop, {"src/api/limits.py": "LIMIT = 300\n"})
    kept = cli("export").out
    out = cli("drift", "check", "--change-from", "HEAD~1").out
    assert "1 memory about them (from the store)" in out
    assert cli("export").out == kept
    assert before != git(shop, "rev-parse", "HEAD")
    del cli.environment["ARCHMEM_STORE"]
    assert "no memories were looked at" in cli("drift", "check", "--change-from", "HEAD~1").out
    assert "from the store" in cli("drift", "check", "--change-from", "HEAD~1", "--store", str(store)).out


def test_a_store_that_is_not_there_is_an_error_where_an_option_names_it(bare: Cli, tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    assert "there is no store" in bare("drift", "check", "--store", str(missing), code=2).err
    assert "there is no store" in bare("drift", "check", ARCHMEM_STORE=str(missing)).out
    assert not missing.exists()


def test_an_export_that_is_damaged_is_wrong_use(bare: Cli) -> None:
    commit(bare.folder, {EXPORT_FILE: '{"format": "archmem export"'})
    done = bare("drift", "check", "--json", code=2).json
    assert done["faults"][0]["where"] == f"{EXPORT_FILE}:1"


def test_baselines_that_a_server_accepted_count(cli: Cli, shop: Path) -> None:
    commit(shop, CHANGED)
    cli("drift", "accept", "API")
    shutil.rmtree(shop / ".archmem")
    assert cli("drift", "check", "--json").json["counts"]["drifted"] == 0
    del cli.environment["ARCHMEM_STORE"]
    assert cli("drift", "check", "--json").json["counts"]["drifted"] == 1


def test_a_project_that_no_store_knows_is_accepted_in_its_file(bare: Cli) -> None:
    commit(bare.folder, CHANGED)
    done = bare("drift", "accept", "API", "--json").json
    assert (done["refs"], done["recorded"]) == (["Shop.API"], [])
    commit(bare.folder, {})
    bare("drift", "check", "--fail-on", "any")
    assert "there is no project" in bare("drift", "accept", "API", "--project", "none", code=2).err


def test_a_merge_base_without_a_readable_model_is_told(bare: Cli) -> None:
    commit(bare.folder, {"workspace.dsl": "workspace {\n model {\n  a = softwareSystem\n"})
    commit(bare.folder, {"workspace.dsl": MODEL})
    out = bare("drift", "check", "--change-from", "HEAD~1").out
    assert "could not be checked" in out
    assert "score none before, 100 after" in out


def test_progress_is_shown_on_a_terminal_alone(bare: Cli) -> None:
    assert bare("drift", "check").err == ""
    seen, terminal = pty.openpty()
    command = [sys.executable, "-m", "server.cli", "drift", "check", "--json"]
    done = subprocess.run(
        command, cwd=bare.folder, env=bare.environment, stdout=subprocess.PIPE, stderr=terminal, check=True
    )
    os.close(terminal)
    assert b"100%" in os.read(seen, 100_000)
    os.close(seen)
    assert json.loads(done.stdout)["score"] == 100
