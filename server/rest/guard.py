"""Only programs of this machine are served: no foreign host name, no page of another site."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from server.errors import make_problem
from server.rest.problems import problem_response
from server.settings import LOOPBACK


class LoopbackOnly:
    """Refuses requests that a web page could have tricked a browser into (DNS rebinding, cross-site posts)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if not _is_loopback(f"//{host}"):
            problem = make_problem(
                421, "foreign_host", f"the host {host!r} is not served", "ask by 127.0.0.1 or localhost"
            )
            await problem_response(problem)(scope, receive, send)
        elif (origin and urlsplit(origin).netloc != host) or headers.get("sec-fetch-site") == "cross-site":
            problem = make_problem(
                403, "foreign_origin", "a page of another site asks", "use a program, or the page that is served here"
            )
            await problem_response(problem)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_loopback(address: str) -> bool:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    return parts.hostname in LOOPBACK and not parts.username and not parts.path
