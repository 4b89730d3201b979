"""The score to the digit: each factor alone, and all together, against values worked by hand."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph.memories import Evidence, Kind
from graph.policy import RankingPolicy
from graph.ranking import Facts, Question, TermStats, citations, factors, freshness, fuse, lexical

NOW = datetime(2026, 6, 1, tzinfo=UTC)
POLICY = RankingPolicy()
STATS = TermStats(memories=9, holding={"a": 2, "b": 8})


def facts(name: str = "m", kind: Kind = Kind.SESSION_OUTCOME, **others: Any) -> Facts:
    return Facts(id=name, kind=kind, **{"confirmed_at": NOW, **others})


def score(
    one: Facts, question: Question | None = None, policy: RankingPolicy = POLICY, given: float | None = 1.0
) -> float:
    return factors(question or Question(), one, STATS, NOW, policy, given=given).score


def test_idf_is_ln_of_one_plus_n_over_one_plus_df() -> None:
    assert STATS.idf("a") == pytest.approx(1.3862943611198906, abs=1e-15)  # ln(1 + 9/3) = ln 4
    assert STATS.idf("b") == pytest.approx(0.6931471805599453, abs=1e-15)  # ln(1 + 9/9) = ln 2
    assert STATS.idf("unknown") == pytest.approx(2.302585092994046, abs=1e-15)  # ln(1 + 9/1) = ln 10


def test_lexical_is_the_held_share_of_the_questions_idf() -> None:
    asked = Question(terms=("a", "b"))
    assert lexical(asked, facts(terms=frozenset({"a"})), STATS) == pytest.approx(2 / 3)  # ln 4 / (ln 4 + ln 2)
    assert lexical(asked, facts(terms=frozenset({"a", "b", "c"})), STATS) == 1.0
    assert lexical(asked, facts(), STATS) == 0.0
    assert lexical(Question(), facts(terms=frozenset({"a"})), STATS) == 0.0


def test_an_exact_title_or_symbol_has_lexical_1() -> None:
    asked = Question(terms=("a",), keys=frozenset({"t:rate limits"}))
    assert lexical(asked, facts(symbols=frozenset({"t:rate limits"})), STATS) == 1.0
    assert lexical(asked, facts(symbols=frozenset({"t:rate"})), STATS) == 0.0


def test_relevance_blends_meaning_and_words() -> None:
    asked = Question(terms=("a", "b"), semantic={"m": 0.4})
    found = factors(asked, facts(terms=frozenset({"a"})), STATS, NOW, POLICY)
    assert found.relevance == pytest.approx(0.52)  # 0.55 · 0.4 + 0.45 · 2/3
    assert found.score == 0.52
    assert found.matched == ("a",)


def test_words_alone_count_whole_without_vectors() -> None:
    assert factors(Question(terms=("a", "b")), facts(terms=frozenset({"a"})), STATS, NOW, POLICY).score == 0.666666667


def test_a_pending_vector_has_semantic_0_and_a_negative_cosine_too() -> None:
    asked = Question(terms=("a",), semantic={"other": 0.9, "opposite": -0.5})
    assert factors(asked, facts(terms=frozenset({"a"})), STATS, NOW, POLICY).relevance == pytest.approx(0.45)
    assert factors(asked, facts("opposite"), STATS, NOW, POLICY).semantic == 0.0


@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        (Kind.PITFALL, 3.0),
        (Kind.CONVENTION, 2.0),
        (Kind.NOTE, 1.5),
        (Kind.SESSION_OUTCOME, 1.0),
        (Kind.LESSON, 2.5),
        (Kind.CARD, 2.0),
        (Kind.RULE, 2.0),
        (Kind.CONTEXT, 1.5),
        (Kind.PREFERENCE, 1.5),
        (Kind.POINTER, 1.0),
    ],
)
def test_each_kind_has_its_weight(kind: Kind, weight: float) -> None:
    assert score(facts(kind=kind)) == weight


@pytest.mark.parametrize(
    ("days", "value"),
    [(0, 1.0), (45, 0.5), (90, 0.25), (22.5, 0.707106781), (96, 0.227930622), (1000, 0.15), (-3, 1.0)],
)
def test_freshness_halves_every_45_days_down_to_the_floor(days: float, value: float) -> None:
    assert score(facts(confirmed_at=NOW - timedelta(days=days))) == value


def test_a_floor_of_zero_lets_old_truths_fade() -> None:
    assert freshness(NOW - timedelta(days=450), NOW, RankingPolicy(freshness_floor=0)) == pytest.approx(0.5**10)


@pytest.mark.parametrize(
    ("cited", "value"),
    [(0, 1.0), (1, 1.182136199), (5, 1.470815244), (19, 1.787179555), (20, 1.8), (21, 1.8), (500, 1.8)],
)
def test_citations_lift_up_to_the_cap_at_20(cited: int, value: float) -> None:
    assert round(citations(cited, POLICY), 9) == value


@pytest.mark.parametrize(("served", "cited", "value"), [(4, 0, 1.0), (5, 0, 0.75), (50, 0, 0.75)])
def test_ignored_needs_five_sessions_that_reported(served: int, cited: int, value: float) -> None:
    assert score(facts(reported_to=served, cited_by=cited)) == value


def test_one_citation_ends_being_ignored() -> None:
    assert factors(Question(), facts(reported_to=9, cited_by=1), STATS, NOW, POLICY, given=1.0).ignored == 1.0


@pytest.mark.parametrize(
    ("drifted", "evidence", "on", "off"),
    [
        (False, Evidence.NONE, 1.0, 1.0),
        (True, Evidence.NONE, 0.6, 0.6),
        (True, Evidence.UNCHECKED, 0.6, 0.6),
        (True, Evidence.INTACT, 0.9, 0.6),
        (True, Evidence.GONE, 0.6, 0.6),
        (False, Evidence.CHANGED, 0.6, 1.0),
        (False, Evidence.GONE, 0.6, 1.0),
        (False, Evidence.INTACT, 1.0, 1.0),
    ],
)
def test_drift_counts_by_stamp_and_evidence(drifted: bool, evidence: Evidence, on: float, off: float) -> None:
    one = facts(drifted_at=NOW if drifted else None, evidence=evidence)
    assert score(one) == on
    assert score(one, policy=RankingPolicy(evidence=False)) == off


def test_all_factors_multiply() -> None:
    one = facts(
        kind=Kind.PITFALL,
        terms=frozenset({"a"}),
        confirmed_at=NOW - timedelta(days=45),
        cited_by=20,
        drifted_at=NOW,
    )
    asked = Question(terms=("a", "b"), semantic={"m": 0.4})
    # 0.52 · 3 · 0.5 · 1.8 · 1 · 0.6
    assert factors(asked, one, STATS, NOW, POLICY).score == 0.8424


def test_kind_weights_can_be_changed_one_by_one() -> None:
    policy = RankingPolicy(kind_weights={Kind.NOTE: 9.0})
    assert score(facts(kind=Kind.NOTE), policy=policy) == 9.0
    assert score(facts(kind=Kind.PITFALL), policy=policy) == 3.0


def test_the_order_of_terms_moves_no_digit() -> None:
    many = TermStats(memories=1_000_003, holding={f"t{i}": i * 7 for i in range(60)})
    held = frozenset(f"t{i}" for i in range(0, 60, 3))
    terms = tuple(f"t{i}" for i in range(60))
    assert lexical(Question(terms=terms), facts(terms=held), many) == lexical(
        Question(terms=terms[::-1]), facts(terms=held), many
    )


def test_rank_fusion_sums_reciprocal_ranks() -> None:
    assert fuse([["a", "b"], ["b"]], 60) == {"a": 0.016393443, "b": 0.032522475}  # 1/61; 1/62 + 1/61
