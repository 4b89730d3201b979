"""Which memories are worth scoring: the ranking formula over all of a scope's memories at once.

It only nominates. What it finds is scored again by `ranking`, by values, so that no digit depends on a store; here the
same factors are taken from tables that `ranking` fills, and a margin holds whatever single precision could turn round.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graph.memories import Evidence, Kind
from graph.policy import RankingPolicy
from graph.ranking import citations, drift
from graph.stores.port import Asked
from graph.vectors import Vector

COLUMNS = np.dtype(
    [
        ("member", np.int64),
        ("live", np.bool_),
        ("kind", np.int8),
        ("confirmed_at", np.int64),
        ("ground", np.int8),
        ("cited_by", np.int32),
        ("reported_to", np.int32),
        ("pinned", np.bool_),
        ("words", np.int64),
        ("embedded", np.bool_),
        ("current", np.bool_),
    ]
)
"""What is held of a memory: `member` is its number in the store, times in microseconds, `words` a hash of its terms."""

Rows = NDArray[np.void]
Places = NDArray[np.int64]
Numbers = NDArray[np.float64]

_KINDS = tuple(Kind)
_GROUNDS = tuple((is_drifted, evidence) for is_drifted in (False, True) for evidence in Evidence)

KIND_CODES: Mapping[str, int] = {kind.value: code for code, kind in enumerate(_KINDS)}
GROUND_CODES: Mapping[tuple[bool, str], int] = {ground: code for code, ground in enumerate(_GROUNDS)}
"""What is known of the ground under a memory: whether its element drifted, and the evidence."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MICROS_A_DAY = 86_400e6
# Scores are compared after rounding to 1e-9; a cosine in single precision is right to about 1e-7.
_EXACT, _SINGLE = 2e-9, 2e-6
_HIGHEST = 10.0


class Found(NamedTuple):
    """The rows that may stand among the best, and how many more are relevant."""

    rows: Places
    beyond: int


def best(
    asked: Asked,
    rows: Rows,
    vectors: Vector | None,
    holding: Mapping[str, Places],
    named: Places,
    there: Places | None,
) -> Found:
    """Return every row that may be among the first `asked.limit`, ties included.

    `holding` are the rows that hold each term, `named` those with one of the question's keys, `there` those pinned to
    the place asked about, beside which project-wide memories count; None when no place is asked about.
    """
    live = rows["live"]
    allowed = live if there is None else live & ~rows["pinned"]
    if there is not None:
        allowed[there] = live[there]
    margin = _EXACT if vectors is None or asked.given is not None else _SINGLE
    relevance = _relevance(asked, rows, vectors, holding, named)
    hits: Places = np.flatnonzero(allowed & (relevance >= asked.policy.min_relevance - margin))
    if asked.limit is None or len(hits) <= asked.limit:
        return Found(hits, 0)
    scores = relevance[hits] * standings(rows[hits], asked.now, asked.policy)
    last = np.partition(scores, len(hits) - asked.limit)[len(hits) - asked.limit]
    chosen = scores >= last - margin * _HIGHEST
    return Found(hits[chosen], int(np.count_nonzero(~chosen)))


def standings(rows: Rows, now: datetime, policy: RankingPolicy) -> Numbers:
    """Return the product of all factors but relevance."""
    kinds = np.array([policy.kind_weight(kind) for kind in _KINDS])
    cited = np.array([citations(count, policy) for count in range(policy.citation_cap + 1)])
    ground = np.array([drift(now if is_drifted else None, evidence, policy) for is_drifted, evidence in _GROUNDS])
    days = np.maximum(0, (now - _EPOCH) // _MICROSECOND - rows["confirmed_at"]) / _MICROS_A_DAY
    fresh = np.maximum(policy.freshness_floor, 0.5 ** (days / policy.half_life_days))
    is_ignored = (rows["cited_by"] == 0) & (rows["reported_to"] >= policy.ignored_after_sessions)
    unused = np.where(is_ignored, policy.ignored_factor, 1.0)
    standing: Numbers = (
        kinds[rows["kind"]]
        * fresh
        * cited[np.minimum(rows["cited_by"], policy.citation_cap)]
        * unused
        * ground[rows["ground"]]
    )
    return standing


def _relevance(
    asked: Asked, rows: Rows, vectors: Vector | None, holding: Mapping[str, Places], named: Places
) -> Numbers:
    if asked.given is not None:
        return np.full(len(rows), asked.given)
    words = _lexical(asked.terms, rows, holding)
    words[named] = 1.0
    if vectors is None or asked.vector is None:
        return words
    meaning = np.maximum(0.0, (vectors @ asked.vector).astype(np.float64))
    relevance: Numbers = asked.policy.semantic_weight * meaning + asked.policy.lexical_weight * words
    return relevance


def _lexical(terms: Sequence[str], rows: Rows, holding: Mapping[str, Places]) -> Numbers:
    live = rows["live"]
    count = np.count_nonzero(live)
    words = np.zeros(len(rows))
    whole = 0.0
    for term in terms:
        held = holding[term]
        idf = float(np.log1p(count / (1 + np.count_nonzero(live[held]))))
        words[held] += idf
        whole += idf
    return words / whole if whole else words
