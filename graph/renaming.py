"""An element goes by another name: in the stored model before an import, or one that left is found to be a new one."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from graph.changing import Writer, change
from graph.elements import Element, ElementKind, find_element
from graph.errors import Conflict, Unknown
from graph.indexing import reindex
from graph.linking import attach_pending
from graph.memories import EventKind, Memory
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import StoredElement, WriteUnit
from graph.views import ElementsRenamed, Renamed

_INSIDE = {ElementKind.CONTAINER, ElementKind.COMPONENT, ElementKind.CODE}
_NEVER = datetime.min.replace(tzinfo=UTC)


def rename_element(parts: Parts, scope: Scope, old: str, new: str, *, actor: str) -> ElementsRenamed:
    """Say that what was called `old` is called `new` (a whole ref) now; its parts come along.

    Where the stored model has `new` already, `old` must have left it: it comes back as that one, with its memories,
    anchors and accepted state, and what was written about the new one since is about it too.
    """

    def work(unit: WriteUnit) -> ElementsRenamed:
        stored = unit.elements()
        active = {one.element.ref: one for one in stored if one.retired_at is None}
        former = _former(stored, old)
        if new == former.element.ref and former.retired_at is None:
            raise Conflict(f"{new!r} is called so already", id=new, next_step="name another ref")
        if new in active:
            pairs = _successors(stored, former, active[new])
            _take_over(parts, unit, pairs, actor)
            made = {one.element.ref: later.element.ref for one, later in pairs}
        else:
            made = _move(unit, former, new, active)
        ids = [one.id for one in unit.elements() if one.retired_at is None and one.element.ref in made.values()]
        reindex(parts.codec, unit, ids)
        attach_pending(parts, unit)
        memories = unit.pin_counts()
        by_ref = {one.element.ref: one.id for one in unit.elements() if one.retired_at is None}
        return ElementsRenamed(
            renamed=tuple(
                Renamed(old=before, new=after, memories=memories.get(by_ref[after], 0))
                for before, after in made.items()
            )
        )

    return parts.store.write(scope, work)


def _former(stored: Sequence[StoredElement], name: str) -> StoredElement:
    """Return the element of this ref or unique name: one of the present model, else the last of it that left."""
    active = [one for one in stored if one.retired_at is None]
    left = sorted((one for one in stored if one.retired_at is not None), key=lambda one: one.retired_at or _NEVER)
    by_ref = {one.element.ref: one for one in (*left, *active)}
    if name in by_ref:
        return by_ref[name]
    for group in (active, left):
        try:
            found = find_element({one.element.ref: one.element for one in group}.values(), name)
        except Unknown:
            continue
        return next(one for one in reversed(group) if one.element == found)
    raise Unknown(
        f"there is no element {name!r}, and none left the model",
        id=name,
        next_step="give one of the refs that `archmem model show` lists",
    )


def _successors(
    stored: Sequence[StoredElement], former: StoredElement, later: StoredElement
) -> list[tuple[StoredElement, StoredElement]]:
    """Return what left beside what it is now, the parts of the same name too; raise Conflict when it has not left."""
    if former.retired_at is None:
        raise Conflict(
            f"{former.element.ref!r} and {later.element.ref!r} are both in the stored model",
            id=former.element.ref,
            next_step="take the model over without the old one first (archmem model import)",
        )
    old, new = former.element.ref, later.element.ref
    active = {one.element.ref: one for one in stored if one.retired_at is None}
    pairs = {later.id: (former, later)}
    for one in sorted(stored, key=lambda one: one.retired_at or _NEVER):
        part = active.get(f"{new}{one.element.ref.removeprefix(old)}")
        is_part = one.retired_at is not None and one.element.ref.startswith(f"{old}.")
        if is_part and part is not None and part.element.kind is one.element.kind:
            pairs[part.id] = (one, part)  # of several that left, the last
    return list(pairs.values())


def _take_over(parts: Parts, unit: WriteUnit, pairs: Sequence[tuple[StoredElement, StoredElement]], actor: str) -> None:
    """Let each former element be its successor, which then has nothing of its own any more."""
    ids = {later.id: former.id for former, later in pairs}
    for _, later in pairs:
        unit.put_element(later.model_copy(update={"retired_at": parts.clock()}))
    for former, later in pairs:
        unit.put_element(later.model_copy(update={"id": former.id}))
    accepted = unit.baselines()
    for later_id, former_id in ids.items():
        if later_id in accepted:
            unit.accept(former_id, accepted[later_id], actor)
    for link in unit.links_to(tuple(ids)):
        unit.attach(link.id, "element", ids[link.target])
    for record in unit.memories(unit.pinned(tuple(ids))):
        if record.scope == unit.scope:
            _repin(parts, unit, parts.codec.open_memory(record), ids, actor)


def _repin(parts: Parts, unit: WriteUnit, memory: Memory, ids: Mapping[str, str], actor: str) -> None:
    anchors = [one.anchor for one in unit.anchors((memory.id,))]
    elements = tuple(dict.fromkeys(ids.get(name, name) for name in memory.elements))
    moved = memory.model_copy(update={"elements": elements})
    change(parts, unit, moved, EventKind.RENAMED, Writer(actor=actor), note="its element is one that had left")
    unit.put_anchors(
        memory.id, [one.model_copy(update={"element": ids.get(one.element, one.element)}) for one in anchors]
    )


def _move(unit: WriteUnit, former: StoredElement, new: str, active: Mapping[str, StoredElement]) -> dict[str, str]:
    """Give an element of the stored model and its parts other refs; return old refs with new ones."""
    old = former.element.ref
    if former.retired_at is not None:
        raise Unknown(
            f"there is no element {new!r} in the stored model",
            id=new,
            next_step="take a model over that has it (archmem model import)",
        )
    parent = max((ref for ref in active if new.startswith(f"{ref}.")), key=len, default="")
    name = new.removeprefix(f"{parent}.") if parent else new
    if (
        not name.strip()
        or (former.element.kind in _INSIDE and not parent)
        or parent == old
        or parent.startswith(f"{old}.")
    ):
        raise Unknown(
            f"{new!r} lies in no element of the stored model that could hold it",
            id=new,
            next_step="give the whole ref, its parent's first, or take the new model over first",
        )
    made = {ref: f"{new}{ref.removeprefix(old)}" for ref in active if ref == old or ref.startswith(f"{old}.")}
    if taken := next((ref for ref in made.values() if ref in active and ref not in made), ""):
        raise Conflict(f"{taken!r} is in the stored model already", id=taken, next_step="give another ref")
    for ref in made:
        unit.put_element(active[ref].model_copy(update={"element": _called(active[ref].element, made, name, parent)}))
    unit.put_relationships(
        [
            one.model_copy(
                update={"source": made.get(one.source, one.source), "target": made.get(one.target, one.target)}
            )
            for one in unit.relationships()
        ]
    )
    return made


def _called(element: Element, made: Mapping[str, str], name: str, parent: str) -> Element:
    ref = made[element.ref]
    if element.parent in made:
        return element.model_copy(update={"ref": ref, "parent": made[element.parent]})
    return element.model_copy(update={"ref": ref, "parent": parent, "name": name})
