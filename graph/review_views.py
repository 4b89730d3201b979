"""What the review inbox answers, as every door shows it."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from graph.frozen import Frozen, Moment
from graph.memories import Draft
from graph.reviews import ProposalKind, Why
from graph.views import MemoryView

Action = Literal["confirm", "supersede", "merge", "archive", "accept", "reject", "remember", "dismiss"]


class ProposalView(Frozen):
    """A proposed change of a memory (by id): the `draft` that would supersede it, none to archive it, and why."""

    id: str
    kind: ProposalKind
    memory: str
    at: Moment
    by: str
    session: str = ""
    draft: Draft | None = None
    reason: str = ""
    outcome: Literal["", "accepted", "rejected"] = ""
    decided_at: Moment | None = None
    decided_by: str = ""


class InboxEntry(Frozen):
    """Something that a person should look at: why, in words, and what fits to be done.

    `other` is the second of near duplicates with their `cosine`; `link` a link's text that leads nowhere, `near` titles
    that look like it; `served_to` counts the sessions that a memory was served to, `reported_to` those of them that
    told what they used.
    """

    why: Why
    said: str
    actions: tuple[Action, ...]
    memory: MemoryView
    other: MemoryView | None = None
    cosine: float | None = None
    link: str = ""
    near: tuple[str, ...] = ()
    proposal: ProposalView | None = None
    served_to: int = 0
    reported_to: int = 0


class Inbox(Frozen):
    """A page of the review inbox; `next` continues it, empty at the end; `text` is what an agent reads.

    `counts` tells how many entries there are for each reason that was asked for.
    """

    counts: Mapping[Why, int] = Field(default_factory=dict)
    entries: tuple[InboxEntry, ...] = ()
    next: str = ""
    notices: tuple[str, ...] = ()
    text: str


class Dismissed(Frozen):
    """An entry that is not shown again `until` its cause changes."""

    why: Why
    memory: MemoryView
    other: str = ""
    until: str


class Merged(Frozen):
    """Several memories that are one now; `superseded` are the ids of those that gave way to it."""

    memory: MemoryView
    superseded: tuple[str, ...]


class Decided(Frozen):
    """A proposal that was decided, and the memory as it stands: the successor of one that was superseded."""

    proposal: ProposalView
    memory: MemoryView
