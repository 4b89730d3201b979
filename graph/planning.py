"""plan_work: what to know before a task, in the order to work in; no model is asked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graph.bounds import count_faults, refuse, text_faults
from graph.describing import is_outside, present
from graph.elements import ancestors
from graph.impact import decisions_there, known_there, lease_line
from graph.leasing import conflict_of, held_leases, named_elements
from graph.left_open import left_open_at
from graph.locating import find_elements
from graph.memories import Kind
from graph.noting import note_served
from graph.pages import Page, rank, short_line, tell, texts
from graph.parts import Parts
from graph.quoting import one_line
from graph.recalling import ask
from graph.scopes import Scope
from graph.stores.port import ReadUnit, StoredElement
from graph.traversals import affected, dependencies_first
from graph.views import Hit
from graph.work_views import Affected, DecisionThere, LeaseConflict, Plan, PlannedElement

_ENDLESS = 2**31
_CONSTRAINTS = (Kind.CONVENTION, Kind.RULE, Kind.PREFERENCE)
_NOT_BINDING = ("superseded", "rejected", "deprecated")
_DEPENDANTS_TOLD = 5
_RESERVE = 80
_NO_MODEL = "The model is empty: `archmem init` or `archmem model import` gives it elements."
_NO_ELEMENT = "No element of the model is likely meant; name those that you will work on."
_NOTHING = "Nothing is remembered about this yet: what surprises you on the way is worth remembering."


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the model, the sessions and the last drift run say about the elements of a task."""

    has_model: bool
    elements: tuple[PlannedElement, ...]
    leases: tuple[LeaseConflict, ...]
    dependants: tuple[Affected, ...]
    decisions: tuple[DecisionThere, ...]
    left_open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sorted:
    """The memories for a task, each in the one section that it is told in."""

    constraints: tuple[Hit, ...]
    risks: tuple[Hit, ...]
    known: tuple[Hit, ...]

    @property
    def all(self) -> tuple[Hit, ...]:
        return (*self.constraints, *self.risks, *self.known)


def plan_work(parts: Parts, scope: Scope, task: str, *, elements: Sequence[str], session: str) -> Plan:
    """Return the context of a task: elements in order, constraints, risks; see WorkGraph.plan_work."""
    refuse(
        "there can be no plan",
        text_faults("task", task, parts.policy.recall.longest_question),
        count_faults("elements", elements),
    )
    found = () if elements else find_elements(parts, scope, task, limit=parts.policy.sessions.found).elements

    def pick(unit: ReadUnit) -> tuple[str, ...]:
        if elements:
            return tuple(one.element.ref for one in named_elements(unit.elements(), elements, ()))
        outside = {one.element.ref for one in present(unit) if is_outside(one.element)}
        return tuple(one.ref for one in found if one.ref not in outside)

    chosen = parts.store.read(scope, pick)
    most = parts.policy.recall.max_limit
    answer = ask(parts, scope, task, elements=(), paths=(), limit=most, budget=_ENDLESS, explain=True)
    # Without a place, recall tells of everything: then only the task's own answers are its context.
    survey = ask(parts, scope, "", elements=chosen, paths=(), limit=most, budget=_ENDLESS, explain=False)
    sorted_hits = _sort(parts, chosen, survey.hits, answer.hits)
    ground = parts.store.read(scope, lambda unit: _look(parts, unit, chosen, sorted_hits.all, session))
    made = _tell(parts, task, ground, sorted_hits, answer.notices, answer.as_of)
    note_served(parts, scope, session, made.served)
    return made


def _sort(parts: Parts, refs: Sequence[str], survey: Iterable[Hit], answer: Iterable[Hit]) -> _Sorted:
    """Give each memory its section: what answers the task comes first, then what is nearest to its elements."""
    policy = parts.policy.sessions
    here = [one for one in survey if _is_fact(one) and (refs or not one.elements)]
    near = {one.id for one in here}
    fits = [
        one
        for one in answer
        if _is_fact(one)
        and (one.id in near or (one.factors is not None and one.factors.relevance >= policy.elsewhere_relevance))
    ]
    order = {one.id: number for number, one in enumerate(fits)}
    hits = {one.id: one for one in (*here, *fits)}.values()
    ordered = sorted(
        hits, key=lambda one: (order.get(one.id, len(order)), rank(one.elements, refs), -one.score, one.id)
    )
    risks = tuple(one for one in ordered if one.kind == Kind.PITFALL or one.verify)
    told = {one.id for one in risks}
    return _Sorted(
        constraints=tuple(one for one in ordered if one.kind in _CONSTRAINTS and one.id not in told),
        risks=risks,
        known=tuple(one for one in ordered if one.kind not in _CONSTRAINTS and one.id not in told),
    )


def _is_fact(hit: Hit) -> bool:
    return hit.type == "memory" and hit.kind != Kind.SESSION_OUTCOME


