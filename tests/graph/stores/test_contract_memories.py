"""The contract of the port, memories and search: runs unchanged on every store."""

from datetime import timedelta

import numpy as np
import pytest

from graph.errors import DuplicateTitle, VersionConflict
from graph.memories import Evidence, Kind, State
from graph.stores.port import (
    GraphStore,
    Named,
    ReadUnit,
    Tally,
    WriteUnit,
)
from tests.graph.stores.samples import (
    CODEC,
    HERE,
    MODEL,
    NOW,
    THERE,
    WIDE,
    asking,
    embedding,
    keys,
    nearest,
    nominated,
    put,
    put_vectors,
    record,
    supersede,
    vector,
)


def test_a_memory_comes_back_as_it_was(store: GraphStore) -> None:
    one = record(
        "m1",
        title="T",
        why="W",
        aliases=("x", "y"),
        claims=({"path": "a.py", "symbol": "f", "value": "1"},),
        elements=("e2", "e1"),
        drifted_at=NOW - timedelta(microseconds=1),
        evidence=Evidence.GONE,
    )
    put(store, one)
    back = store.read(HERE, lambda unit: unit.memories(("m1",)))
    assert back == (one.model_copy(update={"elements": ("e1", "e2")}),)
    assert CODEC.open_memory(back[0]).claims == CODEC.open_memory(one).claims


def test_memories_come_in_the_order_asked_for_without_unknown_ones(store: GraphStore) -> None:
    for name in ("m1", "m2"):
        put(store, record(name))
    assert [r.id for r in store.read(HERE, lambda unit: unit.memories(("m2", "no", "m1")))] == ["m2", "m1"]


def test_a_write_is_seen_by_the_next_read_and_a_failed_one_leaves_nothing(store: GraphStore) -> None:
    def fail(unit: WriteUnit) -> None:
        unit.put(record("m1", title="T"), keys(title="t", terms=("x",), symbols=("s",)))
        unit.put_vectors("m1", embedding(vector(1, 0, 0)))
        assert unit.nominate(asking(vector=vector(1, 0, 0))).ids == ("m1",)
        raise RuntimeError("half-way")

    with pytest.raises(RuntimeError):
        store.write(HERE, fail)

    def read(unit: object) -> object:
        return (
            unit.memories(("m1",)),  # type: ignore[attr-defined]
            unit.named("t"),  # type: ignore[attr-defined]
            unit.nominate(asking(("x",))).ids,  # type: ignore[attr-defined]
            unit.nominate(asking(keys=frozenset({"s"}))).ids,  # type: ignore[attr-defined]
            unit.nominate(asking(vector=vector(1, 0, 0))).ids,  # type: ignore[attr-defined]
        )

    assert store.read(HERE, read) == ((), (), (), (), ())
    put(store, record("m2"))
    put_vectors(store, "m2", vector(0, 1, 0))
    assert nearest(store, vector(1, 1, 0)) == ["m2"]


def test_a_change_needs_the_next_version(store: GraphStore) -> None:
    put(store, record("m1"))
    put(store, record("m1", version=2))
    for version in (1, 2, 4):
        with pytest.raises(VersionConflict):
            put(store, record("m1", version=version))
    with pytest.raises(VersionConflict):
        put(store, record("m2", version=2))


def test_a_live_title_is_unique_in_its_scope_alone(store: GraphStore) -> None:
    put(store, record("m1"), keys(title="t"))
    with pytest.raises(DuplicateTitle):
        put(store, record("m2"), keys(title="t"))
    put(store, record("m3", THERE), keys(title="t"))
    put(store, record("m4", WIDE), keys(title="t"))
    put(store, record("m1", version=2, state=State.ARCHIVED), keys(title="t"))
    put(store, record("m5"), keys(title="t"))
    for name in ("m6", "m7"):
        put(store, record(name), keys(title=""))


