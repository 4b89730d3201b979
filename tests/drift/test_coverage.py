"""Pure parts: what a source covers, and changes known by blobs alone."""

from drift import Coverage, GitTree
from drift.changes import SUBMODULE, SYMLINK, Change, changes_of_blobs
from drift.coverage import covered_sorted
from drift.trees import Entry

PATHS = sorted(["a.js", "app/[id]/page.tsx", "src/a/x.js", "src/ab/y.js", "src/b.js", "src/.env", "lib"])


def test_a_literal_covers_a_file_or_a_whole_folder_and_no_neighbour() -> None:
    assert covered_sorted(["src/a"], PATHS) == ["src/a/x.js"]
    assert covered_sorted(["./src/a/", "a.js"], PATHS) == ["a.js", "src/a/x.js"]
    assert covered_sorted(["app/[id]/page.tsx"], PATHS) == ["app/[id]/page.tsx"]
    assert covered_sorted(["."], PATHS) == PATHS


def test_globs_cross_folders_only_with_two_stars_and_braces_choose() -> None:
    assert covered_sorted(["src/*"], PATHS) == ["src/.env", "src/b.js"]
    assert covered_sorted(["{src,lib}/**/*.js"], PATHS) == ["src/a/x.js", "src/ab/y.js", "src/b.js"]


def test_links_that_lead_out_or_round_in_circles_cover_only_themselves() -> None:
    links = {"out": b"../elsewhere", "one": b"two", "two": b"one", "all": b"."}
    entries = {path: Entry(SYMLINK, path) for path in links} | {"src/a.js": Entry("100644", "blob")}
    coverage = Coverage(GitTree(entries, links.get))
    assert [coverage.paths((path,)) for path in ("out", "all")] == [("out",), ("all",)]
    assert coverage.paths(("one",)) == ("one", "two")


def test_a_submodule_stands_for_what_lies_in_it() -> None:
    coverage = Coverage(GitTree({"lib": Entry(SUBMODULE, "c"), "libs/a.js": Entry("100644", "b")}, lambda _: None))
    assert coverage.paths(("lib/src/**",)) == ("lib",)
    assert coverage.paths(("lib",)) == ("lib",)
    assert coverage.paths(("libs",)) == ("libs/a.js",)


def test_twins_that_moved_find_one_home_each() -> None:
    old = {"src/a/index.js": "same", "src/b/index.js": "same", "src/c.js": "own"}
    tree = {"lib/b/index.js": "same", "lib/a/index.js": "same", "src/d.js": "new"}
    assert set(changes_of_blobs(old, tree, ["src/d.js"])) == {
        Change("src/a/index.js", "lib/a/index.js", "same", "same"),
        Change("src/b/index.js", "lib/b/index.js", "same", "same"),
        Change("src/c.js", "", "own", "", new_mode=""),
        Change("", "src/d.js", "", "new", old_mode=""),
    }


def test_two_files_with_one_content_do_not_share_a_home() -> None:
    changes = changes_of_blobs({"a.js": "same", "b.js": "same"}, {"c.js": "same"}, [])
    assert sorted((change.old, change.new) for change in changes) == [("a.js", "c.js"), ("b.js", "")]
