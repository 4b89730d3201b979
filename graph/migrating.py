"""A migration: everything of one store into another, batch by batch, and both compared at the end.

Whoever starts it again after it was stopped goes on: what the target holds already is known to it.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from graph.errors import Conflict, Fault
from graph.export_file import Seal, line_of
from graph.importing import conflict
from graph.scopes import Scope
from graph.stores.transfer import DumpUnit, Entry, EntryKind, RestoreUnit, Store, batches
from graph.views import Migrated, Progress

_NEXT = "migrate into an empty store, or put right what differs"


def migrate(source: Store, target: Store, *, progress: Callable[[Progress], None] | None = None) -> Migrated:
    """Copy every organisation; raise Conflict when the target holds something else in an entry's place, or more."""
    organisations = source.organisations()
    total = 2 * sum(source.dump(_all_of(name), _count, whole=True) for name in organisations)
    run = _Run(target, total, progress)
    digests = [source.dump(_all_of(name), run.copy, whole=True) for name in organisations]
    copied = dict(run.counts)
    run.counts.clear()
    for name, digest in zip(organisations, digests, strict=True):
        if target.dump(_all_of(name), run.read, whole=True) != digest:
            raise Conflict(
                f"the stores differ in the organisation {name!r} after all was copied: the target holds "
                f"{dict(run.counts)}, the source {copied}",
                id=name,
                next_step=_NEXT,
            )
    return Migrated(organisations=organisations, counts=copied, new=run.new, sha256=_digest(digests))


class _Run:
    """A migration as far as it has come."""

    def __init__(self, target: Store, total: int, progress: Callable[[Progress], None] | None) -> None:
        self._target = target
        self._total = total
        self._progress = progress
        self._done = 0
        self.counts: Counter[EntryKind] = Counter()
        self.new: Counter[EntryKind] = Counter()

    def copy(self, unit: DumpUnit) -> str:
        """Copy a view of the source, and return its digest."""
        seal = Seal()
        for batch in batches(enumerate(_entries(unit))):
            entries = [entry for _, entry in batch]
            self._restore(entries)
            self._note(seal, entries)
        return seal.sha256

    def read(self, unit: DumpUnit) -> str:
        """Return the digest of a view of the target."""
        seal = Seal()
        for batch in batches(enumerate(_entries(unit))):
            self._note(seal, [entry for _, entry in batch])
        return seal.sha256

    def _restore(self, entries: list[Entry]) -> None:
        def work(unit: RestoreUnit) -> int:
            found = unit.restore(entries)
            faults = [
                Fault(where=f"{entry.scope.organisation}/{entry.scope.project}", what=conflict(entry, one.by))
                for entry, one in zip(entries, found, strict=True)
                if one.outcome in ("differs", "taken")
            ]
            if faults:
                raise Conflict(
                    "the target holds other data; what was copied before stays there, and nothing else was written",
                    id=faults[0].where,
                    faults=faults,
                    next_step=_NEXT,
                )
            return sum(one.outcome == "new" for one in found)

        self.new[entries[0].kind] += self._target.restoring(work)

    def _note(self, seal: Seal, entries: list[Entry]) -> None:
        for entry in entries:
            seal.add(line_of(entry))
        self.counts[entries[0].kind] += len(entries)
        self._done += len(entries)
        if self._progress is not None:
            self._progress(Progress(done=self._done, left=max(0, self._total - self._done)))


def _all_of(organisation: str) -> Scope:
    return Scope(organisation=organisation)


def _digest(digests: Sequence[str]) -> str:
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _count(unit: DumpUnit) -> int:
    return sum(unit.counts().values())


def _entries(unit: DumpUnit) -> Iterator[Entry]:
    return (entry for kind in unit.counts() for entry in unit.entries(kind))
