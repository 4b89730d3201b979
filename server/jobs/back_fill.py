"""The job that makes missing vectors, under a lease in the store: of several servers, one runs it."""

import logging
import threading
from collections.abc import Iterator, Sequence

from graph.errors import ArchmemError
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from graph.views import Progress
from server.settings import Settings
from server.watching import Stopped

BACK_FILL = "back-fill"
"""The name of the lease under which missing vectors are made."""

_LONGEST_WRITE = 60.0  # seconds that a batch may need beside its embedding
_log = logging.getLogger(__name__)


class BackFill:
    """Makes the vectors that are missing in an organisation's projects."""

    def __init__(self, graph: MemoryGraph, settings: Settings, holder: str) -> None:
        self._graph = graph
        self._everywhere = Scope(organisation=settings.organisation)
        self._holder = holder
        # A lease outlives a batch, after which it is renewed.
        self._seconds = int(settings.embedder_timeout + _LONGEST_WRITE)
        self._ending = threading.Event()

    def stop(self) -> None:
        """End after the batch that is being made."""
        self._ending.set()

    def __call__(self) -> None:
        """Look through every project; what fails is tried again the next time."""
        try:
            pending = [scope for scope in self._scopes() if self._graph.back_fill(scope, limit=0).left]
            if pending and self._lease():
                try:
                    self._fill(pending)
                finally:
                    self._graph.release(self._everywhere, BACK_FILL, self._holder)
        except Stopped:
            return
        except ArchmemError as error:
            _log.warning("%s stopped: %s", BACK_FILL, error.what)

    def _scopes(self) -> Iterator[Scope]:
        yield self._everywhere
        for project in self._graph.projects(self._everywhere.organisation):
            yield Scope(organisation=self._everywhere.organisation, project=project.id)

    def _fill(self, scopes: Sequence[Scope]) -> None:
        for scope in scopes:
            try:
                self._graph.back_fill(scope, progress=self._go_on)
            except ArchmemError as error:
                # One project's text that no model takes keeps no other waiting.
                _log.warning("%s of %r stopped: %s", BACK_FILL, scope.project, error.what)

    def _go_on(self, _: Progress) -> None:
        if self._ending.is_set() or not self._lease():
            raise Stopped

    def _lease(self) -> bool:
        return self._graph.lease(self._everywhere, BACK_FILL, self._holder, self._seconds)
