"""Errors as problem+json, and their place in the OpenAPI description."""

import math
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from graph.errors import ArchmemError, StoreBusy, TooMany, Unauthorised
from server.errors import MEDIA_TYPE, TITLES, Problem, invalid, invalid_of, make_problem, problem_of

_REFERENCE = {"$ref": "#/components/schemas/Problem"}
_DOCUMENTED = {
    400: "No JSON in UTF-8, nested too deeply, or with NUL characters.",
    401: "An access key is missing, or not good any more.",
    403: "The access key does not allow it.",
    404: "Unknown: `candidates` are the near names.",
    409: "Ambiguous, a conflict (duplicate title, version, key), or not to be decided.",
    413: "The body is too large.",
    422: "Invalid: `faults` lists every fault.",
    429: "Asked too often; `Retry-After` says for how many seconds to wait.",
    503: "The store or the embedder is not available.",
}
_NEXT_STEPS = {
    400: "send JSON in UTF-8, not nested deeply, without NUL characters and without endless numbers",
    413: "send less at once",
}


def problem_response(problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """Return the problem as a response."""
    return Response(problem.model_dump_json(), problem.status, headers, MEDIA_TYPE)


def error_response(error: ArchmemError) -> Response:
    """Return an error of the graph as a response, with what a client needs to ask again."""
    headers = {}
    match error:
        case StoreBusy():
            headers["Retry-After"] = "1"
        case TooMany(seconds=seconds):
            headers["Retry-After"] = str(max(1, math.ceil(seconds)))
        case Unauthorised():
            headers["WWW-Authenticate"] = 'Bearer realm="archmem"'
    return problem_response(problem_of(error), headers)


def answer_with_problems(app: FastAPI) -> None:
    """Translate every error of the app to problem+json, and document it."""

    def on_error(_: Request, error: ArchmemError) -> Response:
        return error_response(error)

    def on_body(_: Request, error: RequestValidationError) -> Response:
        return problem_response(problem_of(invalid_of(error.errors())))

    def on_value(_: Request, error: ValidationError) -> Response:
        return problem_response(problem_of(invalid(error)))

    def on_http(_: Request, error: HTTPException) -> Response:
        title = TITLES.get(error.status_code) or HTTPStatus(error.status_code).phrase
        code = title.lower().replace(" ", "_")
        next_step = _NEXT_STEPS.get(error.status_code, "/docs lists every route")
        problem = make_problem(error.status_code, code, str(error.detail), next_step)
        return problem_response(problem, dict(error.headers or {}))

    def on_fault(_: Request, error: Exception) -> Response:
        detail = f"archmem failed unexpectedly: {type(error).__name__}"
        return problem_response(make_problem(500, "internal_error", detail, "look into the server's log"))

    handlers: tuple[tuple[type[Exception], Any], ...] = (
        (ArchmemError, on_error),
        (RequestValidationError, on_body),
        (ValidationError, on_value),
        (HTTPException, on_http),
        (Exception, on_fault),
    )
    for kind, handler in handlers:
        app.add_exception_handler(kind, handler)
    _document(app)


def _document(app: FastAPI) -> None:
    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_problems(
                get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            )
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _with_problems(description: dict[str, Any]) -> dict[str, Any]:
    schemas = description.setdefault("components", {}).setdefault("schemas", {})
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schema.pop("$defs", {}))
    schemas["Problem"] = schema
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    description["components"]["securitySchemes"] = {"accessKey": {"type": "http", "scheme": "bearer"}}
    # On this machine no key is needed.
    description["security"] = [{"accessKey": []}, {}]
    for path, operations in description["paths"].items():
        if path.startswith("/api/"):
            for operation in operations.values():
                for status, meaning in _DOCUMENTED.items():
                    content = {MEDIA_TYPE: {"schema": _REFERENCE}}
                    operation["responses"][str(status)] = {"description": meaning, "content": content}
    return description
