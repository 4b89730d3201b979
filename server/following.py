"""HEAD moved since the last drift run: a command checks it on its way if that is quick, else says what flags are of."""

import time
from datetime import timedelta

from drift import Repository
from graph.attempting import last_scheduled
from graph.attempts import DOOR, AttemptState
from graph.errors import ArchmemError, Conflict, StoreBusy
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.bootstrap import in_a_hurry, now
from server.settings import Settings

_SHORT = 12
_SERVED_WITHIN = timedelta(days=1)


class _TooLong(Exception):
    """The time is spent."""


def catch_up(graph: MemoryGraph, settings: Settings, scope: Scope, repository: Repository) -> str:
    """Check HEAD if the last run was of another commit; return the notice which one the flags are of, if not of HEAD.

    A commit that could not be checked within the settings' time is not tried again. Where a server checks the project,
    that is left to it. Nothing here is a reason for a command to fail, or to wait for another writer.
    """
    try:
        head, checked = repository.head(), graph.checked_head(scope)
        if head == checked:
            return ""
        if _is_served(graph, scope):
            return _notice(repository, head, checked, "the server's next run brings them up to date")
        failed = _check(graph, settings, scope, repository, head)
        return "" if failed is None else _notice(repository, head, checked, f"{failed}run `archmem drift run`")
    except (ArchmemError, OSError):
        return ""


def _is_served(graph: MemoryGraph, scope: Scope) -> bool:
    """Say whether a server checks the project by itself, and did of late."""
    if not graph.project(scope.organisation, scope.project).repository:
        return False
    last = last_scheduled(graph.attempts(scope))
    return last is not None and now() - last < _SERVED_WITHIN


def _check(graph: MemoryGraph, settings: Settings, scope: Scope, repository: Repository, head: str) -> str | None:
    """Check a commit in time and record it; return why it is not checked, None when it is."""
    if not settings.catch_up:
        return ""
    for one in graph.attempts(scope):
        if one.by == DOOR and one.head == head:
            return _why(one.error)
    # What checks is imported by a command only when there is something to check.
    from server.drifting import asked_of, run_at

    deadline = time.monotonic() + settings.catch_up

    def go_on() -> None:
        if time.monotonic() > deadline:
            raise _TooLong

    try:
        with in_a_hurry(graph, settings) as hurried:
            try:
                with repository.asking(go_on):
                    run_at(hurried, scope, repository, head, asked_of(hurried, scope))
            except _TooLong:
                return _kept(hurried, scope, head, AttemptState.GAVE_UP)
            except (Conflict, StoreBusy):
                raise
            except ArchmemError as error:
                return _kept(hurried, scope, head, AttemptState.FAILED, error)
    except (Conflict, StoreBusy) as error:  # another run, or another writer, is on
        return _why(error.what)
    return None


def _kept(graph: MemoryGraph, scope: Scope, head: str, state: AttemptState, error: ArchmemError | None = None) -> str:
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
