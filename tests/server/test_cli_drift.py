"""Drift and coverage by the real command: alone as CI runs it, recorded, and accepted."""

import json
from pathlib import Path

from graph.scopes import Scope
from server.bootstrap import bootstrap
from server.settings import Settings
from tests.server.shop import IDENTITY, LIMIT, Cli, cli_with, commit, git, make_shop, write


def verdicts(report: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    return {one["ref"]: one["verdict"] for one in report["elements"]}


def test_check_needs_no_store(tmp_path: Path, home: Path) -> None:
    shop = make_shop(tmp_path / "shop", origin="")
    cli = cli_with(shop, home)
    base = git(shop, "rev-parse", "HEAD")
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n", "src/extra/new.py": "x = 1\n"})
    report = cli("drift", "check", "--base", base, "--format", "json").json
    assert verdicts(report)["Shop.API"] == "drifted"
    assert report["new"] == [{"path": "src/extra", "files": 1, "first": "src/extra/new.py"}]
    assert report["base"] == base
    assert cli("drift", "check", "--json", "--base", base).json["elements"] == report["elements"]
    text = cli("drift", "check", "--base", base).out
    assert "drifted" in text
    assert "Shop.API" in text
    assert not (home / "store").exists()


def test_check_exits_1_below_the_threshold_alone(tmp_path: Path, home: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    cli = cli_with(shop, home)
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    cli("drift", "check", "--base", "HEAD~1")
    cli("drift", "check", "--base", "HEAD~1", "--min-score", "100", code=1)
    commit(shop, {"archmem.toml": "[drift]\nmin_score = 99\n"})
    cli("drift", "check", "--base", "HEAD~2", code=1)
    cli("drift", "check", "--base", "HEAD~2", "--min-score", "10")
    commit(shop, {"archmem.toml": '[drift]\nmin_score = 99\nignore = ["src/api/**"]\n'})
    cli("drift", "check", "--base", "HEAD~3")


def test_check_exits_2_for_wrong_use_and_an_unreadable_model(tmp_path: Path, home: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    cli = cli_with(shop, home)
    assert "nowhere" in cli("drift", "check", "--base", "nowhere", code=2).err
    assert "Next: " in cli("drift", "check", "--base", "--help-me", code=2).err
    cli("drift", "check", "--format", "xml", code=2)
    commit(shop, {"workspace.dsl": "workspace {\n model {\n  a = softwareSystem\n"})
    done = cli("drift", "check", "--json", code=2)
    assert done.json["code"] == "unreadable_model"
    assert done.json["faults"][0]["where"].startswith("workspace.dsl:")
    git(shop, "rm", "-q", "workspace.dsl")
    git(shop, "commit", "-qm", "gone")
    assert "no architecture model" in cli("drift", "check", code=2).err
    assert "no git repository" in cli("drift", "check", "-C", str(home), code=2).err


def test_check_exits_3_when_it_cannot_decide(tmp_path: Path, home: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    git(tmp_path, "clone", "-q", "--depth", "1", shop.as_uri(), "shallow")
    cli = cli_with(tmp_path / "shallow", home)
    done = cli("drift", "check", "--json", code=3)
    assert set(verdicts(done.json).values()) == {"unverified", "unmapped"}


def test_check_looks_at_a_tree_that_is_not_committed(tmp_path: Path, home: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    write(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    git(shop, "add", "-A")
    tree = git(shop, "write-tree")
    report = cli_with(shop, home)("drift", "check", "--base", "HEAD", "--target", tree, "--json").json
    assert verdicts(report)["Shop.API"] == "drifted"


def test_accepting_is_written_recorded_and_clears_no_flag(cli: Cli, shop: Path) -> None:
    cli("remember", LIMIT, "--element", "API")
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    cli("drift", "run")
    cli("drift", "accept", code=2)
    done = cli("drift", "accept", "API", "--json").json
    assert done["refs"] == done["recorded"] == ["Shop.API"]
    written = json.loads((shop / ".archmem" / "accepted.json").read_text("utf-8"))
    assert list(written) == ["Shop.API"]
    assert json.loads(done["content"]) == written
    assert verdicts(cli("drift", "run", "--json").json["report"])["Shop.API"] == "matched"
    assert "VERIFY" in cli("recall", "requests minute").out
    assert set(cli("drift", "accept", "--all", "--json").json["refs"]) >= {"Shop.API", "Shop.Web"}
    assert "Shop.None" in cli("drift", "accept", "Shop.None", code=2).err


def test_a_run_says_when_the_stored_model_is_of_another_commit(cli: Cli, shop: Path) -> None:
    model = (shop / "workspace.dsl").read_text("utf-8")
    commit(shop, {"workspace.dsl": model.replace('"Web"', '"Site"')})
    assert "Shop.Site is not in the stored model" in cli("drift", "run").err
    cli("model", "import")
    assert cli("drift", "run").err == ""


def test_two_runs_do_not_collide(cli: Cli) -> None:
    graph = bootstrap(Settings(store=Path(cli.environment["ARCHMEM_STORE"]), embedder="none"))
    scope = Scope(project=IDENTITY)
    assert graph.lease(scope, "drift-run", "somebody", 60)
    assert cli("drift", "run", "--json", code=2).json["code"] == "conflict"
    graph.release(scope, "drift-run", "somebody")
    graph.close()
    cli("drift", "run")
    cli("drift", "run")


def test_a_change_counts_from_when_a_run_first_saw_it(cli: Cli, shop: Path) -> None:
    cli("drift", "run")
    git(shop, "checkout", "-qb", "late")
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    git(shop, "checkout", "-q", "main")
    # Written on main after the commit was made, but before it was merged there.
    made = cli("remember", LIMIT, "--element", "API", "--json").json["memory"]["id"]
    git(shop, "merge", "-q", "--ff-only", "late")
    assert cli("drift", "run", "--json").json["stamped"]["flagged"] == [made]


def test_coverage_exits_1_below_its_threshold(cli: Cli) -> None:
    cli("remember", LIMIT, "--element", "API")
    told = cli("coverage").out
    assert told.startswith("1 of 7 elements documented")
    assert "Shop.Web" in told
    cli("coverage", "--min", "10")
    assert cli("coverage", "--min", "60", "--json", code=1).json["documented"] == 1
    assert "below the threshold of 60 %" in cli("coverage", "--min", "60", code=1).err
    for least in ("600", "nan", "-1", "most"):
        cli("coverage", "--min", least, code=2)
        cli("drift", "check", "--min-score", least, code=2)


def test_coverage_exits_3_where_nothing_is_to_be_documented(cli: Cli) -> None:
    for least in ("0", "60"):
        done = cli("coverage", "--project", "", "--min", least, "--json", code=3)
        assert (done.json["counted"], done.json["share"]) == (0, None)
        assert "cannot decide" in done.err
    assert cli("coverage", "--project", "").out.splitlines()[0] == "0 of 0 elements documented"


def test_the_model_is_imported_again(cli: Cli, shop: Path) -> None:
    model = (shop / "workspace.dsl").read_text("utf-8")
    write(shop, {"workspace.dsl": model.replace('web = container "Web"', 'web = container "Site"')})
    change = cli("model", "import", "--json").json
    assert change["renamed"] == {"Shop.Web": "Shop.Site"}
    write(shop, {"docs/other.dsl": 'workspace {\n model {\n  o = softwareSystem "Other"\n }\n}\n'})
    other = cli.at(shop / "docs")("model", "import", "other.dsl", "--json").json
    assert other["added"] == ["Other"]
    assert "Shop.API" in other["removed"]
    assert "no such file" in cli("model", "import", "none.dsl", code=2).err
