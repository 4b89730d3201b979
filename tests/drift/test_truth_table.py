"""The truth table of a change: what was done to a shop's code, and the verdict on the element that covers it.

Rows that need more than one commit of one file stand elsewhere, each under its name; ELSEWHERE says where.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from drift import FORMATS, judge_report
from graph.drift_report import Verdict
from tests.drift.conftest import Checkout, day, dsl
from tests.drift.test_significance import COMMENTS, LAYOUT

ELSEWHERE = {
    "move folder": "test_verdicts.test_a_moved_folder_is_moved_with_the_edit_that_repairs_the_model",
    "rename + edit": "test_verdicts.test_moved_and_edited_is_drifted_and_says_where_it_went",
    "generated file": "test_verdicts.test_the_ignore_list_lock_files_generated_and_vendored_files_never_count",
    "lock file": "test_verdicts.test_the_ignore_list_lock_files_generated_and_vendored_files_never_count",
    "merge in both parent orders": "test_baselines.test_both_parent_orders_of_a_merge_give_the_same_verdict",
    "a branch merged late": "test_baselines.test_a_late_merge_lands_when_it_was_merged",
    "squash, rebase, amend": "test_anchors.test_an_anchor_outlives_rewritten_history",
    "rebased baseline": "test_baselines.test_a_rewritten_baseline_falls_back_on_its_blobs",
    "submodule bump": "test_verdicts.test_a_submodule_bump_is_drift_even_for_a_source_inside_it",
    "symlink": "test_verdicts.test_a_source_behind_a_symlink_is_followed_in_the_tree",
    "case-only rename": "test_verdicts.test_a_case_only_rename_is_moved",
    "deleted then restored": "test_verdicts.test_deleted_then_restored_is_matched",
    "shallow clone": "test_baselines.test_a_shallow_clone_is_unverified_never_clean",
    "detached HEAD": "test_repository.test_a_detached_head_and_a_bare_clone_give_the_same_report",
    "bare repository": "test_repository.test_a_detached_head_and_a_bare_clone_give_the_same_report",
    "empty repository": "test_repository.test_an_empty_repository_cannot_be_decided",
    "a model typo elsewhere": "test_baselines.test_a_typo_elsewhere_in_the_model_leaves_the_baseline",
    "never existed": "test_verdicts.test_a_path_that_never_existed_is_an_error_of_the_model_and_stamps_nothing",
    "a glob with dotfiles": "test_verdicts.test_a_glob_covers_dotfiles_and_names_that_are_not_ascii",
}
GO = "//go:build {}\n\npackage a\n"
C = "#include <{}.h>\n#define LIMIT {}\nint f(void) {{ return LIMIT; }}\n"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 1234\n"

SAME: dict[str, tuple[str, str | bytes, str | bytes]] = {
    **{f"comment-only {path}": (path, *pair) for path, pair in COMMENTS.items()},
    **{f"format-only {path}": (path, *pair) for path, pair in LAYOUT.items()},
    "crlf-only": ("a.py", b"if a:\n    b()\n", b"if a:\r\n    b()\r\n"),
    "byte order mark": ("a.cs", b"class A {}\n", b"\xef\xbb\xbfclass A {}\n"),
    "crlf-only without a lexer": ("a.txt", b"a\nb\n", b"a\r\nb\r\n"),
    "re-indented as a whole": ("a.py", "if a:\n  b()\nc()\n", "if a:\n    b()\nc()\n"),
    "docstring": ("a.py", 'def f():\n    """A."""\n    g()\n', 'def f():\n    """B."""\n    g()\n'),
}
OTHER: dict[str, tuple[str, str | bytes, str | bytes]] = {
    "string that looks like a comment": ("a.js", 'f("// a");\n', 'f("// b");\n'),
    "string that looks like a hash comment": ("a.py", 'f("# a")\n', 'f("# b")\n'),
    "heredoc that looks like a comment": ("a.sh", "cat <<E\n# a\nE\n", "cat <<E\n# b\nE\n"),
    "python indentation that moves a line": ("a.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"),
    "yaml indentation that moves a line": ("a.yaml", "a:\n  b: 1\n  c: 2\n", "a:\n  b: 1\nc: 2\n"),
    "#define": ("a.c", C.format("a", 1), C.format("a", 2)),
    "#include": ("a.c", C.format("a", 1), C.format("b", 1)),
    "//go:build": ("a.go", GO.format("linux"), GO.format("darwin")),
    "hashbang": ("tool", "#!/bin/sh\na\n", "#!/bin/bash\na\n"),
    "LFS pointer": ("a.bin", LFS.format("1" * 64), LFS.format("2" * 64)),
    "binary": ("a.png", b"\x89PNG\0a", b"\x89PNG\0b"),
    "line break after return": ("a.js", "return a\n", "return\na\n"),
}


def changed(shop: Checkout, path: str, old: str | bytes, new: str | bytes) -> Checkout:
    shop.commit({f"src/api/{path}": old, "workspace.dsl": dsl({"API": "src/api"})})
    shop.commit({f"src/api/{path}": new})
    return shop


@pytest.mark.parametrize("row", SAME)
def test_what_is_no_change(shop: Checkout, row: str) -> None:
    assert changed(shop, *SAME[row]).verdict(base="HEAD^").verdict is Verdict.MATCHED


@pytest.mark.parametrize("row", OTHER)
def test_what_is_a_change(shop: Checkout, row: str) -> None:
    finding = changed(shop, *OTHER[row]).verdict(base="HEAD^")
    assert (finding.verdict, finding.files) == (Verdict.DRIFTED, (f"src/api/{OTHER[row][0]}",))
    assert finding.landed_at == day(shop.day)


def test_rename_only(empty: Checkout) -> None:
    empty.commit({"workspace.dsl": dsl({"API": "src/api/**"}), "src/api/a.py": "a()\n" * 9, "src/api/b.py": "b()\n"})
    empty.git("mv", "src/api/a.py", "src/api/c.py")
    empty.commit()
    assert empty.verdict().verdict is Verdict.MATCHED


def test_rename_and_comment(empty: Checkout) -> None:
    empty.commit({"workspace.dsl": dsl({"API": "src/api/**"}), "src/api/a.py": "a()\n" * 9, "src/api/b.py": "b()\n"})
    empty.git("mv", "src/api/a.py", "src/api/c.py")
    empty.commit({"src/api/c.py": "# why\n" + "a()\n" * 9})
    assert empty.verdict().verdict is Verdict.MATCHED


def test_no_origin_head(shop: Checkout, tmp_path: Path) -> None:
    """A clone whose origin names no default branch, and one that tracks nothing, are checked like any other."""
    shop.commit({"src/api/cart.js": "changed();\n"})
    clone = Checkout(tmp_path / "clone")
    clone.git("clone", "--quiet", str(shop.root), ".")
    clone.git("remote", "set-head", "origin", "--delete")
    assert clone.check() == shop.check()
    clone.git("remote", "remove", "origin")
    assert clone.check() == shop.check()


@pytest.mark.parametrize("count", [0, 1, 300])
def test_however_many_findings_the_exit_code_stays_1(empty: Checkout, count: int) -> None:
    containers = {f"C{number}": f"src/c{number}" for number in range(count)}
    files = {f"src/c{number}/a.py": "a()\n" for number in range(count)}
    empty.commit({"workspace.dsl": dsl({"API": "src/api", **containers}), "src/api/a.py": "a()\n", **files})
    empty.commit(dict.fromkeys(files, "b()\n"))
    report = empty.check()
    assert sum(finding.verdict is Verdict.DRIFTED for finding in report.elements) == count
    checked = judge_report(report, min_score=100)
    assert checked.exit_code == (1 if count else 0)
    assert all(FORMATS[form](checked) is not None for form in FORMATS)


@pytest.mark.parametrize("row", ELSEWHERE)
def test_every_other_row_stands_where_it_is_said_to(row: str) -> None:
    module, _, name = ELSEWHERE[row].partition(".")
    assert f"def {name}(" in Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")


def test_a_squashed_branch_drifts_from_the_day_it_landed(make: Callable[[str], Checkout]) -> None:
    work = make("squash")
    work.commit({"workspace.dsl": dsl({"API": "src/api"}), "src/api/a.py": "a()\n"})
    work.git("checkout", "--quiet", "-b", "feature")
    work.commit({"src/api/a.py": "b()\n"})
    work.commit({"src/api/a.py": "c()\n"})
    work.git("checkout", "--quiet", "main")
    work.git("merge", "--quiet", "--squash", "feature")
    work.commit(on=9)
    finding = work.verdict()
    assert (finding.verdict, finding.commits, finding.landed_at) == (Verdict.DRIFTED, 1, day(9))
