"""Content vectors in memory: one matrix for each scope and model, that follows the file by its growing sequence."""

import threading
from typing import NamedTuple

import apsw

from graph.vectors import Vector


class MatrixKey(NamedTuple):
    """Which vectors a matrix holds."""

    scope_n: int
    model: str


class Matrix:
    """The live vectors of one key; rows grow by doubling, a removed row is filled by the last one."""

    def __init__(self, key: MatrixKey) -> None:
        self.key = key
        self._seen = -1
        self._rows: Vector | None = None
        self._ids: list[str] = []
        self._at: dict[int, int] = {}
        self._members: list[int] = []

    def catch_up(self, connection: apsw.Connection) -> None:
        """Read the vectors after the last number seen; costs one index look-up when nothing changed."""
        import numpy as np

        rows = connection.execute(
            "SELECT v.seq, v.memory_n, m.id, v.model, v.data FROM vectors v JOIN memories m ON m.n = v.memory_n "
            "WHERE v.scope_n = ? AND v.space = 'content' AND v.seq > ? ORDER BY v.seq",
            (self.key.scope_n, self._seen),
        )
        for seq, member, name, model, data in rows:
            if data is None or model != self.key.model:
                self._remove(member)
            else:
                self._set(member, name, np.frombuffer(data, dtype=np.float32))
            self._seen = seq

    def at_least(self, vector: Vector, bound: float) -> list[tuple[str, float]]:
        """Return every id with a cosine from the bound on, best first."""
        if self._rows is None or not self._ids:
            return []
        import numpy as np

        scores = self._rows[: len(self._ids)] @ vector
        found = ((self._ids[i], float(scores[i])) for i in np.flatnonzero(scores >= bound))
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

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


class Matrices:
    """All matrices of a process, one lock over them; forgotten whole when a transaction that showed them rolls back."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._held: dict[MatrixKey, Matrix] = {}

    def current(self, key: MatrixKey, connection: apsw.Connection) -> Matrix:
        """Return the matrix as of the connection's transaction; call with the lock held."""
        matrix = self._held.get(key)
        if matrix is None:
            matrix = self._held[key] = Matrix(key)
        matrix.catch_up(connection)
        return matrix

    def forget(self) -> None:
        """Drop everything: what was read may never have been committed."""
        with self.lock:
            self._held.clear()
