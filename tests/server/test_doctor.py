"""The doctor: what it finds, by the real command and by its parts."""

from pathlib import Path

import pytest

from server.doctor import foreign, is_affected
from server.examining import network_file_system
from tests.server.shop import Cli, cli_with, git, make_shop, write


def statuses(cli: Cli, *arguments: str, code: int = 0) -> dict[str, str]:
    found = cli("doctor", "--json", *arguments, code=code).json
    return {check["name"]: check["status"] for check in found["checks"]}


def test_a_healthy_project(cli: Cli) -> None:
    found = statuses(cli)
    assert {name for name, status in found.items() if status != "ok"} == {"embedder"}
    assert {
        "python",
        "packages",
        "sqlite",
        "git",
        "repository",
        "identity",
        "model",
        "store",
        "project",
    } <= found.keys()
    told = cli("doctor").out
    assert "ok    packages" in told
    assert "Next: " in told


def test_a_project_that_is_not_registered_is_a_warning_with_the_next_step(tmp_path: Path, home: Path) -> None:
    cli = cli_with(make_shop(tmp_path / "new"), home)
    assert statuses(cli)["store"] == "warn"
    assert not (home / "store").exists()


def test_faults_are_told_and_fail(cli: Cli, shop: Path, tmp_path: Path) -> None:
    write(shop, {"workspace.dsl": "workspace {\n model {\n a = softwareSystem\n"})
    assert statuses(cli, code=2)["model"] == "fail"
    write(shop, {"archmem.toml": "[drift]\nignored = 1\n"})
    assert statuses(cli, code=2)["settings"] == "fail"
    write(tmp_path, {"plain/notes.txt": "notes\n" * 100})
    plain = statuses(cli.at(tmp_path / "plain"), "--store", str(tmp_path / "plain" / "notes.txt"), code=2)
    assert (plain["repository"], plain["store"]) == ("warn", "fail")


def test_a_shallow_clone_and_a_meaningless_variable_are_warnings(shop: Path, tmp_path: Path, home: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", shop.as_uri(), "shallow")
    found = statuses(cli_with(tmp_path / "shallow", home, ARCHMEM_EMBEDER="none"))
    assert (found["history"], found["variables"]) == ("warn", "warn")


def test_a_foreign_package_is_found(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, {"strange/capture/__init__.py": ""})
    found = cli("doctor", "--json", code=2, PYTHONPATH=str(tmp_path / "strange")).json["checks"]
    assert [check["name"] for check in found if check["status"] == "fail"] == ["packages"]
    assert "capture" in found[-1]["what"]
    assert foreign("json", tmp_path)
    assert foreign("no_such_package_at_all", tmp_path) == ""


def test_another_distribution_with_a_package_of_the_same_name_is_a_warning(cli: Cli, tmp_path: Path) -> None:
    about = "Metadata-Version: 2.1\nName: Plot-Graphs\nVersion: 1.0\n"
    record = "graph/__init__.py,,\nserver.py,,\nplots/drift/__init__.py,,\n"
    write(tmp_path, {"site/plot_graphs-1.0.dist-info/METADATA": about})
    write(tmp_path, {"site/plot_graphs-1.0.dist-info/RECORD": record})
    checks = cli("doctor", "--json", PYTHONPATH=str(tmp_path / "site")).json["checks"]
    told = [check for check in checks if check["name"] == "packages"]
    assert [(check["status"], check["what"].split(" is ")[0]) for check in told] == [
        ("warn", "'graph'"),
        ("warn", "'server'"),
    ]
    assert all("Plot-Graphs" in check["what"] and "of its own" in check["next_step"] for check in told)
    assert {"store", "project"} <= {check["name"] for check in checks}


@pytest.mark.parametrize(
    ("version", "affected"),
    [("3.6.23", False), ("3.7.0", True), ("3.51.2", True), ("3.51.3", False), ("3.54.1", False)],
)
def test_affected_versions_of_sqlite(version: str, affected: bool) -> None:
    assert is_affected(version) is affected


@pytest.mark.parametrize(
    ("path", "kind"), [("/home/a/store.db", "nfs4"), ("/srv/store.db", ""), ("/home/local disk/x", "")]
)
def test_network_file_systems(path: str, kind: str) -> None:
    mounts = "/dev/sda / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\n/dev/sdb /home/local\\040disk xfs rw 0 0\n"
    assert network_file_system(Path(path), mounts) == kind
