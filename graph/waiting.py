"""What waits in the review inbox, reason by reason, in a stable order; without what somebody dismissed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from graph.codec import Record
from graph.drift_report import BROKEN, ClaimFinding
from graph.errors import Fault, InvalidInput, Unavailable
from graph.finding import last_findings
from graph.memories import Memory
from graph.parts import Parts
from graph.ranking import is_flagged
from graph.reviews import Proposal, Why, pair_of
from graph.stores.port import Drifted, Ignored, Link, NearPair, ReadUnit

_ORDER = {why: at for at, why in enumerate(Why)}


class Waiting(NamedTuple):
    """An entry by its place: the `rank` orders those of one reason, then the `subject`, the id of what it is about."""

    why: Why
    rank: str
    subject: str
    memory: str
    of: Drifted | Ignored | Proposal | NearPair | Link | None = None

    @property
    def place(self) -> str:
        """What a page goes on after."""
        return f"{self.why}:{self.rank}:{self.subject}"

    @property
    def order(self) -> tuple[int, str, str]:
        return _ORDER[self.why], self.rank, self.subject


def order_of(place: str) -> tuple[int, str, str]:
    """Return where a page goes on; raise InvalidInput for what no page ended with."""
    why, _, rest = place.partition(":")
    rank, colon, subject = rest.partition(":")
    if why not in list(Why) or not colon:
        fault = Fault(where="after", what=f"{place!r} is no place in the inbox")
        raise InvalidInput(
            "the inbox cannot be listed", id=place, next_step="pass the `next` of the last page", faults=[fault]
        )
    return _ORDER[Why(why)], rank, subject


def drift_cause(parts: Parts, memory: Memory | Record, claims: Iterable[ClaimFinding]) -> str:
    """Return what a dismissal of a drifted memory is bound to, and below that the claims that do not stand, keyed.

    That is: when it drifted last, what became of its claims, and when it was last known true.
    """
    at = memory.drifted_at.isoformat() if memory.drifted_at else ""
    broken = {
        parts.codec.key(memory.scope, f"{one.asked.claim}")
        for one in claims
        if one.evidence in BROKEN and one.asked.confirmed_at >= memory.confirmed_at
    }
    return "\n".join([f"{at} {memory.evidence} {memory.confirmed_at.isoformat()}", *sorted(broken)])


def is_as_dismissed(cause: str, dismissed: str) -> bool:
    """Say whether a memory drifted for no other cause; a run that asked after fewer claims brings up nothing new."""
    (ground, *broken), (seen_ground, *seen) = cause.split("\n"), dismissed.split("\n")
    return ground == seen_ground and set(broken) <= set(seen)


class Waits:
    """What waits in one scope."""

    def __init__(self, parts: Parts, unit: ReadUnit, model: str) -> None:
        self._parts = parts
        self._unit = unit
        self._model = model
        self._dismissed: Mapping[tuple[Why, str], str] = {
            (one.why, one.subject): one.cause for one in unit.dismissals()
        }
        self.notices: list[str] = []

    def of(self, why: Why) -> list[Waiting]:
        """Return what waits for a reason, in order."""
        found = {
            Why.DRIFTED: self._drifted,
            Why.IGNORED: self._ignored,
            Why.UNREVIEWED: self._unreviewed,
            Why.PROPOSED: self._proposed,
            Why.NEAR_DUPLICATE: self._near,
            Why.PENDING_LINK: self._pending,
        }[why]()
        return sorted(found, key=lambda one: one.order)

    def _drifted(self) -> Iterator[Waiting]:
        drifted = self._unit.drifted()
        dismissed = self._dismissed_as_drifted([one.memory for one in drifted])
        for one in drifted:
            verify = is_flagged(one.drifted_at, one.evidence, self._parts.policy.ranking)
            if (verify or one.drifted_at is not None) and one.memory not in dismissed:
                yield Waiting(Why.DRIFTED, "0" if verify else "1", one.memory, one.memory, one)

    def _dismissed_as_drifted(self, drifted: Iterable[str]) -> set[str]:
        looked_at = {
            name: self._dismissed[Why.DRIFTED, name] for name in drifted if (Why.DRIFTED, name) in self._dismissed
        }
        if not looked_at:
            return set()
        _, claims = last_findings(self._unit)
        causes = {
            one.id: drift_cause(self._parts, one, claims.get(one.id, ()))
            for one in self._unit.memories(tuple(looked_at))
        }
        return {name for name, cause in causes.items() if is_as_dismissed(cause, looked_at[name])}

    def _ignored(self) -> Iterator[Waiting]:
        again = self._parts.policy.ranking.ignored_after_sessions
        for one in self._unit.ignored(again):
            dismissed_at = self._dismissed.get((Why.IGNORED, one.memory))
            if dismissed_at is None or one.reported_to >= int(dismissed_at) + again:
                yield Waiting(Why.IGNORED, f"{10**9 - one.served_to:010}", one.memory, one.memory, one)

    def _unreviewed(self) -> Iterator[Waiting]:
        for name in self._unit.unreviewed():
            yield Waiting(Why.UNREVIEWED, "", name, name)

    def _proposed(self) -> Iterator[Waiting]:
        for one in self._unit.proposals():
            yield Waiting(Why.PROPOSED, "", one.id, one.memory, one)

    def _near(self) -> Iterator[Waiting]:
        policy = self._parts.policy.dedup
        pairs = {}
        if self._model:
            # What was dismissed takes no other pair's place.
            dismissed = sum(why is Why.NEAR_DUPLICATE for why, _ in self._dismissed)
            near = self._unit.near_pairs(self._model, policy.similar_at, policy.most_pairs + dismissed)
            pairs = {pair_of(pair.one, pair.other): pair for pair in near.pairs}
            if near.compared < near.embedded:
                self.notices.append(f"near duplicates: the newest {near.compared} of {near.embedded} were compared")
        else:
            self.notices.append("near duplicates: equal texts alone, since there is no embedder")
        for first, *others in self._unit.twins():
            pairs |= {pair_of(first, other): NearPair(first, other, 1.0) for other in others}
        for subject, pair in pairs.items():
            if (Why.NEAR_DUPLICATE, subject) not in self._dismissed:
                yield Waiting(Why.NEAR_DUPLICATE, f"{1 - pair.cosine:.6f}", subject, pair.one, pair)

    def _pending(self) -> Iterator[Waiting]:
        for link in self._unit.pending_links():
            if (Why.PENDING_LINK, link.id) not in self._dismissed:
                yield Waiting(Why.PENDING_LINK, "", link.id, link.memory, link)


def vectors_of(parts: Parts) -> str:
    """Return the model whose vectors are compared; none without an embedder, or while it cannot be had."""
    try:
        return parts.embedder.identity if parts.embedder else ""
    except Unavailable:
        return ""
