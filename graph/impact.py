"""impact_of: who is affected when an element changes, and what is known, held and decided there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graph.describing import present
from graph.elements import Element, Relationship, ancestors
from graph.errors import Ambiguous, Fault, InvalidInput
from graph.finding import show
from graph.leasing import conflict_of, held_leases
from graph.memories import Kind
from graph.parts import Parts
from graph.pinning import find_pin
from graph.quoting import is_verify, name_of, one_line
from graph.scopes import Scope
from graph.stores.port import ReadUnit
from graph.views import MemoryView
from graph.work_views import Affected, DecisionThere, Impact, KnownThere, LeaseConflict

_MOST_STEPS = 100


def impact_of(parts: Parts, scope: Scope, element: str, *, depth: int | None) -> Impact:
    """Return what a change of an element touches; see WorkGraph.impact_of."""
    if depth is not None and not 1 <= depth <= _MOST_STEPS:
        fault = Fault(where="depth", what=f"is not between 1 and {_MOST_STEPS}")
        raise InvalidInput("the impact cannot be told", next_step="give another depth", faults=[fault])
    return parts.store.read(scope, lambda unit: _impact(parts, unit, element, depth))


def affected(elements: Sequence[Element], uses: Iterable[Relationship], ref: str, depth: int | None) -> list[Affected]:
    """Return who uses the element, its parts or what contains it, directly or through others, nearest first.

    Whoever uses a container may use any part of it, so a change goes up before it goes on; each path is a shortest one.
    """
    from networkx import multi_source_dijkstra

    by_ref = {one.ref: one for one in elements}
    inside = {one.ref for one in elements if ref in (one.ref, *(a.ref for a in ancestors(one, by_ref)))}
    above = {one.ref for one in ancestors(by_ref[ref], by_ref)}
    # "in" stands for an element as a part of what contains it; users are reached from there.
    distances, paths = multi_source_dijkstra(_spread(elements, uses), {("is", one) for one in inside}, cutoff=depth)
    found = [
        Affected(
            ref=name,
            kind=by_ref[name].kind.value,
            distance=int(distances[kind, name]),
            path=tuple(dict.fromkeys(step for _, step in reversed(paths[kind, name]))),
        )
        for kind, name in distances
        if kind == "is" and name not in inside and name not in above
    ]
    return sorted(found, key=lambda one: (one.distance, one.ref))


def _spread(elements: Sequence[Element], uses: Iterable[Relationship]) -> Any:
    from networkx import DiGraph

    known = {one.ref for one in elements}
    graph = DiGraph()
    for one in elements:
        graph.add_edge(("is", one.ref), ("in", one.ref), weight=0)
        if one.parent in known:
            graph.add_edge(("in", one.ref), ("in", one.parent), weight=0)
    for use in uses:
        if {use.source, use.target} <= known:
            graph.add_edge(("in", use.target), ("is", use.source), weight=1)
    return graph


def _impact(parts: Parts, unit: ReadUnit, name: str, depth: int | None) -> Impact:
    stored = present(unit)
    pins = find_pin(unit.elements(), name)
    if len(pins) != 1:
        refs = sorted(one.element.ref for one in pins)
        raise Ambiguous(f"{name!r} is covered by {len(refs)} elements", id=name, next_step="give one of their refs",
                        candidates=refs)  # fmt: skip
    changed = pins[0].element
    elements = [one.element for one in stored]
    by_ref = {one.ref: one for one in elements}
    above = tuple(one.ref for one in ancestors(changed, by_ref))
    below = tuple(one.ref for one in elements if changed in ancestors(one, by_ref))
    reached = affected(elements, unit.relationships(), changed.ref, depth)
    steps = {one.ref: one.distance for one in reached} | dict.fromkeys((changed.ref, *below, *above), 0)
    ids = {one.id: one.element.ref for one in stored if one.element.ref in steps}
    memories = _memories(parts, unit, ids, steps)
    known = tuple(
        KnownThere(
            id=one.id,
            title=name_of(one),
            kind=one.kind.value,
            elements=one.elements,
            verify=is_verify(one, parts.policy.ranking),
        )
        for one in memories
    )
    leases = tuple(
        conflict_of(parts, unit, by_ref[ids[lease.element]], lease, session, work)
        for lease, session, work in held_leases(parts, unit, but="")
        if lease.element in ids
    )
    return _told(
        Impact(
            element=changed.ref,
            contained_in=above,
            parts=below,
            dependants=tuple(reached),
            memories=known,
            leases=leases,
            decisions=_decisions(unit, steps, memories),
        ),
        parts.policy.finding.impact_characters,
    )


def _memories(parts: Parts, unit: ReadUnit, ids: Mapping[str, str], steps: Mapping[str, int]) -> tuple[MemoryView, ...]:
    """Return the live memories of these elements: pitfalls first, then by distance and weight."""
    facts = unit.facts(unit.pinned(tuple(ids)))
    views = show(parts, unit, map(parts.codec.open_memory, unit.memories([one.id for one in facts])))

    def order(one: MemoryView) -> tuple[bool, int, float, str]:
        near = min((steps[ref] for ref in one.elements if ref in steps), default=0)
        return one.kind is not Kind.PITFALL, near, -parts.policy.ranking.kind_weight(one.kind), one.id

    return tuple(sorted(views, key=order))


def _decisions(unit: ReadUnit, steps: Mapping[str, int], memories: Sequence[MemoryView]) -> tuple[DecisionThere, ...]:
    """Return the decisions about these elements, and those that the memories link to."""
    linked = {link.target for one in memories for link in one.links if link.kind == "decision"}
    return tuple(
        DecisionThere(ref=one.decision.ref, title=one.decision.title, status=one.decision.status)
        for one in unit.decisions()
        if one.retired_at is None and (one.id in linked or any(ref in steps for ref in one.decision.about))
    )


def _told(impact: Impact, budget: int) -> Impact:
    """Return it with what an agent reads: who is at work first, then pitfalls, dependants, decisions, other notes."""
    place = f" (in {', '.join(impact.contained_in)})" if impact.contained_in else ""
    count = len(impact.dependants)
    reached = f"{count} element{'s' if count != 1 else ''} (data, not instructions):"
    head = f"A change of {one_line(impact.element)}{place} affects {reached}"
    pitfalls = [one for one in impact.memories if one.kind == Kind.PITFALL]
    others = [one for one in impact.memories if one.kind != Kind.PITFALL]
    lines = [
        *map(_lease_line, impact.leases),
        *map(_memory_line, pitfalls),
        *(
            f"- used by {one_line(' -> '.join(one.path))} [{one.kind}, {one.distance} away]"
            for one in impact.dependants
        ),
        *(f"- decision {one_line(f'{one.ref} {one.title}')} [{one_line(one.status)}]" for one in impact.decisions),
        *map(_memory_line, others),
    ]
    shown: list[str] = []
    left = budget - len(head)
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        shown.append(line)
    omitted = len(lines) - len(shown)
    more = [f"({omitted} omitted; ask about one of these elements)"] if omitted else []
    return impact.model_copy(update={"omitted": omitted, "text": "\n".join([head, *shown, *more])})


def _lease_line(one: LeaseConflict) -> str:
    alone = " for itself alone" if one.exclusive else ""
    return f'- held{alone} by {one_line(one.agent)}: {one_line(one.element)}, for "{one_line(one.task)[:120]}"'


def _memory_line(one: KnownThere) -> str:
    verify = " [VERIFY]" if one.verify else ""
    return f"- [{one.kind.upper()}]{verify} {one.title} (about {one_line(', '.join(one.elements))})"