def test_names_lead_to_memories_by_title_and_alias(store: GraphStore) -> None:
    put(store, record("m1"), keys(title="t", aliases=("old",)))
    put(store, record("m2", THERE), keys(title="old"))
    assert store.read(HERE, lambda unit: unit.named("t")) == (
        Named(memory="m1", state=State.LIVE, by_alias=False, superseded_by=""),
    )
    assert store.read(HERE, lambda unit: unit.named("old")) == (
        Named(memory="m1", state=State.LIVE, by_alias=True, superseded_by=""),
    )


def test_equal_content_is_found_among_the_live_of_the_exact_scope(store: GraphStore) -> None:
    for name, scope in (("m1", HERE), ("m2", THERE), ("m3", WIDE), ("m4", HERE)):
        put(store, record(name, scope), keys(content="c"))
    supersede(store, "m4")
    assert store.read(HERE, lambda unit: unit.same_content("c")) == ("m1",)


def test_pins_find_live_visible_memories(store: GraphStore) -> None:
    put(store, record("m1", elements=("e1",)))
    put(store, record("m2", elements=("e1", "e2")))
    put(store, record("m3"))
    put(store, record("m4", WIDE))
    put(store, record("m5", THERE))
    supersede(store, "m2")
    assert store.read(HERE, lambda unit: unit.pinned(("e1", "e2"))) == ("m1",)
    assert store.read(HERE, lambda unit: unit.unpinned()) == ("m3", "m4")


def test_listing_is_of_the_exact_scope_by_id(store: GraphStore) -> None:
    for name, scope in (("m2", HERE), ("m1", HERE), ("m3", THERE), ("m4", WIDE), ("m5", HERE)):
        put(store, record(name, scope))
    supersede(store, "m5")
    assert [r.id for r in store.read(HERE, lambda u: u.listed((State.LIVE,), after="", limit=9))] == ["m1", "m2"]
    assert [r.id for r in store.read(HERE, lambda u: u.listed((State.LIVE,), after="m1", limit=9))] == ["m2"]
    assert [r.id for r in store.read(HERE, lambda u: u.listed(tuple(State), after="", limit=1))] == ["m1"]


def test_term_stats_and_nominations_are_over_project_and_organisation(store: GraphStore) -> None:
    put(store, record("m1"), keys(terms=("a", "b"), symbols=("s",)))
    put(store, record("m2", WIDE), keys(terms=("a",), symbols=("s",)))
    put(store, record("m3", THERE), keys(terms=("a", "c"), symbols=("s",)))
    put(store, record("m4"), keys(terms=("a",), symbols=("s",)))
    supersede(store, "m4")
    stats = store.read(HERE, lambda unit: unit.term_stats(("a", "b", "c")))
    assert (stats.memories, dict(stats.holding)) == (2, {"a": 2, "b": 1})
    assert nominated(store, asking(("a", "c"))) == ["m1", "m2"]
    assert nominated(store, asking(keys=frozenset({"s", "none"}))) == ["m1", "m2"]
    assert store.read(WIDE, lambda unit: unit.term_stats(("a",))).memories == 1


def test_vectors_nominate_the_nearest_exactly(store: GraphStore) -> None:
    near = {"m1": vector(1, 0, 0), "m2": vector(1, 1, 0), "m3": vector(0, 1, 0), "m4": vector(-1, 0, 0)}
    for name, one in near.items():
        put(store, record(name))
        put_vectors(store, name, one)
    asked = vector(1, 0, 0)
    assert nearest(store, asked, 1) == ["m1"]
    assert nearest(store, asked, 2) == ["m1", "m2"]
    # Opposite and square ones are of no relevance.
    assert nearest(store, asked) == ["m1", "m2"]
    assert store.read(HERE, lambda unit: unit.nominate(asking(vector=asked, limit=1))).beyond == 1
    assert nominated(store, asking(vector=asked, model="test:other:3")) == []
    assert nearest(store, asked, scope=THERE) == []
    back = store.read(HERE, lambda unit: unit.vectors(("m2", "none"), MODEL))
    assert list(back) == ["m2"]
    assert np.array_equal(back["m2"], near["m2"])


