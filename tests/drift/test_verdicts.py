"""What each verdict means, on real repositories."""

import subprocess

import pytest

from drift import DriftPolicy
from graph.drift_report import Reason, Verdict
from tests.drift.conftest import Checkout, day, dsl, found

EDITED = "function pay() {\n  return total() * 1.2;\n}\n"


def test_untouched_code_is_matched(shop: Checkout) -> None:
    base = shop.git("rev-parse", "HEAD")
    shop.commit({"README.txt": "words"})
    report = shop.check()
    assert [(f.ref, f.verdict) for f in report.elements] == [
        ("Shop", Verdict.UNMAPPED),
        ("Shop.API", Verdict.MATCHED),
        ("Shop.Web", Verdict.MATCHED),
    ]
    assert found(report).base == base
    assert (report.score, report.band) == (100.0, "excellent")


def test_changed_code_is_drifted_with_its_commits_files_share_and_authors(shop: Checkout) -> None:
    shop.commit({"src/api/pay.js": EDITED})
    shop.commit({"src/api/pay.js": EDITED.replace("1.2", "1.3")}, by="reviewer")
    report = shop.check()
    api = found(report)
    assert api.verdict is Verdict.DRIFTED
    assert (api.commits, api.files, api.authors) == (2, ("src/api/pay.js",), ("reviewer", "dev"))
    assert (api.first_change_at, api.last_change_at, api.landed_at) == (day(2), day(3), day(3))
    assert api.share == round(1 / 7, 4)
    assert found(report, "Shop.Web").verdict is Verdict.MATCHED
    assert (report.score, report.band) == (50.0, "fair")


def test_an_added_and_a_removed_file_are_drift(shop: Checkout) -> None:
    shop.commit({"src/api/refund.js": "refund();\n"})
    (shop.root / "src/web/page.js").rename(shop.root / "src/web/gone")
    shop.git("rm", "--quiet", "--cached", "src/web/page.js")
    shop.write("src/web/gone", "entirely\nother\ncontent\n")
    shop.commit()
    report = shop.check()
    assert found(report).files == ("src/api/refund.js",)
    assert found(report, "Shop.Web").files == ("src/web/gone", "src/web/page.js")


def test_a_moved_folder_is_moved_with_the_edit_that_repairs_the_model(shop: Checkout) -> None:
    (shop.root / "services").mkdir()
    shop.git("mv", "src/api", "services/api")
    shop.git("mv", "src/web", "pages")
    shop.commit()
    report = shop.check()
    assert found(report).verdict is Verdict.MOVED
    assert found(report).repair == {"src/api": "services/api"}
    assert found(report, "Shop.Web").repair == {"src/web/**": "pages/**"}
    assert (report.score, report.new) == (100.0, ())


def test_a_moved_file_of_several_sources_is_moved(empty: Checkout) -> None:
    empty.commit({"workspace.dsl": dsl({"API": "a.js; b.js"}), "a.js": "one();\n", "b.js": "two();\n"})
    empty.git("mv", "b.js", "c.js")
    empty.commit()
    api = empty.verdict()
    assert (api.verdict, api.repair) == (Verdict.MOVED, {"b.js": "c.js"})


def test_moved_and_edited_is_drifted_and_says_where_it_went(shop: Checkout) -> None:
    shop.git("mv", "src/api", "api")
    shop.commit({"api/cart.js": "function add(item) {\n  cart.push(item, 1);\n  return cart;\n}\n"})
    api = shop.verdict()
    assert (api.verdict, api.repair, api.files) == (Verdict.DRIFTED, {"src/api": "api"}, ("api/cart.js",))
    assert api.landed_at == day(2)


def test_moved_then_edited_lands_with_the_edit(shop: Checkout) -> None:
    shop.git("mv", "src/api", "api")
    shop.commit()
    shop.commit({"api/cart.js": "function add(item) {\n  cart.push(item, 1);\n  return cart;\n}\n"})
    shop.commit({"notes.txt": ""})
    assert shop.verdict().landed_at == day(3)


def test_edited_then_moved_lands_with_the_edit_not_with_the_move(shop: Checkout) -> None:
    shop.commit({"src/api/cart.js": "function add(item) {\n  cart.push(item, 1);\n  return cart;\n}\n"})
    shop.git("mv", "src/api", "api")
    shop.commit()
    api = shop.verdict()
    assert (api.verdict, api.landed_at) == (Verdict.DRIFTED, day(2))


