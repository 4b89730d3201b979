"""`archmem project repository` and `archmem drift history`."""

from pathlib import Path

from tests.server.shop import Cli, commit, git, make_shop


def test_a_repository_is_named_told_and_taken_away(cli: Cli, shop: Path) -> None:
    assert "no repository" in cli("project", "repository").out
    told = cli("project", "repository", "https://example.org/acme/shop.git", "--branch", "main").out
    assert "repository https://example.org/acme/shop.git, branch main" in told
    assert "not cloned here yet" in told
    (shop / "src/deep").mkdir()
    below = cli.at(shop / "src/deep")
    assert below("project", "repository", "../..", "--json").json["repository"] == str(shop.resolve())
    assert "schedule none" in below("project", "repository").out
    assert "no repository" in cli("project", "repository", "--none").out


def test_the_schedule_is_that_of_the_repositorys_head(cli: Cli, shop: Path) -> None:
    commit(shop, {"archmem.toml": '[drift]\nschedule = "0 3 * * sun"\n'})
    cli("project", "repository", ".")
    assert "schedule 0 3 * * sun; next run " in cli("project", "repository").out
    commit(shop, {"archmem.toml": ""})
    told = cli("project", "repository", "--json", ARCHMEM_DRIFT_SCHEDULE="every 15m").json
    assert told["schedule"] == "every 15m"
    commit(shop, {"archmem.toml": '[drift]\nschedule = "61 * * * *"\n'})
    assert "not known: the schedule cannot be used" in cli("project", "repository").out
    assert "ARCHMEM_DRIFT_SCHEDULE" in cli("recall", "x", code=2, ARCHMEM_DRIFT_SCHEDULE="hourly").err


def test_what_is_no_repository_is_refused(cli: Cli, tmp_path: Path) -> None:
    for address in ("ext::sh -c true", "git://example.org/x", "nowhere"):
        assert "Next: " in cli("project", "repository", address, code=2).err
    told = cli("project", "repository", "https://me:s3cret@example.org/x", code=2).err
    assert "credential helpers" in told
    assert "s3cret" not in told
    plain = tmp_path / "plain"
    plain.mkdir()
    assert "no git repository" in cli("project", "repository", str(plain), code=2).err
    other = make_shop(tmp_path / "other")
    assert "HEAD" in cli("project", "repository", str(other), "--branch", "main", code=2).err
    assert "no repository" in cli("project", "repository").out


def test_runs_are_listed_with_their_scores(cli: Cli, shop: Path) -> None:
    assert "no drift run yet" in cli("drift", "history").out
    heads = [git(shop, "rev-parse", "HEAD")]
    cli("drift", "run")
    heads.append(commit(shop, {"src/api/limits.py": "LIMIT = 200\n"}))
    cli("drift", "run")
    newest, oldest = cli("drift", "history").out.splitlines()
    assert f" {heads[1][:12]} 75.0 good: 1 drifted, 3 matched, 4 unmapped" in newest
    assert f" {heads[0][:12]} 100.0 excellent: 4 matched, 4 unmapped" in oldest
    page = cli("drift", "history", "--limit", "1").out
    assert page.startswith(newest)
    before = page.rpartition("--before ")[2].strip(" )\n")
    assert cli("drift", "history", "--before", before).out.strip() == oldest
    assert [run["score"] for run in cli("drift", "history", "--json").json["runs"]] == [75.0, 100.0]
