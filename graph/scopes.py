"""Scopes, projects and who acts: every record carries them from the first migration on."""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache

from pydantic import Field

from graph.frozen import Frozen, Moment, is_empty

Clock = Callable[[], datetime]
"""Gives the present moment, aware and in UTC."""

Ids = Callable[[], str]
"""Gives a new UUIDv7."""

LOCAL_ORGANISATION = "local"


class Scope(Frozen):
    """Where a record lives: a project of an organisation; the empty project is the whole organisation."""

    organisation: str = Field(default=LOCAL_ORGANISATION, min_length=1, max_length=200)
    project: str = Field(default="", max_length=300)

    @property
    def organisation_wide(self) -> "Scope":
        return Scope(organisation=self.organisation)

    @property
    def visible(self) -> tuple["Scope", ...]:
        """The scopes that recall sees from here: the project, then the organisation."""
        return _visible(self)


class Project(Frozen):
    """A project by its id; `identities` are the former and other names that lead to it.

    `repository` is the address or path that a server checks by itself, `branch` the one it follows there (none: HEAD).
    """

    organisation: str
    id: str
    name: str
    identities: tuple[str, ...] = ()
    created_at: Moment
    version: int = 1
    # Left out where there is none: an export of a project without them is what it was before they existed.
    repository: str = Field(default="", max_length=2_000, exclude_if=is_empty)
    branch: str = Field(default="", max_length=300, exclude_if=is_empty)


@lru_cache(maxsize=4_096)
def _visible(scope: Scope) -> tuple[Scope, ...]:
    return (scope, scope.organisation_wide) if scope.project else (scope,)