def test_removed_code_is_missing_since_the_commit_that_removed_it(shop: Checkout) -> None:
    shop.commit({"README.txt": "words"})
    shop.git("rm", "-r", "--quiet", "src/api")
    shop.commit()
    shop.commit({"README.txt": "more words"})
    api = shop.verdict()
    assert (api.verdict, api.reason) == (Verdict.MISSING, Reason.REMOVED)
    assert (api.removed_at, api.landed_at) == (day(3), day(3))
    assert api.files == ("src/api/cart.js", "src/api/pay.js")


def test_a_folder_of_which_little_lives_on_is_missing(empty: Checkout) -> None:
    files = {f"src/{name}.js": f"{name}();\n" * 5 for name in "abc"}
    empty.commit({"workspace.dsl": dsl({"API": "src/"}), **files})
    empty.git("mv", "src/a.js", "kept.js")
    empty.git("rm", "--quiet", "src/b.js", "src/c.js")
    empty.commit()
    assert empty.verdict().reason is Reason.REMOVED


def test_code_that_its_element_names_in_words_is_missing_not_unmapped_once_it_is_gone(empty: Checkout) -> None:
    model = dsl({"API": "", "Web": ""}, describe={"API": '" "module (cart.py)', "Web": '" "Python'})
    empty.commit({"workspace.dsl": model, "src/cart.py": "x = 1\n"})
    assert empty.verdict().verdict is Verdict.MATCHED
    empty.git("rm", "--quiet", "src/cart.py")
    empty.commit()
    report = empty.check()
    assert (found(report).reason, found(report).removed_at) == (Reason.REMOVED, day(2))
    assert found(report, "Shop.Web").reason is Reason.NO_SOURCE


def test_a_rename_from_one_glob_of_the_source_to_another_needs_no_repair(empty: Checkout) -> None:
    empty.commit({"workspace.dsl": dsl({"API": "src/**/*.js; src/**/*.ts"}), "src/x/a.js": "a();\n"})
    empty.git("mv", "src/x/a.js", "src/x/a.ts")
    empty.commit()
    assert (empty.verdict().verdict, empty.verdict().note) == (Verdict.MATCHED, "no tracked file at src/**/*.js")


def test_code_removed_before_its_element_was_redefined_is_still_removed_not_never_there(shop: Checkout) -> None:
    shop.git("rm", "-r", "--quiet", "src/api")
    shop.commit()
    shop.commit({"workspace.dsl": dsl({"API": "src/api", "Web": "src/web/**"}, describe={"API": "the API"})})
    api = shop.verdict()
    assert (api.verdict, api.reason, api.removed_at) == (Verdict.MISSING, Reason.REMOVED, day(2))


def test_code_moved_before_its_element_was_redefined_is_still_moved(shop: Checkout) -> None:
    shop.git("mv", "src/api", "api")
    shop.commit()
    shop.commit({"workspace.dsl": dsl({"API": "src/api", "Web": "src/web/**"}, describe={"API": "the API"})})
    api = shop.verdict()
    assert (api.verdict, api.repair) == (Verdict.MOVED, {"src/api": "api"})


def test_a_path_that_never_existed_is_an_error_of_the_model_and_stamps_nothing(shop: Checkout) -> None:
    shop.commit({"workspace.dsl": dsl({"API": "src/API", "Web": "src/webb/x.js"})})
    report = shop.check()
    web = found(report, "Shop.Web")
    assert (web.verdict, web.reason) == (Verdict.MISSING, Reason.NEVER_EXISTED)
    assert (web.landed_at, web.removed_at) == (None, None)
    assert found(report).note == "the repository spells it 'src/api'"
    assert report.score == 0.0


def test_deleted_then_restored_is_matched(shop: Checkout) -> None:
    shop.git("rm", "-r", "--quiet", "src/api")
    shop.commit()
    assert shop.verdict().verdict is Verdict.MISSING
    shop.git("checkout", "--quiet", "HEAD~1", "--", "src/api")
    shop.commit()
    assert shop.verdict().verdict is Verdict.MATCHED


def test_a_revert_clears_the_drift(shop: Checkout) -> None:
    shop.commit({"src/api/pay.js": EDITED})
    assert shop.verdict().verdict is Verdict.DRIFTED
    shop.git("revert", "--no-edit", "HEAD", at=day(3))
    assert shop.verdict().verdict is Verdict.MATCHED


def test_people_external_systems_and_elements_without_a_source_are_unmapped(empty: Checkout) -> None:
    extra = '    buyer = person "Buyer"\n    bank = softwareSystem "Bank" "" "External"'
    empty.commit({"workspace.dsl": dsl({"API": ""}, extra=extra)})
    report = empty.check()
    assert {f.ref: f.reason for f in report.elements} == {
        "Shop": Reason.NO_SOURCE,
        "Shop.API": Reason.NO_SOURCE,
        "Buyer": Reason.PERSON,
        "Bank": Reason.EXTERNAL,
    }
    assert {f.verdict for f in report.elements} == {Verdict.UNMAPPED}
    assert (report.score, report.band) == (None, "unknown")


