"""The one check of who may see and change what: a store that answers for a scope as an access key allows."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from graph.access import Access, AccessKey, Right
from graph.errors import Unknown
from graph.scopes import Project, Scope
from graph.stores.port import ReadUnit, WriteUnit
from graph.stores.transfer import DumpUnit, Entry, Restored, RestoreUnit, Store

T = TypeVar("T")


class GuardedStore:
    """A store as one access sees it: what it may not know is answered as what is not there.

    Units are bound to a scope and reach beyond it in two ways alone: to the organisation's own, which every key of
    it sees, and, from there, to its projects, for which a key needs the right to write the organisation's own.
    """

    def __init__(self, store: Store, access: Access) -> None:
        self._store = store
        self._access = access

    @property
    def identity(self) -> str:
        """What tells this store from every other, however it is addressed."""
        return self._store.identity

    def read(self, scope: Scope, work: Callable[[ReadUnit], T]) -> T:
        """Run `work` on one consistent view of the scope; raise Unknown for one that the access does not see."""
        self._see(scope)
        return self._store.read(scope, work)

    def write(self, scope: Scope, work: Callable[[WriteUnit], T]) -> T:
        """Run `work` in one transaction; raise Forbidden without the right to write."""
        self._see(scope)
        self._access.require(Right.WRITE, scope)
        return self._store.write(scope, work)

    def projects(self, organisation: str) -> tuple[Project, ...]:
        """Return the organisation's projects that the access sees, by name."""
        return tuple(one for one in self._store.projects(organisation) if self._access.sees(_scope_of(one)))

    def find_project(self, organisation: str, identity: str) -> Project | None:
        """Return the project with this id or identity; None for one that the access does not see."""
        found = self._store.find_project(organisation, identity)
        return found if found is not None and self._access.sees(_scope_of(found)) else None

    def put_project(self, project: Project) -> None:
        """Add or change a project; raise Forbidden without the right to administrate it.

        Which names lead to it is the organisation's matter: they may lead to a project that the access does not see.
        """
        known = self.find_project(project.organisation, project.id)
        is_renamed = known is None or set(known.identities) != set(project.identities)
        scope = _scope_of(project)
        self._see(scope.organisation_wide)
        self._access.require(Right.ADMIN, scope.organisation_wide if is_renamed else scope)
        self._store.put_project(project)

    def organisations(self) -> tuple[str, ...]:
        """Return the access's organisation."""
        return tuple(one for one in self._store.organisations() if one == self._access.organisation)

    def dump(self, scope: Scope, work: Callable[[DumpUnit], T], *, whole: bool = False) -> T:
        """Run `work` on all that the exact scope holds; the `whole` organisation needs a key for all of it."""
        self._see(scope)
        if whole:
            self._access.require(Right.READ, scope.organisation_wide)
        return self._store.dump(scope, work, whole=whole)

    def restoring(self, work: Callable[[RestoreUnit], T]) -> T:
        """Run `work` in one transaction, each entry in a scope that the access may administrate."""
        return self._store.restoring(lambda unit: work(_GuardedRestore(unit, self._access)))

    def put_access_key(self, key: AccessKey) -> None:
        """Keep an access key; raise Forbidden without the right to administrate the organisation."""
        self._administrate(key.organisation)
        self._store.put_access_key(key)

    def access_keys(self, organisation: str) -> tuple[AccessKey, ...]:
        """Return the organisation's access keys; raise Forbidden without the right to administrate it."""
        self._administrate(organisation)
        return self._store.access_keys(organisation)

    def access_key(self, name: str) -> AccessKey | None:
        """Return the access key of this id; None for one of another organisation."""
        self._administrate(self._access.organisation)
        found = self._store.access_key(name)
        return found if found is not None and found.organisation == self._access.organisation else None

    def close(self) -> None:
        """Leave the store open: it is shared with everybody else who asks."""

    def _see(self, scope: Scope) -> None:
        if not self._access.sees(scope):
            raise Unknown(
                f"there is no project {scope.project!r}",
                id=scope.project,
                next_step="run `archmem init` in its repository, or name one of the known projects",
                candidates=[one.id for one in self.projects(self._access.organisation)],
            )

    def _administrate(self, organisation: str) -> None:
        self._see(Scope(organisation=organisation))
        self._access.require(Right.ADMIN, Scope(organisation=organisation))


class _GuardedRestore:
    """A restore into the scopes alone that the access may administrate."""

    def __init__(self, unit: RestoreUnit, access: Access) -> None:
        self._unit = unit
        self._access = access

    def restore(self, entries: Sequence[Entry]) -> tuple[Restored, ...]:
        """Take entries of one kind in; raise Forbidden for one of another scope."""
        for scope in {entry.scope for entry in entries}:
            own = scope if self._access.sees(scope) else scope.organisation_wide
            self._access.require(Right.ADMIN, own)
        return self._unit.restore(entries)


def _scope_of(project: Project) -> Scope:
    return Scope(organisation=project.organisation, project=project.id)
