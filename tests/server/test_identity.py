"""Who the project is: by explicit id, origin or root commit, never by the name of a folder."""

from pathlib import Path

from tests.server.shop import FILES, IDENTITY, LIMIT, Cli, cli_with, commit, git, make_shop, write


def test_worktrees_and_clones_share_the_project(cli: Cli, shop: Path, tmp_path: Path) -> None:
    cli("remember", LIMIT)
    git(shop, "worktree", "add", "-q", str(tmp_path / "tree"))
    git(tmp_path, "clone", "-q", str(shop), "second")
    git(tmp_path / "second", "remote", "set-url", "origin", "https://token@github.com/acme/shop")
    for folder in (tmp_path / "tree", tmp_path / "second"):
        assert LIMIT in cli.at(folder)("recall", "requests").out


def test_folders_of_the_same_name_do_not_share(cli: Cli, tmp_path: Path) -> None:
    cli("remember", LIMIT)
    namesake = cli.at(make_shop(tmp_path / "other" / "shop", origin="", files={**FILES, "other.py": "1\n"}))
    assert "there is no project" in namesake("recall", "requests", code=2).err
    namesake("init")
    assert "Nothing is remembered" in namesake("recall", "requests").out


def test_a_project_that_gains_an_origin_or_an_id_keeps_its_memories(tmp_path: Path, home: Path) -> None:
    cli = cli_with(make_shop(tmp_path / "young", origin=""), home)
    cli("init")
    cli("remember", LIMIT)
    git(cli.folder, "remote", "add", "origin", "https://example.org/team/young.git")
    assert LIMIT in cli("recall", "requests").out
    cli("init")
    write(cli.folder, {"archmem.toml": '[project]\nid = "young"\n[model]\nfiles = ["workspace.dsl"]\n'})
    assert LIMIT in cli("recall", "requests").out
    project = cli("init", "--json").json["project"]
    assert {"young", "example.org/team/young"} <= set(project["identities"])


def test_a_second_explicit_id_is_another_project(cli: Cli, shop: Path) -> None:
    cli("remember", LIMIT)
    for name in ("one", "two"):
        write(shop, {"archmem.toml": f'[project]\nid = "{name}"\n[model]\nfiles = ["workspace.dsl"]\n'})
        cli("init")
    assert "Nothing is remembered" in cli("recall", "requests").out
    assert LIMIT in cli("recall", "requests", "--project", "one").out


def test_without_git_or_commits_the_next_step_is_said(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    plain = cli.at(tmp_path / "plain")
    assert "--project" in plain("recall", "x", code=2).err
    assert "--project" in plain("init", code=2).err
    git(tmp_path / "plain", "init", "-q")
    assert "commit something" in plain("init", code=3).err
    assert "is not a folder" in plain("init", "-C", "nowhere", code=2).err


def test_a_named_project_needs_no_git(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    plain = cli.at(tmp_path / "plain")
    plain("remember", LIMIT, "--element", "API", "--project", IDENTITY)
    assert LIMIT in plain("recall", "requests", "--project", IDENTITY).out
    plain("remember", "Invoices are kept for ten years", "--project", "")
    assert "Invoices" in cli("recall", "invoices").out


def test_a_checkout_that_is_named_too_is_still_the_anchor(cli: Cli, shop: Path) -> None:
    made = cli("remember", LIMIT, "--element", "API", "--project", IDENTITY, "--json").json["memory"]["id"]
    commit(shop, {"src/api/limits.py": "LIMIT = 200\n"})
    git(shop, "revert", "--no-edit", "HEAD")
    commit(shop, {"src/web/page.js": "export const page = () => 2\n"})
    assert cli("drift", "run", "--project", IDENTITY, "--json").json["stamped"]["flagged"] == []
    commit(shop, {"src/api/limits.py": "LIMIT = 300\n"})
    assert cli("drift", "run", "--project", IDENTITY, "--json").json["stamped"]["flagged"] == [made]


def test_one_projects_code_is_not_measured_for_another(cli: Cli, tmp_path: Path) -> None:
    other = cli.at(make_shop(tmp_path / "other", origin="https://example.org/team/other"))
    other("init")
    for command in (("drift", "run"), ("drift", "accept", "--all"), ("model", "import")):
        assert "not of" in other(*command, "--project", IDENTITY, code=2).err
    assert not (tmp_path / "other" / ".archmem").exists()
