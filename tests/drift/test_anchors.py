"""Anchors: whether the code still is what a memory was written about."""

import pytest

from drift import Repository, accept, read_project
from graph.claims import Anchor
from graph.drift_report import Verdict
from tests.drift.conftest import Checkout, day, dsl, found

EDITED = "function pay() {\n  return total() * 1.2;\n}\n"
SOURCES = {"API": "src/api", "Web": "src/web/**"}


def accepted(shop: Checkout, refs: list[str] | None, on: int) -> str:
    with Repository.open(shop.root) as repository:
        file = shop.root / ".archmem/accepted.json"
        existing = file.read_bytes() if file.exists() else None
        content, _ = accept(repository, read_project(repository, "HEAD")[1], refs, at=day(on), existing=existing)
    return content


def test_an_anchor_differs_until_the_code_is_back(shop: Checkout) -> None:
    anchor = shop.anchor()
    assert shop.check(anchors=[anchor]).anchors[0].differs is False
    shop.commit({"src/api/pay.js": EDITED})
    changed = shop.check(anchors=[anchor]).anchors[0]
    assert (changed.differs, changed.landed_at) == (True, day(2))
    shop.git("revert", "--no-edit", "HEAD", at=day(3))
    back = shop.check(anchors=[anchor]).anchors[0]
    assert (back.differs, back.landed_at) == (False, None)


def test_accepting_and_redefining_an_element_leave_its_anchors_as_they_are(shop: Checkout) -> None:
    anchor = shop.anchor()
    shop.commit({"src/api/pay.js": EDITED})
    shop.commit({"workspace.dsl": dsl(SOURCES, describe={"API": "Takes orders"})})
    shop.commit({".archmem/accepted.json": accepted(shop, None, 4)})
    report = shop.check(anchors=[anchor])
    assert (found(report).verdict, report.anchors[0].differs) == (Verdict.MATCHED, True)


def test_an_anchor_without_blobs_goes_by_its_commit(shop: Checkout) -> None:
    anchor = shop.anchor(blobs=False)
    shop.commit({"src/api/pay.js": EDITED})
    here = shop.anchor(blobs=False)
    lost = Anchor(element="Shop.API", commit="0" * 39 + "1")
    assert [f.differs for f in shop.check(anchors=[anchor, here, lost]).anchors] == [True, False, None]


@pytest.mark.parametrize("rewrite", ["amend", "squash", "rebase"])
def test_an_anchor_outlives_rewritten_history(shop: Checkout, rewrite: str) -> None:
    shop.git("checkout", "--quiet", "-b", "topic")
    shop.commit({"src/api/pay.js": EDITED})
    anchor = shop.anchor()
    if rewrite == "amend":
        shop.git("commit", "--quiet", "--amend", "-m", "other words", at=day(7))
    elif rewrite == "squash":
        shop.git("checkout", "--quiet", "main")
        shop.git("merge", "--quiet", "--squash", "topic")
        shop.git("commit", "--quiet", "-m", "squashed", at=day(7))
    else:
        shop.git("checkout", "--quiet", "main")
        shop.commit({"notes.txt": "1"})
        shop.git("rebase", "--quiet", "main", "topic", at=day(7))
    shop.git("branch", "--quiet", "-D", "topic") if rewrite == "squash" else None
    shop.git("reflog", "expire", "--expire=now", "--all")
    shop.git("gc", "--quiet", "--prune=now")
    with Repository.open(shop.root) as repository:
        assert not repository.has_commit(anchor.commit)
    assert shop.check(anchors=[anchor]).anchors[0].differs is False
    shop.commit({"src/api/pay.js": EDITED.replace("1.2", "1.3")}, on=9)
    differs = shop.check(anchors=[anchor]).anchors[0]
    assert (differs.differs, differs.landed_at) == (True, day(9))


def test_white_space_and_moves_do_not_trouble_an_anchor(shop: Checkout) -> None:
    anchor = shop.anchor()
    shop.commit({"src/api/pay.js": "function pay() {\r\n    return total();\r\n}\r\n"})
    shop.git("mv", "src/api/cart.js", "src/api/basket.js")
    shop.commit()
    assert shop.check(anchors=[anchor]).anchors[0].differs is False


def test_a_widened_source_does_not_trouble_an_anchor_but_a_new_file_does(shop: Checkout) -> None:
    shop.commit({"src/shared/s.js": "1\n"})
    anchor = shop.anchor()
    shop.commit({"workspace.dsl": dsl({"API": "src/api; src/shared", "Web": "src/web/**"})})
    assert shop.check(anchors=[anchor]).anchors[0].differs is False
    shop.commit({"src/shared/t.js": "1\n"})
    assert shop.check(anchors=[anchor]).anchors[0].differs is True


def test_anchors_of_elements_that_left_the_model_compare_their_paths(shop: Checkout) -> None:
    anchors = [shop.anchor(), shop.anchor(blobs=False)]
    shop.commit({"workspace.dsl": dsl({"Web": "src/web/**"})})
    assert [f.differs for f in shop.check(anchors=anchors).anchors] == [False, None]
    shop.commit({"src/api/pay.js": EDITED})
    assert [f.differs for f in shop.check(anchors=anchors).anchors] == [True, None]


# shallow clones and trees
