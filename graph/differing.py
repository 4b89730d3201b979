"""What an import would do to the stored model: found before anything is written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graph.elements import ArchitectureModel, Element, Relationship, ancestors
from graph.likeness import Around, guesses
from graph.matching import match
from graph.stores.port import ReadUnit, StoredElement
from graph.views import ElementChange, MaybeRenamed, ModelDifference, Removed, Renamed

_WHERE = ("file", "line")


@dataclass(frozen=True, slots=True)
class Step:
    """An element of the new model beside the stored one that it is; `fields` are what differs, but for its place."""

    element: Element
    known: StoredElement | None
    fields: tuple[str, ...]

    @property
    def moves(self) -> bool:
        """Whether it goes by another ref."""
        return self.known is not None and self.known.element.ref != self.element.ref

    @property
    def returns(self) -> bool:
        """Whether it had left the model."""
        return self.known is not None and self.known.retired_at is not None

    @property
    def changes(self) -> bool:
        """Whether it stays and says something else."""
        return bool(self.fields) and not self.moves and not self.returns


@dataclass(frozen=True, slots=True)
class Plan:
    """Every step of an import, and the stored elements that leave."""

    steps: tuple[Step, ...]
    removed: tuple[StoredElement, ...]

    @property
    def known_as(self) -> dict[str, str]:
        """The refs that stored elements have in the new model."""
        return {step.known.element.ref: step.element.ref for step in self.steps if step.known is not None}


def plan(unit: ReadUnit, model: ArchitectureModel, told: Mapping[str, str]) -> Plan:
    """Return what an import does to the elements; `told` (old refs to new ones) says who is who."""
    stored = unit.elements()
    matched = match(model.elements, stored, told)
    kept = {known.id for known in matched.values()}
    return Plan(
        steps=tuple(_step(element, matched.get(element.ref)) for element in model.elements),
        removed=tuple(one for one in stored if one.retired_at is None and one.id not in kept),
    )


def difference(unit: ReadUnit, model: ArchitectureModel, plan: Plan) -> ModelDifference:
    """Return the plan as people read it."""
    memories = unit.pin_counts()
    before, now = _uses(unit.relationships(), plan.known_as), _uses(model.relationships, {})
    decided = {one.decision.ref: one.decision for one in unit.decisions() if one.retired_at is None}
    decisions = {one.ref: one for one in model.decisions}
    return ModelDifference(
        elements=len(model.elements),
        added=tuple(step.element.ref for step in plan.steps if step.known is None),
        changed=tuple(ElementChange(ref=step.element.ref, fields=step.fields) for step in plan.steps if step.changes),
        returned=tuple(step.element.ref for step in plan.steps if step.returns and not step.moves),
        renamed=tuple(
            Renamed(old=step.known.element.ref, new=step.element.ref, memories=memories.get(step.known.id, 0))
            for step in plan.steps
            if step.known is not None and step.moves
        ),
        removed=tuple(Removed(ref=one.element.ref, memories=memories.get(one.id, 0)) for one in plan.removed),
        maybe_renamed=maybe_renamed(unit, model, plan),
        relationships_added=len(now - before),
        relationships_removed=len(before - now),
        decisions_added=tuple(ref for ref in decisions if ref not in decided),
        decisions_changed=tuple(ref for ref in decisions if ref in decided and decisions[ref] != decided[ref]),
        decisions_removed=tuple(ref for ref in decided if ref not in decisions),
    )


def maybe_renamed(unit: ReadUnit, model: ArchitectureModel, plan: Plan) -> tuple[MaybeRenamed, ...]:
    """Return which new elements may be some that leave with memories of their own, or of their parts."""
    kept = _kept(unit, plan)
    gone = [one.element for one in plan.removed if kept.get(one.element.ref)]
    new = [step.element for step in plan.steps if step.known is None]
    if not gone or not new:
        return ()
    before = Around((one.element for one in unit.elements()), unit.relationships(), plan.known_as)
    now = Around(model.elements, model.relationships, {})
    return tuple(
        MaybeRenamed(old=one.old, new=one.new, reasons=one.reasons, memories=kept[one.old])
        for one in guesses(gone, new, before, now)
    )


def _kept(unit: ReadUnit, plan: Plan) -> dict[str, int]:
    """Return how many memories each element that leaves takes along, its parts' included."""
    memories = unit.pin_counts()
    leaving = {one.element.ref: one.element for one in plan.removed}
    found: dict[str, int] = {}
    for one in plan.removed if memories else ():
        for element in (one.element, *ancestors(one.element, leaving)):
            found[element.ref] = found.get(element.ref, 0) + memories.get(one.id, 0)
    return found


def _uses(relationships: Iterable[Relationship], known_as: Mapping[str, str]) -> set[tuple[object, ...]]:
    """Return the relationships as far as they say something: without the place where they stand."""

    def called(ref: str) -> str:
        return known_as.get(ref, ref)

    return {
        (called(one.source), called(one.target), one.description, one.technology, one.tags) for one in relationships
    }


def _step(element: Element, known: StoredElement | None) -> Step:
    if known is None or known.element == element:
        return Step(element, known, ())
    fields = (name for name in Element.model_fields if name not in _WHERE)
    return Step(
        element, known, tuple(name for name in fields if getattr(known.element, name) != getattr(element, name))
    )
