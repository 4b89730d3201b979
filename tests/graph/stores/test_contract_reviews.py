"""The contract of the port, what waits for a look: runs unchanged on every store."""

import tracemalloc
from datetime import timedelta

import numpy as np
import pytest

from graph.memories import Evidence, Kind, State
from graph.reviews import Dismissal, Proposal, ProposalKind, Why
from graph.scopes import Scope
from graph.stores import pairs
from graph.stores.port import Drifted, GraphStore, Ignored, NearPairs, ReadUnit, WriteUnit
from graph.stores.transfer import DismissalEntry, DumpUnit, Entry, ProposalEntry, Restored, Store
from tests.graph.stores.samples import (
    HERE,
    MODEL,
    NOW,
    THERE,
    WIDE,
    embedding,
    keys,
    put,
    put_vectors,
    record,
    supersede,
    vector,
)

LATER = NOW + timedelta(hours=1)
PROPOSAL = Proposal(id="p", kind=ProposalKind.SUPERSEDE, memory="a", at=NOW, by="capture", session="s", body="sealed")
DISMISSED = Dismissal(why=Why.DRIFTED, subject="a", cause="then", at=NOW, by="reviewer")


def near(store: GraphStore, at_least: float = 0.5, most: int = 10) -> NearPairs:
    return store.read(HERE, lambda unit: unit.near_pairs(MODEL, at_least, most))


def pairs_of(store: GraphStore, at_least: float = 0.5, most: int = 10) -> list[tuple[str, str]]:
    return [(pair.one, pair.other) for pair in near(store, at_least, most).pairs]


def test_what_drifted_or_does_not_stand_any_more_is_told_by_id(store: GraphStore) -> None:
    put(store, record("moved", drifted_at=NOW, evidence=Evidence.INTACT))
    put(store, record("gone", evidence=Evidence.GONE))
    put(store, record("fine", evidence=Evidence.INTACT))
    put(store, record("elsewhere", THERE, drifted_at=NOW))
    put(store, record("wide", WIDE, drifted_at=NOW))
    put(store, record("old", drifted_at=NOW))
    put(store, record("old", drifted_at=NOW, state=State.ARCHIVED, version=2))
    found = store.read(HERE, lambda unit: unit.drifted())
    assert found == (Drifted("gone", None, Evidence.GONE), Drifted("moved", NOW, Evidence.INTACT))


def test_what_sessions_that_reported_never_cited_is_ignored(store: GraphStore) -> None:
    for name in ("ignored", "cited", "unreported"):
        put(store, record(name))

    def serve(unit: WriteUnit) -> None:
        for n in range(3):
            unit.impress(f"s{n}", ("ignored", "cited"), NOW)
        unit.impress("silent", ("ignored", "unreported"), NOW)
        unit.cite("s0", ("cited",), LATER)
        unit.cite("s1", (), LATER)
        unit.cite("s2", (), LATER)
        # Served after its report, a session had no chance to cite it.
        unit.cite("s3", (), NOW)
        unit.impress("s3", ("ignored",), LATER)

    store.write(HERE, serve)
    assert store.read(HERE, lambda unit: unit.ignored(3)) == (Ignored("ignored", 5, 3),)
    assert store.read(HERE, lambda unit: unit.ignored(4)) == ()


def test_a_memory_of_the_organisation_is_ignored_when_all_projects_ignore_it(store: GraphStore) -> None:
    put(store, record("wide", WIDE))

    def serve(unit: WriteUnit) -> None:
        unit.impress("s", ("wide",), NOW)
        unit.cite("s", (), LATER)

    for scope in (HERE, THERE):
        store.write(scope, serve)
    assert store.read(WIDE, lambda unit: unit.ignored(2)) == (Ignored("wide", 2, 2),)
    assert store.read(HERE, lambda unit: unit.ignored(1)) == ()
    store.write(THERE, lambda unit: unit.cite("s", ("wide",), LATER))
    assert store.read(WIDE, lambda unit: unit.ignored(1)) == ()


