"""HEAD moved since the last drift run: a command checks it on its way if that is quick, else says what flags are of."""

import time

from drift import Repository
from graph.attempts import DOOR, AttemptState
from graph.errors import ArchmemError, Conflict
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope

_SHORT = 12


class _TooLong(Exception):
    """The time is spent."""


def catch_up(graph: MemoryGraph, scope: Scope, repository: Repository, seconds: float) -> str:
    """Check HEAD if the last run was of another commit; return the notice which one the flags are of, if not of HEAD.

    A commit that could not be checked within the seconds is not tried again. Where a server checks the project, that is
    left to it. Nothing here is a reason for a command to fail.
    """
    try:
        if repository.is_empty():
            return ""
        head, checked = repository.head(), graph.checked_head(scope)
        if head == checked:
            return ""
        if graph.project(scope.organisation, scope.project).repository:
            return _notice(repository, head, checked, "the server's next run brings them up to date")
        failed = _check(graph, scope, repository, head, seconds)
    except (ArchmemError, OSError):
        return ""
    if failed is None:
        return ""
    return _notice(repository, head, checked, f"{failed}run `archmem drift run`")


def _check(graph: MemoryGraph, scope: Scope, repository: Repository, head: str, seconds: float) -> str | None:
    """Check a commit within the seconds and record it; return why it is not checked, None when it is."""
    if not seconds:
        return ""
    for one in graph.attempts(scope):
        if one.by == DOOR and one.head == head:
            return _why(one.error)
    # What checks is imported by a command only when there is something to check.
    from server.drifting import asked_of, run_at

    deadline = time.monotonic() + seconds

    def go_on() -> None:
        if time.monotonic() > deadline:
            raise _TooLong

    try:
        with repository.asking(go_on):
            run_at(graph, scope, repository, head, asked_of(graph, scope))
    except _TooLong:
        return _remembered(graph, scope, head, AttemptState.GAVE_UP)
    except Conflict as error:  # another run is on
        return _why(error.what)
    except ArchmemError as error:
        return _remembered(graph, scope, head, AttemptState.FAILED, error)
    return None


def _remembered(
    graph: MemoryGraph, scope: Scope, head: str, state: AttemptState, error: ArchmemError | None = None
) -> str:
    """Keep that a commit could not be checked on the way, so that the next command does not wait for it again."""
    what, next_step = (error.what, error.next_step) if error else ("", "run `archmem drift run`")
    begun = graph.begin_attempt(scope, DOOR)
    if begun is not None:
        ended = {"head": head, "state": state, "error": what, "next_step": next_step}
        graph.end_attempt(scope, begun.model_copy(update=ended))
    return _why(what)


def _why(what: str) -> str:
    return f"{what}; " if what else ""


def _notice(repository: Repository, head: str, checked: str, next_step: str) -> str:
    if not checked:
        return f"no drift run yet, so nothing is flagged; {next_step}"
    behind = repository.count_beyond(checked, head) if repository.has_commit(checked) else 0
    commits = f"{behind} commit{'' if behind == 1 else 's'} behind HEAD"
    distance = commits if behind else "which is not in HEAD's history"
    return f"flags are as of commit {checked[:_SHORT]}, {distance}; {next_step}"
