"""One POST to a model provider: JSON both ways, retries within a deadline, and errors that never show the key."""

import itertools
import json
import random
import threading
import time
import weakref
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from graph.errors import Unavailable

if TYPE_CHECKING:
    import httpx

_MOST_ATTEMPTS, _MOST_CALLS = 5, 3
_FIRST_WAIT, _LONGEST_WAIT = 0.2, 8.0
_CONNECT_SECONDS = 5.0
_PAUSE, _LONGEST_PAUSE = 30.0, 300.0
_MOST_BYTES = 64 * 2**20
_SHOWN = 200
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_UNREACHABLE = "start the provider or correct ARCHMEM_EMBEDDER_URL; then run `archmem reindex`"
_OTHER_URL = "correct ARCHMEM_EMBEDDER_URL: it ends before the path that archmem adds"


class Refused(Unavailable):
    """The provider refuses what the request says; the same request would be refused again."""


class _Passing(Exception):
    """A fault that may pass: worth `most` attempts, the next after `wait` seconds when the provider says so."""

    def __init__(self, what: str, wait: float | None = None, most: int = _MOST_ATTEMPTS) -> None:
        super().__init__(what)
        self.what = what
        self.wait = wait
        self.most = most


class Poster:
    """Posts to one provider. After a fault that did not pass it asks no more for 30 seconds, so that callers go on."""

    def __init__(self, url: str, *, name: str, key: str = "", timeout: float) -> None:
        self._url = url.rstrip("/")
        self._host = urlsplit(url).hostname or ""
        self._name = name
        self._key = key
        self._timeout = timeout
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._paused_until = 0.0
        self._last = ""

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the answer's JSON; raise Refused or Unavailable.

        Tried again, up to four times, on 429, 5xx, broken connections and time-outs, and up to twice where nobody
        listens, with growing waits or as long as `Retry-After` says. All of it ends within the time-out, of which one
        attempt takes half at most.
        """
        left = self._paused_until - time.monotonic()
        if left > 0:
            raise self._unavailable(f"{self._last}; asked again in {left:.0f} s", _UNREACHABLE)
        deadline = time.monotonic() + self._timeout
        for attempt in itertools.count():
            try:
                return self._once(path, body, deadline)
            except _Passing as fault:
                wait = _backoff(attempt) if fault.wait is None else fault.wait
                if attempt + 1 >= fault.most or time.monotonic() + wait >= deadline:
                    raise self._gave_up(fault, attempt + 1) from None
            time.sleep(wait)
        raise AssertionError

    def _once(self, path: str, body: Mapping[str, Any], deadline: float) -> Any:
        import httpx

        limit = max(0.01, min(deadline - time.monotonic(), self._timeout / 2))
        until = time.monotonic() + limit
        try:
            timeout = httpx.Timeout(limit, connect=min(limit, _CONNECT_SECONDS))
            with self._opened().stream("POST", f"{self._url}{path}", json=body, timeout=timeout) as response:
                content = self._read(response, until)
        except httpx.TimeoutException:
            raise _Passing(f"does not answer within {limit:.3g} s") from None
        except httpx.TransportError as error:
            # Where nobody listens, nobody is to be waited for: a question has to be answered by words soon.
            most = _MOST_CALLS if isinstance(error, httpx.ConnectError) else _MOST_ATTEMPTS
            what = f"cannot be reached ({self._shown(str(error)) or type(error).__name__})"
            raise _Passing(what, most=most) from None
        except httpx.DecodingError:
            raise self._unavailable("sends an answer that cannot be unpacked", _OTHER_URL) from None
        self._check_status(response.status_code, response.headers.get("retry-after", ""), content)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json" and not kind.endswith("+json"):
            raise self._unavailable(f"answers with {self._shown(kind) or 'no content type'}, not with JSON", _OTHER_URL)
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise self._unavailable("sends JSON that is cut off or invalid", _UNREACHABLE) from None

    def _read(self, response: "httpx.Response", until: float) -> bytes:
        content = bytearray()
        for chunk in response.iter_bytes():
            content += chunk
            if len(content) > _MOST_BYTES:
                raise self._unavailable(f"sends more than {_MOST_BYTES // 2**20} MiB", _OTHER_URL)
            if time.monotonic() > until:
                raise _Passing("does not finish its answer in time")
        return bytes(content)

    def _check_status(self, status: int, retry_after: str, content: bytes) -> None:
        if status < 300:
            return
        if status == 429 or status >= 500:
            raise _Passing(f"answers {status}{self._reason(content)}", _seconds(retry_after))
        if status < 400:
            raise self._unavailable(f"redirects ({status}); the key is not taken elsewhere", _OTHER_URL)
        if status in (401, 403):
            raise self._unavailable(f"refuses the key ({status})", "correct ARCHMEM_EMBEDDER_KEY")
        what = f"answers {status}{self._reason(content)}"
        if status in (400, 413, 422):
            raise Refused(self._told(what), id=self._name, next_step="correct the ARCHMEM_EMBEDDER_* settings")
        step = "correct ARCHMEM_EMBEDDER_MODEL or ARCHMEM_EMBEDDER_URL; with Ollama, `ollama pull` the model first"
        raise self._unavailable(what, step)

    def _gave_up(self, fault: _Passing, attempts: int) -> Unavailable:
        asked = f", and asks to wait {fault.wait:.0f} s" if fault.wait else ""
        tried = f" after {attempts} attempts" if attempts > 1 else ""
        self._last = f"{fault.what}{asked}{tried}"
        self._paused_until = time.monotonic() + min(max(fault.wait or 0.0, _PAUSE), _LONGEST_PAUSE)
        return self._unavailable(self._last, _UNREACHABLE)

    def _unavailable(self, what: str, next_step: str) -> Unavailable:
        return Unavailable(self._told(what), id=self._name, next_step=next_step)

    def _told(self, what: str) -> str:
        return f"{self._name} at {self._host} {what}"

    def _reason(self, content: bytes) -> str:
        """Return the provider's own words, as far as they are told in the usual places."""
        try:
            told = json.loads(content)
        except (ValueError, RecursionError):
            return ""
        error = told.get("error", told.get("message", told.get("detail"))) if isinstance(told, dict) else None
        reason = error.get("message") if isinstance(error, dict) else error
        return f" ({self._shown(reason)})" if isinstance(reason, str) and reason.strip() else ""

    def _shown(self, text: str) -> str:
        hidden = text.replace(self._key, "***") if self._key else text
        printable = "".join(one if one.isprintable() else " " for one in hidden)
        return " ".join(printable.split())[:_SHOWN]

    def _opened(self) -> "httpx.Client":
        import httpx

        with self._lock:
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
                # A proxy of the environment is for the world outside, not for this machine.
                local = self._host in _LOOPBACK
                self._client = httpx.Client(headers=headers, trust_env=not local, follow_redirects=False)
                weakref.finalize(self, self._client.close)
            return self._client


def _backoff(attempt: int) -> float:
    return min(_LONGEST_WAIT, _FIRST_WAIT * float(2**attempt)) * random.uniform(0.5, 1.5)


def _seconds(retry_after: str) -> float | None:
    """Return what `Retry-After` says, a number or a date, in seconds; None when it says nothing."""
    try:
        return max(0.0, float(retry_after)) if float(retry_after) < 1e6 else None
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