def test_what_a_machine_captured_waits_until_it_is_marked_otherwise(store: GraphStore) -> None:
    put(store, record("a", unreviewed=True))
    put(store, record("b", unreviewed=True))
    put(store, record("c"))
    put(store, record("t", THERE, unreviewed=True))
    assert store.read(HERE, lambda unit: unit.unreviewed()) == ("a", "b")
    assert store.read(HERE, lambda unit: unit.memories(("a", "c"))) == (record("a", unreviewed=True), record("c"))
    store.write(HERE, lambda unit: unit.put_unindexed(record("a", version=2)))
    put(store, record("b", version=2, unreviewed=True, state=State.ARCHIVED))
    assert store.read(HERE, lambda unit: unit.unreviewed()) == ()
    assert not store.read(HERE, lambda unit: unit.memories(("a",)))[0].unreviewed


def test_equal_texts_are_told_in_groups(store: GraphStore) -> None:
    for name, content in (("d", "y"), ("a", "x"), ("c", "x"), ("b", "x"), ("e", "y"), ("f", "z"), ("g", "z")):
        put(store, record(name, kind=Kind.NOTE), keys(content=content))
    put(store, record("t", THERE), keys(content="x"))
    supersede(store, "g")
    assert store.read(HERE, lambda unit: unit.twins()) == (("a", "b", "c"), ("d", "e"))


def test_near_pairs_come_nearest_first_from_the_exact_scope(store: GraphStore) -> None:
    for name, content in (("c", (1, 0.9, 0)), ("a", (1, 0, 0)), ("b", (1, 0.1, 0)), ("far", (0, 0, 1))):
        put(store, record(name), keys())
        put_vectors(store, name, vector(0, 0, 1), vector(*content))
    put(store, record("wide", WIDE), keys())
    store.write(WIDE, lambda unit: unit.put_vectors("wide", embedding(vector(1, 0, 0))))
    assert pairs_of(store) == [("a", "b"), ("b", "c"), ("a", "c")]
    assert pairs_of(store, at_least=0.99) == [("a", "b")]
    assert pairs_of(store, most=2) == [("a", "b"), ("b", "c")]
    assert near(store).pairs[0].cosine == pytest.approx(1 / np.sqrt(1.01), abs=1e-6)
    assert (near(store).compared, near(store).embedded) == (4, 4)
    supersede(store, "b")
    assert pairs_of(store) == [("a", "c")]
    assert store.read(HERE, lambda unit: unit.near_pairs("other:model", 0.1, 5)) == NearPairs()


