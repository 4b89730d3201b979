"""Who is signed in."""

import hashlib
import secrets
from datetime import datetime, timedelta

LASTS = timedelta(days=14)


class Sessions:
    """Keeps a hash of each token, never the token."""

    def __init__(self) -> None:
        self._ends: dict[str, tuple[str, datetime]] = {}

    def open(self, customer: str, now: datetime) -> str:
        token = secrets.token_urlsafe(32)
        self._ends[_hashed(token)] = (customer, now + LASTS)
        return token

    def customer(self, token: str, now: datetime) -> str | None:
        customer, ends = self._ends.get(_hashed(token), ("", now))
        return customer if ends > now else None

    def close(self, token: str) -> None:
        self._ends.pop(_hashed(token), None)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
