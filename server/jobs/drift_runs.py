"""The job that checks projects when their schedules say; of several servers, one takes each tick."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from graph.attempting import last_scheduled
from graph.attempts import SCHEDULE
from graph.errors import ArchmemError
from graph.memory_graph import MemoryGraph
from graph.scopes import Project, Scope
from server.bootstrap import now
from server.schedules import Schedule
from server.settings import Settings
from server.watching import Stopped, attempt_run, schedule_of

_LISTED_EVERY = 5.0  # seconds
_LOOKED_AT_AGAIN = 600.0  # seconds until a repository without a schedule is looked at again
_RETRIED_AFTER = 60.0  # seconds until one that cannot be had is asked again, where its schedule is not known
_RESTS = 60.0  # seconds at most between two looks at the store: a machine may sleep, and its clock be set
_log = logging.getLogger(__name__)

Start = Callable[[Callable[[], None]], None]
"""Runs something on a thread of its own, soon."""


@dataclass(slots=True)
class _Watched:
    """What this server knows of a project: until when (on its own clock) there is nothing to do, what it last saw."""

    project: Project
    rest_until: float = 0.0
    is_busy: bool = False
    schedule: Schedule | None = None


class DriftRuns:
    """Looks every now and then whose time has come, and has those projects checked."""

    def __init__(self, graph: MemoryGraph, settings: Settings, start: Start) -> None:
        self._graph = graph
        self._settings = settings
        self._start = start
        self._ending = threading.Event()
        self._watched: dict[str, _Watched] = {}
        self._listed_at = float("-inf")

    def stop(self) -> None:
        """End the runs that are on at their next question to git."""
        self._ending.set()

    def __call__(self) -> None:
        """Start what is due; it is over at once."""
        try:
            self._list()
        except ArchmemError as error:
            _log.warning("the projects cannot be listed: %s", error.what)
        for watched in self._watched.values():
            if not watched.is_busy and time.monotonic() >= watched.rest_until:
                watched.is_busy = True
                self._start(lambda watched=watched: self._turn(watched))  # type: ignore[misc]

    def _list(self) -> None:
        if time.monotonic() < self._listed_at + _LISTED_EVERY:
            return
        projects = {one.id: one for one in self._graph.projects(self._settings.organisation) if one.repository}
        self._listed_at = time.monotonic()
        for name in self._watched.keys() - projects.keys():
            del self._watched[name]
        for name, project in projects.items():
            known = self._watched.get(name)
            if known is None or _repository(known.project) != _repository(project):
                self._watched[name] = _Watched(project)

    def _turn(self, watched: _Watched) -> None:
        """Take the project's tick if it is due and nobody else took it, and run; then know when to look again."""
        rest = _LOOKED_AT_AGAIN
        try:
            rest = self._run(watched)
        except Stopped:
            return
        except ArchmemError as error:
            _log.warning("project %r is not checked: %s", watched.project.id, error.what)
        finally:
            watched.rest_until = time.monotonic() + rest
            watched.is_busy = False

    def _run(self, watched: _Watched) -> float:
        """Return for how many seconds there is nothing more to do."""
        project = watched.project
        scope = Scope(organisation=project.organisation, project=project.id)
        try:
            schedule = watched.schedule or schedule_of(project, self._settings, fetch=True, go_on=self._go_on)
        except ArchmemError:
            # An attempt fails of the same, and keeps why for everybody to see.
            self._attempt(scope, None)
            return _RETRIED_AFTER
        watched.schedule = schedule
        if schedule is None:
            return _LOOKED_AT_AGAIN
        if schedule.is_due(last_scheduled(self._graph.attempts(scope)), now()):
            self._attempt(scope, schedule)
            # What was fetched may say another one, or a faulty one, which the next turn tells.
            watched.schedule = self._read_again(project)
        last = last_scheduled(self._graph.attempts(scope)) or now()
        return min(_RESTS, (schedule.after(last) - now()).total_seconds())

    def _attempt(self, scope: Scope, schedule: Schedule | None) -> None:
        due = None if schedule is None else lambda last: schedule.is_due(last, now())
        begun = self._graph.begin_attempt(scope, SCHEDULE, due)
        if begun is not None:
            attempt_run(self._graph, self._settings, scope, begun, self._go_on)

    def _read_again(self, project: Project) -> Schedule | None:
        try:
            return schedule_of(project, self._settings, fetch=False, go_on=self._go_on)
        except ArchmemError:
            return None

    def _go_on(self) -> None:
        if self._ending.is_set():
            raise Stopped


def _repository(project: Project) -> tuple[str, str]:
    return project.repository, project.branch
