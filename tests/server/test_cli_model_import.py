"""`archmem model import` and `rename`: the difference first, questions on a terminal alone."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.server.shop import FILES, MODEL, Cli, write

FACT = "The cart is emptied at midnight"
# The jobs' cart has another name and identifier: nothing but its source says who it is.
RENAMED = MODEL.replace('cart = component "Cart"', 'basket = component "Basket"')


@pytest.fixture
def changed(cli: Cli) -> Cli:
    """The shop with a memory about the jobs' cart, which the model on disk calls otherwise."""
    cli("remember", FACT, "--element", "Shop.Jobs.Cart")
    write(cli.folder, {"workspace.dsl": RENAMED})
    return cli


def on_a_terminal(cli: Cli, *arguments: str, type: str = "") -> tuple[int, str]:
    """Run a command on a terminal of its own with these keys typed; return its exit code and what it showed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "server.cli", *arguments]
    with subprocess.Popen(
        command, cwd=cli.folder, env=cli.environment, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        os.write(ours, type.encode())
        shown = b""
        until = time.monotonic() + 60
        while time.monotonic() < until and select.select([ours], [], [], 60)[0]:
            try:
                read = os.read(ours, 65_536)
            except OSError:  # the terminal's other end is closed
                break
            if not read:
                break
            shown += read
        code = process.wait(60)
    os.close(ours)
    return code, shown.decode("utf-8").replace("\r\n", "\n")


def refs(cli: Cli) -> dict[str, int]:
    """Return the active elements with their memories."""
    listed = cli("model", "show", "--json").json["elements"]
    return {one["element"]["ref"]: one["memories"] for one in listed if not one["retired"]}


def test_a_dry_run_shows_the_difference_and_changes_nothing(changed: Cli) -> None:
    before = changed("model", "show", "--json").json
    told = changed("model", "import", "--dry-run").out
    assert "added (1):\n  + Shop.Jobs.Basket\n" in told
    assert "removed (1):\n  - Shop.Jobs.Cart; it keeps 1 memory\n" in told
    assert "? Shop.Jobs.Basket may be Shop.Jobs.Cart, which left with 1 memory (same source src/jobs)" in told
    answer = changed("model", "import", "--dry-run", "--json").json
    assert (answer["added"], answer["removed"]) == (["Shop.Jobs.Basket"], [{"ref": "Shop.Jobs.Cart", "memories": 1}])
    assert answer["maybe_renamed"][0]["reasons"] == ["same source src/jobs"]
    assert changed("model", "show", "--json").json == before


def test_a_script_is_asked_nothing_and_told_what_may_be_meant(changed: Cli) -> None:
    told = changed("model", "import").out
    assert told.index("- Shop.Jobs.Cart; it keeps 1 memory") < told.index("8 elements imported (1 added")
    assert "if so:\n    archmem model rename Shop.Jobs.Cart Shop.Jobs.Basket\n" in told
    assert "retired: Shop.Jobs.Cart [component, 1 memory]" in changed("model", "show").out
    assert (
        "Shop.Jobs.Cart is Shop.Jobs.Basket now, with 1 memory"
        in changed("model", "rename", "Shop.Jobs.Cart", "Shop.Jobs.Basket").out
    )
    assert refs(changed)["Shop.Jobs.Basket"] == 1
    assert changed("model", "import").out.startswith(
        "nothing differs from the stored model\n8 elements imported (0 added"
    )


def test_json_is_one_answer_and_asks_nothing(changed: Cli) -> None:
    code, shown = on_a_terminal(changed, "model", "import", "--json")
    assert code == 0
    assert shown.startswith("{")
    assert '"added": [\n    "Shop.Jobs.Basket"\n  ]' in shown


def test_a_rename_can_be_told_with_the_import(changed: Cli) -> None:
    told = changed("model", "import", "--yes", "--rename", "Shop.Jobs.Cart", "Shop.Jobs.Basket").out
    assert "renamed (1):\n  > Shop.Jobs.Cart is Shop.Jobs.Basket, with 1 memory\n" in told
    assert refs(changed)["Shop.Jobs.Basket"] == 1
    error = changed("model", "import", "--rename", "Shop.Nothing", "Shop.Jobs.Basket", code=2).err
    assert "there is no element 'Shop.Nothing'" in error


def test_a_terminal_is_asked_who_is_who_and_whether_to_go_on(changed: Cli) -> None:
    code, shown = on_a_terminal(changed, "model", "import", type="y\ny\n")
    assert code == 0, shown
    question = "Is Shop.Jobs.Basket the renamed Shop.Jobs.Cart, with 1 memory? (same source src/jobs)"
    assert shown.index(question) < shown.index("> Shop.Jobs.Cart is Shop.Jobs.Basket") < shown.index("Take this over?")
    assert "1 renamed" in shown
    assert refs(changed)["Shop.Jobs.Basket"] == 1


def test_two_noes_leave_everything_as_it_was(changed: Cli) -> None:
    before = changed("model", "show", "--json").json
    code, shown = on_a_terminal(changed, "model", "import", type="n\nn\n")
    assert code == 1
    assert "- Shop.Jobs.Cart; it keeps 1 memory" in shown
    assert "nothing was changed" in shown
    assert changed("model", "show", "--json").json == before


def test_a_no_to_the_rename_alone_takes_it_for_new(changed: Cli) -> None:
    code, shown = on_a_terminal(changed, "model", "import", type="n\ny\n")
    assert code == 0, shown
    assert refs(changed)["Shop.Jobs.Basket"] == 0


def test_a_terminal_is_asked_nothing_where_nothing_differs_or_yes_was_said(changed: Cli) -> None:
    code, shown = on_a_terminal(changed, "model", "import", "--yes")
    assert (code, "?" in shown.replace("may be", "")) == (0, False), shown
    code, shown = on_a_terminal(changed, "model", "import")
    assert (code, "nothing differs" in shown, "Take this over" in shown) == (0, True, False)


def test_a_rename_before_the_import_is_found_by_it(cli: Cli) -> None:
    cli("remember", FACT, "--element", "Shop.Jobs.Cart")
    answer = cli("model", "rename", "Shop.Jobs", "Shop.Workers", "--json").json
    assert [(one["old"], one["new"], one["memories"]) for one in answer["renamed"]] == [
        ("Shop.Jobs", "Shop.Workers", 0),
        ("Shop.Jobs.Cart", "Shop.Workers.Cart", 1),
    ]
    write(cli.folder, {"workspace.dsl": FILES["workspace.dsl"].replace('"Jobs"', '"Workers"')})
    assert "(0 added, 0 changed, 0 renamed, 0 removed)" in cli("model", "import").out
    assert refs(cli)["Shop.Workers.Cart"] == 1


def test_what_cannot_be_renamed_is_refused(cli: Cli) -> None:
    assert "both in the stored model" in cli("model", "rename", "Shop.API", "Shop.Web", code=2).err
    assert "no element 'Nobody'" in cli("model", "rename", "Nobody", "Shop.X", code=2).err
    assert cli("model", "rename", "Cart", "Shop.X", code=2).err.count("Shop.Jobs.Cart") == 1


def test_rest_compares_and_renames(rest: httpx.Client) -> None:
    model = rest.get("/api/model").json()
    (cart,) = (one for one in model["elements"] if one["ref"] == "Shop.Jobs.Cart")
    cart |= {"ref": "Shop.Jobs.Basket", "name": "Basket", "identity": "basket"}
    told = rest.post("/api/model/difference", json=model).json()
    assert (told["added"], told["removed"][0]["ref"]) == (["Shop.Jobs.Basket"], "Shop.Jobs.Cart")
    assert rest.get("/api/model").json() != model
    body = {"old": "Shop.Jobs.Cart", "new": "Shop.Jobs.Basket"}
    made = rest.post("/api/model/rename", json=body)
    assert (made.status_code, made.json()["renamed"][0]["new"]) == (200, "Shop.Jobs.Basket")
    assert rest.post("/api/model/difference", json=model).json()["added"] == []
    again = rest.post("/api/model/rename", json=body)
    assert (again.status_code, again.json()["code"]) == (404, "unknown")


def test_init_asks_nothing_and_takes_the_model_over(cli: Cli, tmp_path: Path) -> None:
    code, shown = on_a_terminal(cli, "init", "--store", str(tmp_path / "fresh.db"))
    assert code == 0
    assert "8 elements imported (8 added" in shown