def test_near_contents_use_the_content_vector_of_the_exact_scope(store: GraphStore) -> None:
    put(store, record("m1"))
    put_vectors(store, "m1", vector(0, 0, 1), vector(1, 0, 0))
    put(store, record("m2"))
    put_vectors(store, "m2", vector(0, 0, 1), vector(1, 1, 0))
    found = store.read(HERE, lambda unit: unit.near_contents(vector(1, 0, 0), MODEL, 0.5))
    assert [(name, round(cosine, 4)) for name, cosine in found] == [("m1", 1.0), ("m2", 0.7071)]
    assert store.read(HERE, lambda unit: unit.near_contents(vector(1, 0, 0), MODEL, 0.9)) == (found[0],)
    assert store.read(WIDE, lambda unit: unit.near_contents(vector(1, 0, 0), MODEL, 0.5)) == ()


def test_what_is_no_longer_live_is_not_nominated_and_others_stay(store: GraphStore) -> None:
    for n, name in enumerate(("m1", "m2", "m3"), start=1):
        put(store, record(name), keys(terms=("a",)))
        put_vectors(store, name, vector(1, n, 0))
    asked = vector(1, 0, 0)
    assert nearest(store, asked) == ["m1", "m2", "m3"]
    supersede(store, "m1")
    assert nearest(store, asked) == nominated(store, asking(("a",))) == ["m2", "m3"]
    assert store.read(HERE, lambda unit: unit.near_contents(asked, MODEL, 0.1))[0][0] == "m2"
    assert store.read(HERE, lambda unit: [f.id for f in unit.facts(("m1", "m2"))]) == ["m2"]


def test_a_vector_made_again_replaces_the_old_one(store: GraphStore) -> None:
    for name in ("m1", "m2"):
        put(store, record(name))
        put_vectors(store, name, vector(1, 0, 0) if name == "m1" else vector(1, 1, 0))
    assert nearest(store, vector(1, 0, 0)) == ["m1", "m2"]
    put_vectors(store, "m1", vector(0, 0, 1))
    assert nearest(store, vector(1, 0, 0)) == ["m2"]
    put_vectors(store, "m2", vector(1, 0), model="test:small:2")
    assert nearest(store, vector(1, 0, 0)) == []
    assert nearest(store, vector(0, 0, 1)) == ["m1"]
    assert nominated(store, asking(vector=vector(1, 0), model="test:small:2")) == ["m2"]


def test_missing_outdated_and_foreign_vectors_are_pending(store: GraphStore) -> None:
    for name in ("m1", "m2", "m3"):
        put(store, record(name))
    assert store.read(HERE, lambda unit: unit.without_vectors(MODEL, after="", limit=2)) == ("m1", "m2")
    put_vectors(store, "m1", vector(1, 0, 0))
    put_vectors(store, "m2", vector(1, 0), model="test:small:2")
    state = store.read(HERE, lambda unit: unit.embedded(MODEL))
    assert (state.live, state.embedded, state.pending, state.models) == (3, 1, 2, (MODEL, "test:small:2"))
    assert store.read(HERE, lambda unit: unit.without_vectors(MODEL, after="", limit=9)) == ("m2", "m3")
    store.write(HERE, lambda unit: unit.reindex("m1", keys(search="new", terms=("n",))))
    assert store.read(HERE, lambda unit: unit.without_vectors(MODEL, after="", limit=9)) == ("m1", "m2", "m3")
    assert nominated(store, asking(("n",))) == ["m1"]
    late = embedding(vector(0, 0, 1))
    assert not store.write(HERE, lambda unit: unit.put_vectors("m1", late))
    # The old vector serves until the new one is made.
    state = store.read(HERE, lambda unit: unit.embedded(MODEL))
    assert (state.embedded, state.pending) == (1, 3)
    assert nearest(store, vector(1, 0, 0)) == ["m1"]


