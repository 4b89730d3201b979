"""The architecture model in the store: an import keeps identities, retires what left, and attaches waiting links."""

from collections.abc import Mapping, Sequence

from graph.checking import refuse_faulty
from graph.differing import Plan, difference, maybe_renamed, plan
from graph.elements import ArchitectureModel
from graph.errors import Conflict
from graph.indexing import reindex
from graph.linking import attach_pending
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ReadUnit, StoredDecision, StoredElement, WriteUnit
from graph.views import ElementView, ModelChange, ModelDifference


def import_model(
    parts: Parts,
    scope: Scope,
    model: ArchitectureModel,
    *,
    renames: Mapping[str, str],
    expected: ModelDifference | None,
) -> ModelChange:
    """Take the model over; importing the same model twice changes nothing."""
    refuse_faulty(model)
    return parts.store.write(scope, lambda unit: _import(parts, unit, model, renames, expected))


def compare_model(
    parts: Parts, scope: Scope, model: ArchitectureModel, *, renames: Mapping[str, str]
) -> ModelDifference:
    """Return what an import would do."""
    refuse_faulty(model)

    def work(unit: ReadUnit) -> ModelDifference:
        return difference(unit, model, plan(unit, model, renames))

    return parts.store.read(scope, work)


def elements(parts: Parts, scope: Scope) -> tuple[ElementView, ...]:
    """Return the stored elements with their live memories counted, retired ones too."""

    def work(unit: ReadUnit) -> tuple[ElementView, ...]:
        counts = unit.pin_counts()
        return tuple(
            ElementView(
                id=one.id,
                element=one.element,
                retired=one.retired_at is not None,
                verdict=one.verdict,
                drifted_at=one.drifted_at,
                memories=counts.get(one.id, 0),
            )
            for one in unit.elements()
        )

    return parts.store.read(scope, work)


def model(parts: Parts, scope: Scope) -> ArchitectureModel:
    """Return the stored model without what was retired."""

    def work(unit: ReadUnit) -> ArchitectureModel:
        return ArchitectureModel(
            elements=tuple(one.element for one in unit.elements() if one.retired_at is None),
            relationships=unit.relationships(),
            decisions=tuple(one.decision for one in unit.decisions() if one.retired_at is None),
        )

    return parts.store.read(scope, work)


def _import(
    parts: Parts,
    unit: WriteUnit,
    model: ArchitectureModel,
    renames: Mapping[str, str],
    expected: ModelDifference | None,
) -> ModelChange:
    _refuse_emptying(unit.scope, model, [one for one in unit.elements() if one.retired_at is None])
    made = plan(unit, model, renames)
    if expected is not None:
        _refuse_other(unit, model, made, expected)
    unsure = maybe_renamed(unit, model, made)
    # A ref may pass to another element in the same import: what leaves or moves gives its ref up first.
    for one in (*made.removed, *(step.known for step in made.steps if step.known is not None and step.moves)):
        unit.put_element(one.model_copy(update={"retired_at": parts.clock()}))
    renewed: list[str] = []
    for element, known in ((step.element, step.known) for step in made.steps):
        if known is None:
            unit.put_element(StoredElement(id=parts.ids(), element=element))
        elif known.element != element or known.retired_at is not None:
            unit.put_element(known.model_copy(update={"element": element, "retired_at": None}))
            if (known.element.ref, known.element.name) != (element.ref, element.name):
                renewed.append(known.id)
    unit.put_relationships(model.relationships)
    _put_decisions(parts, unit, model)
    reindex(parts.codec, unit, renewed)
    return ModelChange(
        elements=len(model.elements),
        added=tuple(step.element.ref for step in made.steps if step.known is None),
        changed=tuple(step.element.ref for step in made.steps if step.changes or (step.returns and not step.moves)),
        renamed={step.known.element.ref: step.element.ref for step in made.steps if step.known and step.moves},
        removed=tuple(one.element.ref for one in made.removed),
        maybe_renamed=unsure,
        relationships=len(model.relationships),
        decisions=len(model.decisions),
        attached=attach_pending(parts, unit),
        warnings=tuple(f"{fault.where}: {fault.what}" for fault in model.warnings),
    )


def _refuse_other(unit: WriteUnit, model: ArchitectureModel, made: Plan, expected: ModelDifference) -> None:
    if difference(unit, model, made).steps != expected.steps:
        raise Conflict(
            "the stored model changed after the difference was shown; nothing was written",
            id=unit.scope.project,
            next_step="look at the difference again",
        )


def _refuse_emptying(scope: Scope, model: ArchitectureModel, active: Sequence[StoredElement]) -> None:
    # A wrong path or an emptied file looks like this; a team that gives all its elements up hardly does.
    if active and not model.elements:
        raise Conflict(
            f"the model has no elements, but {len(active)} are stored; none was retired",
            id=scope.project,
            next_step="look which model files were read; a model of at least one element replaces what is stored",
        )


def _put_decisions(parts: Parts, unit: WriteUnit, model: ArchitectureModel) -> None:
    stored = {one.decision.ref: one for one in unit.decisions()}
    for decision in model.decisions:
        known = stored.pop(decision.ref, None)
        if known is None:
            unit.put_decision(StoredDecision(id=parts.ids(), decision=decision))
        elif known.decision != decision or known.retired_at is not None:
            unit.put_decision(known.model_copy(update={"decision": decision, "retired_at": None}))
    for gone in stored.values():
        if gone.retired_at is None:
            unit.put_decision(gone.model_copy(update={"retired_at": parts.clock()}))
