"""The architecture model in the store: an import keeps identities, retires what left, and attaches waiting links."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from graph.codec import Codec
from graph.elements import ArchitectureModel, Element
from graph.indexing import by_id, make_keys
from graph.linking import attach_pending
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ReadUnit, StoredDecision, StoredElement, WriteUnit
from graph.views import ElementView, ModelChange

T = TypeVar("T")


def import_model(parts: Parts, scope: Scope, model: ArchitectureModel) -> ModelChange:
    """Take the model over; importing the same model twice changes nothing."""
    return parts.store.write(scope, lambda unit: _import(parts, unit, model))


def elements(parts: Parts, scope: Scope) -> tuple[ElementView, ...]:
    """Return the stored elements with their live memories counted, retired ones too."""

    def work(unit: ReadUnit) -> tuple[ElementView, ...]:
        return tuple(
            ElementView(
                id=one.id,
                element=one.element,
                retired=one.retired_at is not None,
                verdict=one.verdict,
                drifted_at=one.drifted_at,
                memories=len(unit.pinned((one.id,))),
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
    matched = _match(model.elements, stored)
    kept = {known.id for known in matched.values()}
    renamed = {known.element.ref: ref for ref, known in matched.items() if known.element.ref != ref}
    removed = [one for one in stored if one.retired_at is None and one.id not in kept]
    # A ref may pass to another element in the same import: what leaves or moves gives its ref up first.
    moving = [known for ref, known in matched.items() if known.element.ref != ref]
    for one in (*removed, *moving):
        unit.put_element(one.model_copy(update={"retired_at": parts.clock()}))
    added: list[str] = []
    changed: list[str] = []
    for element in model.elements:
        known = matched.get(element.ref)
        if known is None:
            unit.put_element(StoredElement(id=parts.ids(), element=element))
            added.append(element.ref)
        elif known.element != element or known.retired_at is not None:
            unit.put_element(known.model_copy(update={"element": element, "retired_at": None}))
            if known.element.ref == element.ref:
                changed.append(element.ref)
    unit.put_relationships(model.relationships)
    _put_decisions(parts, unit, model)
    _reindex(parts.codec, unit, [known.id for ref, known in matched.items() if _reads_otherwise(known, ref, model)])
    return ModelChange(
        elements=len(model.elements),
        added=tuple(added),
        changed=tuple(changed),
        renamed=renamed,
        removed=tuple(one.element.ref for one in removed),
        relationships=len(model.relationships),
        decisions=len(model.decisions),
        attached=attach_pending(parts, unit),
        warnings=tuple(f"{fault.where}: {fault.what}" for fault in model.warnings),
    )


def _match(elements: Sequence[Element], stored: Sequence[StoredElement]) -> dict[str, StoredElement]:
    """Return the stored element of each new ref: by ref, by the model's own identifier, or a retired namesake."""
    active = {one.element.ref: one for one in stored if one.retired_at is None}
    matched = {element.ref: active[element.ref] for element in elements if element.ref in active}
    left = {ref: one for ref, one in active.items() if ref not in matched}
    by_identity = _unique((one.element.identity.casefold(), one) for one in left.values() if one.element.identity)
    taken = _unique((e.identity.casefold(), e) for e in elements if e.identity and e.ref not in matched)
    for identity, element in taken.items():
        former = by_identity.get(identity)
        if former is not None and former.element.kind is element.kind:
            matched[element.ref] = former
    retired = {one.element.ref: one for one in stored if one.retired_at is not None}
    for element in elements:
        if element.ref not in matched and element.ref in retired:
            matched[element.ref] = retired[element.ref]
    return matched


def _unique(pairs: Iterable[tuple[str, T]]) -> dict[str, T]:
    found: dict[str, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: values[0] for key, values in found.items() if len(values) == 1}


def _reads_otherwise(known: StoredElement, ref: str, model: ArchitectureModel) -> bool:
    """Say whether memories pinned to the element are found by other words now."""
    return known.element.ref != ref or any(e.ref == ref and e.name != known.element.name for e in model.elements)


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
