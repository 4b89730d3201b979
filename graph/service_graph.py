"""The façade's part for whoever runs the service: who may ask."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Self

from graph import admitting
from graph.access import Access, AccessKeyView, Right
from graph.parts import Parts
from graph.stores.guarded import GuardedStore


class ServiceGraph:
    """What the people who run a store do with it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    # Access keys
    def limited_to(self, access: Access) -> Self:
        """Return this graph as an access sees it: everything else is answered as what is not there."""
        return type(self)(replace(self._parts, store=GuardedStore(self._parts.store, access)))

    def access_of(self, organisation: str, token: str) -> Access:
        """Return what an access key's token allows in an organisation; raise Unauthorised."""
        return admitting.access_of(self._parts, organisation, token)

    def create_access_key(
        self,
        organisation: str,
        name: str,
        *,
        right: Right = Right.WRITE,
        projects: Sequence[str] = (),
        expires_at: datetime | None = None,
        actor: str,
    ) -> AccessKeyView:
        """Make an access key for projects (ids or identities; none: the whole organisation); its token is told once.

        Raises InvalidInput, Unknown, Conflict for a name that is taken.
        """
        return admitting.create(
            self._parts, organisation, name, right=right, projects=projects, expires_at=expires_at, actor=actor
        )

    def access_keys(self, organisation: str) -> tuple[AccessKeyView, ...]:
        """Return the organisation's access keys, revoked ones too."""
        return admitting.listed(self._parts, organisation)

    def revoke_access_key(self, organisation: str, name: str, *, actor: str) -> AccessKeyView:
        """End an access key, by its id or name; raise Unknown or Ambiguous."""
        return admitting.revoke(self._parts, organisation, name, actor=actor)