def test_new_code_is_named_by_its_topmost_uncovered_folder(shop: Checkout) -> None:
    shop.commit(
        {
            "billing/core/a.py": "a = 1\n",
            "billing/core/deep/b.py": "b = 1\n",
            "src/jobs/run.js": "run();\n",
            "src/loose.js": "loose();\n",
            "main.go": "package main\n",
            "billing/readme.md": "no code",
            "tests/test_a.py": "assert True\n",
            "src/jobs/run.test.js": "test();\n",
            "docs/conf.py": "x = 1\n",
            "old/a.py": "x = 1\n",
            "archmem.toml": '[drift]\nignore = ["old"]\n',
        }
    )
    report = shop.check()
    assert [(new.path, new.files) for new in report.new] == [(".", 1), ("billing", 2), ("src", 1), ("src/jobs", 1)]
    assert report.score == round(100 * 2 / 6, 1)


@pytest.mark.parametrize(
    "path",
    [
        *("src/api/tests.rs", "src/api/pay_tests.rs", "lib/src/testFixtures/Shop.kt", "packages/e2e-test/steps.js"),
        *(
            "packages/cart/cypress/support.js",
            "src/web.stories.ts",
            "examples/shop/main.go",
            "lib/build.gradle.kts",
            "lib/build.rs",
        ),
        *("src/__init__.py", "src/api/package-info.java"),
    ],
)
def test_tests_samples_build_scripts_and_package_files_are_not_new_code(shop: Checkout, path: str) -> None:
    shop.commit({path: "code = 1;\n"})
    assert shop.check().new == ()


@pytest.mark.parametrize("path", ["src/archive/store.js", "shop/__init__.py", "src/jobs/contest.rs"])
def test_code_that_only_looks_set_aside_is_new(shop: Checkout, path: str) -> None:
    shop.commit({path: "code = 1;\n"})
    assert [new.first for new in shop.check().new] == [path]


def test_the_ignore_list_lock_files_generated_and_vendored_files_never_count(shop: Checkout) -> None:
    attributes = (
        "*.gen.js linguist-generated\n/src/api/lib/** linguist-vendored=true\nkept.gen.js -linguist-generated\n"
    )
    first = {
        ".gitattributes": attributes,
        "src/api/a.gen.js": "1\n",
        "src/api/kept.gen.js": "1\n",
        "src/api/lib/deep/x.js": "1\n",
        "src/api/package-lock.json": "{}\n",
        "src/api/skip.js": "1\n",
    }
    base = shop.commit(first)
    shop.commit({path: content + "changed\n" for path, content in first.items() if path != ".gitattributes"})
    assert shop.verdict(base=base, ignore=["src/api/skip*"]).files == ("src/api/kept.gen.js",)
    shop.git("rm", "--quiet", "src/api/kept.gen.js")
    shop.commit()
    assert shop.verdict(base=base, ignore=["src/api/skip*", "**/kept*"]).verdict is Verdict.MATCHED
    assert shop.verdict(base=base, policy=DriftPolicy(lock_files=frozenset())).files == (
        "src/api/kept.gen.js",
        "src/api/package-lock.json",
        "src/api/skip.js",
    )


def test_a_glob_covers_dotfiles_and_names_that_are_not_ascii(empty: Checkout) -> None:
    empty.commit({"workspace.dsl": dsl({"API": "src/**"}), "src/.hidden/x.js": "1\n", "src/größe/naïve file.js": "1\n"})
    empty.commit({"src/.hidden/x.js": "2\n", "src/größe/naïve file.js": "2\n"})
    assert empty.verdict().files == ("src/.hidden/x.js", "src/größe/naïve file.js")


def test_a_name_that_is_no_utf8_is_reported_readably(empty: Checkout) -> None:
    empty.commit({"workspace.dsl": dsl({"API": "src"}), "src/a.js": "1\n"})
    blob = empty.git("rev-parse", "HEAD:src/a.js")
    raw = b"100644 " + blob.encode() + b"\tsrc/caf\xe9.js\0"
    (empty.root / "index-info").write_bytes(raw)
    with (empty.root / "index-info").open("rb") as stream:
        subprocess.run(["git", "update-index", "-z", "--index-info"], cwd=empty.root, stdin=stream, check=True)
    (empty.root / "index-info").unlink()
    empty.git("commit", "--quiet", "-m", "odd name", at=day(2))
    api = empty.verdict()
    assert api.files == ("src/caf\\xe9.js",)
    assert api.model_dump_json()


