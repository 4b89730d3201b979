"""The architecture model in the store: an import keeps identities, retires what left, and attaches waiting links."""

from collections.abc import Mapping, Sequence

from graph.checking import refuse_faulty
from graph.codec import Codec
from graph.elements import ArchitectureModel, Element
from graph.errors import Conflict
from graph.indexing import by_id, make_keys
from graph.linking import attach_pending
from graph.matching import match
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ReadUnit, StoredDecision, StoredElement, WriteUnit
from graph.views import ElementView, ModelChange


def import_model(parts: Parts, scope: Scope, model: ArchitectureModel) -> ModelChange:
    """Take the model over; importing the same model twice changes nothing."""
    refuse_faulty(model)
    return parts.store.write(scope, lambda unit: _import(parts, unit, model))


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


def _import(parts: Parts, unit: WriteUnit, model: ArchitectureModel) -> ModelChange:
    stored = unit.elements()
    active = [one for one in stored if one.retired_at is None]
    _refuse_emptying(unit.scope, model, active)
    matched = match(model.elements, stored)
    kept = {known.id for known in matched.values()}
    moved = {ref: known for ref, known in matched.items() if known.element.ref != ref}
    removed = [one for one in active if one.id not in kept]
    # A ref may pass to another element in the same import: what leaves or moves gives its ref up first.
    for one in (*removed, *moved.values()):
        unit.put_element(one.model_copy(update={"retired_at": parts.clock()}))
    added: list[str] = []
    changed: list[str] = []
    renewed: list[str] = []
    for element in model.elements:
        known = matched.get(element.ref)
        if known is None:
            unit.put_element(StoredElement(id=parts.ids(), element=element))
            added.append(element.ref)
        elif known.element != element or known.retired_at is not None:
            unit.put_element(known.model_copy(update={"element": element, "retired_at": None}))
            if element.ref not in moved:
                changed.append(element.ref)
            if (known.element.ref, known.element.name) != (element.ref, element.name):
                renewed.append(known.id)
    unit.put_relationships(model.relationships)
    _put_decisions(parts, unit, model)
    _reindex(parts.codec, unit, renewed)
    return ModelChange(
        elements=len(model.elements),
        added=tuple(added),
        changed=tuple(changed),
        renamed={known.element.ref: ref for ref, known in moved.items()},
        removed=tuple(one.element.ref for one in removed),
        relationships=len(model.relationships),
        decisions=len(model.decisions),
        attached=attach_pending(parts, unit),
        warnings=tuple(f"{fault.where}: {fault.what}" for fault in model.warnings),
    )


def _refuse_emptying(scope: Scope, model: ArchitectureModel, active: Sequence[StoredElement]) -> None:
    # A wrong path or an emptied file looks like this; a team that gives all its elements up hardly does.
    if active and not model.elements:
        raise Conflict(
            f"the model has no elements, but {len(active)} are stored; none was retired",
            id=scope.project,
            next_step="look which model files were read; a model of at least one element replaces what is stored",
        )


def _reindex(codec: Codec, unit: WriteUnit, ids: Sequence[str]) -> None:
    """Renew the keys of memories pinned to renamed elements; old vectors serve until a back-fill makes new ones."""
    known: Mapping[str, Element] = by_id(unit.elements())
    for record in unit.memories(unit.pinned(ids)) if ids else ():
        if record.scope == unit.scope:
            unit.reindex(record.id, make_keys(codec, codec.open_memory(record), known))


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
