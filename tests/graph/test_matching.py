"""Which element is which after the model changed: memories stay with the element, whatever it is called."""

from graph.elements import ArchitectureModel, Element, ElementKind
from graph.memory_graph import MemoryGraph
from graph.views import ModelChange
from tests.graph.conftest import OTHER, Clock, Make, element, found, write

SYSTEM, CONTAINER, COMPONENT = ElementKind.SYSTEM, ElementKind.CONTAINER, ElementKind.COMPONENT


def take(graph: MemoryGraph, *elements: Element) -> ModelChange:
    return graph.import_model(OTHER, ArchitectureModel(elements=elements))


def tree(*refs: str, **identities: str) -> list[Element]:
    """Return elements of these refs, their kinds by depth; `Shop_API="x"` gives `Shop.API` its own identifier."""
    kinds = (SYSTEM, CONTAINER, COMPONENT, ElementKind.CODE)
    return [element(ref, kinds[ref.count(".")], identity=identities.get(ref.replace(".", "_"), "")) for ref in refs]


def pins(graph: MemoryGraph, *refs: str) -> dict[str, str]:
    """Write one memory about each element; return their ids."""
    return {ref: write(graph, f"Of {ref}", OTHER, elements=[ref]).id for ref in refs}


def test_elements_that_swap_their_refs_take_their_memories_along(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.A", "Shop.B", Shop_A="x", Shop_B="y"))
    kept = pins(graph, "Shop.A", "Shop.B")
    change = take(graph, *tree("Shop", "Shop.A", "Shop.B", Shop_A="y", Shop_B="x"))
    assert change.renamed == {"Shop.A": "Shop.B", "Shop.B": "Shop.A"}
    assert (change.added, change.changed, change.removed) == ((), (), ())
    assert graph.memory(OTHER, kept["Shop.A"]).elements == ("Shop.B",)
    assert graph.memory(OTHER, kept["Shop.B"]).elements == ("Shop.A",)


def test_a_ref_that_passes_to_a_new_element_leaves_its_memories_with_the_old_one(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.API", Shop_API="api"))
    kept = pins(graph, "Shop.API")
    change = take(graph, *tree("Shop", "Shop.API", "Shop.Core", Shop_API="edge", Shop_Core="api"))
    assert (change.renamed, change.added) == ({"Shop.API": "Shop.Core"}, ("Shop.API",))
    assert graph.memory(OTHER, kept["Shop.API"]).elements == ("Shop.Core",)


def test_an_element_is_matched_once_below_a_known_parent_too(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.A", "Shop.B", Shop="shop", Shop_A="x", Shop_B="y"))
    change = take(graph, *tree("Shop", "Shop.A", "Shop.B", Shop="shop", Shop_A="y"))
    assert change.renamed == {"Shop.B": "Shop.A"}
    assert (change.added, change.removed) == (("Shop.B",), ("Shop.A",))


def test_identifiers_ignore_case_and_an_ambiguous_one_tells_nothing(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.A", "Shop.B", "Shop.C", Shop_A="One", Shop_B="two", Shop_C="two"))
    change = take(graph, *tree("Shop", "Shop.X", "Shop.Y", Shop_X="one", Shop_Y="two"))
    assert change.renamed == {"Shop.A": "Shop.X"}
    assert (change.added, change.removed) == (("Shop.Y",), ("Shop.B", "Shop.C"))


def test_an_identifier_that_passed_to_another_kind_is_another_element(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.API", Shop_API="api"))
    kept = pins(graph, "Shop.API")
    change = take(graph, *tree("Shop"), element("Gateway", SYSTEM, identity="api"))
    assert (change.renamed, change.added, change.removed) == ({}, ("Gateway",), ("Shop.API",))
    assert graph.memory(OTHER, kept["Shop.API"]).elements == ("Shop.API",)


def test_a_ref_of_another_kind_stays_unless_the_identifier_is_another_too(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.API", "Shop.Jobs", "Shop.Web", Shop_API="api", Shop_Jobs="jobs"))
    kept = pins(graph, "Shop.API", "Shop.Jobs", "Shop.Web")
    change = take(
        graph,
        *tree("Shop"),
        element("Shop.API", COMPONENT, identity="API"),
        element("Shop.Jobs", COMPONENT, identity="tasks"),
        element("Shop.Web", COMPONENT, identity="web"),
    )
    assert change.changed == ("Shop.API", "Shop.Web")
    assert (change.added, change.removed) == (("Shop.Jobs",), ("Shop.Jobs",))
    counts = {one.element.ref: one.memories for one in graph.elements(OTHER) if not one.retired}
    assert counts == {"Shop": 0, "Shop.API": 1, "Shop.Jobs": 0, "Shop.Web": 1}
    assert graph.memory(OTHER, kept["Shop.Jobs"]).elements == ("Shop.Jobs",)


def test_an_element_whose_own_identifier_changed_is_known_by_its_ref(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.API", Shop_API="api"))
    change = take(graph, *tree("Shop", "Shop.API", Shop_API="shop.api"))
    assert (change.changed, change.added, change.removed) == (("Shop.API",), (), ())


def test_the_parts_of_a_renamed_container_keep_their_memories_at_every_level(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.API", "Shop.API.Cart", "Shop.API.Cart.total", Shop="shop"))
    kept = pins(graph, "Shop.API", "Shop.API.Cart", "Shop.API.Cart.total")
    change = take(graph, *tree("Store", "Store.API", "Store.API.Cart", "Store.API.Cart.total", Store="shop"))
    assert change.renamed == {
        "Shop": "Store",
        "Shop.API": "Store.API",
        "Shop.API.Cart": "Store.API.Cart",
        "Shop.API.Cart.total": "Store.API.Cart.total",
    }
    assert [graph.memory(OTHER, name).elements for name in kept.values()] == [
        ("Store.API",),
        ("Store.API.Cart",),
        ("Store.API.Cart.total",),
    ]


def test_parts_follow_their_container_and_not_the_ref_that_another_took(make: Make) -> None:
    graph = make()
    take(graph, *tree("Shop", "Shop.API", "Shop.API.Cart", Shop_API="api"))
    kept = pins(graph, "Shop.API.Cart")
    grown = tree("Shop", "Shop.API", "Shop.API.Cart", "Shop.Core", "Shop.Core.Cart", Shop_Core="api", Shop_API="edge")
    change = take(graph, *grown)
    assert change.renamed == {"Shop.API": "Shop.Core", "Shop.API.Cart": "Shop.Core.Cart"}
    assert change.added == ("Shop.API", "Shop.API.Cart")
    assert graph.memory(OTHER, kept["Shop.API.Cart"]).elements == ("Shop.Core.Cart",)


def test_a_part_of_another_kind_or_of_an_ambiguous_name_does_not_follow(make: Make) -> None:
    graph = make()
    twins = [element(f"Shop.API.{n}").model_copy(update={"name": "Twin"}) for n in (1, 2)]
    take(graph, *tree("Shop", "Shop.API", "Shop.API.Cart", Shop_API="api"), *twins)
    change = take(
        graph,
        *tree("Shop", "Shop.Core", Shop_Core="api"),
        element("Shop.Core.Cart", ElementKind.CODE),
        element("Shop.Core.Twin"),
    )
    assert change.renamed == {"Shop.API": "Shop.Core"}
    assert change.added == ("Shop.Core.Cart", "Shop.Core.Twin")
    assert change.removed == ("Shop.API.1", "Shop.API.2", "Shop.API.Cart")


def test_of_several_that_left_the_last_that_fits_comes_back(make: Make, clock: Clock) -> None:
    graph = make()
    first = tree("Shop", "Shop.API", Shop_API="first")
    second = [*tree("Shop"), element("Shop.API", COMPONENT, identity="second")]

    def known() -> list[str]:
        clock.pass_days(1)
        return found(graph, "", OTHER, elements=["Shop.API"])

    take(graph, *first)
    write(graph, "Of the first", OTHER, elements=["Shop.API"])
    take(graph, *second)
    write(graph, "Of the second", OTHER, elements=["Shop.API"])
    assert known() == ["Of the second"]
    take(graph, *first)
    assert known() == ["Of the first"]
    take(graph, *tree("Shop"))
    # Without an identifier both fit, and the first was the last to leave.
    assert take(graph, *tree("Shop", "Shop.API")).changed == ("Shop.API",)
    assert known() == ["Of the first"]
