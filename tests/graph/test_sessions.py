"""Sessions as they begin and go on: gate, leases, conflicts, silence."""

from datetime import timedelta

import pytest

from graph.errors import Ambiguous, InvalidInput, Unknown
from graph.leasing import Entry, enter
from graph.memories import Kind
from graph.memory_graph import MemoryGraph
from graph.sessions import Gate
from graph.stores.port import ReadUnit
from graph.work_views import Finished, Started
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, WIDE, Clock, Make, draft, write
from tests.graph.test_flagging import finding, report

CHECKOUT, API = "Shop.API.Checkout", "Shop.API"


def start(
    graph: MemoryGraph, task: str = "Vouchers", *elements: str, agent: str = "agent/a", exclusive: bool = False
) -> Started:
    return graph.start_session(SHOP, task, agent=agent, elements=elements, exclusive=exclusive)


def finish(graph: MemoryGraph, session: str, summary: str = "Vouchers work", **more: object) -> Finished:
    return graph.finish_session(SHOP, session, summary=summary, actor=ME, **more)  # type: ignore[arg-type]


def pass_minutes(clock: Clock, minutes: float) -> None:
    clock.now += timedelta(minutes=minutes)


# The gate


def test_a_session_holds_what_it_names_by_ref_name_and_path(graph: MemoryGraph) -> None:
    made = graph.start_session(
        SHOP, "Vouchers", agent="agent/a", elements=("checkout", "Shop.Web"), paths=("src/api/catalogue.py", "none.md")
    )
    assert made.gate is Gate.ALLOW
    assert set(made.elements) == {CHECKOUT, "Shop.Web", "Shop.API.Catalogue"}
    view = graph.session(SHOP, made.session)
    assert {one.element for one in view.leases} == set(made.elements)
    assert (view.state, view.agent, view.task) == ("open", "agent/a", "Vouchers")
    assert "no element covers none.md" in made.briefing


@pytest.mark.parametrize(
    ("held", "wanted"), [(CHECKOUT, CHECKOUT), (API, CHECKOUT), ("Shop", CHECKOUT), (CHECKOUT, API), (CHECKOUT, "Shop")]
)
def test_anothers_exclusive_lease_denies_the_element_its_parts_and_what_contains_it(
    graph: MemoryGraph, held: str, wanted: str
) -> None:
    first = start(graph, "Rewrite", held, exclusive=True)
    denied = start(graph, "Vouchers", wanted, "Customer", agent="agent/b")
    assert (denied.gate, denied.session, denied.served) == (Gate.DENY, "", ())
    (conflict,) = denied.conflicts
    assert (conflict.element, conflict.session, conflict.agent, conflict.task, conflict.exclusive) == (
        held,
        first.session,
        "agent/a",
        "Rewrite",
        True,
    )
    assert "Next: wait until that session finishes" in denied.briefing
    assert first.session in denied.briefing
    assert [one.id for one in graph.sessions(SHOP)] == [first.session]
    # Nothing was leased on the way.
    assert start(graph, "Other", "Customer", agent="agent/c", exclusive=True).gate is Gate.ALLOW


def test_what_lies_beside_an_exclusive_lease_is_free(graph: MemoryGraph) -> None:
    start(graph, "Rewrite", CHECKOUT, exclusive=True)
    assert start(graph, "Search", "Shop.API.Catalogue", exclusive=True).gate is Gate.ALLOW
    assert graph.start_session(OTHER, "Elsewhere", agent="agent/b").gate is Gate.ALLOW


@pytest.mark.parametrize("exclusive", [True, False])
def test_beside_a_shared_lease_work_begins_with_a_warning_and_never_alone(graph: MemoryGraph, exclusive: bool) -> None:
    start(graph, "Rewrite", CHECKOUT)
    made = start(graph, "Vouchers", CHECKOUT, "Shop.Web", agent="agent/b", exclusive=exclusive)
    assert made.gate is Gate.WARN
    assert [one.exclusive for one in made.conflicts] == [False]
    leases = {one.element: one.exclusive for one in graph.session(SHOP, made.session).leases}
    assert leases == {CHECKOUT: False, "Shop.Web": exclusive}
    assert "beside that one" in made.briefing


def test_a_session_beside_its_own_element_and_part_conflicts_with_nobody(graph: MemoryGraph) -> None:
    assert start(graph, "Rewrite", API, CHECKOUT, exclusive=True).gate is Gate.ALLOW


@pytest.mark.parametrize("about", [CHECKOUT, API])
def test_a_flagged_pitfall_warns(make: Make, clock: Clock, about: str) -> None:
    graph = make()
    graph.import_model(SHOP, MODEL)
    write(graph, "The provider is not idempotent", kind=Kind.PITFALL, title="Once", elements=(about,))
    assert start(graph, "Vouchers", CHECKOUT).gate is Gate.ALLOW
    pass_minutes(clock, 60)
    graph.record_drift(SHOP, report(clock.now, finding(ref=about, landed_at=clock.now)))
    made = start(graph, "Refunds", CHECKOUT, agent="agent/b")
    assert made.gate is Gate.WARN
    assert "1 pitfall to VERIFY here" in made.briefing
    assert "[VERIFY — the element drifted" in made.briefing
    assert start(graph, "Refunds", "Shop.Web").gate is Gate.ALLOW


