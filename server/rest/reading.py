"""Read what a client sent: JSON in UTF-8, of a bounded size, without NUL characters, which no text has."""

import json
import re
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote_plus

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute

MOST_BYTES = 32 * 2**20
"""A model of many thousand elements fits, and a drift run with the blobs of every pinned file."""

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class Reading(APIRoute):
    """A route that reads its request strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of a request."""
        handle = super().get_route_handler()

        async def read_strictly(request: Request) -> Response:
            if "\0" in request.url.path + unquote_plus(request.url.query):
                raise HTTPException(HTTPStatus.BAD_REQUEST, "the address holds a NUL character")
            return await handle(_Strict(request.scope, request.receive))

        return read_strictly


class _Strict(Request):
    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            chunks, size = [], 0
            # An oversized body is read to its end and forgotten: a client that still sends would miss the answer.
            async for chunk in self.stream():
                size += len(chunk)
                if size <= MOST_BYTES:
                    chunks.append(chunk)
            if size > MOST_BYTES:
                raise HTTPException(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body is larger than {MOST_BYTES // 2**20} MiB"
                )
            self._body = b"".join(chunks)
        return self._body

    async def json(self) -> Any:
        try:
            text = (await self.body()).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"the body is not UTF-8 (byte {error.start})") from error
        if _NUL.search(text):
            raise HTTPException(HTTPStatus.BAD_REQUEST, "the body holds a NUL character")
        return json.loads(text)
