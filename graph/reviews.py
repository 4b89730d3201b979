"""What waits for a person's look: why, what somebody dismissed, and what a machine proposes."""

from enum import StrEnum
from typing import Literal

from graph.frozen import Frozen, Moment


class Why(StrEnum):
    """Why an entry is in the review inbox, in the order in which it lists them."""

    DRIFTED = "drifted"
    IGNORED = "ignored"
    UNREVIEWED = "unreviewed"
    PROPOSED = "proposed"
    NEAR_DUPLICATE = "near_duplicate"
    PENDING_LINK = "pending_link"


class Dismissal(Frozen):
    """An entry that is not shown again until its cause is another one.

    `subject` is the id of a memory or of a link, or the ids of a pair, the lesser one first.
    """

    why: Why
    subject: str
    cause: str = ""
    at: Moment
    by: str


class ProposalKind(StrEnum):
    """What is proposed for a memory."""

    SUPERSEDE = "supersede"
    ARCHIVE = "archive"


class Proposal(Frozen):
    """A change of a memory that waits for a person; `body` holds the draft and the reason, sealed.

    A decided one stays, with who decided when.
    """

    id: str
    kind: ProposalKind
    memory: str
    at: Moment
    by: str
    session: str = ""
    body: str
    outcome: Literal["", "accepted", "rejected"] = ""
    decided_at: Moment | None = None
    decided_by: str = ""


def pair_of(one: str, other: str) -> str:
    """Return what a pair of memories is dismissed under."""
    return " ".join(sorted((one, other)))
