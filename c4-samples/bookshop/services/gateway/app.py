"""The gateway: every request from outside passes here first."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.gateway.headers import clean_headers
from services.gateway.throttle import Throttle

Upstream = Callable[[str, str, Mapping[str, str], bytes], tuple[int, bytes]]


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    headers: Mapping[str, str]


class Gateway:
    def __init__(self, throttle: Throttle, upstream: Upstream) -> None:
        self._throttle = throttle
        self._upstream = upstream

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes, client_key: str) -> Answer:
        if not self._throttle.admit(client_key):
            wait = str(self._throttle.retry_after(client_key))
            return Answer(429, b"slow down", {"retry-after": wait})
        request_id = str(uuid.uuid4())
        forwarded = {**clean_headers(headers), "x-bookshop-request": request_id}
        status, answer = self._upstream(method, path, forwarded, body)
        return Answer(status, answer, {"x-bookshop-request": request_id})
