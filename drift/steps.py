"""How far a long run is."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Steps:
    """Counts what is done, and tells it to whoever watches."""

    def __init__(self, total: int, progress: Callable[[int, int], None] | None) -> None:
        self._total = total
        self._progress = progress
        self._done = 0

    def told(self, value: T) -> T:
        """Count one step, and return what it made."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)
        return value
