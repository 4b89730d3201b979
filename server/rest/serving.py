"""Serve the application, and run its jobs, until it is stopped."""

import socket
from collections.abc import Callable

import uvicorn

from graph.errors import Unavailable
from graph.memory_graph import MemoryGraph
from server.bootstrap import new_id
from server.jobs.scheduling import running
from server.rest.app import create_app
from server.settings import LOOPBACK, Settings


def serve(graph: MemoryGraph, settings: Settings, started: Callable[[str], None]) -> None:
    """Listen where the settings say, tell the address, and serve; raise Unavailable when the port is taken."""
    if settings.host not in LOOPBACK and not _has_keys(graph, settings):
        raise Unavailable(
            f"{settings.host} is reached from elsewhere, and there is no access key yet",
            id=settings.host,
            next_step="make one by `archmem access create NAME`, or serve 127.0.0.1",
        )
    with _listen(settings.host, settings.port) as listener:
        port = listener.getsockname()[1]
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        started(f"http://{host}:{port}")
        config = uvicorn.Config(
            create_app(graph, settings), log_level="warning", access_log=False, server_header=False, proxy_headers=False
        )
        with running(graph, settings, new_id()):
            uvicorn.Server(config).run(sockets=[listener])


def _has_keys(graph: MemoryGraph, settings: Settings) -> bool:
    return any(key.revoked_at is None for key in graph.access_keys(settings.organisation))


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol unnamed, asyncio does not switch Nagle's delay off, and each answer waits 40 ms for an ACK.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise Unavailable(
            f"port {port} of {host} cannot be listened on: {error.strerror}",
            id=str(port),
            next_step="give another one by --port, or 0 for a free one",
        ) from error
    return listener
