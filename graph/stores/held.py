"""What a process holds in memory of the memories that a scope sees: all that nomination needs, row by row.

A store fills it from what changed since the sequence number it has seen, and reads the rows that hold a term once.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from graph.stores.nomination import COLUMNS, Places, Rows, best
from graph.stores.port import Asked
from graph.vectors import Vector

T = TypeVar("T", bound=np.generic)

_LIVE = COLUMNS.names.index("live")  # type: ignore[union-attr]
_WORDS = COLUMNS.names.index("words")  # type: ignore[union-attr]
_MOST_TERMS = 10_000


class Change(NamedTuple):
    """A memory as it is now: its columns (see `COLUMNS`), its terms, and its vector when it has one."""

    columns: tuple[int | bool, ...]
    terms: Callable[[], Sequence[str]]
    vector: bytes | None


class Counts(NamedTuple):
    """Live memories; those with a vector of the held model; those whose vector is of their present text."""

    live: int
    embedded: int
    current: int


class Held:
    """The rows of one scope; a row keeps its place, so that the rows of a term stay right."""

    def __init__(self) -> None:
        self.model = ""
        self.seen = -1
        self._count = 0
        self._rows: Rows = np.zeros(64, COLUMNS)
        self._vectors: Vector | None = None
        self._at: dict[int, int] = {}
        self._terms: dict[str, Places] = {}
        self._counts: Counts | None = None

    @property
    def rows(self) -> Rows:
        return self._rows[: self._count]

    def take(self, changes: Iterable[Change], seen: int) -> None:
        """Bring the rows up to this number of the sequence."""
        fresh = []
        for change in changes:
            at = self._at.get(change.columns[0])
            if at is None:
                fresh.append(change)
                continue
            known = self._rows[at]
            if known["words"] != change.columns[_WORDS] or change.columns[_LIVE] > known["live"]:
                # Which terms it held before is not known here, and a store lists live memories alone.
                self._terms.clear()
            for term in change.terms() if self._terms and change.columns[_LIVE] else ():
                # Its keys may have been read while they were replaced.
                if term in self._terms and at not in self._terms[term]:
                    self._terms[term] = np.append(self._terms[term], at)
            self._rows[at] = change.columns
            self._set_vectors(np.array([at]), (change.vector,))
        self._append(fresh)
        self._counts = None
        self.seen = seen

    def embed(self, model: str, vectors: Iterable[tuple[int, bytes, bool]]) -> None:
        """Hold the vectors of another model: members with their vector, and whether it is of their present text."""
        self.model = ""
        self._counts = None
        self._vectors = None
        self.rows["embedded"] = self.rows["current"] = False
        # A store without one view of all may tell of a memory that the next changes bring.
        made = [one for one in vectors if one[0] in self._at]
        places = self.places(member for member, _, _ in made)
        self._set_vectors(places, [data for _, data, _ in made])
        self._rows["embedded"][places] = True
        self._rows["current"][places] = [is_current for _, _, is_current in made]
        self.model = model

    def counts(self) -> Counts:
        """Return how many rows are live, embedded, and embedded as they read now."""
        if self._counts is None:
            live, embedded, current = (self.rows[name] for name in ("live", "embedded", "current"))
            self._counts = Counts(*(int(np.count_nonzero(one)) for one in (live, live & embedded, live & current)))
        return self._counts

    def places(self, members: Iterable[int]) -> Places:
        """Return the rows of these members; one that is not held has none."""
        return np.array([self._at[member] for member in members if member in self._at], dtype=np.int64)

    def holding(self, term: str, read: Callable[[str], Iterable[int]], *, keep: bool) -> Places:
        """Return the rows that hold a term; read once and kept, when the reader's view is the held one."""
        places = self._terms.get(term)
        if places is None:
            places = self.places(read(term))
            if keep:
                if len(self._terms) >= _MOST_TERMS:
                    self._terms.clear()
                self._terms[term] = places
        return places

    def count(self, places: Places) -> int:
        """Return how many of the rows are live."""
        return int(np.count_nonzero(self.rows["live"][places]))

    def best(
        self, asked: Asked, holding: dict[str, Places], named: Places, there: Places | None
    ) -> tuple[list[int], int]:
        """Return the members that may stand among the best, and how many more are relevant."""
        vectors = None if asked.vector is None or self._vectors is None else self._vectors[: self._count]
        found = best(asked, self.rows, vectors, holding, named, there)
        return self.rows["member"][found.rows].tolist(), found.beyond

    def _append(self, changes: Sequence[Change]) -> None:
        start, self._count = self._count, self._count + len(changes)
        while self._count > len(self._rows):
            self._rows = _doubled(self._rows)
            if self._vectors is not None:
                self._vectors = _doubled(self._vectors)
        self._rows[start : self._count] = [change.columns for change in changes]
        self._set_vectors(np.arange(start, self._count), [change.vector for change in changes])
        for at, change in enumerate(changes, start):
            self._at[change.columns[0]] = at
            for term in change.terms() if self._terms else ():
                if term in self._terms:
                    self._terms[term] = np.append(self._terms[term], at)

    def _set_vectors(self, at: Places, data: Sequence[bytes | None]) -> None:
        size = next((len(one) for one in data if one is not None), 0)
        if self._vectors is None and size:
            self._vectors = np.zeros((len(self._rows), size // 4), dtype=np.float32)
        if self._vectors is not None:
            empty = bytes(4 * self._vectors.shape[1])
            read = np.frombuffer(b"".join(one or empty for one in data), dtype=np.float32)
            self._vectors[at] = read.reshape(len(data), self._vectors.shape[1])


def _doubled(array: NDArray[T]) -> NDArray[T]:
    grown = np.zeros((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return grown
