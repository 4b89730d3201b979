"""The contract of the port for sessions: runs unchanged on every store."""

import json
from datetime import timedelta

import pytest

from graph.elements import Element, ElementKind
from graph.memory_graph import MemoryGraph
from graph.migrating import migrate
from graph.parts import Parts
from graph.sessions import Lease, Session, Work
from graph.stores.port import GraphStore, StoredElement, WriteUnit
from graph.stores.transfer import Store
from tests.graph.conftest import new_id
from tests.graph.stores.samples import HERE, NOW, THERE, WIDE, put, record

WORK = Work(
    agent="agent/a",
    task="sealed",
    started_at=NOW,
    leases=(Lease(element="e1", exclusive=True), Lease(element="e2", lost_at=NOW + timedelta(minutes=30))),
)
GIVEN_UP = WORK.model_copy(update={"given_up_at": NOW})
DONE = WORK.model_copy(update={"finished_at": NOW + timedelta(hours=1), "outcome": "m1"})


def session(name: str, work: Work | None = WORK, **more: object) -> Session:
    return Session.model_validate({"id": name, "seen_at": NOW, "work": work, **more})


def keep(store: GraphStore, *sessions: Session) -> None:
    def work(unit: WriteUnit) -> None:
        # Neo4j leads a session to the elements that it holds.
        for element in ("e1", "e2"):
            unit.put_element(
                StoredElement(id=element, element=Element(ref=element, kind=ElementKind.SYSTEM, name=element))
            )
        for one in sessions:
            unit.put_session(one)

    store.write(HERE, work)


def test_a_session_is_kept_whole_and_in_its_exact_scope(store: GraphStore) -> None:
    keep(store, session("s1"), session("s2", None))
    assert store.read(HERE, lambda unit: unit.session("s1")) == session("s1")
    assert store.read(HERE, lambda unit: unit.session("s2")) == session("s2", None)
    assert store.read(HERE, lambda unit: unit.session("none")) is None
    for scope in (THERE, WIDE):
        assert store.read(scope, lambda unit: unit.session("s1")) is None
        assert store.read(scope, lambda unit: unit.open_sessions()) == ()


def test_open_are_those_with_work_that_is_not_finished(store: GraphStore) -> None:
    keep(store, session("s3"), session("s1"), session("s2", None), session("s4", DONE))
    assert store.read(HERE, lambda unit: unit.open_sessions()) == (session("s1"), session("s3"))
    keep(store, session("s1", DONE))
    assert store.read(HERE, lambda unit: unit.open_sessions()) == (session("s3"),)
    assert store.read(HERE, lambda unit: unit.session("s1")) == session("s1", DONE)


def test_what_is_finished_is_listed_newest_first_and_page_by_page(store: GraphStore) -> None:
    keep(store, session("s0"), session("s2", None), *(session(f"f{n}", DONE) for n in (2, 1, 3)))
    assert [one.id for one in store.read(HERE, lambda unit: unit.ended_sessions(2, before=""))] == ["f3", "f2"]
    assert store.read(HERE, lambda unit: unit.ended_sessions(2, before="f2")) == (session("f1", DONE),)
    assert store.read(THERE, lambda unit: unit.ended_sessions(2, before="")) == ()
    keep(store, session("s0", GIVEN_UP))
    assert store.read(HERE, lambda unit: unit.open_sessions()) == ()
    assert store.read(HERE, lambda unit: unit.ended_sessions(1, before="")) == (session("s0", GIVEN_UP),)


def test_impressions_and_citations_lose_no_work_and_work_loses_no_report(store: GraphStore) -> None:
    put(store, record("m1"))
    keep(store, session("s1"))
    later = NOW + timedelta(minutes=5)
    store.write(HERE, lambda unit: unit.impress("s1", ("m1",), later))
    assert store.read(HERE, lambda unit: unit.session("s1")) == session("s1", seen_at=later)
    store.write(HERE, lambda unit: unit.cite("s1", ("m1",), later))
    cited = session("s1", seen_at=later, reported_at=later)
    assert store.read(HERE, lambda unit: unit.session("s1")) == cited
    assert store.read(HERE, lambda unit: unit.open_sessions()) == (cited,)
    keep(store, cited.model_copy(update={"work": DONE}))
    (facts,) = store.read(HERE, lambda unit: unit.facts(("m1",)))
    assert (facts.cited_by, facts.reported_to) == (1, 1)
    assert store.read(HERE, lambda unit: unit.session("s1")) == cited.model_copy(update={"work": DONE})


def test_nothing_of_a_session_stays_when_its_transaction_fails(store: GraphStore) -> None:
    keep(store, session("s1"))

    def fail(unit: WriteUnit) -> None:
        unit.put_session(session("s1", DONE))
        unit.put_session(session("s2"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.write(HERE, fail)
    assert store.read(HERE, lambda unit: unit.open_sessions()) == (session("s1"),)


def graph_on(store: Store) -> MemoryGraph:
    return MemoryGraph(Parts(store, lambda: NOW, new_id))


def test_work_goes_through_export_and_import(store: Store, target: Store) -> None:
    kept = (session("s1", reported_at=NOW), session("s2", None), session("s3", DONE))
    keep(store, *kept)
    lines: list[bytes] = []
    graph_on(store).export(HERE, lines.append)
    told = [one for one in map(json.loads, b"".join(lines).splitlines()) if one.get("kind") == "session"]
    assert ["work" in one for one in told] == [True, False, True]
    graph_on(target).import_export(lambda: b"".join(lines).splitlines(keepends=True), "export")
    assert target.read(HERE, lambda unit: tuple(unit.session(one.id) for one in kept)) == kept
    assert [one.id for one in target.read(HERE, lambda unit: unit.open_sessions())] == ["s1"]


def test_work_migrates(store: Store, target: Store) -> None:
    keep(store, session("s1"), session("s3", DONE))
    migrate(store, target)
    assert target.read(HERE, lambda unit: unit.open_sessions()) == (session("s1"),)
    assert target.read(HERE, lambda unit: unit.ended_sessions(9, before="")) == (session("s3", DONE),)
