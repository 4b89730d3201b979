"""The contract of the port, nomination: whatever may stand among the best is nominated, after any changes."""

from datetime import timedelta
from itertools import count
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.codec import Record
from graph.memories import Evidence, Kind, State
from graph.policy import RankingPolicy
from graph.ranking import Question, factors
from graph.scopes import Scope
from graph.stores.port import Asked, GraphStore, ReadUnit
from graph.vectors import cosines
from tests.graph.stores.samples import (
    HERE,
    MODEL,
    NOW,
    THERE,
    WIDE,
    asking,
    embedding,
    keys,
    nominated,
    put,
    put_vectors,
    record,
    vector,
)

TERMS = ("a", "b", "c", "d")
LATER = NOW + timedelta(days=90)
NUMBERS = count()


def score_all(unit: ReadUnit, asked: Asked, ids: list[str]) -> dict[str, float]:
    """Return the score of each relevant memory, made one by one in the core."""
    stats = unit.term_stats(asked.terms)
    semantic = None if asked.vector is None else cosines(asked.vector, unit.vectors(ids, asked.model))
    question = Question(terms=asked.terms, keys=asked.keys, semantic=semantic)
    scored = {
        one.id: factors(question, one, stats, asked.now, asked.policy, given=asked.given)
        for one in unit.facts(ids)
        if asked.elements is None or not one.elements or set(one.elements) & set(asked.elements)
    }
    return {name: one.score for name, one in scored.items() if one.relevance >= asked.policy.min_relevance}


