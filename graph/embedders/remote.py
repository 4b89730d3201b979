"""The embedder over HTTP: batches bounded by count and characters, windows for long texts, one pinned size."""

import threading
from collections.abc import Iterator, Sequence

from graph.embedders.dialects import Dialect
from graph.embedders.posting import Poster, Refused
from graph.embedders.windows import averaged, character_windows, readable, unit
from graph.errors import Unavailable
from graph.vectors import Vector

_BATCH = 32
_BATCH_CHARACTERS = 48_000
_WINDOW = 2_000
_LEAST_WINDOW = 125
_PROBE = "archmem"
# Providers refuse an empty text; it has to have some vector.
_EMPTY = "."


class RemoteEmbedder:
    """Embeds by a provider; cheap to make, nothing is asked before the first text."""

    def __init__(
        self, dialect: Dialect, model: str, url: str, *, key: str = "", dimensions: int | None = None, timeout: float
    ) -> None:
        self._dialect = dialect
        self._model = dialect.model(model)
        self._label = f"{dialect.provider}:{self._model}"
        self._poster = Poster(url, name=self._label, key=key, timeout=timeout)
        self._asked = dimensions
        self._dimensions = dimensions
        self._window = _WINDOW
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """`provider:model`, with the dimensions once they are known."""
        return self._label if self._dimensions is None else f"{self._label}:{self._dimensions}"

    @property
    def identity(self) -> str:
        """`provider:model:dimensions`; asks the provider once when the dimensions are not known yet."""
        if self._dimensions is None:
            self._ask([_PROBE])
        return self.name

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit vector a text.

        A text longer than the window (2,000 characters, less when the provider refuses that as too long) is embedded in
        windows whose vectors are averaged by length; beyond 65,536 characters the rest does not count. Raises
        Unavailable, and never keeps a vector of another size than the first.
        """
        prepared = [readable(text) for text in texts]
        while True:
            window = self._window
            pieces = [character_windows(text, window) or [_EMPTY] for text in prepared]
            flat = [piece for each in pieces for piece in each]
            try:
                vectors = iter([vector for batch in _batches(flat) for vector in self._ask(batch)])
            except Refused as refusal:
                self._narrow(window, max(map(len, flat)), refusal)
                continue
            return [averaged([next(vectors) for _ in each], [len(piece) for piece in each]) for each in pieces]

    def _narrow(self, window: int, longest: int, refusal: Refused) -> None:
        """Halve the window when its length was refused, since a short text goes through; else raise the refusal."""
        if longest <= _LEAST_WINDOW:
            raise refusal
        try:
            self._ask([_PROBE])
        except Refused:
            raise refusal from None
        with self._lock:
            self._window = min(self._window, max(_LEAST_WINDOW, min(window, longest) // 2))

    def _ask(self, texts: Sequence[str]) -> list[Vector]:
        answer = self._poster.post(self._dialect.path, self._dialect.body(self._model, texts, self._asked))
        try:
            given = self._dialect.vectors(answer)
        except ValueError as error:
            raise self._useless(f"gives {error}") from None
        if len(given) != len(texts):
            raise self._useless(f"gives {len(given)} vectors for {len(texts)} texts")
        vectors = [vector for vector in map(unit, given) if vector is not None]
        if len(vectors) != len(given):
            raise self._useless("gives a vector that is zero, not finite, or no list of numbers")
        self._pin({len(vector) for vector in vectors})
        return vectors

    def _pin(self, sizes: set[int]) -> None:
        with self._lock:
            known = self._dimensions
            if len(sizes) == 1 and known is None:
                self._dimensions = next(iter(sizes))
            elif sizes != {known}:
                told = " and ".join(map(str, sorted(sizes)))
                raise Unavailable(
                    f"{self._label} gives vectors of {told} numbers{f', not of {known}' if known else ''}",
                    id=self._label,
                    next_step="correct ARCHMEM_EMBEDDER_DIMENSIONS or the model; then run `archmem reindex`",
                )

    def _useless(self, what: str) -> Unavailable:
        return Unavailable(
            f"{self._label} {what}", id=self._label, next_step="look at the provider; is the model one for embeddings?"
        )


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == _BATCH or size + len(text) > _BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
