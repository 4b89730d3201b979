"""Where a call stands: which graph and project, who acts, and which checkout they work in."""

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from graph.errors import ArchmemError
from graph.memories import Checkout
from graph.scopes import Scope

if TYPE_CHECKING:
    from graph.memory_graph import MemoryGraph
    from server.opening import Opened
    from server.settings import Settings

T = TypeVar("T")

_UNNAMED = "mcp/unknown"
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Seat:
    """The graph and the scope that a call is about; `session` is the one meant when the call names none.

    `checkout` is where the writer stands, and `checked`, where nobody knows that, what the last drift run told of;
    `catch_up` returns what must be said about the flags, `path_of` a path as the repository names it.
    """

    graph: "MemoryGraph"
    scope: Scope
    actor: str
    session: str = ""
    notice: str = ""
    checkout: Callable[[], Checkout | None] = lambda: None
    checked: Callable[[], Checkout | None] = lambda: None
    catch_up: Callable[[], str] = lambda: ""
    path_of: Callable[[str], str] = str
    back_fill: Callable[[], None] = lambda: None


def actor_of(*names: str) -> str:
    """Return who acts: the first of these names that there is, as history shows it."""
    cleaned = ("".join(one for one in name if one.isprintable()).strip()[:_LONGEST_NAME] for name in names)
    return next(filter(None, cleaned), _UNNAMED)


Seats = Callable[[str, Any], Seat]
"""Gives the seat of a call: by the client's name, and the HTTP request where there is one; raises ArchmemError."""


class OwnSeat:
    """The seat of a process that one client started in its project's folder; the store is opened when it is needed."""

    def __init__(self, folder: Path, options: Mapping[str, Any], environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._options = options
        self._environment = environment
        self._stack = ExitStack()
        self._opened: Opened | None = None
        self._opening = threading.Lock()
        # Calls run side by side, and a repository is read by one at a time.
        self._reading = threading.Lock()

    def __call__(self, client: str, _: Any = None) -> Seat:
        """Return the seat; raise what is wrong with the folder, the settings or the project, at each call anew."""
        opened = self._open()
        return Seat(
            graph=opened.graph,
            scope=opened.scope,
            actor=actor_of(opened.settings.actor, client),
            session=opened.settings.session,
            notice=opened.words_alone,
            checkout=lambda: self._alone(opened.checkout),
            catch_up=lambda: self._alone(opened.catch_up),
            path_of=opened.workplace.path_of,
            back_fill=opened.back_fill,
        )

    def warm(self) -> None:
        """Open the store before it is needed; what is wrong is told by the first call."""
        with suppress(ArchmemError):
            self._open()

    def close(self) -> None:
        """Close the store."""
        with self._opening:
            self._opened = None
            self._stack.close()

    def _open(self) -> "Opened":
        from server.opening import open_store
        from server.settings import load_settings
        from server.workplace import workplace_at

        with self._opening:
            if self._opened is None:
                with ExitStack() as stack:
                    workplace = stack.enter_context(workplace_at(self._folder))
                    settings: Settings = load_settings(self._options, self._environment, workplace.file)
                    self._opened = stack.enter_context(open_store(workplace, settings))
                    self._stack = stack.pop_all()
            return self._opened

    def _alone(self, work: Callable[[], T]) -> T:
        with self._reading:
            return work()
