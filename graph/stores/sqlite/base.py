"""What every part of a unit shares: the connection, the scope's row numbers, and how lists are passed."""

import json
from collections.abc import Iterable

import apsw

from graph.scopes import Scope
from graph.stores.sqlite.matrix import Matrices


class Part:
    """One unit of work's ground: a connection inside a transaction, bound to a scope."""

    def __init__(self, connection: apsw.Connection, scope: Scope, matrices: Matrices) -> None:
        self._db = connection
        self._scope = scope
        self._matrices = matrices
        self._scope_n = _scope_number(connection, scope)
        numbers = (_scope_number(connection, visible) for visible in scope.visible)
        self._visible = tuple(number for number in numbers if number)
        self._visible_json = json.dumps(self._visible)
        self.vectors_changed = False

    @property
    def scope(self) -> Scope:
        return self._scope

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


def _scope_number(connection: apsw.Connection, scope: Scope) -> int:
    found = connection.execute(
        "SELECT n FROM scopes WHERE organisation = ? AND project = ?", (scope.organisation, scope.project)
    ).get
    return int(found or 0)
