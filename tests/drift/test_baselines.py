"""Which state an element is compared with, when its changes landed, and what an anchor tells."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from drift import Repository, accept, parse_accepted, read_project
from graph.claims import Anchor, Baseline
from graph.drift_report import DriftReport, Reason, Verdict
from graph.errors import InvalidInput, Unknown
from tests.drift.conftest import NOW, Checkout, day, dsl, found

EDITED = "function pay() {\n  return total() * 1.2;\n}\n"
SOURCES = {"API": "src/api", "Web": "src/web/**"}


def baseline(anchor: Anchor, on: int) -> dict[str, Baseline]:
    return {anchor.element: Baseline(anchor=anchor, accepted_at=day(on))}


def accepted(shop: Checkout, refs: list[str] | None, on: int) -> str:
    with Repository.open(shop.root) as repository:
        file = shop.root / ".archmem/accepted.json"
        existing = file.read_bytes() if file.exists() else None
        content, _ = accept(repository, read_project(repository, "HEAD")[1], refs, at=day(on), existing=existing)
    return content


# definitions


def test_a_typo_elsewhere_in_the_model_leaves_the_baseline(shop: Checkout) -> None:
    first = shop.git("rev-parse", "HEAD")
    shop.commit({"src/api/pay.js": EDITED})
    shop.commit({"workspace.dsl": dsl(SOURCES, describe={"Web": "The paeg"})})
    shop.commit({"workspace.dsl": dsl(SOURCES, describe={"Web": "The page"})})
    report = shop.check()
    assert (found(report).verdict, found(report).base) == (Verdict.DRIFTED, first)
    assert found(report, "Shop.Web").base == shop.git("rev-parse", "HEAD")


def test_a_new_name_of_what_is_around_an_element_leaves_its_baseline(empty: Checkout) -> None:
    said = {"API": "Takes orders", "Web": "The page"}
    first = empty.commit({"workspace.dsl": dsl(SOURCES, describe=said), "src/api/pay.js": "1;\n"})
    empty.commit({"src/api/pay.js": EDITED})
    renamed = dsl(SOURCES, describe=said).replace('"Shop"', '"Store"')
    empty.commit({"workspace.dsl": renamed.replace("The page", "The pages")})
    report = empty.check()
    assert (found(report, "Store.API").verdict, found(report, "Store.API").base) == (Verdict.DRIFTED, first)
    assert found(report, "Store.Web").base == empty.git("rev-parse", "HEAD")


def test_two_elements_that_said_the_same_are_not_taken_for_one(empty: Checkout) -> None:
    both = '    {one} = softwareSystem "{One}" {{\n      {one}db = container "Store" "Rows" {{\n        properties {{'
    both += '\n          "source" "src"\n        }}\n      }}\n    }}\n'
    before, after = ("".join(both.format(one=one, One=one.title()) for one in names) for names in (("a", "b"), ("c",)))
    empty.commit({"workspace.dsl": f"workspace {{\n  model {{\n{before}  }}\n}}\n", "src/x.js": "1;\n"})
    empty.commit({"src/x.js": EDITED})
    now = empty.commit({"workspace.dsl": f"workspace {{\n  model {{\n{after}  }}\n}}\n"})
    assert found(empty.check(), "C.Store").base == now


@pytest.mark.parametrize(
    "changed",
    [
        dsl(SOURCES, describe={"API": "Takes orders"}),
        dsl({"API": "src/api; src/shared", "Web": "src/web/**"}),
        dsl(SOURCES).replace('container "API" ""', 'container "API" "" "Rust"'),
        dsl(SOURCES).replace('container "API" ""', 'container "API" "" "" "Core"'),
    ],
    ids=["description", "source", "technology", "tags"],
)
def test_a_change_of_its_own_definition_resets_the_baseline(shop: Checkout, changed: str) -> None:
    shop.commit({"src/api/pay.js": EDITED})
    reset = shop.commit({"workspace.dsl": changed})
    api = shop.verdict()
    assert (api.verdict, api.base) == (Verdict.MATCHED, reset)


def test_a_remapping_in_the_project_file_resets_the_baseline_of_that_element_alone(shop: Checkout) -> None:
    first = shop.git("rev-parse", "HEAD")
    shop.commit({"src/api/pay.js": EDITED})
    reset = shop.commit({"archmem.toml": '[sources]\n"Shop.API" = ["src/api/pay.js"]\n'})
    report = shop.check()
    assert [found(report, ref).base for ref in ("Shop.API", "Shop.Web")] == [reset, first]


def test_a_model_that_was_renamed_and_split_keeps_its_history(shop: Checkout) -> None:
    first = shop.git("rev-parse", "HEAD")
    shop.commit({"src/api/pay.js": EDITED})
    shop.git("mv", "workspace.dsl", "model.txt")
    inner = dsl(SOURCES)
    head, body = inner.split("  model {\n")
    (shop.root / "model.txt").unlink()
    shop.commit(
        {"docs/workspace.dsl": f"{head}  model {{\n    !include inner.dsl\n  }}\n}}\n", "docs/inner.dsl": body[:-7]}
    )
    api = shop.verdict()
    assert (api.verdict, api.base) == (Verdict.DRIFTED, first)


def test_a_version_that_does_not_parse_is_passed_over_with_a_warning(shop: Checkout) -> None:
    first = shop.git("rev-parse", "HEAD")
    good = (shop.root / "workspace.dsl").read_text()
    shop.commit({"workspace.dsl": "workspace {\n  model {\n    nonsense here\n"})
    shop.commit({"workspace.dsl": good})
    shop.commit({"workspace.dsl": dsl(SOURCES, describe={"Web": "The page"})})
    report = shop.check()
    assert found(report).base == first
    assert [fault.where for fault in report.warnings] == ["model"]


def test_a_definition_that_came_with_a_repair_of_the_model_counts_from_there(shop: Checkout) -> None:
    shop.commit({"workspace.dsl": "workspace {\n  model {\n    nonsense here\n"})
    repaired = shop.commit({"workspace.dsl": dsl(SOURCES, describe={"API": "Takes orders"})})
    assert shop.verdict().base == repaired


def test_a_given_base_wins(shop: Checkout) -> None:
    shop.commit({"src/api/pay.js": EDITED})
    here = shop.git("rev-parse", "HEAD")
    report = shop.check(base="HEAD", baselines=baseline(shop.anchor(), 2))
    assert (found(report).verdict, report.base) == (Verdict.MATCHED, here)
    with pytest.raises(InvalidInput, match="nowhere"):
        shop.check(base="nowhere")


# acceptance


def test_accepting_clears_drift_and_survives_the_round_trip(shop: Checkout) -> None:
    shop.commit({"src/api/pay.js": EDITED})
    head = shop.git("rev-parse", "HEAD")
    content = accepted(shop, ["API"], 2)
    assert shop.verdict().verdict is Verdict.DRIFTED
    shop.commit({".archmem/accepted.json": content})
    api = shop.verdict()
    assert (api.verdict, api.base) == (Verdict.MATCHED, head)
    entry = json.loads(content)["Shop.API"]
    assert list(entry) == ["at", "blobs", "commit"]
    assert (entry["at"], entry["commit"], list(entry["blobs"])) == (
        "2024-01-03T12:00:00Z",
        head,
        ["src/api/cart.js", "src/api/pay.js"],
    )
    assert parse_accepted(content.encode())["Shop.API"].accepted_at == day(2)


def test_accepting_one_element_changes_no_line_of_another(shop: Checkout) -> None:
    everything = accepted(shop, None, 2)
    shop.commit({".archmem/accepted.json": everything})
    one = accepted(shop, ["Shop.Web"], 9)
    before, after = json.loads(everything), json.loads(one)
    assert list(before) == ["Shop.API", "Shop.Web"]
    assert before["Shop.API"] == after["Shop.API"]
    assert before["Shop.Web"] != after["Shop.Web"]


def test_accepting_everything_forgets_what_left_the_model(shop: Checkout) -> None:
    shop.commit({".archmem/accepted.json": accepted(shop, None, 2)})
    shop.commit({"workspace.dsl": dsl({"API": "src/api"})})
    assert list(json.loads(accepted(shop, ["Shop.API"], 3))) == ["Shop.API", "Shop.Web"]
    assert list(json.loads(accepted(shop, None, 3))) == ["Shop.API"]


def test_an_element_without_code_cannot_be_accepted(shop: Checkout) -> None:
    with pytest.raises(InvalidInput, match="no tracked file"):
        accepted(shop, ["Shop"], 2)
    with pytest.raises(Unknown):
        accepted(shop, ["Shop.Nothing"], 2)


def test_the_later_of_the_file_and_the_store_counts(shop: Checkout) -> None:
    old = shop.anchor()
    shop.commit({"src/api/pay.js": EDITED})
    shop.commit({".archmem/accepted.json": accepted(shop, ["Shop.API"], 5)})
    assert shop.verdict(baselines=baseline(old, 4)).verdict is Verdict.MATCHED
    assert shop.verdict(baselines=baseline(old, 6)).verdict is Verdict.DRIFTED


def test_a_faulty_accepted_file_lists_its_faults(shop: Checkout) -> None:
    shop.commit({".archmem/accepted.json": '{"Shop.API": {"commit": 1, "at": "2024-01-01T00:00:00"}}'})
    with pytest.raises(InvalidInput) as caught:
        shop.check()
    assert len(caught.value.faults) == 2


def test_a_rewritten_baseline_falls_back_on_its_blobs(shop: Checkout) -> None:
    gone = shop.anchor().model_copy(update={"commit": "0" * 39 + "1"})
    assert shop.verdict(baselines=baseline(gone, 2)).verdict is Verdict.MATCHED
    shop.commit({"src/api/pay.js": "function pay() {\n\treturn total();\n}\n"})
    assert shop.verdict(baselines=baseline(gone, 2)).verdict is Verdict.MATCHED
    shop.commit({"src/api/pay.js": EDITED})
    api = shop.verdict(baselines=baseline(gone, 2))
    assert (api.verdict, api.files, api.landed_at, api.commits) == (Verdict.DRIFTED, ("src/api/pay.js",), day(3), 2)
    (shop.root / "src/api").rename(shop.root / "api")
    shop.commit({"api/pay.js": "function pay() {\n  return total();\n}\n"})
    api = shop.verdict(baselines=baseline(gone, 2))
    assert (api.verdict, api.repair) == (Verdict.MOVED, {"src/api": "api"})


def test_a_baseline_of_which_nothing_is_left_is_unverified(shop: Checkout) -> None:
    nothing = Anchor(element="Shop.API", commit="0" * 39 + "1")
    api = shop.verdict(baselines=baseline(nothing, 2))
    assert (api.verdict, api.reason) == (Verdict.UNVERIFIED, Reason.UNKNOWN_BASELINE)


# landing


def on_branch(shop: Checkout) -> None:
    shop.git("checkout", "--quiet", "-b", "topic")
    shop.commit({"src/api/pay.js": EDITED})
    shop.git("checkout", "--quiet", "main")


def test_a_late_merge_lands_when_it_was_merged(shop: Checkout) -> None:
    on_branch(shop)
    shop.commit({"notes.txt": "1"}, on=20)
    shop.merge("topic")
    api = shop.verdict()
    assert (api.landed_at, api.commits) == (day(21), 1)


def test_a_late_fast_forward_lands_no_earlier_than_the_last_run_that_had_not_seen_it(shop: Checkout) -> None:
    seen = shop.git("rev-parse", "HEAD")
    anchor = shop.anchor()
    on_branch(shop)
    shop.git("merge", "--quiet", "--ff-only", "topic")
    assert shop.verdict().landed_at == day(2)
    report = shop.check(seen=(seen, day(40)), anchors=[anchor])
    assert found(report).landed_at == day(40)
    assert (report.anchors[0].differs, report.anchors[0].landed_at) == (True, day(40))
    head = shop.git("rev-parse", "HEAD")
    assert shop.verdict(seen=(head, day(41))).landed_at == day(2)


def test_nothing_lands_after_the_run(shop: Checkout) -> None:
    shop.commit({"src/api/pay.js": EDITED}, on=90)
    assert shop.verdict(at=day(50)).landed_at == day(50)


def test_a_lost_head_of_the_previous_run_is_a_warning(shop: Checkout) -> None:
    report = shop.check(seen=("0" * 39 + "1", day(3)))
    assert [fault.where for fault in report.warnings] == ["seen"]


def test_white_space_after_the_change_does_not_move_its_landing(shop: Checkout) -> None:
    shop.commit({"src/api/pay.js": EDITED}, by="reviewer")
    shop.commit({"src/api/pay.js": EDITED.replace("  ", "\t")})
    api = shop.verdict()
    assert (api.landed_at, api.commits, api.authors) == (day(2), 1, ("reviewer",))


def test_both_parent_orders_of_a_merge_give_the_same_verdict(make: Callable[[str], Checkout]) -> None:
    reports: list[DriftReport] = []
    for name, into, other in (("one", "main", "topic"), ("two", "topic", "main")):
        shop = make(name)
        shop.commit({"workspace.dsl": dsl({"API": "api", "Web": "web"}), "api/a.js": "1\n", "web/w.js": "1\n"})
        shop.git("checkout", "--quiet", "-b", "topic")
        shop.commit({"api/a.js": "2\n"})
        shop.commit({"api/a.js": "1\n"})
        shop.commit({"web/w.js": "2\n"})
        shop.git("checkout", "--quiet", "main")
        shop.commit({"api/b.js": "1\n"})
        shop.merge(other, into=into)
        reports.append(shop.check())
    first, second = ([(f.ref, f.verdict, f.files, f.base) for f in report.elements] for report in reports)
    assert first == second
    assert [f.verdict for f in reports[0].elements] == [Verdict.UNMAPPED, Verdict.DRIFTED, Verdict.DRIFTED]


# anchors


def test_a_shallow_clone_is_unverified_never_clean(shop: Checkout, tmp_path: Path) -> None:
    shop.commit({"src/api/pay.js": EDITED})
    shop.commit({"src/new/x.js": "1\n"})
    clone = Checkout(tmp_path / "shallow")
    clone.git("clone", "--quiet", "--depth=1", f"file://{shop.root}", ".")
    report = clone.check()
    api = found(report)
    assert (api.verdict, api.reason, report.score) == (Verdict.UNVERIFIED, Reason.SHALLOW_CLONE, None)


def test_a_shallow_clone_does_not_take_its_oldest_commit_for_the_definition(shop: Checkout, tmp_path: Path) -> None:
    shop.commit({"src/api/pay.js": EDITED})
    shop.commit({"workspace.dsl": dsl(SOURCES, describe={"Web": "The page"})})
    clone = Checkout(tmp_path / "shallow")
    clone.git("clone", "--quiet", "--depth=2", f"file://{shop.root}", ".")
    report = clone.check()
    assert (found(report).verdict, found(report, "Shop.Web").verdict) == (Verdict.UNVERIFIED, Verdict.MATCHED)


def test_a_shallow_clone_that_lacks_the_path_does_not_say_it_never_existed(shop: Checkout, tmp_path: Path) -> None:
    shop.git("rm", "-r", "--quiet", "src/api")
    shop.commit()
    shop.commit({"notes.txt": "1"})
    clone = Checkout(tmp_path / "shallow")
    clone.git("clone", "--quiet", "--depth=1", f"file://{shop.root}", ".")
    assert clone.verdict().verdict is Verdict.UNVERIFIED
    clone.git("fetch", "--quiet", "--unshallow")
    assert clone.verdict().reason is Reason.REMOVED


def test_a_shallow_clone_still_compares_accepted_blobs(shop: Checkout, tmp_path: Path) -> None:
    shop.commit({".archmem/accepted.json": accepted(shop, None, 1)})
    shop.commit({"src/api/pay.js": EDITED})
    shop.commit({"notes.txt": "1"})
    clone = Checkout(tmp_path / "shallow")
    clone.git("clone", "--quiet", "--depth=1", f"file://{shop.root}", ".")
    report = clone.check()
    assert (found(report).verdict, found(report, "Shop.Web").verdict) == (Verdict.DRIFTED, Verdict.MATCHED)
    assert found(report).landed_at == day(4)


def test_a_staged_tree_is_checked_as_the_commit_it_would_be(shop: Checkout) -> None:
    shop.write("src/api/pay.js", EDITED)
    shop.git("add", "--all")
    tree = shop.git("write-tree")
    report = shop.check(target=tree)
    api = found(report)
    assert (api.verdict, api.files, api.landed_at) == (Verdict.DRIFTED, ("src/api/pay.js",), NOW)
    assert (report.head, report.head_at) == (tree, None)
    assert found(report, "Shop.Web").verdict is Verdict.MATCHED


def test_a_staged_definition_makes_the_staged_tree_its_baseline(shop: Checkout) -> None:
    shop.write("src/api/pay.js", EDITED)
    shop.write("workspace.dsl", dsl(SOURCES, describe={"API": "Takes orders"}))
    shop.git("add", "--all")
    tree = shop.git("write-tree")
    assert (shop.verdict(target=tree).verdict, shop.verdict(target=tree).base) == (Verdict.MATCHED, tree)


def test_a_first_tree_without_any_commit_can_be_checked(empty: Checkout) -> None:
    empty.write("workspace.dsl", dsl({"API": "src", "Web": "web"}))
    empty.write("src/a.js", "1\n")
    empty.git("add", "--all")
    report = empty.check(target=empty.git("write-tree"), at=NOW - timedelta(days=1))
    assert found(report).verdict is Verdict.MATCHED
    assert found(report, "Shop.Web").reason in (Reason.NO_SOURCE, Reason.NEVER_EXISTED)
