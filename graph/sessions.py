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

    `task` is sealed as a person wrote it. One that was silent for long is given up, until it speaks again.
    """

    agent: str
    task: str
    started_at: Moment
    leases: tuple[Lease, ...] = ()
    finished_at: Moment | None = None
    given_up_at: Moment | None = None
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


def as_of(session: Session, now: datetime, minutes: int) -> Session:
    """Return the session as it stands now: what silence has cost it is lost, from the moment on that ended it."""
    if session.work is None or session.work.finished_at or not is_silent(session, now, minutes):
        return session
    end = session.seen_at + timedelta(minutes=minutes)
    leases = tuple(one if one.lost_at else one.model_copy(update={"lost_at": end}) for one in session.work.leases)
    return session.model_copy(update={"work": session.work.model_copy(update={"leases": leases})})