def ordered(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_the_best_are_always_nominated(store: GraphStore, seed: int) -> None:
    chance = Random(seed)
    here = Scope(project=f"p{next(NUMBERS)}")
    ids = [f"{here.project}-{n}" for n in range(30)]

    def change(name: str, version: int) -> Record:
        return record(
            name,
            here,
            version=version,
            kind=chance.choice(list(Kind)),
            state=State.LIVE if chance.random() < 0.8 else State.ARCHIVED,
            elements=tuple(chance.sample(("e1", "e2"), chance.randrange(3))),
            confirmed_at=NOW + timedelta(days=chance.randrange(120)),
            drifted_at=chance.choice((None, NOW)),
            evidence=chance.choice(list(Evidence)),
        )

    for version in (1, 2):
        for name in ids if version == 1 else chance.sample(ids, 10):
            one = change(name, version)
            words = tuple(chance.sample(TERMS, chance.randrange(4)))
            made = embedding(vector(chance.random(), chance.random(), chance.random() - 0.5))

            def write(unit: object, one: Record = one, words: tuple[str, ...] = words, made: object = made) -> None:
                unit.put(one, keys(terms=words, symbols=words[:1]))  # type: ignore[attr-defined]
                unit.put_vectors(one.id, made)  # type: ignore[attr-defined]

            store.write(here, write)
        for n in range(chance.randrange(8)):
            cited = chance.sample(ids, 2) if chance.random() < 0.7 else []
            store.write(here, lambda unit, n=n: unit.impress(f"s{n}", chance.sample(ids, 5), NOW))  # type: ignore[misc]
            store.write(here, lambda unit, n=n, cited=cited: unit.cite(f"s{n}", cited, NOW))  # type: ignore[misc]
        policy = RankingPolicy(min_relevance=chance.choice((0.0, 0.2, 0.5)), citation_cap=chance.choice((1, 20)))
        asked = Asked(
            terms=tuple(chance.sample(TERMS, chance.randrange(1, 4))),
            keys=frozenset(chance.sample(TERMS, chance.randrange(2))),
            policy=policy,
            now=LATER,
            vector=chance.choice((None, vector(1, 0.2, 0))),
            model=MODEL,
            elements=chance.choice((None, ("e1",), ("e2", "none"))),
            given=chance.choice((None, None, 1.0)),
            limit=chance.choice((None, 1, 5, 12)),
        )

        def compare(unit: ReadUnit, asked: Asked = asked) -> None:
            scores = score_all(unit, asked, ids)
            nomination = unit.nominate(asked)
            best = ordered(scores)[: asked.limit]
            assert set(best) <= set(nomination.ids)
            assert len(nomination.ids) + nomination.beyond >= len(scores)
            assert len(set(nomination.ids)) == len(nomination.ids)

        store.read(here, compare)


def test_equal_memories_at_the_limit_are_all_nominated(store: GraphStore) -> None:
    for n in range(9):
        put(store, record(f"m{n}"), keys(terms=("a",)))
    put(store, record("first", kind=Kind.PITFALL), keys(terms=("a",)))
    assert nominated(store, asking(("a",), limit=1)) == ["first"]
    assert len(nominated(store, asking(("a",), limit=2))) == 10


def test_a_place_leaves_out_what_is_pinned_elsewhere(store: GraphStore) -> None:
    put(store, record("here", elements=("e1", "e2")))
    put(store, record("elsewhere", elements=("e3",)))
    put(store, record("everywhere"))
    put(store, record("wide", WIDE))
    assert nominated(store, asking(elements=("e1",), given=1.0)) == ["everywhere", "here", "wide"]
    assert nominated(store, asking(elements=(), given=1.0)) == ["everywhere", "wide"]


def test_every_kind_of_change_is_seen_by_the_next_question(store: GraphStore) -> None:
    put(store, record("m1"), keys(terms=("a",)))
    put(store, record("m2", kind=Kind.CONVENTION), keys(terms=("a",)))
    first = asking(("a",), limit=1)
    assert nominated(store, first) == ["m2"]
    for session in ("s1", "s2", "s3"):
        store.write(HERE, lambda unit, session=session: unit.cite(session, ["m1"], NOW))  # type: ignore[misc]
    assert nominated(store, first) == ["m1"]
    flagged = record("m1", version=2, drifted_at=NOW)
    store.write(HERE, lambda unit: unit.put_unindexed(flagged))
    assert nominated(store, first) == ["m2"]
    put(store, record("m2", version=2, kind=Kind.POINTER), keys(terms=("a",)))
    assert nominated(store, first) == ["m1"]
    store.write(HERE, lambda unit: unit.reindex("m1", keys(terms=("b",))))
    assert nominated(store, first) == ["m2"]
    assert nominated(store, asking(("b",))) == ["m1"]
    put_vectors(store, "m2", vector(0, 0, 1))
    assert nominated(store, asking(vector=vector(0, 0, 1))) == ["m2"]


def test_a_proposed_memory_is_found_once_it_is_live(store: GraphStore) -> None:
    put(store, record("m1"), keys(terms=("a",)))
    assert nominated(store, asking(("a",))) == ["m1"]
    put(store, record("m2", state=State.PROPOSED), keys(terms=("a", "b")))
    assert nominated(store, asking(("a", "b"))) == ["m1"]
    put(store, record("m2", version=2), keys(terms=("a", "b")))
    assert nominated(store, asking(("a",))) == ["m1", "m2"]
    assert nominated(store, asking(("b",))) == ["m2"]


def test_five_reporting_sessions_that_used_none_are_seen(store: GraphStore) -> None:
    put(store, record("m1", confirmed_at=NOW), keys(terms=("a",)))
    put(store, record("m2", confirmed_at=NOW - timedelta(days=9)), keys(terms=("a",)))
    first = asking(("a",), limit=1)
    for n in range(5):
        assert nominated(store, first) == ["m1"]
        store.write(HERE, lambda unit, n=n: unit.impress(f"s{n}", ["m1"], NOW))  # type: ignore[misc]
        store.write(HERE, lambda unit, n=n: unit.cite(f"s{n}", [], NOW))  # type: ignore[misc]
    assert nominated(store, first) == ["m2"]


def test_what_a_failed_write_saw_is_not_held(store: GraphStore) -> None:
    put(store, record("m1"), keys(terms=("a",)))
    assert nominated(store, asking(("a",))) == ["m1"]

    def fail(unit: object) -> None:
        unit.put(record("m2"), keys(terms=("a",)))  # type: ignore[attr-defined]
        assert sorted(unit.nominate(asking(("a",))).ids) == ["m1", "m2"]  # type: ignore[attr-defined]
        raise RuntimeError("half-way")

    with pytest.raises(RuntimeError):
        store.write(HERE, fail)
    put(store, record("m3"), keys(terms=("a",)))
    assert nominated(store, asking(("a",))) == ["m1", "m3"]
    assert nominated(store, asking(("a",)), THERE) == []
