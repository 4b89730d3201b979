"""Sessions: gate, leases, silence, one outcome, citations; each as it is told to the agent."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.codec import Codec
from graph.errors import Ambiguous, InvalidInput, Unknown
from graph.memories import Checkout, Kind
from graph.memory_graph import MemoryGraph
from graph.outcomes import follow_ups_of, tell_outcome
from graph.parts import Parts
from graph.scopes import Scope
from graph.sessions import Gate
from graph.stores.sqlite import SqliteStore
from graph.work_views import Finished, Started
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, WIDE, Clock, Make, draft, new_id, write
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


# The end


def test_a_finish_writes_one_outcome_about_all_that_was_leased(graph: MemoryGraph) -> None:
    write(graph, "Never retry payments", title="Payments")
    made = start(graph, "Vouchers", CHECKOUT, "Shop.Web")
    done = finish(
        graph,
        made.session,
        "Vouchers work, see [[Payments]]",
        decisions=("Cents, as everywhere",),
        follow_ups=("Refunds with vouchers",),
        checkout=Checkout(commit="a" * 40),
    )
    assert done.outcome.kind is Kind.SESSION_OUTCOME
    assert done.outcome.elements == (CHECKOUT, "Shop.Web")
    assert done.outcome.content == (
        "Vouchers work, see [[Payments]]\n\nDecisions:\n- Cents, as everywhere\n\nFollow-ups:\n- Refunds with vouchers"
    )
    assert [link.name for link in done.outcome.links] == ["Payments"]
    assert (done.repeated, done.lost, done.cited, done.unknown) == (False, (), (), ())
    view = graph.session(SHOP, made.session)
    assert (view.state, view.outcome) == ("finished", done.outcome.id)
    assert graph.sessions(SHOP) == ()
    assert [one.id for one in graph.sessions(SHOP, finished=True)] == [made.session]
    assert graph.history(SHOP, done.outcome.id)[0].session == made.session
    assert {one.commit for one in graph.anchors(SHOP)} == {"a" * 40}
    assert start(graph, "Next", CHECKOUT, exclusive=True).gate is Gate.ALLOW


def test_two_sessions_with_the_same_words_leave_two_outcomes(graph: MemoryGraph) -> None:
    ids = {finish(graph, start(graph, "Vouchers", CHECKOUT).session).outcome.id for _ in range(2)}
    assert len(ids) == 2
    assert {one.id for one in graph.memories(SHOP)} == ids


def test_names_that_match_nothing_or_several_are_told_and_hinder_nothing(graph: MemoryGraph) -> None:
    for number in (1, 2):
        write(graph, f"Fact {number}", title="Old")
        graph.rename(SHOP, "Old", f"New {number}", actor=ME)
    kept = write(graph, "Prices are kept in cents", title="Cents")
    wide = write(graph, "We deploy on Mondays", WIDE, title="Mondays")
    done = finish(graph, start(graph).session, used=("Cents", "Old", "Nothing like it", wide.id, "cents"))
    assert done.cited == (kept.id, wide.id)
    assert done.unknown == ("Old", "Nothing like it")


def test_a_second_finish_returns_the_same_outcome_and_writes_nothing(graph: MemoryGraph) -> None:
    write(graph, "Prices are kept in cents", title="Cents")
    made = start(graph, "Vouchers", CHECKOUT)
    first = finish(graph, made.session)
    second = finish(graph, made.session, "", used=("Cents",))
    assert second.outcome == first.outcome
    assert (first.repeated, second.repeated) == (False, True)
    assert [one.kind for one in graph.memories(SHOP)].count(Kind.SESSION_OUTCOME) == 1
    graph.heartbeat(SHOP, made.session)
    assert graph.session(SHOP, made.session).state == "finished"


def test_of_two_finishes_at_once_one_writes(make: Make) -> None:
    graphs = [make(), make()]
    graphs[0].import_model(SHOP, MODEL)
    made = start(graphs[0], "Vouchers", CHECKOUT)
    together = Barrier(2)

    def end(graph: MemoryGraph) -> Finished:
        together.wait()
        return finish(graph, made.session)

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(end, graphs))
    assert len({one.outcome.id for one in answers}) == 1
    assert sorted(one.repeated for one in answers) == [False, True]
    assert len(graphs[0].memories(SHOP)) == 1


@pytest.mark.parametrize("taken", [True, False])
def test_a_late_finish_is_accepted_and_says_what_was_lost(graph: MemoryGraph, clock: Clock, taken: bool) -> None:
    made = start(graph, "Vouchers", CHECKOUT, "Shop.Web")
    pass_minutes(clock, 31)
    if taken:
        start(graph, "Rewrite", CHECKOUT, agent="agent/b", exclusive=True)
    done = finish(graph, made.session)
    assert set(done.lost) == {CHECKOUT, "Shop.Web"}
    assert done.outcome.elements == (CHECKOUT, "Shop.Web")
    assert set(finish(graph, made.session).lost) == {CHECKOUT, "Shop.Web"}


def test_a_session_that_never_began_cannot_finish(graph: MemoryGraph) -> None:
    graph.cite(SHOP, "only-cited", [])
    for name in ("never", "only-cited"):
        for call in (graph.session, graph.heartbeat):
            with pytest.raises(Unknown) as caught:
                call(SHOP, name)
            assert "start one" in caught.value.next_step
        with pytest.raises(Unknown):
            finish(graph, name)
    with pytest.raises(Unknown):
        graph.finish_session(OTHER, start(graph).session, summary="Elsewhere", actor=ME)


def test_every_fault_of_a_finish_is_named_and_the_session_goes_on(graph: MemoryGraph) -> None:
    made = start(graph)
    with pytest.raises(InvalidInput) as caught:
        finish(graph, made.session, " ", decisions=("",), follow_ups=["f"] * 51, used=["u"] * 501)
    assert [one.where for one in caught.value.faults] == ["summary", "decisions.0", "follow_ups", "used"]
    with pytest.raises(InvalidInput):
        finish(graph, made.session, "s" * 10_000, decisions=("d" * 11_000,))
    with pytest.raises(InvalidInput):
        finish(graph, made.session, "\ud800")
    assert graph.session(SHOP, made.session).state == "open"


def test_what_is_finished_is_listed_page_by_page(graph: MemoryGraph) -> None:
    names = [start(graph, f"Task {n}").session for n in range(4)]
    for name in names[:3]:
        finish(graph, name, name)
    first = graph.sessions(SHOP, finished=True, limit=2)
    assert [one.id for one in first] == [names[2], names[1]]
    assert [one.id for one in graph.sessions(SHOP, finished=True, before=first[-1].id)] == [names[0]]
    assert [one.id for one in graph.sessions(SHOP)] == [names[3]]
    assert graph.sessions(SHOP, before=names[3]) == ()
    with pytest.raises(InvalidInput):
        graph.sessions(SHOP, limit=0)


# What citations do


@pytest.fixture
def alike(graph: MemoryGraph) -> tuple[str, str]:
    """Two memories that nothing but citations tells apart, in the order in which they are recalled."""
    for name in ("Alpha", "Gamma"):
        write(graph, f"{name} holds for vouchers", elements=(CHECKOUT,))
    first, second = (hit.id for hit in graph.recall(SHOP, "vouchers").hits)
    return first, second


def order(graph: MemoryGraph) -> list[str]:
    return [hit.id for hit in graph.recall(SHOP, "vouchers").hits if hit.kind != Kind.SESSION_OUTCOME]


def test_what_a_session_used_comes_first_in_the_next_one(graph: MemoryGraph, alike: tuple[str, str]) -> None:
    first, second = alike
    made = start(graph, "Vouchers", CHECKOUT)
    assert set(made.served) == {first, second}
    assert made.briefing.index("Alpha") < made.briefing.index("Gamma")
    finish(graph, made.session, "Did it", used=(second,))
    told = start(graph, "Vouchers", CHECKOUT).briefing
    assert told.index("Gamma holds") < told.index("Alpha holds")
    assert order(graph) == [second, first]
    explained = {hit.id: hit.factors for hit in graph.recall(SHOP, "vouchers", explain=True).hits}
    cited, other = explained[second], explained[first]
    assert cited is not None
    assert other is not None
    assert (cited.citations > 1, other.citations) == (True, 1)
    assert cited.score / cited.citations == pytest.approx(other.score)


def test_impressions_alone_move_nothing(graph: MemoryGraph, alike: tuple[str, str]) -> None:
    for number in range(6):
        served = graph.recall(SHOP, "vouchers", limit=1)
        graph.note_recall(SHOP, served, session=f"reader-{number}")
    assert order(graph) == list(alike)
    assert {hit.factors.ignored for hit in graph.recall(SHOP, "vouchers", explain=True).hits if hit.factors} == {1}


@pytest.mark.parametrize(("used", "factor"), [(None, 1.0), ((), 0.75)])
def test_only_a_session_that_reports_what_it_used_ignores_the_rest(
    graph: MemoryGraph, alike: tuple[str, str], used: tuple[str, ...] | None, factor: float
) -> None:
    for number in range(5):
        made = start(graph, "Vouchers", CHECKOUT)
        assert set(alike) <= set(made.served)
        finish(graph, made.session, f"Run {number}", used=used)
    found = {hit.id: hit.factors for hit in graph.recall(SHOP, "vouchers", explain=True).hits}
    assert {found[name].ignored for name in alike} == {factor}  # type: ignore[union-attr]


# The text of an outcome

LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).filter(str.strip)


@given(summary=st.text(min_size=1), decisions=st.lists(LINES), follow_ups=st.lists(LINES, min_size=1))
def test_an_outcome_tells_what_it_left_open(summary: str, decisions: list[str], follow_ups: list[str]) -> None:
    told = tell_outcome(summary, decisions, follow_ups)
    assert follow_ups_of(told) == tuple(" ".join(one.split()) for one in follow_ups)


# Sealing


class Backwards(Codec):
    """Stores texts backwards, so that what was not sealed is seen."""

    def seal(self, scope: Scope, record: str, field: str, version: int, text: str) -> str:  # noqa: ARG002
        return text[::-1]

    def open(self, scope: Scope, record: str, field: str, version: int, stored: str) -> str:  # noqa: ARG002
        return stored[::-1]


@pytest.fixture
def sealed(tmp_path: Path, clock: Clock) -> Iterator[MemoryGraph]:
    made = MemoryGraph(Parts(SqliteStore(tmp_path / "sealed.db"), clock, new_id, codec=Backwards()))
    made.import_model(SHOP, MODEL)
    yield made
    made.close()


def test_what_an_agent_wrote_is_sealed(sealed: MemoryGraph, tmp_path: Path) -> None:
    made = start(sealed, "Secret vouchers", CHECKOUT)
    assert start(sealed, "Another", CHECKOUT).conflicts[0].task == "Secret vouchers"
    assert sealed.session(SHOP, made.session).task == "Secret vouchers"
    finish(sealed, made.session, "Secret summary", follow_ups=("Secret rest",))
    assert "Secret rest" in start(sealed, "More", CHECKOUT).briefing
    sealed.close()
    files = b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.name.startswith("sealed.db"))
    assert b"srehcuov terceS" in files
    assert b"Secret" not in files
