"""A migration: everything of one store into another, batch by batch, and both compared at the end.

Whoever starts it again after it was stopped goes on: what the target holds already is known to it.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from graph.errors import Conflict, Fault, InvalidInput
from graph.export_file import Seal, line_of
from graph.importing import conflict
from graph.scopes import Scope
from graph.stores.transfer import DumpUnit, Entry, EntryKind, RestoreUnit, Store, batches
from graph.views import Migrated, Progress

_NEXT = "migrate into an empty store, or put right what differs"


def migrate(source: Store, target: Store, *, progress: Callable[[Progress], None] | None = None) -> Migrated:
    """Copy every organisation; raise Conflict when the target holds something else in an entry's place, or more."""
    if source.identity == target.identity:
        step = "give the store to copy from with --from, and another one with --to"
        raise InvalidInput("a store cannot be migrated into itself", id=source.identity, next_step=step)
    organisations = source.organisations()
    total = 2 * sum(_count(source, name) for name in organisations)
    run = _Run(target, total, progress)
    digests = [source.dump(_all_of(name), run.copy, whole=True) for name in organisations]
    copied = dict(run.counts)
    run.counts.clear()
    found = [target.dump(_all_of(name), run.read, whole=True) for name in organisations]
    differing = [name for name, one, other in zip(organisations, digests, found, strict=True) if one != other]
    differing += [name for name in target.organisations() if name not in organisations and _count(target, name)]
    if differing:
        raise Conflict(
            f"all was copied, but the stores differ in {', '.join(differing)}: the target holds {dict(run.counts)} "
            f"of what was copied, the source {copied}",
            id=differing[0],
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
        return self._through(unit, self._restore)

    def read(self, unit: DumpUnit) -> str:
        """Return the digest of a view of the target."""
        return self._through(unit, lambda _: None)

    def _through(self, unit: DumpUnit, take: Callable[[list[Entry]], None]) -> str:
        seal = Seal()
        for batch in batches(_lines(unit), len):
            take([entry for _, entry in batch])
            for line, _ in batch:
                seal.add(line)
            self.counts[batch[0][1].kind] += len(batch)
            self._done += len(batch)
            if self._progress is not None:
                self._progress(Progress(done=self._done, left=max(0, self._total - self._done)))
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


def _all_of(organisation: str) -> Scope:
    return Scope(organisation=organisation)


def _count(store: Store, organisation: str) -> int:
    return store.dump(_all_of(organisation), lambda unit: sum(unit.counts().values()), whole=True)


def _digest(digests: Sequence[str]) -> str:
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _lines(unit: DumpUnit) -> Iterator[tuple[bytes, Entry]]:
    return ((line_of(entry), entry) for kind in unit.counts() for entry in unit.entries(kind))
