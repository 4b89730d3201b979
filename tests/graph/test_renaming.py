"""Telling that an element goes by another name: before an import, or after one that took it for a new one."""

import pytest

from graph.claims import Anchor, Baseline
from graph.elements import ArchitectureModel, Element, ElementKind
from graph.errors import ArchmemError, Conflict, Unknown
from graph.memories import Checkout
from graph.memory_graph import MemoryGraph
from tests.graph.conftest import ME, MODEL, SHOP, Clock, draft, element, found, write

COMMIT, BLOB = "c" * 40, "b" * 40


def rename(graph: MemoryGraph, old: str, new: str) -> dict[str, str]:
    return {one.old: one.new for one in graph.rename_element(SHOP, old, new, actor=ME).renamed}


def refs(graph: MemoryGraph) -> list[str]:
    return [one.element.ref for one in graph.elements(SHOP) if not one.retired]


def without(graph: MemoryGraph, prefix: str, *new: Element) -> None:
    """Import the shop without some elements and with new ones."""
    kept = tuple(one for one in MODEL.elements if not f"{one.ref}.".startswith(f"{prefix}."))
    names = {one.ref for one in kept}
    uses = tuple(one for one in MODEL.relationships if {one.source, one.target} <= names)
    graph.import_model(SHOP, MODEL.model_copy(update={"elements": (*kept, *new), "relationships": uses}))


def test_before_an_import_the_stored_element_takes_the_name_with_its_parts(graph: MemoryGraph) -> None:
    kept = write(graph, "A basket is priced once", elements=["Checkout"])
    assert rename(graph, "Shop.API", "Shop.Core") == {
        "Shop.API": "Shop.Core",
        "Shop.API.Checkout": "Shop.Core.Checkout",
        "Shop.API.Catalogue": "Shop.Core.Catalogue",
    }
    assert graph.memory(SHOP, kept.id).elements == ("Shop.Core.Checkout",)
    assert found(graph, "core") == ["A basket is priced once"]
    uses = {(one.source, one.target) for one in graph.model(SHOP).relationships}
    assert uses == {("Shop.Core.Checkout", "Bank"), ("Shop.Web", "Shop.Core"), ("Shop.Web.Catalogue", "Shop.Core")}


def test_an_import_after_that_finds_it(graph: MemoryGraph) -> None:
    kept = write(graph, "A basket is priced once", elements=["Checkout"])
    rename(graph, "Checkout", "Shop.Web.Till")
    new = element("Shop.Web.Till", source=("src/api/checkout",))
    elements = (*(one for one in MODEL.elements if one.ref != "Shop.API.Checkout"), new)
    change = graph.import_model(SHOP, ArchitectureModel(elements=elements, decisions=MODEL.decisions))
    assert (change.added, change.removed, change.renamed) == ((), (), {})
    assert graph.memory(SHOP, kept.id).elements == ("Shop.Web.Till",)


def test_after_an_import_that_took_it_for_new_it_comes_back_as_the_new_one(graph: MemoryGraph, clock: Clock) -> None:
    old = write(graph, "A basket is priced once", elements=["Checkout"], title="Baskets")
    without(graph, "Shop.API.Checkout", element("Shop.API.Till", source=("src/till",)))
    clock.pass_days(1)
    new = write(graph, "The till closes at night [[Till]]", elements=["Till"])
    assert rename(graph, "Shop.API.Checkout", "Shop.API.Till") == {"Shop.API.Checkout": "Shop.API.Till"}
    assert graph.memory(SHOP, old.id).elements == graph.memory(SHOP, new.id).elements == ("Shop.API.Till",)
    assert graph.memory(SHOP, old.id).retired_elements == graph.memory(SHOP, new.id).retired_elements == ()
    assert {one.element.ref: one.memories for one in graph.elements(SHOP) if one.memories} == {"Shop.API.Till": 2}
    (till,) = (one for one in graph.elements(SHOP) if one.element.ref == "Shop.API.Till" and not one.retired)
    assert till.element.source == ("src/till",)
    assert [link.name for link in graph.memory(SHOP, new.id).links] == ["Shop.API.Till"]
    assert graph.history(SHOP, new.id)[-1].note == "its element is one that had left"
    assert graph.history(SHOP, old.id)[-1].kind == "created"
    assert sorted(found(graph, "", elements=["Till"])) == [
        "A basket is priced once",
        "The till closes at night [[Till]]",
    ]


