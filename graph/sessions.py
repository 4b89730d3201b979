"""Sessions: declared units of an agent's work, with the elements that they hold meanwhile."""

from datetime import datetime, timedelta
from enum import StrEnum

from graph.frozen import Frozen, Moment


class Gate(StrEnum):
    """Whether the work may begin: `deny` while another session holds an element for itself alone."""

    ALLOW = "allow"
    WARN = "warn"
    DENY = "deny"


class Lease(Frozen):
    """An element (by id) that a session holds; `exclusive` wants nobody beside it, and silence loses it."""

    element: str
    exclusive: bool = False
    lost_at: Moment | None = None


class Work(Frozen):
    """What a session declared at its start, and how it ended: `outcome` is the memory that it wrote.

    `task` is sealed as a person wrote it.
    """

    agent: str
    task: str
    started_at: Moment
    leases: tuple[Lease, ...] = ()
    finished_at: Moment | None = None
    outcome: str = ""


class Session(Frozen):
    """A session as a store keeps it: when it was seen last and reported last, and its work when it declared any."""

    id: str
    seen_at: Moment
    reported_at: Moment | None = None
    work: Work | None = None


def is_silent(session: Session, now: datetime, minutes: int) -> bool:
    """Say whether a session said nothing for so long that its leases are lost."""
    return now - session.seen_at > timedelta(minutes=minutes)


def without_leases(work: Work, now: datetime) -> Work:
    """Return the work with every lease lost that was not lost before."""
    lost = tuple(one if one.lost_at else one.model_copy(update={"lost_at": now}) for one in work.leases)
    return work.model_copy(update={"leases": lost})