def test_a_case_only_rename_is_moved(shop: Checkout) -> None:
    shop.git("mv", "src/api", "src/tmp")
    shop.git("mv", "src/tmp", "src/Api")
    shop.commit()
    api = shop.verdict()
    assert (api.verdict, api.repair) == (Verdict.MOVED, {"src/api": "src/Api"})


def test_a_changed_mode_is_no_change_but_a_file_that_became_a_link_is(shop: Checkout) -> None:
    (shop.root / "src/api/pay.js").chmod(0o755)
    shop.commit()
    assert shop.verdict().verdict is Verdict.MATCHED
    (shop.root / "src/api/pay.js").unlink()
    (shop.root / "src/api/pay.js").symlink_to("cart.js")
    shop.commit()
    assert shop.verdict().files == ("src/api/pay.js",)


def test_a_source_behind_a_symlink_is_followed_in_the_tree(empty: Checkout) -> None:
    empty.write("src/v2/a.js", "1\n")
    (empty.root / "src/current").symlink_to("v2")
    empty.commit({"workspace.dsl": dsl({"API": "src/current"})})
    assert empty.verdict().verdict is Verdict.MATCHED
    empty.commit({"src/v2/a.js": "2\n"})
    assert empty.verdict().files == ("src/v2/a.js",)


def test_a_submodule_bump_is_drift_even_for_a_source_inside_it(empty: Checkout) -> None:
    library = Checkout(empty.root.parent / "library")
    library.git("init", "--quiet", "--initial-branch=main")
    library.commit({"src/x.js": "1\n"})
    empty.git("submodule", "--quiet", "add", str(library.root), "lib")
    empty.commit({"workspace.dsl": dsl({"API": "lib", "Web": "lib/src/x.js"})})
    assert empty.verdict().verdict is Verdict.MATCHED
    newer = library.commit({"src/x.js": "2\n"})
    empty.git("-C", "lib", "fetch", "--quiet")
    empty.git("-C", "lib", "checkout", "--quiet", newer)
    empty.commit()
    report = empty.check()
    assert [found(report, ref).files for ref in ("Shop.API", "Shop.Web")] == [("lib",), ("lib",)]


def test_a_git_lfs_pointer_is_compared_as_it_stands(empty: Checkout) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 5\n"
    attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n"
    content = {
        "workspace.dsl": dsl({"API": "src"}),
        ".gitattributes": attributes,
        "src/m.bin": pointer.format("a" * 64),
    }
    empty.git("config", "filter.lfs.clean", "cat")
    empty.git("config", "filter.lfs.smudge", "false")
    empty.git("config", "filter.lfs.required", "true")
    empty.commit(content)
    assert empty.verdict().verdict is Verdict.MATCHED
    empty.commit({"src/m.bin": pointer.format("b" * 64)})
    assert empty.verdict().files == ("src/m.bin",)


def test_too_many_renames_are_said_to_be_unpaired(empty: Checkout) -> None:
    many = {f"src/{i}.js": "\n".join(f"line {i} {k};" for k in range(20)) for i in range(12)}
    empty.commit({"workspace.dsl": dsl({"API": "src"}), **many})
    for path in many:
        empty.git("mv", path, path.replace(".js", "x.js"))
    empty.commit({path.replace(".js", "x.js"): content + "\nlast;" for path, content in many.items()})
    assert not empty.check().warnings
    assert [fault.where for fault in empty.check(policy=DriftPolicy(rename_limit=2)).warnings] == ["renames"]


def test_where_files_are_missing_moves_are_told_by_their_ids_alone(empty: Checkout) -> None:
    content = "\n".join(f"line {k};" for k in range(20))
    empty.commit({"workspace.dsl": dsl({"API": "src"}), "src/a.js": content, "src/b.js": f"{content}\nb;"})
    empty.git("mv", "src/a.js", "src/c.js")
    empty.git("rm", "--quiet", "src/b.js")
    empty.commit({"src/d.js": f"{content}\nd;"})
    blob = empty.git("rev-parse", "HEAD~1:src/b.js").strip()
    (empty.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    report = empty.check()
    assert [fault.what.partition(" since")[0] for fault in report.warnings] == ["files are missing in this clone"]
    assert found(report).files == ("src/b.js", "src/d.js")


def test_code_that_came_after_its_element_says_so(shop: Checkout) -> None:
    shop.commit({"workspace.dsl": dsl({"API": "src/later", "Web": "src/web/**"})})
    shop.commit({"src/later/a.js": "1\n"})
    api = shop.verdict()
    assert (api.verdict, api.share) == (Verdict.DRIFTED, 1.0)
    assert api.note == "the source did not exist at the baseline"
