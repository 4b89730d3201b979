"""The Neo4j store itself: units of work on one database, and the list of projects."""

from collections.abc import Callable
from typing import TypeVar

from graph.access import AccessKey
from graph.errors import Conflict
from graph.scopes import Project, Scope
from graph.stores.neo4j.base import Ground, NoScope, Shared, add_scope, find_scopes, identity_at, lock_scope, scope_at
from graph.stores.neo4j.connection import RETRY_SECONDS, Address, Server, Transaction, require
from graph.stores.neo4j.drift import Drift
from graph.stores.neo4j.dumping import Dump, lock_scopes
from graph.stores.neo4j.events import Events
from graph.stores.neo4j.links import Links
from graph.stores.neo4j.memories import Memories
from graph.stores.neo4j.model import Model
from graph.stores.neo4j.restoring import Restore
from graph.stores.neo4j.reviews import Reviews
from graph.stores.neo4j.search import Search
from graph.stores.neo4j.sessions import Sessions
from graph.stores.port import ReadUnit, WriteUnit
from graph.stores.rows import project_of, to_micros
from graph.stores.transfer import DumpUnit, RestoreUnit

T = TypeVar("T")

_PROJECT = (
    " RETURN p.organisation, p.id, p.name, p.created_at, p.version, "
    "[(p)<-[:LEADS_TO]-(i:Identity) | i.identity], coalesce(p.repository, ''), coalesce(p.branch, ''), "
    "p.id AS id, p.name AS name"
)


class Unit(Memories, Search, Links, Model, Drift, Sessions, Reviews, Events):
    """All verbs of the port, on one transaction."""

    def organisation(self) -> "Unit | None":
        """Return the same transaction in the organisation's own scope, for a project; None for the organisation."""
        if not self._scope.project:
            return None
        return Unit(self._ground, self._scope.organisation_wide, self._numbers)

    def projects(self) -> "tuple[Unit, ...]":
        """Return the same transaction in the scope of each of the organisation's projects; none for a project.

        Other writes to them wait until it ends.
        """
        if self._scope.project:
            return ()
        rows = self._tx.rows(
            "MATCH (s:Scope {organisation: $organisation}) WHERE s.project <> '' "
            "WITH s ORDER BY s.project SET s.locked = true RETURN s.project, s.n",
            organisation=self._scope.organisation,
        )
        scopes = {Scope(organisation=self._scope.organisation, project=name): n for name, n in rows}
        return tuple(Unit(self._ground, scope, {**self._numbers, scope: n}) for scope, n in scopes.items())


