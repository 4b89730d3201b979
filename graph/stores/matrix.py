"""Content vectors in memory: one matrix for each key, usually a scope and a model, that follows a store's sequence."""

import threading
from collections.abc import Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

from graph.vectors import Vector

K = TypeVar("K", bound=Hashable)


class ContentChange(NamedTuple):
    """A change of the sequence: a memory by number and id, and its content vector now; None when it has none."""

    seq: int
    member: int
    id: str
    vector: bytes | None


class Matrix:
    """The live vectors of one key; rows grow by doubling, a removed row is filled by the last one."""

    def __init__(self) -> None:
        self.seen = -1
        self._rows: Vector | None = None
        self._ids: list[str] = []
        self._at: dict[int, int] = {}
        self._members: list[int] = []

    def take(self, changes: Iterable[ContentChange]) -> None:
        """Bring the rows up to date by what changed after `seen`, in the sequence's order."""
        import numpy as np

        for seq, member, name, data in changes:
            if data is None:
                self._remove(member)
            else:
                self._set(member, name, np.frombuffer(data, dtype=np.float32))
            self.seen = seq

    def at_least(self, vector: Vector, bound: float) -> list[tuple[str, float]]:
        """Return every id with a cosine from the bound on, best first."""
        if self._rows is None or not self._ids:
            return []
        import numpy as np

        scores = self._rows[: len(self._ids)] @ vector
        found = ((self._ids[i], float(scores[i])) for i in np.flatnonzero(scores >= bound))
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def by_id(self) -> tuple[tuple[str, ...], Vector]:
        """Return the ids in their order with a copy of their vectors, which nobody else changes."""
        import numpy as np

        if self._rows is None or not self._ids:
            return (), np.zeros((0, 0), dtype=np.float32)
        order = sorted(range(len(self._ids)), key=self._ids.__getitem__)
        return tuple(self._ids[at] for at in order), self._rows[order]

    def _set(self, member: int, name: str, vector: Vector) -> None:
        at = self._at.get(member)
        if at is None:
            at = self._at[member] = len(self._ids)
            self._ids.append(name)
            self._members.append(member)
        if self._rows is None or at == len(self._rows):
            import numpy as np

            grown = np.zeros((max(64, 2 * at), len(vector)), dtype=np.float32)
            if self._rows is not None:
                grown[:at] = self._rows[:at]
            self._rows = grown
        self._rows[at] = vector

    def _remove(self, member: int) -> None:
        at = self._at.pop(member, None)
        if at is None:
            return
        last = len(self._ids) - 1
        if at != last and self._rows is not None:
            self._rows[at] = self._rows[last]
            self._ids[at], self._members[at] = self._ids[last], self._members[last]
            self._at[self._members[at]] = at
        self._ids.pop()
        self._members.pop()


class Matrices(Generic[K]):
    """All matrices of a process, one lock over them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._held: dict[K, Matrix] = {}

    def of(self, key: K) -> Matrix:
        """Return the matrix of this key as it was left; call with the lock held."""
        return self._held.setdefault(key, Matrix())

    def forget(self) -> None:
        """Drop everything: what was read may never have been committed."""
        with self.lock:
            self._held.clear()
