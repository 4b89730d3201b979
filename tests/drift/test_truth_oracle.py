"""The oracle of bench.truth: what `ast` and plain git say, on small files and a real repository."""

from pathlib import Path

import pytest

from bench.truth.hand_read import hand_read
from bench.truth.kinds import KIND, text_of, words
from bench.truth.oracle import read_module, same_code, signature
from bench.truth.plain_git import PlainGit
from bench.truth.quiet import found_in, made_in
from bench.truth.statements import Oracle, Package
from tests.drift.conftest import Checkout

_SHOP = b'''"""A shop."""
LIMIT = 3


class Cart(Base):
    size: int = 10

    @cached
    def add(self, item: str, *, count: int = 1) -> None:
        if not item:
            raise ValueError(item)
        self.reserve(item)
        self.notify(self.describe(item))


def total(cart):
    return cart.price_sum
'''
_PACKAGE = Package("some/shop", "HEAD", ("shop", "src/shop"))


def _holds(kind: str, name: str, *said: str, content: bytes = _SHOP) -> bool:
    module = read_module(content)
    assert module is not None
    return any(KIND[kind].holds(one, said) for one in module.get(name, ()))


@pytest.mark.parametrize(
    ("kind", "name", "said", "otherwise"),
    [
        ("constant", "LIMIT", ("3",), ("4",)),
        ("constant", "Cart.size", ("0xA",), ("1.0",)),
        ("default", "Cart.add", ("count", "1"), ("count", "True")),
        ("parameter", "Cart.add", ("item",), ("self",)),
        ("signature", "Cart.add", ("item, *, count=1",), ("item, count=1",)),
        ("base", "Cart", ("Base",), ("Cart",)),
        ("decorated", "Cart.add", ("cached",), ("property",)),
        ("raises", "Cart.add", ("ValueError",), ("KeyError",)),
        ("calls", "Cart.add", ("notify",), ("total",)),
        ("order", "Cart.add", ("reserve", "notify"), ("notify", "describe")),
        ("steps", "Cart.add", ("reserve", "describe", "notify"), ("reserve", "notify")),
        ("returns", "total", ("cart.price_sum",), ("cart",)),
    ],
)
def test_what_was_said_holds_and_what_was_not_does_not(
    kind: str, name: str, said: tuple[str, ...], otherwise: tuple[str, ...]
) -> None:
    assert _holds(kind, name, *said)
    assert not _holds(kind, name, *otherwise)
    module = read_module(_SHOP)
    assert module is not None
    assert KIND[kind].sayable(module[name][0])
    assert all(_holds(kind, name, *one) for one in KIND[kind].sayable(module[name][0]))


def test_a_file_that_does_not_parse_says_nothing() -> None:
    assert read_module(b"print 'python 2'") is None


def test_a_signature_has_no_annotations_and_keeps_stars() -> None:
    module = read_module(b"async def f(a: 'X', /, b=(1, 2), *rest: int, c: str = 'd', **more): ...")
    assert module is not None
    assert signature(module["f"][0]) == "a, /, b=(1, 2), *rest, c='d', **more"


def test_comments_and_layout_are_no_code_and_docstrings_are_when_asked() -> None:
    other = _SHOP.replace(b"LIMIT = 3", b"# how many\nLIMIT  =  (3)")
    assert same_code(_SHOP, other)
    reworded = _SHOP.replace(b"A shop.", b"Two shops.")
    assert not same_code(_SHOP, reworded)
    assert same_code(_SHOP, reworded, docstrings=False)
    assert not same_code(_SHOP, _SHOP.replace(b"LIMIT = 3", b"LIMIT = 4"), docstrings=False)


def test_prose_names_no_code() -> None:
    assert text_of(KIND["constant"], 3, "shop/cart.py", "DEFAULT_LIMIT", ("3",)) == "The default limit is 3."
    assert words("HTTPResponse_readAll2") == "http response read all 2"


