"""What an import would do, before it does it, and who may be who."""

import time

import pytest

from graph.elements import ArchitectureModel, Decision, Element, ElementKind, Relationship
from graph.errors import Conflict, InvalidInput, Unknown
from graph.memory_graph import MemoryGraph
from graph.views import ModelDifference
from tests.graph.conftest import MODEL, OTHER, SHOP, element, write

SYSTEM, CONTAINER = ElementKind.SYSTEM, ElementKind.CONTAINER


def model(*elements: Element, without: str = "", **fields: object) -> ArchitectureModel:
    """Return the shop with other elements, those of the same ref replaced, and without one."""
    refs = {one.ref for one in elements} | {without}
    kept = (*(one for one in MODEL.elements if one.ref not in refs), *elements)
    names = {one.ref for one in kept}
    uses = tuple(one for one in MODEL.relationships if {one.source, one.target} <= names)
    return MODEL.model_copy(update={"elements": kept, "relationships": uses, **fields})


def gone_and_new(
    graph: MemoryGraph, new: Element, *more: Element, without: str = "Shop.API.Checkout"
) -> ModelDifference:
    write(graph, "A basket is priced once", elements=[without])
    return graph.compare_model(SHOP, model(new, *more, without=without))


def test_the_same_model_differs_in_nothing_wherever_its_lines_stand(graph: MemoryGraph) -> None:
    moved = tuple(one.model_copy(update={"file": "other.dsl", "line": 7}) for one in MODEL.elements)
    used = tuple(one.model_copy(update={"line": 9}) for one in MODEL.relationships)
    found = graph.compare_model(SHOP, MODEL.model_copy(update={"elements": moved, "relationships": used}))
    assert found == ModelDifference(elements=8)
    assert found.is_empty


def test_every_difference_is_told_and_nothing_is_written(graph: MemoryGraph) -> None:
    write(graph, "A basket is priced once", elements=["Checkout", "Bank"])
    before = graph.elements(SHOP)
    changed = element("Shop.Web", CONTAINER, source=("web/**/*.ts",), description="New words", tags=("Core",))
    found = graph.compare_model(
        SHOP,
        model(
            changed,
            element("Shop.Jobs", CONTAINER),
            without="Shop.API.Checkout",
            relationships=(Relationship(source="Shop.Web", target="Shop.API", technology="HTTP"),),
            decisions=(Decision(ref="ADR-3", title="More"),),
        ),
    )
    assert (found.elements, found.added) == (8, ("Shop.Jobs",))
    assert [(one.ref, one.fields) for one in found.changed] == [("Shop.Web", ("description", "tags"))]
    assert [(one.ref, one.memories) for one in found.removed] == [("Shop.API.Checkout", 1)]
    assert (found.relationships_added, found.relationships_removed) == (1, 3)
    assert (found.decisions_added, found.decisions_removed) == (("ADR-3",), ("ADR-2",))
    assert not found.is_empty
    assert graph.elements(SHOP) == before


def test_a_rename_is_told_with_its_memories_and_its_relationships_stay(graph: MemoryGraph) -> None:
    write(graph, "A basket is priced once", elements=["Checkout"])
    till = element("Shop.API.Till", source=("src/api/checkout",), identity="checkout")
    used = (Relationship(source="Shop.API.Till", target="Bank"), *MODEL.relationships[1:])
    found = graph.compare_model(SHOP, model(till, without="Shop.API.Checkout", relationships=used))
    assert [(one.old, one.new, one.memories) for one in found.renamed] == [("Shop.API.Checkout", "Shop.API.Till", 1)]
    assert (found.changed, found.removed, found.maybe_renamed) == ((), (), ())
    assert (found.relationships_added, found.relationships_removed) == (0, 0)


def test_what_comes_back_is_told_as_that(graph: MemoryGraph) -> None:
    graph.import_model(SHOP, model(without="Shop.API.Checkout"))
    assert graph.compare_model(SHOP, MODEL).returned == ("Shop.API.Checkout",)


