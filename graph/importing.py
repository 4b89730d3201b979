"""An import: a file that was exported, read twice (once for its faults, once for the store) and taken in whole."""

from collections import Counter
from collections.abc import Callable, Iterable

from graph.errors import Conflict, Fault
from graph.export_file import read_entries, read_header
from graph.parts import Parts
from graph.stores.transfer import (
    AnchorEntry,
    CitedEntry,
    Entry,
    EntryKind,
    LinkEntry,
    MemoryEntry,
    RestoreUnit,
    ServedEntry,
    VectorsEntry,
    batches,
    key_of,
)
from graph.views import Imported, Progress


def import_export(
    parts: Parts, lines: Callable[[], Iterable[bytes]], name: str, *, progress: Callable[[Progress], None] | None
) -> Imported:
    """Take a file in; `lines` gives its lines from the first on, each time it is called."""
    header = read_header(lines(), name)
    total = sum(header.counts.values())
    for done, _ in enumerate(read_entries(lines(), name), start=1):
        if progress is not None:
            progress(Progress(done=done, left=max(0, 2 * total - done)))

    def work(unit: RestoreUnit) -> Imported:
        new: Counter[EntryKind] = Counter()
        known: Counter[EntryKind] = Counter()
        refused: set[str] = set()
        conflicts: list[Fault] = []
        # The file is read again, and its end seals this reading too: had it changed meanwhile, nothing would stay.
        done = total
        for batch in batches(read_entries(lines(), name), lambda _: 0):
            wanted = [(number, entry) for number, entry in batch if _memory_of(entry) not in refused]
            for (number, entry), (outcome, by) in zip(wanted, unit.restore([one for _, one in wanted]), strict=True):
                (new if outcome == "new" else known)[entry.kind] += 1
                if outcome in ("differs", "taken"):
                    conflicts.append(Fault(where=f"{name}:{number}", what=conflict(entry, by)))
                    if isinstance(entry, MemoryEntry):
                        refused.add(entry.record.id)
            done += len(batch)
            if progress is not None:
                progress(Progress(done=done, left=max(0, 2 * total - done)))
        if conflicts:
            raise Conflict(
                f"{name} cannot be imported: the store holds other data in {len(conflicts)} of its places; "
                "nothing was written",
                id=name,
                faults=conflicts,
                next_step="import it into an empty store (--store), or change what is in the way there",
            )
        return Imported(
            organisation=header.organisation, project=header.project, new=new, known=known, vectors=header.vectors
        )

    return parts.store.restoring(work)


def _memory_of(entry: Entry) -> str:
    """Return the memory that the entry hangs on; empty for one that stands by itself."""
    match entry:
        case VectorsEntry(memory=memory) | AnchorEntry(memory=memory):
            return memory
        case ServedEntry(memory=memory) | CitedEntry(memory=memory):
            return memory
        case LinkEntry(link=link):
            return link.memory
    return ""


def conflict(entry: Entry, by: str) -> str:
    """Say what stands in an entry's place."""
    name = f"{entry.kind} {' '.join(key_of(entry)) or f'of {entry.scope.project!r}'}"
    taken = {"memory": "title", "element": "ref", "project": "identity"}.get(entry.kind, "name")
    return f"{name}: {by} has its {taken} already" if by else f"{name}: the store holds something else"
