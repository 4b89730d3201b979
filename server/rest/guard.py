"""Who is let in: programs of this machine as they are, everybody else with an access key; no page of another site."""

from functools import partial
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from graph.access import Access
from graph.errors import ArchmemError, Unauthorised
from graph.memory_graph import MemoryGraph
from server.errors import Problem, make_problem
from server.rest.problems import error_response, problem_response
from server.rest.rates import Rates
from server.settings import LOOPBACK, Settings

OPEN = frozenset({"/healthz", "/readyz"})
"""What needs no access key: whether the server lives, and whether it can serve."""

_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
_FAILURES_A_MINUTE = 30


class Guard:
    """Refuses foreign hosts, pages of other sites, whoever has no access key and needs one, and whoever asks too often.

    A server that listens to this machine alone needs no key, where nothing was handed on by a proxy: a proxy may
    rewrite the host that was asked for. A key that is given is looked at all the same.
    """

    def __init__(self, app: ASGIApp, graph: MemoryGraph, settings: Settings) -> None:
        self._app = app
        self._graph = graph
        self._settings = settings
        self._rates = Rates(settings.rate_limit)
        self._failures = Rates(_FAILURES_A_MINUTE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with what it is allowed, or answer it with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        problem = self._foreign(headers)
        if problem is not None:
            await problem_response(problem)(scope, receive, send)
            return
        try:
            scope["archmem.access"] = await self._admit(scope, headers)
        except ArchmemError as error:
            await error_response(error)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _foreign(self, headers: Headers) -> Problem | None:
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if not self._is_served(host):
            step = "ask by 127.0.0.1 or localhost, or list the name in the server's ARCHMEM_ALLOWED_HOSTS"
            return make_problem(421, "foreign_host", f"the host {host!r} is not served", step)
        if (origin and urlsplit(origin).netloc != host) or headers.get("sec-fetch-site") == "cross-site":
            step = "use a program, or the page that is served here"
            return make_problem(403, "foreign_origin", "a page of another site asks", step)
        return None

    def _is_served(self, host: str) -> bool:
        name = host_of(host)
        if name in LOOPBACK or name in self._settings.allowed_hosts:
            return True
        return bool(name) and self._settings.host not in LOOPBACK and not self._settings.allowed_hosts

    async def _admit(self, scope: Scope, headers: Headers) -> Access | None:
        """Return what a request is allowed; None for everything. Raise Unauthorised or TooMany."""
        client = str((scope.get("client") or ("", 0))[0])
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if not token and (scope["path"] in OPEN or self._is_local(headers)):
            return None
        self._failures.look(client)
        try:
            if scheme.lower() != "bearer":
                raise Unauthorised(
                    "an access key is needed here",
                    next_step="send `Authorization: Bearer` with a key that `archmem access create` made",
                )
            look = partial(self._graph.access_of, self._settings.organisation, token.strip())
            access = await anyio.to_thread.run_sync(look)
        except Unauthorised:
            self._failures.take(client)
            raise
        self._rates.take(access.key)
        return access

    def _is_local(self, headers: Headers) -> bool:
        is_plain = host_of(headers.get("host", "")) in LOOPBACK and not any(name in headers for name in _FORWARDED)
        return is_plain and self._settings.host in LOOPBACK


def host_of(address: str) -> str:
    """Return the host that a request's `Host` names; empty for what is none."""
    try:
        parts = urlsplit(f"//{address}")
        _ = parts.port
    except ValueError:
        return ""
    return "" if parts.username or parts.path else (parts.hostname or "")
