"""Every number of the graph, once: ranking, recall and dedup (DESIGN: the ranking formula and the dedup bands)."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from graph.frozen import Frozen
from graph.memories import Kind

KIND_WEIGHTS: Mapping[Kind, float] = {
    Kind.PITFALL: 3.0,
    Kind.LESSON: 2.5,
    Kind.CONVENTION: 2.0,
    Kind.CARD: 2.0,
    Kind.RULE: 2.0,
    Kind.NOTE: 1.5,
    Kind.CONTEXT: 1.5,
    Kind.PREFERENCE: 1.5,
    Kind.SESSION_OUTCOME: 1.0,
    Kind.POINTER: 1.0,
}


class RankingPolicy(Frozen):
    """How a candidate is scored; times in days, all else factors without a unit."""

    ranking: Literal["blend", "rrf"] = "blend"
    semantic_weight: float = 0.55
    lexical_weight: float = 0.45
    kind_weights: Mapping[Kind, float] = Field(default_factory=lambda: dict(KIND_WEIGHTS))
    half_life_days: float = 45.0
    freshness_floor: float = 0.15
    citation_gain: float = 0.8
    citation_cap: int = 20
    ignored_factor: float = 0.75
    ignored_after_sessions: int = 5
    drifted_factor: float = 0.6
    intact_factor: float = 0.9
    evidence: bool = True
    min_relevance: float = 0.2
    rrf_k: int = 60

    def kind_weight(self, kind: Kind) -> float:
        return self.kind_weights.get(kind, KIND_WEIGHTS[kind])


class RecallPolicy(Frozen):
    """How many candidates are looked at and how much is said.

    A word that `common_share` of at least `common_from` memories hold stays out of the question's vector.
    """

    common_share: float = 0.3
    common_from: int = 30
    limit: int = 10
    max_limit: int = 100
    pulling_hits: int = 3
    pulled_per_hit: int = 3
    pulled_share: float = 0.5
    budget_characters: int = 8_000
    longest_question: int = 2_000


class DedupPolicy(Frozen):
    """When a new memory confirms an old one (cosines of content vectors)."""

    confirm_at: float = 0.86
    similar_at: float = 0.76
    similar_shown: int = 5
    most_pairs: int = 1_000


class SessionPolicy(Frozen):
    """How long a session may be silent, and how much its briefing says (in characters, but for the counts)."""

    silent_minutes: int = 30
    given_up_days: int = 7
    found: int = 3
    briefing_characters: int = 2_000
    contents_characters: int = 400
    told_characters: int = 420
    line_characters: int = 200
    conflicts_told: int = 3
    task_hits: int = 6
    elsewhere_relevance: float = 0.3
    outcomes_read: int = 3


class FindingPolicy(Frozen):
    """How the elements that a question means are found; chosen on the tuned tasks of bench.finding.

    `remembered_share` weighs what is remembered about an element against what the model says of it, `outside_factor`
    what has no code here: people and external systems. `embedded_at_once` are missing vectors made for one question.
    """

    semantic_weight: float = 0.7
    lexical_weight: float = 0.3
    remembered_share: float = 0.8
    outside_factor: float = 0.8
    min_relevance: float = 0.15
    telling_cosine: float = 0.2
    memories_read: int = 50
    embedded_at_once: int = 64
    limit: int = 5
    max_limit: int = 50
    impact_characters: int = 4_000
    plan_characters: int = 6_000


class InboxPolicy(Frozen):
    """How many entries of the review inbox are told at once."""

    limit: int = 50
    max_limit: int = 500


class GraphPolicy(Frozen):
    """All of the graph's numbers together."""

    ranking: RankingPolicy = RankingPolicy()
    recall: RecallPolicy = RecallPolicy()
    dedup: DedupPolicy = DedupPolicy()
    sessions: SessionPolicy = SessionPolicy()
    finding: FindingPolicy = FindingPolicy()
    inbox: InboxPolicy = InboxPolicy()
