"""Sources that cover no file, with what the history knows of them."""

from collections.abc import Callable
from pathlib import Path

from drift import Repository, find_dead_sources
from graph.elements import Element, ElementKind
from server.work_tree import WorkTree
from tests.drift.conftest import Checkout, dsl


def element(*source: str, external: bool = False, kind: ElementKind = ElementKind.COMPONENT) -> Element:
    return Element(ref="Shop.API", kind=kind, name="API", source=source, external=external)


def told(root: Path, *elements: Element) -> list[str]:
    with Repository.open(root) as repository:
        found = find_dead_sources(elements, WorkTree(root).paths(), repository)
    assert {one.ref for one in found} <= {"Shop.API"}
    return [one.what for one in found]


def test_a_source_that_covers_a_file_is_alive_committed_or_not(shop: Checkout) -> None:
    shop.write("src/new/page.js", "new\n")
    assert told(shop.root, element("src/api", "src/**/page.js", "src/new")) == []


def test_people_externals_and_elements_without_a_source_have_none_that_is_dead(shop: Checkout) -> None:
    gone = [element("gone", external=True), element("gone", kind=ElementKind.PERSON), element()]
    assert told(shop.root, *gone) == []


def test_each_dead_pattern_is_told_with_the_commit_that_took_its_last_file(shop: Checkout) -> None:
    (shop.root / "src/api/cart.js").unlink()
    shop.commit()
    (shop.root / "src/api/pay.js").unlink()
    last = shop.commit()
    shop.commit({"more.js": "1\n"})
    assert told(shop.root, element("src/api", "src/web/**", "src/{api,gone}/*.js")) == [
        f"no file matches 'src/api': the last one left with commit {last[:12]} on 2024-01-04",
        f"no file matches 'src/{{api,gone}}/*.js': the last one left with commit {last[:12]} on 2024-01-04",
    ]


def test_what_never_was_is_told_apart_from_what_is_spelled_otherwise(shop: Checkout) -> None:
    assert told(shop.root, element("src/cart", "SRC/Api")) == [
        "no file matches 'src/cart': none ever did in the history of HEAD",
        "no file matches 'SRC/Api': the repository spells it 'src/api'",
    ]


def test_a_file_that_is_only_missing_on_disk_is_told_as_that(shop: Checkout) -> None:
    (shop.root / "src/web/page.js").unlink()
    assert told(shop.root, element("src/web/**")) == ["no file matches 'src/web/**': HEAD has some, but not the disk"]


def test_a_shallow_clone_cannot_tell(shop: Checkout, tmp_path: Path) -> None:
    (shop.root / "src/web/page.js").unlink()
    shop.commit()
    shop.commit({"more.js": "1\n"})
    shop.git("clone", "--quiet", "--depth", "1", f"file://{shop.root}", str(tmp_path / "shallow"))
    assert told(tmp_path / "shallow", element("src/web", "never")) == [
        "no file matches 'src/web': whether one ever did cannot be told in a shallow clone",
        "no file matches 'never': whether one ever did cannot be told in a shallow clone",
    ]


def test_folders_behind_links_and_in_submodules_are_there(shop: Checkout, make: Callable[[str], Checkout]) -> None:
    library = make("library")
    library.commit({"lib/a.js": "a\n"})
    shop.git("submodule", "add", "--quiet", str(library.root), "third")
    (shop.root / "code").symlink_to("src")
    shop.commit()
    shop.git("submodule", "deinit", "--quiet", "--force", "third")
    assert told(shop.root, element("code/api", "third/lib")) == []


def test_without_a_commit_there_is_no_history_to_ask(empty: Checkout) -> None:
    empty.write("workspace.dsl", dsl({"API": "src/api"}))
    assert told(empty.root, element("src/api")) == ["no file matches 'src/api': there is no history to ask"]
    assert find_dead_sources([element("a")], [], None)[0].what == "no file matches 'a': there is no history to ask"
