"""Where elements without source are: proposed by name, class and suffix, and left alone in doubt."""

from collections.abc import Mapping

import pytest

from drift import Repository, read_project
from drift.mapping import SURE, Proposal, name_of, propose_sources
from tests.drift.conftest import Checkout

CODE = "x = 1\n"


def model(containers: str, system: str = "Shop") -> str:
    """Return a workspace with one system that holds these lines."""
    return f'workspace {{\n  model {{\n    s = softwareSystem "{system}" {{\n{containers}\n    }}\n  }}\n}}\n'


def proposed(
    checkout: Checkout, containers: str, files: Mapping[str, str], system: str = "Shop"
) -> dict[str, Proposal]:
    """Commit the files beside the model; return the proposals by ref without the system's name."""
    checkout.commit({"workspace.dsl": model(containers, system), **files})
    with Repository.open(checkout.root) as repository:
        head = repository.head()
        _, read = read_project(repository, head)
        found = propose_sources(read, repository.tree(head))
    return {one.ref.removeprefix(f"{system}."): one for one in found}


def sure(found: Mapping[str, Proposal]) -> dict[str, tuple[str, ...]]:
    return {ref: one.source for ref, one in found.items() if one.confidence >= SURE}


@pytest.mark.parametrize("spelled", ["checkout-service", "checkout_service", "CheckoutService", "checkoutService"])
def test_a_folder_is_found_however_its_name_is_spelled(empty: Checkout, spelled: str) -> None:
    found = proposed(empty, 'container "Checkout Service"', {f"{spelled}/a.py": CODE, f"{spelled}/pyproject.toml": ""})
    assert sure(found) == {"Checkout Service": (spelled,)}
    assert "manifest" in found["Checkout Service"].reason


def test_the_word_for_the_kind_may_be_the_folder_around(empty: Checkout) -> None:
    found = proposed(empty, 'container "Checkout Service"', {"services/checkout/a.go": "package x\n", "web/a.ts": ""})
    assert found["Checkout Service"].source == ("services/checkout",)
    assert "'services'" in found["Checkout Service"].reason


def test_the_words_that_all_folders_begin_with_count_for_nothing(empty: Checkout) -> None:
    names = ("case", "debt", "letter")
    files = {f"acme-{name}-service/{file}": "" for name in names for file in ("pom.xml", "src/main/java/A.java")}
    lines = "\n".join(f'container "{name.title()} Service" "" "Java"' for name in names)
    assert sure(proposed(empty, lines, files)) == {
        f"{name.title()} Service": (f"acme-{name}-service",) for name in names
    }


def test_the_systems_name_may_stand_before_or_be_left_out(empty: Checkout) -> None:
    files = {
        "shop-billing/go.mod": "module x\n",
        "shop-billing/a.go": "",
        "user-pages/package.json": "{}",
        "user-pages/a.ts": "",
    }
    found = proposed(empty, 'container "Billing"\ncontainer "Shop User Pages"', files)
    assert sure(found) == {"Billing": ("shop-billing",), "Shop User Pages": ("user-pages",)}


def test_the_name_in_a_manifest_is_a_name_of_its_folder(empty: Checkout) -> None:
    files = {"packages/ui/package.json": '{"name": "@shop/storefront"}', "packages/ui/a.ts": ""}
    assert sure(proposed(empty, 'container "@shop/storefront"', files)) == {"@shop/storefront": ("packages/ui",)}


def test_a_class_is_found_by_its_file_and_by_its_definition(empty: Checkout) -> None:
    files = {
        "src/main/java/shop/CartController.java": "class CartController {}\n",
        "shop/models.py": "class OrderBook:\n    pass\n\n\nclass PriceList:\n    pass\n",
        "shop/order_processor.py": CODE,
    }
    lines = """c = container "App" {
      component "CartController"
      component "Order Book"
      component "PriceList"
      component "OrderProcessor" "" "Python"
    }"""
    assert sure(proposed(empty, lines, files)) == {
        "App.CartController": ("src/main/java/shop/CartController.java",),
        "App.Order Book": ("shop/models.py",),
        "App.PriceList": ("shop/models.py",),
        "App.OrderProcessor": ("shop/order_processor.py",),
    }


def test_a_phoenix_context_is_its_module_and_its_folder(empty: Checkout) -> None:
    contexts = ("Accounts", "Orders", "Catalog")
    files = {
        f"lib/shop/{name.lower()}{end}": "defmodule X do\nend\n" for name in contexts for end in (".ex", "/item.ex")
    }
    lines = "\n".join(
        ['c = container "Web" {', *(f'component "{name}" "" "Phoenix Context"' for name in contexts), "}"]
    )
    found = sure(proposed(empty, lines, files))
    assert found["Web.Orders"] == ("lib/shop/orders", "lib/shop/orders.ex")
    assert set(found) == {"Web.Accounts", "Web.Orders", "Web.Catalog"}