def test_what_is_only_found_is_never_held_alone_and_left_out_where_another_is_alone(graph: MemoryGraph) -> None:
    start(graph, "Rewrite", CHECKOUT, exclusive=True)
    parts = graph._parts

    def look(unit: ReadUnit) -> tuple[Entry, dict[str, str]]:
        named = {one.element.ref: one for one in unit.elements()}
        found = (named[CHECKOUT], named["Shop.Web"])
        refs = {one.id: one.element.ref for one in named.values()}
        return enter(parts, unit, (), found, exclusive=True), refs

    entry, refs = parts.store.read(SHOP, look)
    assert (entry.gate, [one.element for one in entry.conflicts]) == (Gate.WARN, [CHECKOUT])
    assert [(refs[one.element], one.exclusive) for one in entry.leases] == [("Shop.Web", False)]


def test_every_fault_of_a_start_is_named(graph: MemoryGraph) -> None:
    with pytest.raises(InvalidInput) as caught:
        graph.start_session(SHOP, " ", agent="", elements=["a"] * 51)
    assert [one.where for one in caught.value.faults] == ["task", "agent", "elements"]
    with pytest.raises(InvalidInput) as caught:
        start(graph, "Vouchers", "Chekout", "Catalogue")
    assert [one.where for one in caught.value.faults] == ["Chekout", "Catalogue"]
    with pytest.raises(Unknown):
        start(graph, "Vouchers", "Chekout")
    with pytest.raises(Ambiguous):
        start(graph, "Vouchers", "Catalogue")
    with pytest.raises(InvalidInput):
        start(graph, "x" * 2_001)
    assert graph.sessions(SHOP) == ()


# Silence


def test_silence_loses_leases_and_any_call_with_the_id_keeps_them(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "Prices are kept in cents", title="Cents")
    made = start(graph, "Vouchers", CHECKOUT, exclusive=True)
    calls = (
        lambda: graph.heartbeat(SHOP, made.session),
        lambda: graph.note_recall(SHOP, graph.recall(SHOP, "cents"), session=made.session),
        lambda: graph.note_recall(SHOP, graph.recall(SHOP, "zebra"), session=made.session),
        lambda: graph.confirm(SHOP, kept.id, actor=ME, session=made.session),
        lambda: graph.cite(SHOP, made.session, ["Cents"]),
        lambda: graph.briefing(SHOP, session=made.session),
        lambda: graph.hear(SHOP, made.session),
    )
    for call in calls:
        pass_minutes(clock, 29)
        call()
        assert graph.session(SHOP, made.session).seen_at == clock.now
    pass_minutes(clock, 29)
    write(graph, "Vouchers expire")  # without the id it is no heartbeat
    pass_minutes(clock, 2)
    view = graph.session(SHOP, made.session)
    assert view.state == "expired"
    assert [one.lost_at for one in view.leases] == [clock.now - timedelta(minutes=1)]


def test_remembering_is_a_heartbeat_even_about_the_organisation(graph: MemoryGraph, clock: Clock) -> None:
    wide = write(graph, "We deploy on Mondays", WIDE, title="Mondays")
    made = start(graph)
    for number, supersedes in enumerate(("", wide.id)):
        pass_minutes(clock, 29)
        fact = draft(f"Fact number {number} of many")
        graph.remember(SHOP, fact, actor=ME, session=made.session, supersedes=supersedes)
        assert graph.session(SHOP, made.session).state == "open"
    pass_minutes(clock, 29)
    assert len(list(graph.remember_all(SHOP, [draft("Something else")], actor=ME, session=made.session))) == 1
    assert graph.session(SHOP, made.session).seen_at == clock.now


def test_leases_last_to_the_thirtieth_minute_and_are_free_after_it(graph: MemoryGraph, clock: Clock) -> None:
    first = start(graph, "Rewrite", CHECKOUT, exclusive=True)
    pass_minutes(clock, 30)
    assert start(graph, "Vouchers", CHECKOUT, agent="agent/b").gate is Gate.DENY
    pass_minutes(clock, 0.001)
    second = start(graph, "Vouchers", CHECKOUT, agent="agent/b", exclusive=True)
    assert (second.gate, second.conflicts) == (Gate.ALLOW, ())
    # Who comes back has lost what it held, and does not take it from the other.
    back = graph.heartbeat(SHOP, first.session)
    assert back.state == "open"
    assert [one.lost_at for one in back.leases] == [first_lost(graph, second)]
    assert [one.lost_at for one in graph.session(SHOP, second.session).leases] == [None]
    assert start(graph, "More", CHECKOUT, agent="agent/c").conflicts[0].session == second.session


def first_lost(graph: MemoryGraph, second: Started) -> object:
    return graph.session(SHOP, second.session).started_at - timedelta(minutes=0.001)


def test_a_crash_leaves_no_outcome_and_frees_the_elements(graph: MemoryGraph, clock: Clock) -> None:
    start(graph, "Rewrite", CHECKOUT, exclusive=True)
    pass_minutes(clock, 31)
    assert start(graph, "Vouchers", CHECKOUT).gate is Gate.ALLOW
    assert graph.memories(SHOP) == ()


def test_what_is_silent_for_a_week_is_given_up_until_it_speaks_again(graph: MemoryGraph, clock: Clock) -> None:
    crashed = start(graph, "Rewrite", CHECKOUT, exclusive=True)
    clock.pass_days(7)
    second = start(graph, "Vouchers", agent="agent/b")
    assert crashed.session in {one.id for one in graph.sessions(SHOP)}
    clock.pass_days(0.01)
    third = start(graph, "Refunds", agent="agent/b")
    assert [one.id for one in graph.sessions(SHOP)] == [third.session, second.session]
    (ended,) = graph.sessions(SHOP, finished=True)
    assert (ended.id, ended.state) == (crashed.session, "expired")
    assert graph.heartbeat(SHOP, crashed.session).state == "open"
    assert crashed.session in {one.id for one in graph.sessions(SHOP)}
    assert finish(graph, crashed.session).lost == (CHECKOUT,)
