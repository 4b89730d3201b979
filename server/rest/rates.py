"""How often somebody may ask: a bucket of requests each, which fills again all the time."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from graph.errors import TooMany

_MOST_KEPT = 10_000


class Rates:
    """Buckets by name, of one size; `a_minute` requests fill in again a minute, and as many may come at once.

    Without a limit (0) everybody may go on. What is longest unused is forgotten: it is full again by then.
    """

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._size = a_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str) -> None:
        """Take one request of somebody's bucket; raise TooMany when there is none."""
        if not self._size:
            return
        with self._lock:
            left = self._left(name)
            if left < 1:
                raise TooMany(
                    f"more than {self._size} requests a minute",
                    next_step="wait as many seconds as `Retry-After` says, and ask less often",
                    seconds=(1 - left) * 60 / self._size,
                )
            self._buckets[name] = (left - 1, self._clock())
            self._buckets.move_to_end(name)
            if len(self._buckets) > _MOST_KEPT:
                self._buckets.popitem(last=False)

    def look(self, name: str) -> None:
        """Raise TooMany when somebody's bucket is empty, and take nothing of it."""
        with self._lock:
            left = self._left(name) if self._size else 1.0
        if left < 1:
            raise TooMany(
                "too many requests with access keys that are not good",
                next_step="wait as many seconds as `Retry-After` says, and send a good key",
                seconds=(1 - left) * 60 / self._size,
            )

    def _left(self, name: str) -> float:
        left, since = self._buckets.get(name, (float(self._size), self._clock()))
        return min(float(self._size), left + (self._clock() - since) * self._size / 60)
