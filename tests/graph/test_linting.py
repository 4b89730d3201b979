"""Names that find no single element."""

from graph.elements import Element, ElementKind
from graph.linting import doubtful_names
from tests.graph.conftest import element


def told(*elements: Element) -> list[str]:
    placed = [one.model_copy(update={"file": "w.dsl", "line": n}) for n, one in enumerate(elements, start=1)]
    return [f"{fault.where} {fault.what}" for fault in doubtful_names(placed)]


def test_elements_that_every_name_tells_apart_are_not_told() -> None:
    assert told(element("Shop"), element("Shop.API", identity="api"), element("Shop.Web", identity="web")) == []


def test_a_name_that_several_elements_have_is_told_once_at_the_second() -> None:
    shop = element("Shop", ElementKind.SYSTEM)
    assert told(shop, element("Shop.API.Cart"), element("Shop.Web.Cart"), element("Shop.Jobs.cart")) == [
        "w.dsl:3 the name 'Cart' means 3 elements, so only a whole ref finds one: "
        "Shop.API.Cart, Shop.Web.Cart, Shop.Jobs.cart"
    ]


def test_of_many_of_a_name_only_some_are_listed() -> None:
    (one,) = told(*(element(f"Shop.S{n}.Cart") for n in range(7)))
    assert one.endswith("Shop.S4.Cart, …")


def test_refs_that_differ_by_case_or_separators_are_told_as_such_alone() -> None:
    assert told(element("Shop.Order Queue"), element("Shop.order-queue")) == [
        "w.dsl:2 'Shop.order-queue' differs from 'Shop.Order Queue' (w.dsl:1) by case, spaces, `-` or `_` alone"
    ]


def test_an_identifier_that_two_files_use_is_told() -> None:
    assert told(element("Shop.API", identity="api"), element("Bank.Gateway", identity="API")) == [
        "w.dsl:2 the identifier 'API' is also that of 'Shop.API' (w.dsl:1), so it tells neither"
    ]
