"""What every part of a unit shares: the connection, the scope's row numbers, and how lists are passed."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

import apsw

from graph.scopes import Scope
from graph.stores.holdings import Holdings
from graph.stores.matrix import Matrices


@dataclass(frozen=True, slots=True)
class Shared:
    """What the units of a store share: vectors, what is held of memories, and the row numbers of scopes."""

    matrices: Matrices[tuple[int, str]] = field(default_factory=Matrices)
    holdings: Holdings = field(default_factory=Holdings)
    numbers: dict[Scope, int] = field(default_factory=dict)

    def apart(self) -> "Shared":
        """Return it for a write, in which nobody else may see what is not committed yet."""
        return Shared(matrices=self.matrices)


class Part:
    """One unit of work's ground: a connection inside a transaction, bound to a scope."""

    def __init__(self, connection: apsw.Connection, scope: Scope, shared: Shared) -> None:
        self._db = connection
        self._scope = scope
        self._shared = shared
        self._scope_n = self._scope_number(scope)
        numbers = map(self._scope_number, scope.visible)
        self._visible = tuple(number for number in numbers if number)
        self._visible_json = json.dumps(self._visible)
        self.vectors_changed = False

    @property
    def scope(self) -> Scope:
        return self._scope

    def _scope_number(self, scope: Scope) -> int:
        number = self._shared.numbers.get(scope)
        if number is None:
            number = self._db.execute(
                "SELECT n FROM scopes WHERE organisation = ? AND project = ?", (scope.organisation, scope.project)
            ).get
            if number is not None:
                self._shared.numbers[scope] = number
        return number or 0

    def _number(self, memory: str) -> int:
        """Return the row number of a visible memory, 0 when there is none."""
        found = self._db.execute(
            "SELECT n FROM memories WHERE id = ? AND scope_n IN (SELECT value FROM json_each(?))",
            (memory, self._visible_json),
        ).get
        return int(found or 0)


def add_scope(connection: apsw.Connection, scope: Scope) -> None:
    """Make sure that the scope has a row number."""
    connection.execute(
        "INSERT OR IGNORE INTO scopes(organisation, project) VALUES(?, ?)", (scope.organisation, scope.project)
    )


def as_list(values: Iterable[str]) -> str:
    """Return the values as one parameter, for `IN (SELECT value FROM json_each(?))`."""
    return json.dumps(list(values))
