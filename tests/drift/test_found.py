"""A run takes from earlier ones what they found, and says the same as without."""

import json

from drift.changes import Change
from drift.significance import Significance
from tests.drift.conftest import Checkout, dsl, found


def test_a_pair_of_blobs_is_read_once() -> None:
    kept: dict[str, str] = {}
    contents = {"old": b"a = 1\n", "new": b"a = 1  # why\n", "other": b"a = 2\n"}
    first = Significance(contents.get, kept)
    pairs = [Change("a.py", "a.py", "old", "new"), Change("a.py", "a.py", "old", "other")]
    said = [(first.differs(change), first.extent(change)) for change in pairs], first.length("new")
    second = Significance(dict[str, bytes]().__getitem__, kept)
    assert said == ([(second.differs(change), second.extent(change)) for change in pairs], second.length("new"))
    assert [differs for (differs, _) in said[0]] == [False, True]


def test_the_kind_of_file_decides_too() -> None:
    kept: dict[str, str] = {}
    significance = Significance({"old": b"a\n", "new": b"a # why\n"}.get, kept)
    assert not significance.differs(Change("a.py", "a.py", "old", "new"))
    assert significance.differs(Change("a.md", "a.md", "old", "new"))


def test_what_is_not_here_is_asked_for_again() -> None:
    kept: dict[str, str] = {}
    change = Change("a.py", "a.py", "old", "new")
    assert Significance({"new": b"a\n"}.get, kept).differs(change)
    assert not Significance({"new": b"a\n", "old": b"a # why\n"}.get, kept).differs(change)


def test_every_run_says_the_same_with_what_earlier_runs_found(shop: Checkout) -> None:
    kept: dict[str, str] = {}
    models = [
        {"workspace.dsl": dsl({"API": "src/api", "Web": "src/web/**"}, describe={"API": "Sells"})},
        {"src/api/cart.js": "changed();\n"},
        {"workspace.dsl": "workspace {"},
        {"workspace.dsl": dsl({"API": "src/api", "Web": "src/web/**"}, describe={"API": "Sells", "Web": "Shows"})},
        {"archmem.toml": '[sources]\n"Shop.Web" = ["src/web/page.js"]\n'},
        {"src/web/page.js": "render();\n"},
        {"archmem.toml": ""},
    ]
    for files in models:
        shop.commit(files)
        if files == models[2]:
            continue
        assert shop.check(found=kept) == shop.check() == shop.check(found=kept)
        tree = shop.git("rev-parse", "HEAD^{tree}")
        assert shop.check(found=kept, target=tree).elements == shop.check(target=tree).elements


def test_a_source_that_is_gone_with_its_code_is_not_looked_up_again(empty: Checkout) -> None:
    """Change what is kept: a run that follows it has not read the base's model."""
    kept: dict[str, str] = {}
    model = dsl({"API": "", "Web": ""}, describe={"API": '" "module (cart.py)', "Web": '" "Python'})
    empty.commit({"workspace.dsl": model, "src/cart.py": "x = 1\n", "src/other.py": "x = 2\n"})
    empty.git("rm", "--quiet", "src/cart.py")
    empty.commit()
    first = empty.check(found=kept)
    assert found(first).source == ("src/cart.py",)
    assert empty.check(found=kept) == empty.check() == first
    [key] = [key for key in kept if " sources " in key]
    kept[key] = kept[key].replace("src/cart.py", "src/other.py")
    assert found(empty.check(found=kept)).source == ("src/other.py",)


def test_old_versions_of_the_model_are_not_read_again(shop: Checkout) -> None:
    """Change what is kept: a run that follows it has not read the model's history."""
    kept: dict[str, str] = {}
    first = shop.git("rev-parse", "HEAD")
    then = shop.commit({"workspace.dsl": dsl({"API": "src/api", "Web": "src/web/**"}, describe={"API": "Sells"})})
    assert found(shop.check(found=kept)).base == then
    [key] = [key for key in kept if key.startswith("definitions") and " sources " not in key]
    said = json.loads(kept[key])
    kept[key] = json.dumps(said | {"since": dict.fromkeys(said["since"], first)})
    shop.commit({"src/api/cart.js": "changed();\n"})
    assert found(shop.check(found=kept)).base == first
    shop.commit({"workspace.dsl": dsl({"API": "src/api", "Web": "src/web/**"}, describe={"API": "Buys"})})
    assert found(shop.check(found=kept)).base == shop.git("rev-parse", "HEAD")
