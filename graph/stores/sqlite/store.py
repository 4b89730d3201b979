"""The embedded store itself: units of work over one file, and the list of projects."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from graph.access import AccessKey
from graph.errors import Conflict
from graph.scopes import Project, Scope
from graph.stores.port import ReadUnit, WriteUnit
from graph.stores.rows import project_of
from graph.stores.sqlite.base import Shared, add_scope
from graph.stores.sqlite.connection import BUSY_MS, Connections
from graph.stores.sqlite.drift import Drift
from graph.stores.sqlite.dumping import Dump, scopes_of
from graph.stores.sqlite.events import Events
from graph.stores.sqlite.links import Links
from graph.stores.sqlite.memories import Memories
from graph.stores.sqlite.model import Model
from graph.stores.sqlite.restoring import ADD_PROJECT, Restore, project_row
from graph.stores.sqlite.reviews import Reviews
from graph.stores.sqlite.search import Search
from graph.stores.sqlite.sessions import Sessions
from graph.stores.transfer import DumpUnit, RestoreUnit

T = TypeVar("T")

_PROJECT = "id, name, created_at, version, repository, branch"


class Unit(Memories, Search, Links, Model, Drift, Sessions, Reviews, Events):
    """All verbs of the port, on one transaction."""

    def organisation(self) -> "Unit | None":
        """Return the same transaction in the organisation's own scope, for a project; None for the organisation."""
        return Unit(self._db, self._scope.organisation_wide, self._shared) if self._scope.project else None

    def projects(self) -> "tuple[Unit, ...]":
        """Return the same transaction in the scope of each of the organisation's projects; none for a project."""
        names = self._db.execute(
            "SELECT project FROM scopes WHERE organisation = ? AND project <> '' AND ? = ''",
            (self._scope.organisation, self._scope.project),
        ).fetchall()
        scopes = (Scope(organisation=self._scope.organisation, project=name) for (name,) in names)
        return tuple(Unit(self._db, scope, self._shared) for scope in scopes)


class SqliteStore:
    """Keeps the graph in one SQLite file; any number of processes and threads may share it."""

    def __init__(self, path: Path, busy_ms: int = BUSY_MS) -> None:
        self.path = path
        self._connections = Connections(path, busy_ms)
        self._shared = Shared()

    @property
    def identity(self) -> str:
        """What tells this store from every other, however it is addressed."""
        return str(self.path.resolve())

    def read(self, scope: Scope, work: Callable[[ReadUnit], T]) -> T:
        """Run `work` on one consistent view of the scope; takes no write lock."""
        with self._connections.reading() as connection:
            return work(Unit(connection, scope, self._shared))

    def write(self, scope: Scope, work: Callable[[WriteUnit], T]) -> T:
        """Run `work` in one transaction; nothing of it stays when it raises."""
        unit: Unit | None = None
        try:
            with self._connections.writing() as connection:
                add_scope(connection, scope)
                unit = Unit(connection, scope, self._shared.apart())
                return work(unit)
        except BaseException:
            if unit is not None and unit.vectors_changed:
                self._shared.matrices.forget()
            raise

    def projects(self, organisation: str) -> tuple[Project, ...]:
        """Return the organisation's projects by name."""
        with self._connections.reading() as connection:
            rows = list(
                connection.execute(
                    f"SELECT {_PROJECT} FROM projects WHERE organisation = ? ORDER BY name, id",
                    (organisation,),
                )
            )
            return tuple(_project(connection, organisation, row) for row in rows)

    def find_project(self, organisation: str, identity: str) -> Project | None:
        """Return the project with this id or identity."""
        with self._connections.reading() as connection:
            rows = connection.execute(
                f"SELECT {_PROJECT} FROM projects WHERE organisation = ?1 AND "
                "(id = ?2 OR id = (SELECT project FROM identities WHERE organisation = ?1 AND identity = ?2)) "
                "ORDER BY id = ?2 DESC LIMIT 1",
                (organisation, identity),
            )
            row = next(rows, None)
            return None if row is None else _project(connection, organisation, row)

    def put_project(self, project: Project) -> None:
        """Add or change a project; raise Conflict when an identity is another project's."""
        with self._connections.writing() as connection:
            add_scope(connection, Scope(organisation=project.organisation, project=project.id))
            connection.execute(
                f"{ADD_PROJECT} ON CONFLICT(organisation, id) DO UPDATE SET name = excluded.name, "
                "version = excluded.version, repository = excluded.repository, branch = excluded.branch",
                project_row(project),
            )
            for identity in project.identities:
                connection.execute(
                    "INSERT OR IGNORE INTO identities VALUES(?,?,?)", (project.organisation, identity, project.id)
                )
                owner = connection.execute(
                    "SELECT project FROM identities WHERE organisation = ? AND identity = ?",
                    (project.organisation, identity),
                ).get
                if owner != project.id:
                    raise Conflict(
                        f"{identity!r} leads to project {owner!r} already",
                        id=identity,
                        next_step="use that project, or give this one its own `[project] id` in archmem.toml",
                    )

    def put_access_key(self, key: AccessKey) -> None:
        """Keep an access key, in place of one with its id."""
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO access_keys VALUES(?, ?, ?)",
                (key.id, key.organisation, key.model_dump_json(exclude_defaults=True)),
            )

    def access_keys(self, organisation: str) -> tuple[AccessKey, ...]:
        """Return the organisation's access keys by id."""
        with self._connections.reading() as connection:
            rows = connection.execute(
                "SELECT body FROM access_keys WHERE organisation = ? ORDER BY id", (organisation,)
            ).fetchall()
        return tuple(AccessKey.model_validate_json(str(body)) for (body,) in rows)

    def access_key(self, name: str) -> AccessKey | None:
        """Return the access key of this id."""
        with self._connections.reading() as connection:
            body = connection.execute("SELECT body FROM access_keys WHERE id = ?", (name,)).get
        return None if body is None else AccessKey.model_validate_json(str(body))

    def organisations(self) -> tuple[str, ...]:
        """Return the organisations of which there is anything, by name."""
        with self._connections.reading() as connection:
            return tuple(row[0] for row in connection.execute("SELECT DISTINCT organisation FROM scopes ORDER BY 1"))

    def dump(self, scope: Scope, work: Callable[[DumpUnit], T], *, whole: bool = False) -> T:
        """Run `work` on all that the exact scope holds, or the `whole` organisation, as one consistent view."""
        with self._connections.reading() as connection:
            return work(Dump(connection, scopes_of(connection, scope, whole)))

    def restoring(self, work: Callable[[RestoreUnit], T]) -> T:
        """Run `work` in one transaction over any scopes; nothing of it stays when it raises."""
        with self._connections.writing() as connection:
            return work(Restore(connection, self._shared.apart()))

    def close(self) -> None:
        """Release files and connections."""
        self._connections.close()


def _project(connection: apsw.Connection, organisation: str, row: tuple[str, str, int, int, str, str]) -> Project:
    identities = connection.execute(
        "SELECT identity FROM identities WHERE organisation = ? AND project = ? ORDER BY identity",
        (organisation, row[0]),
    )
    return project_of((organisation, *row[:4], [identity for (identity,) in identities], *row[4:]))
