"""What the last sessions about elements left open, as their outcomes say."""

from collections.abc import Iterator, Sequence

from graph.memories import Kind
from graph.outcomes import follow_ups_of
from graph.pages import said
from graph.parts import Parts
from graph.places import find_place
from graph.quoting import age
from graph.stores.port import ReadUnit


def left_open_at(parts: Parts, unit: ReadUnit, refs: Sequence[str]) -> Iterator[str]:
    """Yield what the last sessions about these elements left open, the latest first."""
    if not refs:
        return
    place, _ = find_place(unit.elements(), refs, ())
    pinned = unit.facts(unit.pinned(tuple(place.distance)))
    outcomes = sorted((one.id for one in pinned if one.kind is Kind.SESSION_OUTCOME), reverse=True)
    now = parts.clock()
    for record in unit.memories(outcomes[: parts.policy.sessions.outcomes_read]):
        outcome = parts.codec.open_memory(record)
        for one in follow_ups_of(outcome.content):
            yield f"{outcome.created_by}, {age(outcome.created_at, now)}: {said(one)}"
