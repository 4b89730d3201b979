"""Attempts at drift runs: a tick is taken once, and what became of each is seen."""

from datetime import datetime, timedelta

import pytest

from graph.attempts import SCHEDULE, Attempt, AttemptState
from graph.errors import Unknown
from graph.memory_graph import MemoryGraph
from tests.graph.conftest import OTHER, SHOP, Clock


def begun(graph: MemoryGraph, by: str = SCHEDULE) -> Attempt:
    made = graph.begin_attempt(SHOP, by)
    assert made is not None
    return made


def ended(graph: MemoryGraph, state: AttemptState, by: str = SCHEDULE) -> Attempt:
    return graph.end_attempt(SHOP, begun(graph, by).model_copy(update={"state": state}))


def test_an_attempt_is_begun_only_when_it_is_due_after_the_last_scheduled_one(graph: MemoryGraph, clock: Clock) -> None:
    asked: list[datetime | None] = []

    def due(last: datetime | None) -> bool:
        asked.append(last)
        return last is None or clock.now >= last + timedelta(days=1)

    first = graph.begin_attempt(SHOP, SCHEDULE, due)
    begun(graph, "somebody")
    assert graph.begin_attempt(SHOP, SCHEDULE, due) is None
    assert graph.begin_attempt(OTHER, SCHEDULE, due) is not None
    clock.pass_days(1)
    assert graph.begin_attempt(SHOP, SCHEDULE, due) is not None
    assert first is not None
    assert asked == [None, first.started_at, None, first.started_at]


def test_what_became_of_an_attempt_is_read_by_its_id(graph: MemoryGraph, clock: Clock) -> None:
    made = begun(graph)
    assert graph.attempt(SHOP, made.id) == made
    failed = graph.end_attempt(SHOP, made.model_copy(update={"state": AttemptState.FAILED, "error": "no answer"}))
    assert failed.ended_at == clock.now
    assert graph.attempts(SHOP) == (failed,)
    with pytest.raises(Unknown):
        graph.attempt(OTHER, made.id)


def test_of_many_that_found_nothing_new_the_latest_stays_beside_a_failure(graph: MemoryGraph) -> None:
    failed = ended(graph, AttemptState.FAILED)
    idle = [ended(graph, AttemptState.UNCHANGED) for _ in range(30)]
    assert graph.attempts(SHOP) == (idle[-1], failed)


def test_the_latest_attempts_are_kept(graph: MemoryGraph) -> None:
    made = [ended(graph, AttemptState.RECORDED) for _ in range(25)]
    assert graph.attempts(SHOP) == tuple(reversed(made[-20:]))


def test_an_attempt_whose_process_died_is_told_as_failed_later(graph: MemoryGraph, clock: Clock) -> None:
    dead = begun(graph)
    begun(graph, "somebody")
    assert graph.attempt(SHOP, dead.id).state is AttemptState.RUNNING
    clock.pass_days(1)
    begun(graph)
    lost = graph.attempt(SHOP, dead.id)
    assert (lost.state, lost.ended_at) == (AttemptState.FAILED, clock.now)
    assert lost.error