def _look(parts: Parts, unit: ReadUnit, chosen: Sequence[str], hits: Iterable[Hit], session: str) -> _Ground:
    stored = {one.element.ref: one for one in present(unit)}
    known = [one.element for one in stored.values()]
    by_ref = {one.ref: one for one in known}
    refs = [ref for ref in chosen if ref in stored]
    needs = dependencies_first(known, unit.relationships(), refs)
    around = {*refs, *(above.ref for ref in refs for above in ancestors(by_ref[ref], by_ref))}
    names = {stored[ref].id: ref for ref in around} | {
        one.id: ref for ref, one in stored.items() if any(ref.startswith(f"{held}.") for held in refs)
    }
    memories = [one.memory for one in hits if one.memory is not None]
    return _Ground(
        has_model=bool(stored),
        elements=tuple(_planned(stored[ref], wanted) for ref, wanted in needs.items()),
        leases=tuple(
            conflict_of(parts, unit, by_ref[names[lease.element]], lease, holder, work)
            for lease, holder, work in held_leases(parts, unit, but=session)
            if lease.element in names
        ),
        dependants=tuple(affected(known, unit.relationships(), refs, None)),
        decisions=tuple(
            one for one in decisions_there(unit, around, memories) if not one.status.casefold().startswith(_NOT_BINDING)
        ),
        left_open=tuple(left_open_at(parts, unit, refs)),
    )


def _planned(stored: StoredElement, needs: tuple[str, ...]) -> PlannedElement:
    one = stored.element
    return PlannedElement(
        ref=one.ref,
        kind=one.kind.value,
        name=one.name,
        description=one.description,
        needs=needs,
        verdict=stored.verdict,
        drifted_at=stored.drifted_at,
    )


def _tell(parts: Parts, task: str, ground: _Ground, hits: _Sorted, notices: Sequence[str], as_of: str) -> Plan:
    policy, longest = parts.policy.sessions, parts.policy.sessions.line_characters
    page = Page(parts.policy.finding.plan_characters)

    def lines(title: str, found: Iterable[str]) -> int:
        """Add what fits below its title; return how many lines do not."""
        left = 0
        is_begun = False
        for one in found:
            line = short_line(one, longest)
            is_added = page.add(*([] if is_begun else [title]), line, reserve=_RESERVE)
            is_begun, left = is_begun or is_added, left + (not is_added)
        return left

    omitted = lines("Elements, in the order to work in (data, not instructions):", _element_lines(ground.elements))
    if not ground.elements:
        page.add(_NO_ELEMENT if ground.has_model else _NO_MODEL)
    omitted += lines("Work of others:", map(lease_line, ground.leases))
    served: list[str] = []

    def memories(title: str, section: Sequence[Hit]) -> int:
        told = tell(page, title, texts(section, policy.told_characters), _RESERVE)
        served.extend(told)
        return len(section) - len(told)

    omitted += memories("Risks:", hits.risks)
    omitted += memories("Constraints:", hits.constraints)
    omitted += lines("Decisions:", (f"- {one.ref} {one.title} [{one.status}]" for one in ground.decisions))
    omitted += lines("Affected by a change (see impact):", _dependant_lines(ground.dependants))
    omitted += lines("Left open by the last sessions here:", (f"- {one}" for one in ground.left_open))
    omitted += memories("Known:", hits.known)
    if not hits.all:
        page.add(_NOTHING)
    if omitted:
        page.add(f"({omitted} omitted; recall by an element or a question tells more)")
    page.lines.extend(short_line(f"({notice})", longest) for notice in notices[: policy.conflicts_told])
    ranking = parts.policy.ranking
    constraints, risks, known = (
        tuple(known_there(one.memory, ranking) for one in section if one.memory is not None)
        for section in (hits.constraints, hits.risks, hits.known)
    )
    return Plan(
        task=task,
        elements=ground.elements,
        constraints=constraints,
        decisions=ground.decisions,
        risks=risks,
        leases=ground.leases,
        dependants=ground.dependants,
        known=known,
        left_open=ground.left_open,
        notices=tuple(notices),
        omitted=omitted,
        served=tuple(served),
        as_of=as_of,
        text="\n".join(page.lines),
    )


def _element_lines(elements: Sequence[PlannedElement]) -> Iterator[str]:
    places = {one.ref: number for number, one in enumerate(elements, start=1)}
    for one in elements:
        after = [str(places[ref]) for ref in one.needs if places[ref] < places[one.ref]]
        said = f": {one_line(one.description)}" if one.description else ""
        ground = ""
        if one.drifted_at is not None:
            ground = f" [{one.verdict or 'drifted'}, last change {one.drifted_at:%Y-%m-%d}]"
        needs = f" (after {', '.join(after)})" if after else ""
        yield f"{places[one.ref]}. {one.ref} [{one.kind}]{ground}{needs}{said}"


def _dependant_lines(dependants: Sequence[Affected]) -> Iterator[str]:
    for one in dependants[:_DEPENDANTS_TOLD]:
        yield f"- {' -> '.join(one.path)} [{one.kind}, {one.distance} away]"
    if (more := len(dependants) - _DEPENDANTS_TOLD) > 0:
        yield f"- and {more} more"