class Neo4jStore:
    """Keeps the graph in one Neo4j database; any number of servers and threads may share it."""

    def __init__(self, address: Address, retry_seconds: float = RETRY_SECONDS) -> None:
        self.address = address
        self._server = Server(address, retry_seconds)
        self._shared = Shared()

    @property
    def identity(self) -> str:
        """What tells this store from every other, however it is addressed."""
        row = self._server.read(lambda tx: tx.one("MATCH (a:Archmem {one: 1}) RETURN a.id"))
        return str(row[0]) if row else ""

    @property
    def version(self) -> str:
        """The server's name, version and edition."""
        return self._server.version()

    def read(self, scope: Scope, work: Callable[[ReadUnit], T]) -> T:
        """Run `work` on the scope as it is committed; a later statement may see a later commit. Takes no lock."""

        def whole(tx: Transaction) -> T:
            return work(self._unit(tx, scope, writing=False))

        return self._server.read(whole)

    def write(self, scope: Scope, work: Callable[[WriteUnit], T]) -> T:
        """Run `work` in one transaction, the scope locked first; nothing of it stays when it raises."""

        def whole(tx: Transaction) -> T:
            lock_scope(tx, scope)
            unit = self._unit(tx, scope, writing=True)
            result = work(unit)
            unit._ground.number()
            return result

        return self._writing(whole)

    def projects(self, organisation: str) -> tuple[Project, ...]:
        """Return the organisation's projects by name."""
        rows = self._server.read(
            lambda tx: tx.rows(
                f"MATCH (p:Project {{organisation: $organisation}}){_PROJECT} ORDER BY name, id",
                organisation=organisation,
            )
        )
        return tuple(map(project_of, rows))

    def find_project(self, organisation: str, identity: str) -> Project | None:
        """Return the project with this id or identity."""
        rows = self._server.read(
            lambda tx: tx.rows(
                "MATCH (p:Project {organisation: $organisation}) WHERE p.id = $identity "
                "OR EXISTS { (p)<-[:LEADS_TO]-(:Identity {at: $at}) }" + _PROJECT,
                organisation=organisation,
                identity=identity,
                at=identity_at(organisation, identity),
            )
        )
        found = sorted(map(project_of, rows), key=lambda project: project.id != identity)
        return next(iter(found), None)

    def put_project(self, project: Project) -> None:
        """Add or change a project; raise Conflict when an identity is another project's."""
        scope = Scope(organisation=project.organisation, project=project.id)

        def whole(tx: Transaction) -> None:
            lock_scope(tx, scope)
            self._unit(tx, scope, writing=True)
            tx.run(
                "MATCH (p:Scope {at: $at}) SET p:Project, p.id = $id, p.name = $name, p.version = $version, "
                "p.repository = $repository, p.branch = $branch, p.created_at = coalesce(p.created_at, $created)",
                at=scope_at(scope),
                id=project.id,
                name=project.name,
                version=project.version,
                repository=project.repository,
                branch=project.branch,
                created=to_micros(project.created_at),
            )
            owners = tx.rows(
                "MATCH (p:Scope {at: $at}) UNWIND $identities AS identity "
                "MERGE (i:Identity {at: identity[0]}) ON CREATE SET i.identity = identity[1] "
                "SET i.locked = true WITH p, i "
                "FOREACH (x IN CASE WHEN EXISTS { (i)-[:LEADS_TO]->() } THEN [] ELSE [i] END | "
                "CREATE (x)-[:LEADS_TO]->(p)) "
                "WITH i MATCH (i)-[:LEADS_TO]->(owner) RETURN i.identity, owner.id",
                at=scope_at(scope),
                # In one order, so that no two wait for each other.
                identities=[[identity_at(project.organisation, one), one] for one in sorted(project.identities)],
            )
            for identity, owner in owners:
                if owner != project.id:
                    raise Conflict(
                        f"{identity!r} leads to project {owner!r} already",
                        id=identity,
                        next_step="use that project, or give this one its own `[project] id` in archmem.toml",
                    )

        self._writing(whole)

    def put_access_key(self, key: AccessKey) -> None:
        """Keep an access key, in place of one with its id."""

        def whole(tx: Transaction) -> None:
            self._ground(tx, writing=True)
            tx.run(
                "MERGE (k:AccessKey {id: $id}) SET k.organisation = $organisation, k.body = $body",
                id=key.id,
                organisation=key.organisation,
                body=key.model_dump_json(exclude_defaults=True),
            )

        self._writing(whole)

    def access_keys(self, organisation: str) -> tuple[AccessKey, ...]:
        """Return the organisation's access keys by id."""
        rows = self._server.read(
            lambda tx: tx.rows(
                "MATCH (k:AccessKey {organisation: $organisation}) RETURN k.body, k.id AS id ORDER BY id",
                organisation=organisation,
            )
        )
        return tuple(AccessKey.model_validate_json(body) for body, _ in rows)

    def access_key(self, name: str) -> AccessKey | None:
        """Return the access key of this id."""
        row = self._server.read(lambda tx: tx.one("MATCH (k:AccessKey {id: $id}) RETURN k.body", id=name))
        return None if row is None else AccessKey.model_validate_json(row[0])

    def organisations(self) -> tuple[str, ...]:
        """Return the organisations of which there is anything, by name."""
        rows = self._server.read(
            lambda tx: tx.rows("MATCH (s:Scope) RETURN DISTINCT s.organisation AS name ORDER BY name")
        )
        return tuple(row[0] for row in rows)

    def dump(self, scope: Scope, work: Callable[[DumpUnit], T], *, whole: bool = False) -> T:
        """Run `work` once on all that the exact scope holds, or the `whole` organisation; writers wait meanwhile."""

        def all_of_it(tx: Transaction) -> T:
            self._ground(tx, writing=False)
            return work(Dump(tx, lock_scopes(tx, scope, whole)))

        return self._server.once(all_of_it)

    def restoring(self, work: Callable[[RestoreUnit], T]) -> T:
        """Run `work` in one transaction over any scopes; nothing of it stays when it raises."""

        def whole(tx: Transaction) -> T:
            ground = self._ground(tx, writing=True)
            result = work(Restore(ground))
            ground.number()
            return result

        return self._writing(whole)

    def close(self) -> None:
        """Release connections."""
        self._server.close()

    def _writing(self, work: Callable[[Transaction], T]) -> T:
        while True:
            try:
                return self._server.write(work)
            except NoScope as missing:
                self._make(missing.scope)

    def _make(self, scope: Scope) -> None:
        def whole(tx: Transaction) -> None:
            self._ground(tx, writing=True)
            add_scope(tx, scope)

        self._server.write(whole)

    def _ground(self, tx: Transaction, *, writing: bool) -> Ground:
        meta, _ = find_scopes(tx, ())
        require(meta, self.address, writing=writing)
        return Ground(tx, self._shared, meta, writing=writing)

    def _unit(self, tx: Transaction, scope: Scope, *, writing: bool) -> Unit:
        meta, numbers = find_scopes(tx, scope.visible)
        require(meta, self.address, writing=writing)
        return Unit(Ground(tx, self._shared, meta, writing=writing), scope, numbers)