def test_a_changed_decision_is_told(graph: MemoryGraph) -> None:
    again = MODEL.decisions[0].model_copy(update={"status": "superseded"})
    assert graph.compare_model(SHOP, model(decisions=(again,))).decisions_changed == ("ADR-2",)


def test_a_faulty_model_is_refused_before_it_is_compared(graph: MemoryGraph) -> None:
    with pytest.raises(InvalidInput):
        graph.compare_model(SHOP, ArchitectureModel(elements=(element("A.B"),)))


@pytest.mark.parametrize(
    ("new", "reasons"),
    [
        (element("Shop.API.Till", source=("src/api/checkout",)), ("same source src/api/checkout",)),
        (element("Shop.API.Till", CONTAINER, source=("src/api/checkout",)), ("same source src/api/checkout",)),
        (
            element("Shop.API.Till", source=("src/api/checkout", "src/till")),
            ("same source src/api/checkout",),
        ),
        (element("Shop.API.Checkout Service"), ("similar name",)),
        (element("Shop.API.Chekcout"), ("similar name",)),
        (element("Shop.Web.Checkout"), ("same name elsewhere",)),
    ],
)
def test_a_new_element_that_may_be_one_that_left_is_told_with_the_reasons(
    graph: MemoryGraph, new: Element, reasons: tuple[str, ...]
) -> None:
    (guess,) = gone_and_new(graph, new).maybe_renamed
    assert (guess.old, guess.new, guess.memories) == ("Shop.API.Checkout", new.ref, 1)
    assert guess.reasons == reasons


@pytest.mark.parametrize(
    "new",
    [
        element("Shop.API.Invoices"),
        element("Shop.Web.Checking"),
        element("Shop.API.Checkout Service", CONTAINER),
        element("Shop.API.Till", description="Takes the money"),
    ],
)
def test_little_likeness_is_no_guess(graph: MemoryGraph, new: Element) -> None:
    assert gone_and_new(graph, new).maybe_renamed == ()


def test_parts_and_relationships_tell_too(graph: MemoryGraph) -> None:
    write(graph, "The catalogue is cached", elements=["Shop.API.Catalogue"])
    refs = ("Core", "Core.Checkout", "Core.Catalogue")
    kinds = (CONTAINER, ElementKind.COMPONENT, ElementKind.COMPONENT)
    new = tuple(element(f"Shop.{ref}", kind) for ref, kind in zip(refs, kinds, strict=True))
    kept = tuple(one for one in MODEL.elements if not one.ref.startswith("Shop.API"))
    used = tuple(Relationship(source=source, target="Shop.Core") for source in ("Shop.Web", "Shop.Web.Catalogue"))
    found = graph.compare_model(
        SHOP, MODEL.model_copy(update={"elements": (*kept, *new), "relationships": used})
    ).maybe_renamed
    assert (found[0].old, found[0].new) == ("Shop.API", "Shop.Core")
    assert found[0].reasons == (
        "2 of 2 parts of the same name",
        "2 of 2 relationships with the same elements",
    )
    # The guess about the outer element comes before those about its parts.
    assert ("Shop.API.Catalogue", "Shop.Core.Catalogue") in [(one.old, one.new) for one in found[1:]]
    told = graph.compare_model(
        SHOP,
        MODEL.model_copy(update={"elements": (*kept, *new), "relationships": used}),
        renames={"Shop.API": "Shop.Core"},
    )
    assert [(one.old, one.new) for one in told.renamed] == [
        ("Shop.API", "Shop.Core"),
        ("Shop.API.Checkout", "Shop.Core.Checkout"),
        ("Shop.API.Catalogue", "Shop.Core.Catalogue"),
    ]
    assert (told.maybe_renamed, told.removed, told.added) == ((), (), ())


def test_nobody_is_asked_about_an_element_without_memories(graph: MemoryGraph) -> None:
    new = element("Shop.API.Till", source=("src/api/checkout",))
    assert graph.compare_model(SHOP, model(new, without="Shop.API.Checkout")).maybe_renamed == ()


