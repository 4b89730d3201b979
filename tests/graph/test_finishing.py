"""How sessions end: one outcome, what they lost, what they cite, and what that does to rank."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.codec import Codec
from graph.errors import InvalidInput, Unknown
from graph.memories import Checkout, Kind
from graph.memory_graph import MemoryGraph
from graph.outcomes import follow_ups_of, tell_outcome
from graph.parts import Parts
from graph.scopes import Scope
from graph.sessions import Gate
from graph.stores.sqlite import SqliteStore
from graph.work_views import Finished
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, WIDE, Clock, Make, new_id, write
from tests.graph.test_sessions import CHECKOUT, finish, pass_minutes, start


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