def test_facts_hold_terms_symbols_pins_times_and_use(store: GraphStore) -> None:
    put(store, record("m1", elements=("e1",), drifted_at=NOW), keys(terms=("a", "b"), symbols=("s",)))

    def use(unit: WriteUnit) -> None:
        for session in ("s1", "s2", "s3"):
            unit.impress(session, ("m1", "none"), NOW)
            unit.impress(session, ("m1",), NOW)
        unit.cite("s1", ("m1",), NOW)
        unit.cite("s1", ("m1",), NOW)
        unit.cite("s2", (), NOW)

    store.write(HERE, use)
    facts = store.read(HERE, lambda unit: unit.facts(("m1", "none")))[0]
    assert (facts.terms, facts.symbols, facts.elements) == (frozenset({"a", "b"}), frozenset({"s"}), ("e1",))
    assert (facts.confirmed_at, facts.drifted_at, facts.cited_by, facts.reported_to) == (NOW, NOW, 1, 2)


def test_what_a_session_was_served_after_its_report_it_did_not_report(store: GraphStore) -> None:
    for name in ("m1", "m2", "m3"):
        put(store, record(name))

    def use(unit: WriteUnit) -> None:
        unit.impress("s1", ("m1",), NOW)
        unit.impress("s1", ("m2",), NOW + timedelta(minutes=1))
        unit.cite("s1", (), NOW + timedelta(minutes=1))
        unit.impress("s1", ("m1", "m3"), NOW + timedelta(minutes=2))

    def reported(unit: ReadUnit) -> list[int]:
        return [facts.reported_to for facts in unit.facts(("m1", "m2", "m3"))]

    store.write(HERE, use)
    assert store.read(HERE, reported) == [1, 1, 0]
    store.write(HERE, lambda unit: unit.cite("s1", (), NOW + timedelta(minutes=3)))
    assert store.read(HERE, reported) == [1, 1, 1]


def test_sessions_of_the_project_and_the_organisation_count_and_those_of_another_project_do_not(
    store: GraphStore,
) -> None:
    put(store, record("m1", WIDE))

    def use(unit: WriteUnit) -> None:
        # One name in three scopes is three sessions.
        unit.impress("s1", ("m1",), NOW)
        unit.cite("s1", ("m1",), NOW)

    def counts(unit: ReadUnit) -> tuple[int, int]:
        facts = unit.facts(("m1",))[0]
        return facts.cited_by, facts.reported_to

    for scope in (THERE, WIDE, HERE):
        store.write(scope, use)
    assert store.read(HERE, counts) == (2, 2)
    assert store.read(WIDE, counts) == (1, 1)


def test_pins_are_counted_by_element_over_live_visible_memories(store: GraphStore) -> None:
    put(store, record("m1", elements=("e1",)))
    put(store, record("m2", elements=("e1", "e2")))
    put(store, record("m3", elements=("e2", "e3")))
    put(store, record("m4", THERE, elements=("e1",)))
    put(store, record("m5"))
    supersede(store, "m3")
    assert store.read(HERE, lambda unit: unit.pin_counts()) == {"e1": 2, "e2": 1}


def test_live_memories_are_counted_by_what_they_are_about(store: GraphStore) -> None:
    later = NOW + timedelta(days=1)
    put(store, record("m1", elements=("e1", "e2")))
    put(store, record("m2", elements=("e1",), confirmed_at=later))
    put(store, record("m3", elements=("e1",), drifted_at=later, evidence=Evidence.GONE))
    put(store, record("m4", kind=Kind.PITFALL))
    put(store, record("m5", scope=THERE, elements=("e1",)))
    put(store, record("m6", scope=WIDE))
    put(store, record("m7", elements=("e1",)))
    supersede(store, "m7")

    def tally(element: str, kind: Kind = Kind.NOTE, **others: object) -> Tally:
        alike = {"evidence": Evidence.NONE, "drifted_at": None, "confirmed_at": NOW, "memories": 1}
        return Tally.model_validate({"element": element, "kind": kind, **alike, **others})

    assert store.read(HERE, lambda unit: unit.tallies()) == (
        tally("", Kind.PITFALL),
        tally("e1", evidence=Evidence.GONE, drifted_at=later),
        tally("e1", confirmed_at=later, memories=2),
        tally("e2"),
    )
    assert store.read(WIDE, lambda unit: unit.tallies()) == (tally(""),)