def test_an_import_that_is_told_a_rename_keeps_the_memories_with_it(graph: MemoryGraph) -> None:
    kept = write(graph, "A basket is priced once", elements=["Checkout"])
    told = {"Shop.API.Checkout": "Shop.API.Cash desk"}
    change = graph.import_model(SHOP, model(element("Shop.API.Cash desk"), without="Shop.API.Checkout"), renames=told)
    assert change.renamed == told
    assert (change.added, change.removed, change.maybe_renamed) == ((), (), ())
    assert graph.memory(SHOP, kept.id).elements == ("Shop.API.Cash desk",)


def test_an_import_that_was_told_nothing_names_who_may_be_who(graph: MemoryGraph) -> None:
    write(graph, "A basket is priced once", elements=["Checkout"])
    new = element("Shop.API.Till", source=("src/api/checkout",))
    (guess,) = graph.import_model(SHOP, model(new, without="Shop.API.Checkout")).maybe_renamed
    assert (guess.old, guess.new, guess.memories) == ("Shop.API.Checkout", "Shop.API.Till", 1)


def test_what_left_before_can_be_told_to_be_a_new_one(graph: MemoryGraph) -> None:
    kept = write(graph, "A basket is priced once", elements=["Checkout"])
    graph.import_model(SHOP, model(without="Shop.API.Checkout"))
    new = model(element("Shop.API.Till"), without="Shop.API.Checkout")
    graph.import_model(SHOP, new, renames={"Shop.API.Checkout": "Shop.API.Till"})
    assert graph.memory(SHOP, kept.id).elements == ("Shop.API.Till",)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("Shop.Nothing", "Shop.API", Unknown),
        ("Shop.API.Checkout", "Shop.API.Nothing", Unknown),
        ("Shop.API.Checkout", "Shop.Web", Conflict),
    ],
)
def test_what_cannot_be_so_is_refused(graph: MemoryGraph, old: str, new: str, error: type[Exception]) -> None:
    before = graph.elements(SHOP)
    with pytest.raises(error):
        graph.import_model(SHOP, MODEL, renames={old: new})
    assert graph.elements(SHOP) == before


def test_one_new_element_is_not_two_old_ones(graph: MemoryGraph) -> None:
    told = {"Shop.API.Checkout": "Shop.API.Till", "Shop.API.Catalogue": "Shop.API.Till"}
    with pytest.raises(Conflict):
        graph.compare_model(SHOP, model(element("Shop.API.Till")), renames=told)


def test_an_import_does_what_was_shown_or_nothing(graph: MemoryGraph) -> None:
    new = model(element("Shop.API.Till"))
    shown = graph.compare_model(SHOP, new)
    write(graph, "Memories come and go", elements=["Checkout"])
    graph.import_model(SHOP, model(element("Shop.API.Other")))
    with pytest.raises(Conflict, match="changed after"):
        graph.import_model(SHOP, new, expected=shown)
    assert "Shop.API.Other" in {one.element.ref for one in graph.elements(SHOP) if not one.retired}
    assert graph.import_model(SHOP, new, expected=graph.compare_model(SHOP, new)).added == ("Shop.API.Till",)


def test_of_two_thousand_that_left_nobody_waits_for_the_guesses(graph: MemoryGraph) -> None:
    parts = [element(f"Shop.Part {n} alpha", CONTAINER) for n in range(2_000)]
    graph.import_model(OTHER, ArchitectureModel(elements=(element("Shop", SYSTEM), *parts)))
    for n in range(20):
        write(graph, f"Fact {n}", OTHER, elements=[f"Shop.Part {n} alpha"])
    others = [element(f"Shop.Piece {n} omega", CONTAINER) for n in range(2_000)]
    began = time.monotonic()
    graph.compare_model(OTHER, ArchitectureModel(elements=(element("Shop", SYSTEM), *others)))
    assert time.monotonic() - began < 5
