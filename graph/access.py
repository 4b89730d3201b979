"""Access keys: who may ask a service from elsewhere, for which projects, and how much."""

from enum import StrEnum

from pydantic import Field

from graph.errors import Forbidden
from graph.frozen import Frozen, Moment
from graph.scopes import Scope


class Right(StrEnum):
    """How much an access key allows; each right holds those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def holds(self, other: "Right") -> bool:
        """Say whether this right allows what the other one does."""
        order = tuple(Right)
        return order.index(self) >= order.index(other)


class AccessKey(Frozen):
    """An access key as a store keeps it: `digest` stands for the token, which is shown once and kept nowhere.

    Without `projects` (ids) it is good for the whole organisation.
    """

    id: str
    organisation: str
    name: str
    right: Right
    projects: tuple[str, ...] = ()
    digest: str
    created_at: Moment
    created_by: str
    expires_at: Moment | None = None
    revoked_at: Moment | None = None
    revoked_by: str = ""


class AccessKeyView(Frozen):
    """An access key as it is listed; `token` is there once, when it was made."""

    id: str
    name: str
    right: Right
    projects: tuple[str, ...]
    created_at: Moment
    created_by: str
    expires_at: Moment | None
    revoked_at: Moment | None
    token: str = Field(default="", exclude_if=lambda token: not token)


class Access(Frozen):
    """What somebody may do: `key` is the id of the access key that says so, `name` who acts by it."""

    organisation: str
    right: Right
    projects: tuple[str, ...] = ()
    key: str = ""
    name: str = ""

    def sees(self, scope: Scope) -> bool:
        """Say whether what the scope holds may be known: a project's key sees the organisation's own memories too."""
        is_named = not self.projects or scope.project in ("", *self.projects)
        return scope.organisation == self.organisation and is_named

    def require(self, right: Right, scope: Scope) -> None:
        """Raise Forbidden where the key does not allow this in a scope that it sees."""
        if not self.right.holds(right):
            raise Forbidden(
                f"the access key {self.name!r} has the right to {self.right}, and this needs {right}",
                id=self.key,
                next_step=f"ask with a key that has the right to {right}",
            )
        if self.projects and scope.project not in self.projects:
            raise Forbidden(
                f"the access key {self.name!r} is good for its projects, and this is the whole organisation's",
                id=self.key,
                next_step="ask with a key for the whole organisation, or name a project of yours",
            )
