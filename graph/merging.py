"""Several memories become one: the chosen one stays, the others give way to it, and every link leads there."""

from collections.abc import Mapping, Sequence

from graph.changing import Writer, change, superseded
from graph.errors import Fault, InvalidInput
from graph.finding import find_live, home, show
from graph.indexing import by_id, embed
from graph.linking import lead_on
from graph.memories import Checkout, Draft, EventKind, Memory
from graph.naming import title_faults
from graph.parts import Parts
from graph.remembering import Replaced, draft_memory, write_memory
from graph.review_views import Merged
from graph.scopes import Scope
from graph.stores.port import MemoryAnchor, ReadUnit, StoredElement, WriteUnit
from graph.terms import title_key


def merge(
    parts: Parts,
    scope: Scope,
    names: Sequence[str],
    *,
    into: str,
    actor: str,
    draft: Draft | None,
    versions: Mapping[str, int],
    checkout: Checkout | None,
) -> Merged:
    """Let the others give way to the one that stays; see WorkGraph.merge."""
    strange = [name for name in versions if name != into and name not in names]
    if strange:
        faults = [Fault(where=f"versions.{name}", what="is none of the memories to merge") for name in strange]
        raise InvalidInput("the memories cannot be merged", next_step="correct each field named above", faults=faults)
    scope = home(parts, scope, into)
    writer = Writer(actor=actor, checkout=checkout)

    def found(unit: ReadUnit) -> tuple[Memory, tuple[Memory, ...]]:
        stays = find_live(parts, unit, into, versions.get(into))
        others = {one.id: one for one in (find_live(parts, unit, name, versions.get(name)) for name in names)}
        others.pop(stays.id, None)
        strangers = [Fault(where=one.id, what="is the organisation's") for one in others.values() if one.scope != scope]
        if strangers:
            step = "merge memories of one project, or of the organisation alone"
            raise InvalidInput("memories of two scopes cannot be merged", faults=strangers, next_step=step)
        if not others:
            raise InvalidInput(
                f"there is nothing to merge into {into!r}", id=into, next_step="name one more memory at least"
            )
        return stays, tuple(others.values())

    def prepare(unit: ReadUnit) -> tuple[Memory, tuple[StoredElement, ...]]:
        stays, others = found(unit)
        if draft is None:
            return _joined(stays, others), unit.elements()
        memory, stored = draft_memory(parts, unit, draft, Replaced(stays.id, None), actor)
        joined = _joined(memory, (stays, *others))
        if "elements" in draft.model_fields_set:
            return joined.model_copy(update={"elements": memory.elements}), stored
        # Nobody could give a pin that left the model anew, so it is not handed on.
        present = {one.id for one in stored if one.retired_at is None}
        return joined.model_copy(update={"elements": tuple(pin for pin in joined.elements if pin in present)}), stored

    first, stored = parts.store.read(scope, prepare)
    embedding = embed(parts, [(first, by_id(stored))]).get(first.id)

    def work(unit: WriteUnit) -> Merged:
        # Made again from what is stored now: pins may have come in since.
        memory, _ = prepare(unit)
        stays, others = found(unit)
        anchors = {one.element: one.anchor for group in (others, (stays,)) for one in _anchors(unit, group)}
        for one in others:
            superseded(parts, unit, one, stays.id, writer)
            lead_on(unit, one.id, stays.id)
        note = " ".join(one.id for one in others)
        kept = change(
            parts, unit, memory if draft is None else _joined(stays, others), EventKind.MERGED, writer, note=note
        )
        unit.put_anchors(kept.id, [anchor for pin, anchor in anchors.items() if pin in (kept.elements or ("",))])
        gone = tuple(one.id for one in others)
        if draft is not None:
            made = write_memory(parts, unit, memory, embedding, Replaced(kept.id, None), writer)
            return Merged(memory=made.memory, superseded=(kept.id, *gone))
        if embedding is not None:
            unit.put_vectors(kept.id, embedding)
        return Merged(memory=show(parts, unit, (kept,))[0], superseded=gone)

    return parts.store.write(scope, work)


def _joined(stays: Memory, others: Sequence[Memory]) -> Memory:
    """Return the one that stays with the pins of the others, and their titles as aliases; somebody looked at it.

    One about the whole project stays so: pins would narrow it.
    """
    names = [*stays.aliases, *(name for one in others for name in (one.title, *one.aliases))]
    aliases = {title_key(name): name for name in reversed(names) if not title_faults(name)}
    aliases.pop(title_key(stays.title), None)
    pins = {*stays.elements, *(pin for one in others for pin in one.elements)} if stays.elements else ()
    return stays.model_copy(
        update={"aliases": tuple(reversed(aliases.values())), "elements": tuple(sorted(pins)), "unreviewed": False}
    )


def _anchors(unit: ReadUnit, memories: Sequence[Memory]) -> list[MemoryAnchor]:
    return list(unit.anchors([one.id for one in memories]))
