"""A model is taken over whole or not at all, and every fault of it is told at once."""

import pytest

from graph.elements import ArchitectureModel, Decision, Element, ElementKind, Relationship
from graph.errors import Fault, InvalidInput
from graph.memory_graph import MemoryGraph
from tests.graph.conftest import MODEL, SHOP, element

SYSTEM = ElementKind.SYSTEM


def faults(graph: MemoryGraph, model: ArchitectureModel) -> set[tuple[str, str]]:
    before = graph.elements(SHOP), graph.model(SHOP)
    with pytest.raises(InvalidInput) as refused:
        graph.import_model(SHOP, model)
    assert (graph.elements(SHOP), graph.model(SHOP)) == before
    assert len(refused.value.faults) == len(set(refused.value.faults))
    return {(fault.where, fault.what) for fault in refused.value.faults}


def test_every_fault_is_listed_and_nothing_is_changed(graph: MemoryGraph) -> None:
    model = ArchitectureModel(
        elements=(
            element("Shop", SYSTEM),
            element("Shop", SYSTEM),
            element("Bank.API"),
            Element(ref=" ", kind=SYSTEM, name="Nameless"),
            Element(ref="", kind=SYSTEM, name="", file="model.dsl", line=7),
        ),
        relationships=(Relationship(source="Shop", target="Gone"), Relationship(source="Lost", target="Shop")),
        decisions=(Decision(ref="ADR-1", title="A"), Decision(ref="ADR-1", title="B"), Decision(ref="", title="C")),
    )
    assert faults(graph, model) == {
        ("Shop", "is the ref of 2 elements"),
        ("Bank.API", "lies in 'Bank', which is not in the model"),
        ("Nameless", "has no ref"),
        ("model.dsl:7", "has no ref"),
        ("Shop", "uses 'Gone', which is not in the model"),
        ("Lost", "uses 'Shop', but is not in the model"),
        ("ADR-1", "is the ref of 2 decisions"),
        ("C", "has no ref"),
    }


def test_a_ring_of_parents_is_told_once_wherever_one_enters_it(graph: MemoryGraph) -> None:
    parents = {"Leaf": "A", "A": "B", "B": "C", "C": "A", "Own": "Own", "Free": ""}
    elements = [Element(ref=ref, kind=SYSTEM, name=ref, parent=parent) for ref, parent in parents.items()]
    assert faults(graph, ArchitectureModel(elements=tuple(elements))) == {
        ("A", "lies in itself: A in B in C in A"),
        ("Own", "lies in itself: Own in Own"),
    }


def test_two_decisions_of_one_ref_do_not_overwrite_each_other(graph: MemoryGraph) -> None:
    twice = (*MODEL.decisions, Decision(ref="ADR-2", title="Another"))
    with pytest.raises(InvalidInput) as refused:
        graph.import_model(SHOP, MODEL.model_copy(update={"decisions": twice}))
    assert refused.value.faults == (Fault(where="ADR-2", what="is the ref of 2 decisions"),)
    assert graph.model(SHOP).decisions == MODEL.decisions


def test_a_pattern_of_too_many_alternatives_is_a_fault(graph: MemoryGraph) -> None:
    wide = element("Shop", SYSTEM, source=("src/{1..256}/*.py", "src/{1..257}/*.py"))
    assert faults(graph, ArchitectureModel(elements=(wide,))) == {
        ("Shop", "'src/{1..257}/*.py' stands for more than 256 patterns")
    }
