"""Importing a model: identities stay, what left is retired, memories keep their pins."""

import pytest

from graph.elements import ArchitectureModel, Element, ElementKind
from graph.errors import Conflict
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, element, found, write


def with_elements(*others: Element, without: str = "") -> ArchitectureModel:
    elements = (*(one for one in MODEL.elements if one.ref != without), *others)
    refs = {one.ref for one in elements}
    uses = [one for one in MODEL.relationships if {one.source, one.target} <= refs]
    return MODEL.model_copy(update={"elements": elements, "relationships": tuple(uses)})


def test_importing_twice_changes_nothing(graph: MemoryGraph) -> None:
    before = graph.elements(SHOP)
    change = graph.import_model(SHOP, MODEL)
    assert (change.added, change.changed, change.removed, change.renamed) == ((), (), (), {})
    assert graph.elements(SHOP) == before
    assert graph.model(SHOP).elements == tuple(sorted(MODEL.elements, key=lambda one: one.ref))
    assert graph.model(SHOP).relationships == MODEL.relationships
    assert graph.model(SHOP).decisions == MODEL.decisions


def test_an_element_changed_in_place_keeps_its_id(graph: MemoryGraph) -> None:
    ids = {one.element.ref: one.id for one in graph.elements(SHOP)}
    changed = element("Shop.API.Checkout", source=("src/new",), identity="checkout")
    change = graph.import_model(SHOP, with_elements(changed, without="Shop.API.Checkout"))
    assert change.changed == ("Shop.API.Checkout",)
    assert {one.element.ref: one.id for one in graph.elements(SHOP)} == ids


def test_a_renamed_element_keeps_its_memories_and_is_found_by_its_new_name(graph: MemoryGraph) -> None:
    kept = write(graph, "A basket is priced once", elements=["Checkout"])
    renamed = element("Shop.API.Till", source=("src/api/checkout",), identity="checkout")
    change = graph.import_model(SHOP, with_elements(renamed, without="Shop.API.Checkout"))
    assert change.renamed == {"Shop.API.Checkout": "Shop.API.Till"}
    assert change.removed == ()
    assert graph.memory(SHOP, kept.id).elements == ("Shop.API.Till",)
    assert graph.memory(SHOP, kept.id).version == 1
    assert found(graph, "till") == ["A basket is priced once"]
    assert found(graph, "checkout") == []


def test_a_removed_element_is_retired_with_its_memories_and_comes_back(graph: MemoryGraph) -> None:
    kept = write(graph, "A basket is priced once", elements=["Checkout"])
    change = graph.import_model(SHOP, with_elements(without="Shop.API.Checkout"))
    assert change.removed == ("Shop.API.Checkout",)
    shown = graph.memory(SHOP, kept.id)
    assert shown.elements == shown.retired_elements == ("Shop.API.Checkout",)
    assert [one.element.ref for one in graph.elements(SHOP) if one.retired] == ["Shop.API.Checkout"]
    assert graph.import_model(SHOP, MODEL).changed == ("Shop.API.Checkout",)
    assert len(graph.elements(SHOP)) == len(MODEL.elements)
    assert found(graph, "", elements=["Checkout"]) == ["A basket is priced once"]
    assert graph.memory(SHOP, kept.id).retired_elements == ()


def test_recalled_text_says_which_pin_left_the_model(graph: MemoryGraph) -> None:
    write(graph, "A basket is priced once", title="Baskets", elements=["Checkout", "Shop.Web"])
    assert "about Shop.API.Checkout, Shop.Web\n" in graph.recall(SHOP, "basket").text
    graph.import_model(SHOP, with_elements(without="Shop.API.Checkout"))
    assert "about Shop.API.Checkout (left the model), Shop.Web\n" in graph.recall(SHOP, "basket").text


def test_a_successor_does_not_inherit_a_pin_that_left_the_model(graph: MemoryGraph) -> None:
    write(graph, "A basket is priced once", title="Baskets", elements=["Checkout", "Shop.Web"])
    graph.import_model(SHOP, with_elements(without="Shop.API.Checkout"))
    newer = graph.supersede(SHOP, "Baskets", Draft(content="A basket is priced twice"), actor=ME).memory
    assert (newer.elements, newer.retired_elements) == (("Shop.Web",), ())


def test_an_empty_model_retires_nothing(graph: MemoryGraph) -> None:
    before = graph.elements(SHOP)
    with pytest.raises(Conflict, match="8 are stored") as refused:
        graph.import_model(SHOP, ArchitectureModel(decisions=MODEL.decisions))
    assert "at least one element" in refused.value.next_step
    assert graph.elements(SHOP) == before
    assert graph.model(SHOP).relationships == MODEL.relationships


def test_an_empty_model_may_replace_one_of_which_all_has_left(graph: MemoryGraph) -> None:
    assert graph.import_model(OTHER, ArchitectureModel()).elements == 0
    assert graph.import_model(OTHER, ArchitectureModel(decisions=MODEL.decisions)).decisions == 1


def test_models_of_two_projects_do_not_touch(graph: MemoryGraph) -> None:
    graph.import_model(OTHER, ArchitectureModel(elements=(element("Shop", ElementKind.SYSTEM),)))
    assert len(graph.elements(OTHER)) == 1
    assert len(graph.elements(SHOP)) == len(MODEL.elements)


def test_memories_are_counted_by_element(graph: MemoryGraph) -> None:
    write(graph, "One", elements=["Checkout"])
    write(graph, "Two", elements=["Checkout", "Bank"])
    write(graph, "Of the whole project")
    gone = write(graph, "Three", elements=["Checkout"])
    graph.archive(SHOP, gone.id, actor=ME)
    counts = {one.element.ref: one.memories for one in graph.elements(SHOP) if one.memories}
    assert counts == {"Shop.API.Checkout": 2, "Bank": 1}
