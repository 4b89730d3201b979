"""The repositories that a server watches: fetched, checked and recorded, and what became of each attempt kept."""

import hashlib
import json
import logging
from collections.abc import Callable, Collection
from typing import Any

from pydantic_core import to_jsonable_python

from drift import ACCEPTED_FILE, Repository, accept, read_project
from drift.project import project_file_of
from graph.attempting import last_scheduled
from graph.attempts import Attempt, AttemptState
from graph.errors import ArchmemError
from graph.memory_graph import MemoryGraph
from graph.project_file import FILE_NAME
from graph.scopes import Project, Scope
from server.answers import Accepted, DriftStatus, record_accepted, summary_of
from server.bootstrap import now
from server.drifting import asked_of, run_at, unknown_elements
from server.repositories import opened, required
from server.schedules import Schedule, parse_schedule
from server.settings import Settings

_CHECKED = (AttemptState.RECORDED, AttemptState.UNCHANGED)
_TOLD = 20
_log = logging.getLogger(__name__)


class Stopped(Exception):
    """The server ends, or another one has the lease."""


def attempt_run(
    graph: MemoryGraph, settings: Settings, scope: Scope, begun: Attempt, go_on: Callable[[], None] = lambda: None
) -> Attempt:
    """Fetch the project's repository, check it and record the run; keep and return what became of the attempt.

    Nothing is recorded while commit, memories and model are those of the last run. Whatever fails is kept, and told in
    the log once.
    """
    try:
        ended = _attempt(graph, settings, scope, begun, go_on)
    except Stopped:
        ended = _failed(begun, "its server was stopped", "nothing: the next run looks at everything anew")
    except ArchmemError as error:
        told = "; ".join([error.what, *(f"{fault.where}: {fault.what}" for fault in error.faults[:_TOLD])])
        ended = _failed(begun, told, error.next_step)
    except Exception as error:
        _log.exception("the drift run of %r failed unexpectedly", scope.project)
        ended = _failed(begun, f"archmem failed unexpectedly: {type(error).__name__}", "look into the server's log")
    if ended.state is AttemptState.FAILED:
        before = [one.error for one in graph.attempts(scope) if one.id != begun.id]
        if before[:1] != [ended.error]:
            _log.warning("the drift run of %r failed: %s", scope.project, ended.error)
    return graph.end_attempt(scope, ended)


def begin_run(graph: MemoryGraph, scope: Scope, actor: str) -> Attempt:
    """Keep that somebody starts a run; raise Unknown where the project names no repository."""
    required(graph.project(scope.organisation, scope.project))
    begun = graph.begin_attempt(scope, actor)
    assert begun is not None
    return begun


def schedule_of(project: Project, settings: Settings, *, fetch: bool, go_on: Callable[[], None]) -> Schedule | None:
    """Return when the project is to be checked, as its repository's HEAD says, else the server's settings."""
    with opened(project, settings, fetch=fetch, go_on=go_on) as repository:
        return _schedule_at(repository, settings)


def status_of(graph: MemoryGraph, settings: Settings, scope: Scope) -> DriftStatus:
    """Return what is checked and when, the last run and the latest attempts; nothing is fetched."""
    project = graph.project(scope.organisation, scope.project)
    attempts, runs = graph.attempts(scope), graph.drift_runs(scope, 1)
    schedule, problem = None, ""
    if project.repository:
        try:
            schedule = schedule_of(project, settings, fetch=False, go_on=lambda: None)
        except ArchmemError as error:
            problem = error.what
    last = last_scheduled(attempts)
    return DriftStatus(
        repository=project.repository,
        branch=project.branch,
        schedule=schedule.text if schedule else "",
        next_at=(schedule.after(last) if last else now()) if schedule else None,
        problem=problem,
        last=summary_of(runs[0]) if runs else None,
        attempts=attempts,
    )


def accept_refs(graph: MemoryGraph, settings: Settings, scope: Scope, refs: Collection[str], actor: str) -> Accepted:
    """Accept elements as the repository's HEAD has them, as fetched last; `content` is the file to commit for it."""
    with opened(graph.project(scope.organisation, scope.project), settings) as repository:
        head = repository.head()
        _, model = read_project(repository, head)
        content, gained = accept(repository, model, refs, at=now(), commit=head)
    return record_accepted(graph, scope, gained, content, ACCEPTED_FILE, actor)


def _attempt(
    graph: MemoryGraph, settings: Settings, scope: Scope, begun: Attempt, go_on: Callable[[], None]
) -> Attempt:
    project = graph.project(scope.organisation, scope.project)
    with opened(project, settings, fetch=True, go_on=go_on) as repository:
        head, asked = repository.head(), asked_of(graph, scope)
        inputs = _digest({**asked, "elements": [one.element.ref for one in graph.elements(scope) if not one.retired]})
        made = begun.model_copy(update={"head": head, "inputs": inputs})
        if _is_known(graph, scope, made):
            return made.model_copy(update={"state": AttemptState.UNCHANGED})
        ran = run_at(graph, scope, repository, head, asked)
    unknown = unknown_elements(graph, scope, ran.report)
    warnings = [f"{ref} is not in the stored model; run `archmem model import`" for ref in unknown]
    if len(warnings) > _TOLD:
        warnings[_TOLD:] = [f"{len(warnings) - _TOLD} more elements are not in the stored model"]
    ended = {"state": AttemptState.RECORDED, "run": ran.stamped.run, "warnings": tuple(warnings)}
    return made.model_copy(update=ended)


def _is_known(graph: MemoryGraph, scope: Scope, made: Attempt) -> bool:
    """Say whether the newest run is of this very commit, with all that it was asked for."""
    if graph.checked_head(scope) != made.head:
        return False
    last = next((one for one in graph.attempts(scope) if one.state in _CHECKED), None)
    return last is not None and (last.head, last.inputs) == (made.head, made.inputs)


def _digest(asked: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(to_jsonable_python(asked), sort_keys=True).encode()).hexdigest()


def _schedule_at(repository: Repository, settings: Settings) -> Schedule | None:
    file = project_file_of(repository.tree(repository.head()))
    if file.drift.schedule:
        return parse_schedule(file.drift.schedule, f"{FILE_NAME} [drift.schedule]")
    return parse_schedule(settings.drift_schedule, "ARCHMEM_DRIFT_SCHEDULE") if settings.drift_schedule else None


def _failed(begun: Attempt, error: str, next_step: str) -> Attempt:
    return begun.model_copy(update={"state": AttemptState.FAILED, "error": error, "next_step": next_step})
