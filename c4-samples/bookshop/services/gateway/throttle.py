"""Slows down clients that send too much at once: one token bucket for each client key."""

from collections.abc import Callable
from dataclasses import dataclass

BUCKET_SIZE = 20
REFILL_PER_SECOND = 5.0


@dataclass
class Bucket:
    tokens: float
    filled_at: float


class Throttle:
    """Decides whether a request may pass now."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def admit(self, client_key: str) -> bool:
        now = self._clock()
        bucket = self._buckets.setdefault(client_key, Bucket(BUCKET_SIZE, now))
        waited = now - bucket.filled_at
        bucket.tokens = min(BUCKET_SIZE, bucket.tokens + waited * REFILL_PER_SECOND)
        bucket.filled_at = now
        if bucket.tokens < 1:
            return False
        bucket.tokens -= 1
        return True

    def retry_after(self, client_key: str) -> int:
        """Return the whole seconds until the next token."""
        missing = max(0.0, 1 - self._buckets[client_key].tokens)
        return max(1, round(missing / REFILL_PER_SECOND))
