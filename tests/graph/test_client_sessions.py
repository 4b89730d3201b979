"""Sessions that a client opens by itself, and what is told before an edit."""

import pytest

from graph.errors import Unknown
from graph.memories import Kind
from graph.memory_graph import MemoryGraph
from tests.graph.conftest import ME, SHOP, draft

CHECKOUT = "Shop.API.Checkout"


def held(graph: MemoryGraph, session: str) -> list[str]:
    return [one.element for one in graph.session(SHOP, session).leases if one.lost_at is None]


def test_a_session_without_a_task_holds_what_is_touched_and_is_finished_about_it(graph: MemoryGraph) -> None:
    session = graph.open_session(SHOP, agent="agent/a")
    assert (graph.session(SHOP, session).task, held(graph, session)) == ("", [])
    assert graph.hold(SHOP, session, ("src/api/catalogue.py", "none.md")) == ()
    assert graph.hold(SHOP, session, ("src/api/catalogue.py",)) == ()
    assert held(graph, session) == ["Shop.API.Catalogue"]
    done = graph.finish_session(SHOP, session, summary="Edited the catalogue", actor=ME)
    assert done.outcome.elements == ("Shop.API.Catalogue",)
    assert graph.hold(SHOP, session, ("src/web/page.js",)) == ()
    assert graph.session(SHOP, session).outcome == done.outcome.id


def test_what_another_session_holds_alone_is_left_to_it(graph: MemoryGraph) -> None:
    other = graph.start_session(SHOP, "Rewrite", agent="agent/b", elements=("Shop.API.Catalogue",), exclusive=True)
    session = graph.open_session(SHOP, agent="agent/a")
    (conflict,) = graph.hold(SHOP, session, ("src/api/catalogue.py",))
    assert (conflict.session, conflict.exclusive) == (other.session, True)
    assert held(graph, session) == []
    assert graph.hold(SHOP, "nobody", ("src/api/catalogue.py",)) == ()


def test_a_withdrawn_session_declared_nothing_and_a_finished_one_stays(graph: MemoryGraph) -> None:
    session = graph.open_session(SHOP, agent="agent/a")
    graph.hold(SHOP, session, ("src/api/catalogue.py",))
    graph.withdraw_session(SHOP, session)
    assert graph.sessions(SHOP) == graph.sessions(SHOP, finished=True) == ()
    with pytest.raises(Unknown):
        graph.session(SHOP, session)
    ended = graph.open_session(SHOP, agent="agent/a")
    graph.finish_session(SHOP, ended, summary="Done", actor=ME)
    graph.withdraw_session(SHOP, ended)
    assert graph.session(SHOP, ended).state == "finished"


def test_before_an_edit_pitfalls_are_told_of_the_element_first_then_of_what_contains_it(graph: MemoryGraph) -> None:
    def remember(content: str, kind: Kind, element: str) -> str:
        made = graph.remember(SHOP, draft(content, kind=kind, elements=(element,)), actor=ME)
        return made.memory.id

    above = remember("Every route needs a token", Kind.PITFALL, "Shop.API")
    own = remember("Vouchers are counted twice", Kind.PITFALL, CHECKOUT)
    remember("The checkout is written by hand", Kind.NOTE, CHECKOUT)
    below = remember("Prices come late", Kind.PITFALL, "Shop.API.Catalogue")
    notes = {one.ref: one.notes for one in graph.edit_notes(SHOP).elements}
    assert notes[CHECKOUT] == (own, above)
    assert notes["Shop.API"] == (above,)
    assert notes["Shop.API.Catalogue"] == (below, above)
    assert notes["Shop.Web"] == ()
    texts = graph.edit_notes(SHOP).texts
    assert set(texts) == {own, above, below}
    assert "[PITFALL] about Shop.API.Checkout" in texts[own]
