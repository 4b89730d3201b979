"""Charges cards through the payment provider."""

import time
from collections.abc import Callable
from typing import Protocol

ATTEMPTS = 3
FIRST_PAUSE = 0.5


class Provider(Protocol):
    def authorise(self, cents: int, key: str) -> str: ...
    def capture(self, authorisation: str, key: str) -> None: ...


class Charges:
    def __init__(self, provider: Provider, sleep: Callable[[float], None] = time.sleep) -> None:
        self._provider = provider
        self._sleep = sleep

    def authorise(self, cents: int, key: str) -> str:
        """Reserve the money; the same key never reserves it twice."""
        return self._patiently(lambda: self._provider.authorise(cents, key))

    def capture(self, authorisation: str) -> None:
        self._patiently(lambda: self._provider.capture(authorisation, f"capture-{authorisation}"))

    def _patiently(self, call: Callable[[], str | None]) -> str:
        for attempt in range(ATTEMPTS):
            try:
                return call() or ""
            except TimeoutError:
                if attempt == ATTEMPTS - 1:
                    raise
                self._sleep(FIRST_PAUSE * 2**attempt)
        raise AssertionError("unreachable")
