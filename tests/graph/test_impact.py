"""impact_of: who is affected, and what is known, held and decided there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.elements import Element, ElementKind, Relationship
from graph.errors import InvalidInput, Unknown
from graph.memories import Kind
from graph.memory_graph import MemoryGraph
from graph.traversals import affected
from tests.graph.conftest import SHOP, Clock, element, write


def test_who_uses_a_container_may_use_each_of_its_parts(graph: MemoryGraph) -> None:
    told = graph.impact_of(SHOP, "Shop.API.Checkout")
    assert told.contained_in == ("Shop.API", "Shop")
    assert [(one.ref, one.distance) for one in told.dependants] == [("Shop.Web", 1), ("Shop.Web.Catalogue", 1)]
    assert told.dependants[0].path == ("Shop.Web", "Shop.API", "Shop.API.Checkout")


def test_a_containers_change_is_one_of_its_parts_too(graph: MemoryGraph) -> None:
    assert "Shop.API.Checkout" in graph.impact_of(SHOP, "Shop.API").parts
    assert graph.impact_of(SHOP, "Bank").dependants[0].ref == "Shop.API.Checkout"
    # The bank's user is used by others in turn, through what contains it.
    assert [one.distance for one in graph.impact_of(SHOP, "Bank").dependants] == [1, 2, 2]
    assert [one.ref for one in graph.impact_of(SHOP, "Bank", depth=1).dependants] == ["Shop.API.Checkout"]


def test_pitfalls_come_first_then_what_is_near_and_decisions_are_named(graph: MemoryGraph) -> None:
    write(graph, "Carts are small", title="Small", elements=("Checkout",))
    write(graph, "Pages are cached, see [[ADR-2]]", kind=Kind.PITFALL, title="Cache", elements=("Shop.Web",))
    write(graph, "Elsewhere", title="Far", elements=("Customer",))
    told = graph.impact_of(SHOP, "Shop.API.Checkout")
    assert [one.title for one in told.memories] == ["Cache", "Small"]
    assert [one.ref for one in told.decisions] == ["ADR-2"]
    assert told.text.splitlines()[1] == "- [PITFALL] Cache (about Shop.Web)"
    assert told.omitted == 0


def test_only_sessions_that_are_heard_of_hold_anything(graph: MemoryGraph, clock: Clock) -> None:
    graph.start_session(SHOP, "Rework the pages", agent="one", elements=("Shop.Web",))
    assert [one.element for one in graph.impact_of(SHOP, "Checkout").leases] == ["Shop.Web"]
    clock.pass_days(1)
    assert graph.impact_of(SHOP, "Checkout").leases == ()


def test_the_text_keeps_its_budget_and_counts_what_it_left_out(graph: MemoryGraph) -> None:
    for number in range(80):
        write(graph, f"Fact {number} of another kind", title=f"Title {number} {'x' * 80}", elements=("Checkout",))
    told = graph.impact_of(SHOP, "Checkout")
    assert len(told.text) <= 4_100
    assert f"({told.omitted} omitted" in told.text
    assert len(told.memories) == 80


def test_what_cannot_be_told_is_refused(graph: MemoryGraph) -> None:
    with pytest.raises(Unknown):
        graph.impact_of(SHOP, "Nothing")
    with pytest.raises(InvalidInput):
        graph.impact_of(SHOP, "Checkout", depth=0)


@given(uses=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=30))
def test_any_relationships_end_cycles_too(uses: list[tuple[int, int]]) -> None:
    elements: list[Element] = [element(f"E{number}", ElementKind.SYSTEM) for number in range(8)]
    found = affected(elements, [Relationship(source=f"E{a}", target=f"E{b}") for a, b in uses], ["E0"], None)
    assert "E0" not in {one.ref for one in found}
    for one in found:
        assert (one.path[0], one.path[-1], len(one.path)) == (one.ref, "E0", one.distance + 1)
        steps = zip(one.path, one.path[1:], strict=False)
        assert all((int(a[1:]), int(b[1:])) in uses for a, b in steps)