def test_a_file_is_followed_through_renames_and_a_definition_to_another_file_is_not(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path / "repo")
    checkout.git("init", "--quiet", "-b", "main")
    checkout.commit({"shop/cart.py": _SHOP, "shop/other.py": b"WORD = 'a'\n"})
    (checkout.root / "src").mkdir()
    checkout.git("mv", "shop", "src/shop")
    checkout.commit()
    raised = _SHOP.replace(b"LIMIT = 3", b"LIMIT = 4")
    checkout.commit({"src/shop/cart.py": raised})
    moved = raised.replace(b"def total(cart):\n    return cart.price_sum\n", b"")
    checkout.commit({"src/shop/cart.py": moved, "src/shop/sums.py": b"def total(cart):\n    return cart.price_sum\n"})
    with PlainGit(checkout.root / ".git") as git:
        first, *_, last = git.points
        oracle = Oracle(git, _PACKAGE)

        assert git.follow("shop/cart.py", first, last) == "src/shop/cart.py"
        assert oracle.truth("defined", "shop/cart.py", "Cart", (), first, last) == (True, "")
        assert oracle.truth("constant", "shop/cart.py", "LIMIT", ("3",), first, git.points[1])[0] is True
        assert oracle.truth("constant", "shop/cart.py", "LIMIT", ("3",), first, last)[0] is False
        moved_on = "returns", "shop/cart.py", "total", ("cart.price_sum",), first, last
        assert oracle.truth(*moved_on)[0] is None
        assert oracle.truth_in_prose(*moved_on)[0] is True


def test_what_a_class_inherits_now_is_neither_true_nor_false_and_in_prose_judged_there(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path / "repo")
    checkout.git("init", "--quiet", "-b", "main")
    checkout.commit({"shop/cart.py": b"class Cart:\n    def add(self, item): ...\n"})
    base = b"class Holder(Generic[T]):\n    def add(self, item): ...\n"
    checkout.commit({"shop/cart.py": b"class Cart(Holder[int]):\n    size = 1\n", "shop/holder.py": base})
    checkout.commit({"shop/holder.py": base.replace(b"item", b"thing")})
    with PlainGit(checkout.root / ".git") as git:
        first, second, third = git.points
        oracle = Oracle(git, _PACKAGE)
        asked = "parameter", "shop/cart.py", "Cart.add", ("item",), first
        assert oracle.truth(*asked, second)[0] is None
        assert oracle.truth_in_prose(*asked, second)[0] is True
        assert oracle.truth_in_prose(*asked, third)[0] is False


def test_quiet_commits_are_told_apart_from_others(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path / "repo")
    checkout.git("init", "--quiet", "-b", "main")
    checkout.commit({"shop/cart.py": _SHOP})
    checkout.commit({"shop/cart.py": _SHOP.replace(b"LIMIT = 3", b"LIMIT = 3  # how many")})
    checkout.commit({"shop/cart.py": _SHOP.replace(b"LIMIT = 3", b"LIMIT = 4  # how many")})
    checkout.commit({"shop/cart.py": _SHOP.replace(b"LIMIT = 3", b"LIMIT = (4)  # how many")})
    checkout.commit({"shop/cart.py": _SHOP.replace(b"LIMIT = 3", b"LIMIT = (4)  # type: int")})
    with PlainGit(checkout.root / ".git") as git:
        found = [(one.kind, one.commit.place) for one in found_in(git, _PACKAGE)]
    assert found == [("comments", 1), ("directive comments", 4), ("quotes, commas, brackets", 3)]


def test_made_quiet_commits_are_the_same_programs(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path / "repo")
    checkout.git("init", "--quiet", "-b", "main")
    checkout.commit({"shop/cart.py": _SHOP.replace(b"LIMIT = 3", b"LIMIT = 3  # how many")})
    folder = checkout.root / ".git"
    made = made_in(folder, _PACKAGE)
    assert [one.kind for one in made] == ["made: no comments", "made: other layout", "made: moved"]
    with PlainGit(folder) as git:
        for one in made:
            (before,) = git.tree(one.before.oid).items()
            (after,) = git.tree(one.commit.oid).items()
            assert before != after
            assert same_code(git.blob(before[1]), git.blob(after[1]))


def test_the_hand_read_statements_are_whole_and_a_third_cites_no_code() -> None:
    rows = [row for rows in hand_read().values() for row in rows]
    assert all(row["why"] and row["source"] and isinstance(row["truth"], bool) for row in rows)
    assert len({row["statement"] for row in rows}) == len(rows)
    assert sum("`" not in str(row["statement"]) for row in rows) * 3 >= len(rows)
