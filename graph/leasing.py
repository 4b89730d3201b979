"""Leases: which elements a session may hold beside the others, and what speaks against its work."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graph.elements import Element, ancestors
from graph.errors import Ambiguous, Fault, InvalidInput, Unknown
from graph.memories import Kind
from graph.parts import Parts
from graph.pinning import elements_at, find_pin
from graph.places import find_place
from graph.ranking import is_flagged
from graph.sessions import Gate, Lease, Work, as_of
from graph.stores.port import ReadUnit, StoredElement
from graph.work_views import LeaseConflict


@dataclass(frozen=True, slots=True)
class Entry:
    """Whether the work may begin, with which leases, and who else is there."""

    gate: Gate
    leases: tuple[Lease, ...]
    conflicts: tuple[LeaseConflict, ...]


def named_elements(
    stored: Sequence[StoredElement], names: Sequence[str], paths: Sequence[str]
) -> tuple[StoredElement, ...]:
    """Return what names and paths stand for; a path that no element covers stands for none. Raise with every fault."""
    found: dict[str, StoredElement] = {}
    failures: list[Unknown | Ambiguous] = []
    for name in names:
        try:
            found |= {one.id: one for one in find_pin(stored, name)}
        except (Unknown, Ambiguous) as failure:
            failures.append(failure)
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise InvalidInput(
            f"{len(failures)} names stand for no one element",
            next_step="give one of the refs that `archmem model show` lists for each",
            faults=[Fault(where=one.id, what=_told(one)) for one in failures],
        )
    active = {one.element.ref: one for one in stored if one.retired_at is None}
    for path in paths:
        covering = elements_at((one.element for one in active.values()), path)
        found |= {active[element.ref].id: active[element.ref] for element in covering}
    return tuple(found.values())


def enter(
    parts: Parts,
    unit: ReadUnit,
    named: Collection[StoredElement],
    found: Collection[StoredElement],
    *,
    exclusive: bool,
    session: str = "",
) -> Entry:
    """Say whether work on these elements may begin beside the other sessions; `found` ones were named by nobody.

    An element includes its parts, so what another session holds above or below counts as well. Another's exclusive
    lease denies what is named; what was only found is then left out, since a guess must not stop anybody.
    """
    others = _held(parts, unit, but=session)
    elements = {one.id: one for one in unit.elements()}
    by_ref = {one.element.ref: one.element for one in elements.values() if one.retired_at is None}
    conflicts: dict[tuple[str, str], LeaseConflict] = {}
    leases: list[Lease] = []
    gate = Gate.ALLOW
    for one in (*named, *found):
        near = [
            (lease, holder, work)
            for lease, holder, work in others
            if lease.element in elements and _overlap(elements[lease.element].element, one.element, by_ref)
        ]
        for lease, holder, work in near:
            conflict = _conflict(parts, unit, elements[lease.element].element, lease, holder, work)
            conflicts.setdefault((conflict.element, conflict.session), conflict)
        is_taken = any(lease.exclusive for lease, _, _ in near)
        if is_taken and one in named:
            gate = Gate.DENY
        if not is_taken:
            # Beside others nobody holds an element alone.
            leases.append(Lease(element=one.id, exclusive=exclusive and one in named and not near))
    if gate is Gate.DENY:
        return Entry(gate, (), tuple(conflicts.values()))
    if conflicts or flagged_pitfalls(parts, unit, [one.element.ref for one in (*named, *found)]):
        gate = Gate.WARN
    return Entry(gate, tuple(leases), tuple(conflicts.values()))


def flagged_pitfalls(parts: Parts, unit: ReadUnit, refs: Sequence[str]) -> tuple[str, ...]:
    """Return the pitfalls of elements, their parts and what contains them that must be verified (ids)."""
    if not refs:
        return ()
    place, _ = find_place(unit.elements(), refs, ())
    policy = parts.policy.ranking
    return tuple(
        one.id
        for one in unit.facts(unit.pinned(tuple(place.distance)))
        if one.kind is Kind.PITFALL and is_flagged(one.drifted_at, one.evidence, policy)
    )


def _held(parts: Parts, unit: ReadUnit, *, but: str) -> list[tuple[Lease, str, Work]]:
    """Return what other sessions hold now, with the session's id and work."""
    now, minutes = parts.clock(), parts.policy.sessions.silent_minutes
    sessions = (as_of(one, now, minutes) for one in unit.open_sessions() if one.id != but)
    return [
        (lease, one.id, one.work) for one in sessions if one.work for lease in one.work.leases if lease.lost_at is None
    ]


def _overlap(one: Element, other: Element, by_ref: dict[str, Element]) -> bool:
    return one.ref == other.ref or one in ancestors(other, by_ref) or other in ancestors(one, by_ref)


def _conflict(parts: Parts, unit: ReadUnit, element: Element, lease: Lease, session: str, work: Work) -> LeaseConflict:
    return LeaseConflict(
        element=element.ref,
        session=session,
        agent=work.agent,
        task=parts.codec.open(unit.scope, session, "task", 1, work.task),
        exclusive=lease.exclusive,
        since=work.started_at,
    )


def _told(failure: Unknown | Ambiguous) -> str:
    near: Iterable[str] = failure.candidates
    candidates = ", ".join(near)
    return f"{failure.what}{f' (candidates: {candidates})' if candidates else ''}"