def test_of_too_many_the_newest_are_compared(store: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c", "d"):
        put(store, record(name), keys())
        put_vectors(store, name, vector(1, 0, 0))
    monkeypatch.setattr(pairs, "_BLOCK", 1)
    monkeypatch.setattr(pairs, "_MOST_PRODUCTS", 4 + 3)
    found = near(store, most=100)
    assert (found.compared, found.embedded) == (2, 4)
    assert pairs_of(store) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    # However many there are, the best stay, and ties go by id.
    assert pairs_of(store, most=2) == [("a", "c"), ("a", "d")]


def test_a_proposal_waits_until_it_is_decided_and_stays(store: GraphStore) -> None:
    store.write(HERE, lambda unit: unit.put_proposal(PROPOSAL))
    other = PROPOSAL.model_copy(update={"id": "o", "kind": ProposalKind.ARCHIVE})
    store.write(HERE, lambda unit: unit.put_proposal(other))
    assert store.read(HERE, lambda unit: unit.proposals()) == (other, PROPOSAL)
    decided = PROPOSAL.model_copy(update={"outcome": "rejected", "decided_at": LATER, "decided_by": "reviewer"})
    store.write(HERE, lambda unit: unit.put_proposal(decided))
    assert store.read(HERE, lambda unit: unit.proposals()) == (other,)
    assert store.read(HERE, lambda unit: unit.proposal("p")) == decided
    assert store.read(HERE, lambda unit: unit.proposal("none")) is None
    for scope in (THERE, WIDE):
        assert store.read(scope, lambda unit: (unit.proposals(), unit.proposal("p"))) == ((), None)


def test_a_proposal_of_another_scope_is_not_taken_over_by_its_id(store: GraphStore) -> None:
    store.write(HERE, lambda unit: unit.put_proposal(PROPOSAL))
    store.write(THERE, lambda unit: unit.put_proposal(PROPOSAL.model_copy(update={"memory": "b"})))
    assert store.read(HERE, lambda unit: unit.proposal("p")) == PROPOSAL
    assert store.read(THERE, lambda unit: unit.proposals()) == ()


def test_a_later_dismissal_takes_the_place_of_an_earlier_one(store: GraphStore) -> None:
    linked = Dismissal(why=Why.PENDING_LINK, subject="l", at=NOW, by="reviewer")
    later = DISMISSED.model_copy(update={"cause": "now", "at": LATER, "by": "other"})
    for one in (linked, DISMISSED, later):
        store.write(HERE, lambda unit, one=one: unit.dismiss(one))  # type: ignore[misc]
    assert store.read(HERE, lambda unit: unit.dismissals()) == (later, linked)
    for scope in (THERE, WIDE):
        assert store.read(scope, lambda unit: unit.dismissals()) == ()


def _reviews(scope: Scope, store: GraphStore) -> object:
    def read(unit: ReadUnit) -> object:
        return unit.unreviewed(), unit.proposals(), unit.proposal("decided"), unit.dismissals()

    return store.read(scope, read)


def test_proposals_dismissals_and_what_is_unreviewed_are_carried_over(store: Store, target: Store) -> None:
    decided = PROPOSAL.model_copy(update={"id": "decided", "outcome": "accepted", "decided_at": LATER})
    put(store, record("a", unreviewed=True))

    def fill(unit: WriteUnit) -> None:
        unit.put_proposal(PROPOSAL)
        unit.put_proposal(decided)
        unit.dismiss(DISMISSED)

    store.write(HERE, fill)

    def dump(unit: DumpUnit) -> list[Entry]:
        return [entry for kind in unit.counts() for entry in unit.entries(kind)]

    entries = store.dump(HERE, dump)
    assert [one for one in entries if isinstance(one, ProposalEntry | DismissalEntry)] == [
        ProposalEntry(scope=HERE, proposal=decided),
        ProposalEntry(scope=HERE, proposal=PROPOSAL),
        DismissalEntry(scope=HERE, dismissal=DISMISSED),
    ]
    for outcome in ("new", "known"):
        for entry in entries:
            assert target.restoring(lambda unit, entry=entry: unit.restore([entry])) == (Restored(outcome),)  # type: ignore[misc]
    assert _reviews(HERE, target) == _reviews(HERE, store)
    assert target.dump(HERE, dump) == entries
    assert _reviews(HERE, target) == (("a",), (PROPOSAL,), decided, (DISMISSED,))


def test_the_bound_holds_all_pairs_of_twenty_thousand() -> None:
    held = tuple(str(n) for n in range(20_000)), np.zeros((20_000, 1), dtype=np.float32)
    assert pairs.nearest_pairs(held, 0.5, 10).compared == 20_000


def test_where_all_say_the_same_the_pairs_are_never_all_held_at_once() -> None:
    held = (tuple(f"{n:05}" for n in range(2_000)), np.ones((2_000, 1), dtype=np.float32))
    tracemalloc.start()
    try:
        found = pairs.nearest_pairs(held, 0.5, 3)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [(one.one, one.other) for one in found.pairs] == [("00000", f"0000{n}") for n in (1, 2, 3)]
    assert peak < 100_000_000
