"""The score of a candidate: values in, factors out, the same on every store."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime

from graph.frozen import Frozen
from graph.memories import Evidence, Kind
from graph.policy import RankingPolicy

_DIGITS = 9
_SECONDS_A_DAY = 86_400


@dataclass(frozen=True, slots=True)
class TermStats:
    """Over the scope's live memories: how many there are, and how many hold each term."""

    memories: int
    holding: Mapping[str, int]
    _idf: dict[str, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def idf(self, term: str) -> float:
        """Return ln(1 + N / (1 + df))."""
        known = self._idf.get(term)
        if known is None:
            known = self._idf[term] = math.log(1 + self.memories / (1 + self.holding.get(term, 0)))
        return known


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a store knows of a candidate, and all that ranking needs to know; thousands are made in one recall."""

    id: str
    kind: Kind
    confirmed_at: datetime
    terms: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()
    elements: tuple[str, ...] = ()
    cited_by: int = 0
    reported_to: int = 0
    drifted_at: datetime | None = None
    evidence: Evidence = Evidence.NONE


class Question(Frozen):
    """What is asked: its terms and whole keys; `semantic` holds each candidate's cosine, None without vectors."""

    terms: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()
    semantic: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Factors:
    """Why a hit scores as it does; `score` is the product, rounded to 1e-9."""

    semantic: float
    lexical: float
    relevance: float
    kind: float
    freshness: float
    citations: float
    ignored: float
    drift: float
    score: float
    matched: tuple[str, ...] = ()

    def told(self) -> str:
        """Return the score with all its factors."""
        names = [one.name for one in fields(self) if one.name not in ("score", "matched")]
        parts = [f"{name} {getattr(self, name):g}" for name in names]
        if self.matched:
            parts.append(f"words {' '.join(self.matched)}")
        return f"{self.score:.4f} = {', '.join(parts)}"


def lexical(question: Question, facts: Facts, stats: TermStats) -> float:
    """Return the share of the question's idf that the memory holds; 1 for an exact title or symbol."""
    if question.keys & facts.symbols:
        return 1.0
    return share_held(question.terms, facts.terms, stats)


def share_held(asked: Sequence[str], held: Collection[str], stats: TermStats) -> float:
    """Return the share of the asked terms' idf that is held."""
    # fsum is exact, so the order in which a store gives the terms cannot move the last digit.
    whole = math.fsum(stats.idf(term) for term in asked)
    return math.fsum(stats.idf(term) for term in asked if term in held) / whole if whole else 0.0


def freshness(confirmed_at: datetime, now: datetime, policy: RankingPolicy) -> float:
    """Return max(floor, 0.5 ** (days since last known true / half-life))."""
    days = max(0.0, (now - confirmed_at).total_seconds() / _SECONDS_A_DAY)
    return float(max(policy.freshness_floor, 0.5 ** (days / policy.half_life_days)))


def citations(cited_by: int, policy: RankingPolicy) -> float:
    """Return 1 + gain · min(1, ln(1 + n) / ln(1 + cap)), n being distinct sessions that cited it."""
    share = math.log(1 + cited_by) / math.log(1 + policy.citation_cap)
    return 1 + policy.citation_gain * min(1.0, share)


def ignored(facts: Facts, policy: RankingPolicy) -> float:
    """Return the factor of a memory that enough reporting sessions were served and none cited."""
    is_ignored = facts.cited_by == 0 and facts.reported_to >= policy.ignored_after_sessions
    return policy.ignored_factor if is_ignored else 1.0


def is_flagged(drifted_at: datetime | None, evidence: Evidence, policy: RankingPolicy) -> bool:
    """Say whether recall must say VERIFY: the ground moved, and the claims do not show that the memory still holds."""
    if not policy.evidence:
        return drifted_at is not None
    if evidence in (Evidence.CHANGED, Evidence.GONE):
        return True
    return drifted_at is not None and evidence is not Evidence.INTACT


def drift(drifted_at: datetime | None, evidence: Evidence, policy: RankingPolicy) -> float:
    """Return 0.6 when flagged, 0.9 when the element drifted and all claims are intact, else 1."""
    if is_flagged(drifted_at, evidence, policy):
        return policy.drifted_factor
    return policy.intact_factor if drifted_at is not None else 1.0


def relevance(semantic: float | None, lexical_part: float, policy: RankingPolicy) -> float:
    """Return the blend of meaning and words; words alone when there are no vectors."""
    if semantic is None:
        return lexical_part
    return policy.semantic_weight * semantic + policy.lexical_weight * lexical_part


def factors(
    question: Question,
    facts: Facts,
    stats: TermStats,
    now: datetime,
    policy: RankingPolicy,
    *,
    given: float | None = None,
) -> Factors:
    """Return every factor of one candidate; `given` is a relevance known beforehand (a place, a link)."""
    meaning = None if question.semantic is None else max(0.0, question.semantic.get(facts.id, 0.0))
    words = lexical(question, facts, stats)
    relevant = relevance(meaning, words, policy) if given is None else given
    kind = policy.kind_weight(facts.kind)
    fresh = freshness(facts.confirmed_at, now, policy)
    cited = citations(facts.cited_by, policy)
    unused = ignored(facts, policy)
    moved = drift(facts.drifted_at, facts.evidence, policy)
    return Factors(
        semantic=meaning or 0.0,
        lexical=words,
        relevance=relevant,
        kind=kind,
        freshness=fresh,
        citations=cited,
        ignored=unused,
        drift=moved,
        score=round(relevant * kind * fresh * cited * unused * moved, _DIGITS),
        matched=tuple(term for term in question.terms if term in facts.terms),
    )


def fuse(rankings: Iterable[Sequence[str]], k: int) -> dict[str, float]:
    """Return reciprocal rank fusion: Σ 1 / (k + rank), ranks from 1 (Cormack, Clarke, Büttcher 2009)."""
    fused: dict[str, list[float]] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            fused.setdefault(name, []).append(1 / (k + rank))
    return {name: round(math.fsum(parts), _DIGITS) for name, parts in fused.items()}
