"""All that a process holds of a store's memories, by scope; numpy is imported with the first of it."""

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graph.stores.held import Held

_MOST_ROWS = 1_000_000


class Holdings:
    """What is held, the least recently used given up first; one lock over it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._held: OrderedDict[tuple[int, ...], Held] = OrderedDict()

    def of(self, scopes: tuple[int, ...]) -> "Held":
        """Return what is held of these scopes; call with the lock held."""
        from graph.stores.held import Held

        held = self._held.get(scopes)
        if held is None:
            held = self._held[scopes] = Held()
        self._held.move_to_end(scopes)
        while len(self._held) > 1 and sum(len(one.rows) for one in self._held.values()) > _MOST_ROWS:
            self._held.popitem(last=False)
        return held

    def drop(self, scopes: tuple[int, ...]) -> None:
        """Give up what is held of these scopes; call with the lock held."""
        self._held.pop(scopes, None)