def test_anchors_and_what_was_accepted_go_along(graph: MemoryGraph) -> None:
    write(graph, "A basket is priced once", elements=["Checkout"])
    without(graph, "Shop.API.Checkout", element("Shop.API.Till", source=("src/till",)))
    checkout = Checkout(commit=COMMIT, blobs={"src/till/a.py": BLOB})
    written = graph.remember(SHOP, draft("The till closes at night", elements=["Till"]), actor=ME, checkout=checkout)
    anchor = Anchor(element="Shop.API.Till", commit=COMMIT, blobs={"src/till/a.py": BLOB})
    graph.accept_drift(
        SHOP, {"Shop.API.Till": Baseline(anchor=anchor, accepted_at=written.memory.created_at)}, actor=ME
    )
    rename(graph, "Shop.API.Checkout", "Shop.API.Till")
    assert [(one.element, dict(one.blobs)) for one in graph.anchors(SHOP)] == [
        ("Shop.API.Till", {"src/till/a.py": BLOB})
    ]
    assert list(graph.baselines(SHOP)) == ["Shop.API.Till"]


def test_its_parts_come_back_as_the_parts_of_the_same_name(graph: MemoryGraph) -> None:
    kept = [write(graph, f"About {name}", elements=[f"Shop.API.{name}"]).id for name in ("Checkout", "Catalogue")]
    new = [element("Shop.Core", ElementKind.CONTAINER), element("Shop.Core.Catalogue")]
    without(graph, "Shop.API", *new)
    assert rename(graph, "Shop.API", "Shop.Core") == {
        "Shop.API": "Shop.Core",
        "Shop.API.Catalogue": "Shop.Core.Catalogue",
    }
    shown = [graph.memory(SHOP, name) for name in kept]
    assert [one.elements for one in shown] == [("Shop.API.Checkout",), ("Shop.Core.Catalogue",)]
    assert [one.retired_elements for one in shown] == [("Shop.API.Checkout",), ()]


def test_importing_once_more_changes_nothing(graph: MemoryGraph) -> None:
    write(graph, "A basket is priced once", elements=["Checkout"])
    new = element("Shop.API.Till", source=("src/till",))
    without(graph, "Shop.API.Checkout", new)
    rename(graph, "Shop.API.Checkout", "Shop.API.Till")
    before = graph.elements(SHOP)
    without(graph, "Shop.API.Checkout", new)
    assert graph.elements(SHOP) == before


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("Nothing", "Shop.Core", Unknown),
        ("Shop.API", "Shop.API", Conflict),
        ("Shop.API", "Shop.Web", Conflict),
        ("Shop.API", "Shop.API.Core", Unknown),
        ("Shop.API.Checkout", "Checkout", Unknown),
        ("Shop.API.Checkout", "Shop.API. ", Unknown),
        ("Shop.API.Checkout", "", Unknown),
    ],
)
def test_what_cannot_be_so_is_refused_and_changes_nothing(
    graph: MemoryGraph, old: str, new: str, error: type[ArchmemError]
) -> None:
    before = graph.elements(SHOP)
    with pytest.raises(error) as refused:
        rename(graph, old, new)
    assert refused.value.next_step
    assert graph.elements(SHOP) == before


def test_what_left_needs_a_new_one_that_is_there(graph: MemoryGraph) -> None:
    without(graph, "Shop.API.Checkout")
    with pytest.raises(Unknown, match=r"no element 'Shop\.API\.Till'"):
        rename(graph, "Checkout", "Shop.API.Till")


def test_of_several_that_left_under_one_ref_the_last_is_meant(graph: MemoryGraph, clock: Clock) -> None:
    first = write(graph, "Of the first", elements=["Checkout"])
    without(graph, "Shop.API.Checkout", element("Shop.API.Checkout", ElementKind.CONTAINER, identity="other"))
    clock.pass_days(1)
    second = write(graph, "Of the second", elements=["Checkout"])
    without(graph, "Shop.API.Checkout", element("Shop.API.Till"))
    rename(graph, "Shop.API.Checkout", "Shop.API.Till")
    assert graph.memory(SHOP, second.id).elements == ("Shop.API.Till",)
    assert graph.memory(SHOP, first.id).retired_elements == ("Shop.API.Checkout",)
