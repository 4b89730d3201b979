"""Errors translated once: to problem+json with an HTTP status, to words and exit codes; by class, never by text."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from graph.errors import (
    Ambiguous,
    ArchmemError,
    CannotDecide,
    Conflict,
    Fault,
    Forbidden,
    InvalidInput,
    StoreBusy,
    StoreMismatch,
    TooMany,
    Unauthorised,
    Unavailable,
    Unknown,
)

MEDIA_TYPE = "application/problem+json"

KEPT, BELOW_THRESHOLD, WRONG_USE, UNDECIDED, BROKEN = 0, 1, 2, 3, 70
"""The exit codes; `BROKEN` is a fault of archmem itself."""

STATUS: Mapping[type[ArchmemError], int] = {
    InvalidInput: 422,
    Unauthorised: 401,
    Forbidden: 403,
    TooMany: 429,
    Unknown: 404,
    Ambiguous: 409,
    Conflict: 409,
    CannotDecide: 409,
    StoreMismatch: 503,
    StoreBusy: 503,
    Unavailable: 503,
    ArchmemError: 500,
}
"""The HTTP status of a class and of all its subclasses that are not named themselves."""

TITLES: Mapping[int, str] = {
    400: "Bad request",
    401: "Not authorised",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    421: "Misdirected request",
    422: "Invalid input",
    429: "Too many requests",
    500: "Internal error",
    503: "Not available",
}


class Problem(BaseModel):
    """An error as every door tells it (RFC 9457): what, with which id, every fault, the near names, the next step."""

    type: str = Field(description="A stable URN of the kind of problem.")
    title: str
    status: int
    detail: str
    code: str = Field(description="The kind of problem in one word, such as `unknown` or `duplicate_title`.")
    id: str = ""
    next_step: str
    faults: tuple[Fault, ...] = ()
    candidates: tuple[str, ...] = ()


def problem_of(error: ArchmemError) -> Problem:
    """Return the problem that the error is told as."""
    candidates = error.candidates if isinstance(error, Unknown | Ambiguous) else ()
    return make_problem(
        status_of(error),
        error.code,
        error.what,
        error.next_step,
        id=error.id,
        faults=error.faults,
        candidates=candidates,
    )


def make_problem(status: int, code: str, detail: str, next_step: str, **more: Any) -> Problem:
    """Return a problem for what is no error of the graph (an unknown route, a foreign host)."""
    return Problem(
        type=f"urn:archmem:problem:{code}",
        title=TITLES.get(status, "Error"),
        status=status,
        detail=detail,
        code=code,
        next_step=next_step,
        **more,
    )


def words_of(problem: Problem) -> str:
    """Return what was wrong, every fault, the near names and the next step, a line each."""
    lines = [problem.detail, *(f"  {fault.where}: {fault.what}" for fault in problem.faults)]
    if problem.candidates:
        lines.append(f"  known: {', '.join(problem.candidates)}")
    return "\n".join([*lines, f"Next: {problem.next_step}"])


def unexpected(error: Exception) -> Problem:
    """Return the problem that a fault of archmem itself is told as."""
    next_step = "run `archmem doctor`; ARCHMEM_DEBUG=1 shows the traceback for a bug report"
    return make_problem(500, "internal_error", f"{type(error).__name__}: {error}", next_step)


def status_of(error: ArchmemError) -> int:
    """Return the HTTP status of an error, by its nearest class."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def exit_code_of(error: ArchmemError) -> int:
    """Return the exit code of an error: 3 when nothing could be decided, else 2."""
    return UNDECIDED if isinstance(error, CannotDecide) else WRONG_USE


def invalid(error: ValidationError) -> InvalidInput:
    """Return pydantic's complaint as InvalidInput with every fault."""
    return invalid_of(error.errors())


def invalid_of(details: Iterable[Any]) -> InvalidInput:
    """Return validation details (as pydantic lists them) as InvalidInput with every fault."""
    faults = [Fault(where=_place(detail["loc"]), what=str(detail["msg"])) for detail in details]
    count = len(faults)
    return InvalidInput(
        f"the input has {count} fault{'s' if count != 1 else ''}",
        id=faults[0].where if faults else "",
        faults=faults,
        next_step="correct each field named above",
    )


def _place(location: Iterable[int | str]) -> str:
    return ".".join(str(part) for part in location) or "input"
