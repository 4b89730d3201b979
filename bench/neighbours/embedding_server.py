"""archmem's local model behind OpenAI's `POST /v1/embeddings`, so that other systems embed with the same model.

A request with `keep` has its vectors kept: texts that several systems store are embedded once. All else is embedded
each time that it is asked for.

Run: python -m bench.neighbours.embedding_server (prints its URL, serves until its standard input ends)
"""

import base64
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from graph.embedders.local import LocalEmbedder
from graph.vectors import Vector

MODEL = "all-MiniLM-L6-v2"
DIMENSIONS = 384
_PATH = "/v1/embeddings"
_EMBEDDER = LocalEmbedder()
_KEPT: dict[str, Vector] = {}


class EmbeddingHandler(BaseHTTPRequestHandler):
    """Answers requests for embeddings over connections that stay open."""

    protocol_version = "HTTP/1.1"
    # Head and body in one write: two would wait for each other's acknowledgement, 40 ms a request.
    wbufsize = 1 << 20
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != _PATH:
            self._send(404, {"error": {"message": f"only {_PATH} is served"}})
            return
        try:
            asked = json.loads(body)
            given = asked["input"]
            texts = [given] if isinstance(given, str) else list(given)
            if not all(isinstance(text, str) for text in texts):
                raise TypeError("input is a text or a list of texts")
            if asked.get("dimensions", DIMENSIONS) != DIMENSIONS:
                raise ValueError(f"the model gives {DIMENSIONS} dimensions")
        except (ValueError, TypeError, KeyError) as error:
            self._send(400, {"error": {"message": str(error)}})
            return
        vectors = embed(texts, keep=bool(asked.get("keep")))
        self._send(200, answer(vectors, asked.get("encoding_format", "float")))

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent: a line for each request would be thousands."""

    def _send(self, status: int, payload: dict[str, Any]) -> None:
        content = json.dumps(payload).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def embed(texts: list[str], *, keep: bool) -> list[Vector]:
    """Return one vector a text, from those kept where it is one of them."""
    vectors = [_KEPT[text] if text in _KEPT else _EMBEDDER.embed([text])[0] for text in texts]
    if keep:
        _KEPT.update(zip(texts, vectors, strict=True))
    return vectors


def answer(vectors: list[Vector], encoding: str) -> dict[str, Any]:
    """Return the vectors as OpenAI does; the tokens are not counted."""
    data = [{"object": "embedding", "index": n, "embedding": encoded(v, encoding)} for n, v in enumerate(vectors)]
    return {"object": "list", "model": MODEL, "data": data, "usage": {"prompt_tokens": 0, "total_tokens": 0}}


def encoded(vector: Vector, encoding: str) -> str | list[float]:
    """Return little-endian float32 as base64, or the numbers."""
    numbers = vector.astype("<f4")
    return base64.b64encode(numbers.tobytes()).decode() if encoding == "base64" else np.asarray(numbers).tolist()


def main() -> None:
    _EMBEDDER.embed(["warm"])
    with ThreadingHTTPServer(("127.0.0.1", 0), EmbeddingHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
        # Whoever started it is gone when this ends, however it ended.
        sys.stdin.read()
        server.shutdown()


if __name__ == "__main__":
    main()
