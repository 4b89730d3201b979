"""A model provider on this machine, over real HTTP: speaks OpenAI's and Ollama's protocol, and fails on demand."""

import hashlib
import json
import math
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-secret-0123456789"
_MEANINGS = {"throttled": "limit", "rate": "limit", "limiting": "limit", "invoices": "bill", "billing": "bill"}


def meaning(text: str, size: int) -> list[float]:
    """Return a vector of the text's words, some of which mean the same; not of unit length."""
    vector = [0.0] * size
    vector[0] = 0.01
    for word in re.findall(r"\w+", text.lower()):
        place = int(hashlib.sha256(_MEANINGS.get(word, word).encode()).hexdigest(), 16) % size
        vector[place] += 2.0
    return vector


@dataclass
class Asked:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        return list(self.body["input"])


Fault = Callable[[BaseHTTPRequestHandler, Asked], None]


@dataclass
class Provider:
    """What the server does: one fault a request while there are some, then right answers."""

    url: str = ""
    sizes: dict[str, int] = field(default_factory=lambda: {"small": 64, "large": 96})
    longest: int = 1_000_000
    faults: deque[Fault] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)
    before: Callable[[Asked], None] = lambda _: None

    def then(self, *faults: Fault) -> None:
        """Meet the next requests with these faults."""
        self.faults.extend(faults)

    def answer(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        model = asked.body["model"]
        if model not in self.sizes:
            return send(handler, 404, {"error": {"message": f"model {model!r} not found"}})
        if any(len(text) > self.longest for text in asked.texts) or "" in asked.texts:
            return send(handler, 400, {"error": "the input length exceeds the context length"})
        size = asked.body.get("dimensions", self.sizes[model])
        vectors = [meaning(text, size) for text in asked.texts]
        if asked.path == "/api/embed":
            return send(handler, 200, {"model": model, "embeddings": vectors})
        return send(handler, 200, rows(vectors))


def rows(vectors: list[list[float]], order: int = 1) -> dict[str, Any]:
    """Return vectors as OpenAI sends them."""
    data = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    return {"object": "list", "data": data[::order], "usage": {"prompt_tokens": 1}}


def send(
    handler: BaseHTTPRequestHandler, status: int, body: object, kind: str = "application/json", **headers: str
) -> None:
    """Send an answer; a body of bytes is sent as it is."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(content)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


def status(code: int, **headers: str) -> Fault:
    """Answer with this status; the body repeats the key, as careless providers do."""
    return lambda handler, asked: send(
        handler, code, {"error": {"message": f"no: {asked.headers.get('authorization')}"}}, **headers
    )


def answers(body: object, kind: str = "application/json") -> Fault:
    """Answer 200 with this body."""
    return lambda handler, _: send(handler, 200, body, kind)


def vectors_of(make: Callable[[int], list[Any]], order: int = 1) -> Fault:
    """Answer with the vectors that are made for the number of texts."""
    return lambda handler, asked: send(handler, 200, rows(make(len(asked.texts)), order))


def reverses(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
    """Answer rightly, in another order."""
    send(handler, 200, rows([meaning(text, 64) for text in asked.texts], -1))


def hangs_up(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
    """Close the connection without a word."""
    del asked
    handler.close_connection = True


def breaks_off(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
    """Announce more than is sent."""
    del asked
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')
    handler.close_connection = True


def sleeps(seconds: float) -> Fault:
    """Answer nothing for a while, then hang up."""

    def fault(handler: BaseHTTPRequestHandler, _: Asked) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return fault


def drips(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
    """Send a byte now and then, for ever."""
    del asked
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.close_connection = True
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def nan(count: int) -> list[Any]:
    return [[math.nan] * 64] * count


@contextmanager
def serve() -> Iterator[Provider]:
    """Give a provider that serves on a free port."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.path, headers, json.loads(content))
            provider.asked.append(asked)
            provider.before(asked)
            answer = provider.faults.popleft() if provider.faults else provider.answer
            try:
                answer(self, asked)
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            return

    server = Server(("127.0.0.1", 0), Handler)
    provider.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