def test_a_parents_source_tells_namesakes_apart(empty: Checkout) -> None:
    files = {
        f"{place}/{name}": ""
        for place in ("orders-service", "users-service")
        for name in ("pom.xml", "src/main/java/ErrorHandler.java")
    }
    lines = """a = container "Orders Service" {
      component "ErrorHandler"
    }
    b = container "Users Service" {
      component "ErrorHandler"
    }"""
    found = sure(proposed(empty, lines, files))
    assert found["Users Service.ErrorHandler"] == ("users-service/src/main/java/ErrorHandler.java",)
    assert found["Orders Service.ErrorHandler"] == ("orders-service/src/main/java/ErrorHandler.java",)


def test_namesakes_without_a_parents_source_are_doubtful_and_all_listed(empty: Checkout) -> None:
    files = {"a/error_handler.py": CODE, "b/error_handler.py": CODE}
    one = proposed(empty, 'c = container "Backend" {\ncomponent "Error Handler"\n}', files)["Backend.Error Handler"]
    assert one.confidence < SURE
    assert {one.source, *(other.source for other in one.others)} == {("a/error_handler.py",), ("b/error_handler.py",)}


def test_a_container_is_where_its_parts_are(empty: Checkout) -> None:
    files = {
        f"extension/src/{name}.js": "" for name in ("content_script", "service_worker", "visit_tracker", "extractor")
    }
    files |= {"extension/package.json": "{}", "daemon/main.py": CODE}
    lines = """c = container "Browser Add-on" {
      component "Content Script"
      component "Service Worker"
      component "Visit Tracker"
      component "Extractor"
    }"""
    found = proposed(empty, lines, files)
    assert sure(found)["Browser Add-on"] == ("extension",)
    assert "its parts lie there" in found["Browser Add-on"].reason
    assert sure(found)["Browser Add-on.Extractor"] == ("extension/src/extractor.js",)


def test_another_technology_is_another_thing(empty: Checkout) -> None:
    files = {"price_list.rb": "", "src/app/a.java": ""}
    found = proposed(empty, 'c = container "App" {\ncomponent "Price List" "" "Spring Component"\n}', files)
    assert not sure(found)
    assert "not the technology" in found["App.Price List"].reason


def test_one_word_alone_is_not_sure(empty: Checkout) -> None:
    files = {"src/config.py": CODE, "src/other.py": CODE, "lib/more.py": CODE}
    assert not sure(proposed(empty, 'c = container "App" {\ncomponent "Config"\n}', files))


@pytest.mark.parametrize(
    "line",
    [
        'container "Orders" "" "PostgreSQL 16"',
        'container "Orders" "" "" "Database"',
        'container "Orders" "" "" "External"',
        'container "Orders" {\nproperties {\n"path" "elsewhere"\n}\n}',
    ],
)
def test_what_others_wrote_or_has_a_source_gets_no_proposal(empty: Checkout, line: str) -> None:
    assert proposed(empty, line, {"orders/a.py": CODE, "orders/pyproject.toml": "", "elsewhere/b.py": CODE}) == {}


def test_tests_samples_and_generated_files_are_no_place(empty: Checkout) -> None:
    files = {
        "tests/checkout/a.py": CODE,
        "examples/checkout/a.py": CODE,
        "gen/checkout/a.py": CODE,
        "docs/checkout/a.py": CODE,
        ".gitattributes": "gen/** linguist-generated\n",
        "src/a.py": CODE,
    }
    assert proposed(empty, 'container "Checkout"', files) == {}


def test_two_elements_cannot_both_be_one_folder(empty: Checkout) -> None:
    files = {"checkout/a.py": CODE, "checkout/pyproject.toml": ""}
    found = proposed(empty, 'container "Checkout"\ncontainer "Checkout Service"', files)
    assert not sure(found)
    assert all("another element claims" in one.reason for one in found.values())


def test_what_the_project_file_speaks_about_is_left_alone(empty: Checkout) -> None:
    empty.commit({"workspace.dsl": model('container "Orders"'), "orders/a.py": CODE, "orders/pyproject.toml": ""})
    with Repository.open(empty.root) as repository:
        head = repository.head()
        _, read = read_project(repository, head)
        assert [one.ref for one in propose_sources(read, repository.tree(head))] == ["Shop.Orders"]
        assert propose_sources(read, repository.tree(head), mapped={"Shop.Orders"}) == ()


def test_a_remark_in_parentheses_is_no_part_of_a_name() -> None:
    assert name_of("Cart (cart.py)").words == name_of("Cart").words
    assert name_of("(all)").text == "(all)"
