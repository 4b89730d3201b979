"""How a memory changes: the next version, its event, its anchors and its links, all in one transaction."""

from dataclasses import dataclass

from graph.claims import Anchor
from graph.indexing import by_id, make_keys
from graph.linking import let_go
from graph.memories import Checkout, Event, EventKind, Evidence, Memory, State
from graph.parts import Parts
from graph.paths import covered
from graph.stores.port import ReadUnit, WriteUnit


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes, from where, in which session."""

    actor: str
    checkout: Checkout | None = None
    session: str = ""


def anchors_of(unit: ReadUnit, memory: Memory, checkout: Checkout | None) -> tuple[Anchor, ...]:
    """Return what a writer's checkout says of each pin; a project-wide memory has one anchor without an element."""
    if checkout is None:
        return ()
    if not memory.elements:
        return (Anchor(element="", commit=checkout.commit),)
    elements = by_id(unit.elements())
    found = []
    for name in memory.elements:
        source = elements[name].source if name in elements else ()
        blobs = {path: checkout.blobs[path] for path in covered(source, checkout.blobs)}
        found.append(Anchor(element=name, commit=checkout.commit, blobs=blobs))
    return tuple(found)


def change(parts: Parts, unit: WriteUnit, memory: Memory, kind: EventKind, writer: Writer, *, note: str = "") -> Memory:
    """Keep a changed memory as its next version, with its event; return it."""
    changed = memory.model_copy(update={"version": memory.version + 1})
    keep(parts, unit, changed, kind, writer, note=note)
    return changed


def keep(parts: Parts, unit: WriteUnit, memory: Memory, kind: EventKind, writer: Writer, *, note: str = "") -> None:
    """Keep a memory as it is given, with its keys and its event."""
    unit.put(parts.codec.seal_memory(memory), make_keys(parts.codec, memory, by_id(unit.elements())))
    _tell(parts, unit, memory, kind, writer, note)


def mark(parts: Parts, unit: WriteUnit, memory: Memory, kind: EventKind, writer: Writer, *, note: str = "") -> Memory:
    """Keep a memory whose words, names, pins and state stay as its next version, with its event; return it."""
    marked = memory.model_copy(update={"version": memory.version + 1})
    unit.put_unindexed(parts.codec.seal_memory(marked))
    _tell(parts, unit, marked, kind, writer, note)
    return marked


def _tell(parts: Parts, unit: WriteUnit, memory: Memory, kind: EventKind, writer: Writer, note: str) -> None:
    event = Event(
        id=parts.ids(),
        memory=memory.id,
        kind=kind,
        at=parts.clock(),
        actor=writer.actor,
        note=note,
        session=writer.session,
        after=memory,
    )
    unit.append(parts.codec.seal_event(event))


def superseded(parts: Parts, unit: WriteUnit, old: Memory, successor: str, writer: Writer) -> None:
    """Let a memory give way to its successor; its links are led on when that one is there."""
    gone = old.model_copy(update={"state": State.SUPERSEDED, "superseded_by": successor})
    change(parts, unit, gone, EventKind.SUPERSEDED, writer, note=successor)


def archived(parts: Parts, unit: WriteUnit, memory: Memory, writer: Writer, *, note: str) -> Memory:
    """Take a memory out of recall; what linked to it is resolved again."""
    gone = change(
        parts, unit, memory.model_copy(update={"state": State.ARCHIVED}), EventKind.ARCHIVED, writer, note=note
    )
    let_go(parts, unit, gone.id)
    return gone


def confirmed(parts: Parts, unit: WriteUnit, memory: Memory, writer: Writer) -> Memory:
    """Say that somebody looked and it still holds: fresh, unflagged, anchored where the writer stands."""
    cleared = memory.model_copy(update={"drifted_at": None, "evidence": Evidence.NONE, "unreviewed": False})
    kept = _fresh(parts, unit, cleared, writer, note="")
    unit.put_anchors(kept.id, anchors_of(unit, kept, writer.checkout))
    return kept


def restated(parts: Parts, unit: WriteUnit, memory: Memory, writer: Writer) -> Memory:
    """Say that somebody wrote it again: fresh; but who has not seen the code since it moved clears no drift flag."""
    anchors = anchors_of(unit, memory, writer.checkout)
    known = {one.element: one.anchor.state for one in unit.anchors((memory.id,))}
    if any(known.get(anchor.element) != anchor.state for anchor in anchors):
        memory = memory.model_copy(update={"drifted_at": None, "evidence": Evidence.NONE})
    kept = _fresh(parts, unit, memory, writer, note="restated")
    if anchors:
        unit.put_anchors(kept.id, anchors)
    return kept


def _fresh(parts: Parts, unit: WriteUnit, memory: Memory, writer: Writer, *, note: str) -> Memory:
    seen = memory.model_copy(update={"confirmed_at": parts.clock(), "confirmed_by": writer.actor})
    return change(parts, unit, seen, EventKind.CONFIRMED, writer, note=note)
