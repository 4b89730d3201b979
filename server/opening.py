"""The store, opened for one command: the graph, the project's scope, and where the writer stands."""

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from graph.errors import ArchmemError
from graph.memories import Checkout
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.bootstrap import bootstrap, words_alone
from server.projects import find_project, is_of, named_project
from server.settings import Settings
from server.workplace import Workplace

_BACK_FILLED = 32


@dataclass(frozen=True, slots=True)
class Opened:
    """The graph with the scope that the command is about."""

    graph: MemoryGraph
    scope: Scope
    settings: Settings
    workplace: Workplace

    @property
    def actor(self) -> str:
        """Who writes."""
        return actor_of(self.settings)

    @property
    def words_alone(self) -> str:
        """The notice that there is no embedder; empty with one."""
        return words_alone(self.settings)

    def checkout(self) -> Checkout | None:
        """Return the commit the writer stands on; None where it is no checkout of this project."""
        return self.workplace.checkout() if self._is_here() else None

    def catch_up(self) -> str:
        """Check HEAD where it moved since the last drift run; return the notice if the flags are not of HEAD."""
        if self.workplace.repository is None or not self._is_here():
            return ""
        from server.following import catch_up

        return catch_up(self.graph, self.settings, self.scope, self.workplace.repository)

    def _is_here(self) -> bool:
        """Say whether this is a checkout of the project."""
        if self.settings.project is None:
            return True
        if self.workplace.repository is None or not self.scope.project:
            return False
        return is_of(self.scope.project, self.graph, self.scope.organisation, self.workplace)

    def back_fill(self) -> None:
        """Make a few missing vectors, after the answer; whatever hinders it is left to the next command."""
        try:
            self.graph.back_fill(self.scope, limit=_BACK_FILLED)
        except ArchmemError:
            return


@contextmanager
def open_store(workplace: Workplace, settings: Settings) -> Iterator[Opened]:
    """Give the project's part of the store; raise Unknown, with the known projects, when it is not there."""
    with graph_of(settings) as graph:
        if settings.project is None:
            project = find_project(graph, settings.organisation, workplace)
            scope = Scope(organisation=settings.organisation, project=project.id)
        else:
            scope = named_project(graph, settings.organisation, settings.project)
        yield Opened(graph=graph, scope=scope, settings=settings, workplace=workplace)


@contextmanager
def graph_of(settings: Settings) -> Iterator[MemoryGraph]:
    """Give the memory graph, and close it at the end."""
    graph = bootstrap(settings)
    try:
        yield graph
    finally:
        graph.close()


def actor_of(settings: Settings) -> str:
    """Return who writes."""
    return settings.actor or f"cli/{user_name()}"


def user_name() -> str:
    """Return the operating system's name of the user; `user` when it has none."""
    try:
        return getpass.getuser() or "user"
    except (OSError, KeyError, ImportError):
        return "user"
