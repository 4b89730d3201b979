"""`archmem model infer` and `archmem model map` by the real command, in real repositories without a store."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.shop import Cli, cli_with, git, make_shop

WORKSPACE = """workspace "Shop" {
  model {
    shop = softwareSystem "Shop" {
      checkout = container "Checkout Service" "" "Python"
      cart = container "Cart" "" "" "Database"
      mail = container "Notifier" "" "Java"
    }
  }
}
"""
FILES = {
    "workspace.dsl": WORKSPACE,
    "services/checkout/pyproject.toml": '[project]\nname = "checkout"\ndependencies = ["fastapi", "redis"]\n',
    "services/checkout/main.py": "app = 1\n",
    "notifier/a.py": "x = 1\n",
}
SETTINGS = "# ours\n[drift]\nmin_score = 50  # low\n\n[project]\nname = 'Shop'\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_shop(tmp_path / "shop", files=FILES)


@pytest.fixture
def cli(shop: Path, home: Path) -> Cli:
    return cli_with(shop, home)


def test_map_shows_and_writes_nothing_without_a_yes(cli: Cli, shop: Path) -> None:
    done = cli("model", "map")
    assert "Shop.Checkout Service [container]: services/checkout" in done.err
    assert "doubtful" in done.err
    assert "nothing was written" in done.out
    assert not (shop / "archmem.toml").exists()


def test_map_writes_and_keeps_the_rest_byte_for_byte(cli: Cli, shop: Path, home: Path) -> None:
    (shop / "archmem.toml").write_text(SETTINGS)
    done = cli("model", "map", "--yes")
    assert "1 element mapped" in done.out
    written = f'{SETTINGS}\n[sources]\n"Shop.Checkout Service" = ["services/checkout"]\n'
    assert (shop / "archmem.toml").read_text() == written
    assert "nothing to map" in cli("model", "map", "--yes").out
    assert (shop / "archmem.toml").read_text() == written
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", "map")
    elements = {one["ref"]: one for one in cli("drift", "check", "--json").json["elements"]}
    assert elements["Shop.Checkout Service"]["verdict"] == "matched"
    assert not (home / "store").exists()


def test_map_as_json_asks_nothing_and_says_what_was_written(cli: Cli, shop: Path) -> None:
    found = cli("model", "map", "--json").json
    assert [(one["ref"], one["source"]) for one in found["proposals"]] == [
        ("Shop.Checkout Service", ["services/checkout"])
    ]
    assert [one["ref"] for one in found["doubtful"]] == ["Shop.Notifier"]
    assert found["proposals"][0]["reason"]
    assert found["written"] == []
    assert not (shop / "archmem.toml").exists()
    assert cli("model", "map", "--json", "--yes").json["written"] == ["Shop.Checkout Service"]


def test_map_writes_nothing_that_is_less_sure_than_asked(cli: Cli, shop: Path) -> None:
    assert "nothing to map" in cli("model", "map", "--yes", "--min-confidence", "0.99").out
    assert not (shop / "archmem.toml").exists()
    cli("model", "map", "--yes", "--min-confidence", "0.1")
    assert '"Shop.Notifier" = ["notifier"]' in (shop / "archmem.toml").read_text()
    cli("model", "map", "--min-confidence", "2", code=2)


def test_map_leaves_alone_what_somebody_decided(cli: Cli, shop: Path) -> None:
    (shop / "archmem.toml").write_text('[sources]\n"checkout service" = []\n')
    assert "nothing to map" in cli("model", "map", "--yes").out


def test_map_refuses_a_broken_file_with_its_line_and_leaves_it(cli: Cli, shop: Path) -> None:
    (shop / "archmem.toml").write_text("[project]\nname = \n")
    assert "archmem.toml:2" in cli("model", "map", "--yes", code=2).err
    assert (shop / "archmem.toml").read_text() == "[project]\nname = \n"
    inline = 'sources = {"Shop.Cart" = ["cart"]}\n'
    (shop / "archmem.toml").write_text(inline)
    assert "[sources]" in cli("model", "map", "--yes", code=2).err
    assert (shop / "archmem.toml").read_text() == inline


def test_map_needs_a_model_and_a_repository(tmp_path: Path, home: Path) -> None:
    bare = make_shop(tmp_path / "bare", files={"a.py": ""})
    assert "archmem model infer" in cli_with(bare, home)("model", "map", code=2).err
    (tmp_path / "nowhere").mkdir()
    cli_with(tmp_path / "nowhere", home)("model", "map", code=2)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of its own is made by script(1)")
@pytest.mark.parametrize(("answer", "is_written"), [("y\n", True), ("n\n", False)])
def test_map_asks_at_a_terminal(cli: Cli, shop: Path, answer: str, is_written: bool) -> None:
    import os
    import pty

    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "server.cli", "model", "map"],
            cwd=shop, env=cli.environment, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        os.write(ours, answer.encode())
        _, said = process.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 0, said
    assert "Write 1 to archmem.toml?" in said
    assert (shop / "archmem.toml").exists() is is_written


def test_infer_prints_a_workspace(cli: Cli, home: Path) -> None:
    done = cli("model", "infer", "--name", "The Shop")
    assert 'softwareSystem "The Shop"' in done.out
    assert 'checkout = container "Checkout" "" "Python, FastAPI"' in done.out
    assert '"path" "services/checkout"' in done.out
    assert 'container "Redis"' in done.out
    assert not (home / "store").exists()


def test_infer_writes_a_file_that_init_takes_over(cli: Cli, shop: Path) -> None:
    git(shop, "rm", "-q", "workspace.dsl")
    git(shop, "commit", "-q", "-m", "no model")
    done = cli("model", "infer", "--output", "docs/architecture/workspace.dsl")
    assert "2 containers" in done.out
    made = cli("init", "--json").json
    assert made["models"] == ["docs/architecture/workspace.dsl"]
    shown = {
        one["element"]["name"]: one["element"]["source"] for one in cli("model", "show", "--json").json["elements"]
    }
    assert shown["Checkout"] == ["services/checkout"]


def test_infer_overwrites_only_when_forced(cli: Cli, shop: Path) -> None:
    assert "--force" in cli("model", "infer", "--output", "workspace.dsl", code=2).err
    assert (shop / "workspace.dsl").read_text() == WORKSPACE
    cli("model", "infer", "--output", "workspace.dsl", "--force")
    assert "inferred" in (shop / "workspace.dsl").read_text()
    cli("model", "infer", "--output", "notifier", "--force", code=2)


def test_infer_tells_what_it_left_out_and_what_it_does_not_find(tmp_path: Path, home: Path) -> None:
    bare = make_shop(tmp_path / "bare", files={"a.txt": "", "x/package.json": "{", "x/a.ts": ""})
    done = cli_with(bare, home)("model", "infer")
    assert "warning: x/package.json: " in done.err
    empty = make_shop(tmp_path / "empty", files={"a.txt": ""})
    assert "no containers" in cli_with(empty, home)("model", "infer").err
    cli_with(empty, home)("model", "infer", "--target", "nowhere", code=2)


def test_infer_as_json_has_the_parts_and_the_text(cli: Cli) -> None:
    made = cli("model", "infer", "--json").json
    assert [one["name"] for one in made["sketch"]["containers"]] == ["Checkout", "Redis"]
    assert made["dsl"].startswith("workspace ")
    assert made["warnings"] == []
    assert made["file"] == ""
