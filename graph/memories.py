"""Memories: one fact each, pinned to elements, with its history of who and when."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from graph.claims import Claim, ObjectId
from graph.frozen import Frozen, Moment, is_empty
from graph.naming import LONGEST_TITLE, exact, title_faults
from graph.scopes import Scope


class Kind(StrEnum):
    """What sort of fact a memory holds; ranking weighs it."""

    PITFALL = "pitfall"
    CONVENTION = "convention"
    NOTE = "note"
    SESSION_OUTCOME = "session_outcome"
    LESSON = "lesson"
    CONTEXT = "context"
    PREFERENCE = "preference"
    POINTER = "pointer"
    RULE = "rule"
    CARD = "card"


class State(StrEnum):
    """Where a memory stands; only live ones are recalled, none is ever removed."""

    PROPOSED = "proposed"
    LIVE = "live"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"


class Evidence(StrEnum):
    """What the last drift run found about a memory's claims."""

    NONE = "none"
    INTACT = "intact"
    CHANGED = "changed"
    GONE = "gone"
    UNCHECKED = "unchecked"


class Memory(Frozen):
    """One fact as it is stored; `elements` are the ids of the elements it is pinned to (none: the whole scope).

    `unreviewed` says that a machine captured it and nobody has looked at it yet.
    """

    id: str
    scope: Scope
    kind: Kind
    state: State = State.LIVE
    version: int = 1
    title: str = ""
    content: str
    why: str = ""
    how_to_apply: str = ""
    when_to_use: str = ""
    claims: tuple[Claim, ...] = ()
    aliases: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    created_at: Moment
    created_by: str
    confirmed_at: Moment
    confirmed_by: str
    superseded_by: str = ""
    drifted_at: Moment | None = None
    evidence: Evidence = Evidence.NONE
    unreviewed: bool = Field(default=False, exclude_if=is_empty)


class EventKind(StrEnum):
    """What happened to a memory."""

    CREATED = "created"
    CONFIRMED = "confirmed"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    RENAMED = "renamed"
    MERGED = "merged"
    REVIEWED = "reviewed"
    DRIFTED = "drifted"
    DRIFT_CLEARED = "drift_cleared"
    CHECKED = "checked"


class Event(Frozen):
    """One change of a memory: who, when, what, and the whole memory after it."""

    id: str
    memory: str
    kind: EventKind
    at: Moment
    actor: str
    note: str = ""
    session: str = ""
    after: Memory


def _title(text: str) -> str:
    title = exact(text)
    if title and (faults := title_faults(title)):
        raise ValueError(f"a title {', '.join(faults)}")
    return title


class Draft(Frozen):
    """A memory as its writer gives it; `elements` are refs, unique names or paths of the repository.

    `unreviewed` says that a machine captured it: it waits in the review inbox for somebody's look.
    """

    content: str = Field(min_length=1, max_length=20_000)
    kind: Kind = Kind.NOTE
    title: Annotated[str, AfterValidator(_title)] = Field(default="", json_schema_extra={"maxLength": LONGEST_TITLE})
    why: str = Field(default="", max_length=5_000)
    how_to_apply: str = Field(default="", max_length=5_000)
    when_to_use: str = Field(default="", max_length=5_000)
    claims: tuple[str, ...] = Field(default=(), max_length=50)
    elements: tuple[str, ...] = Field(default=(), max_length=50)
    unreviewed: bool = Field(default=False, exclude_if=is_empty)


class Checkout(Frozen):
    """Where the writer stands: a commit, and the blob ids of its files by path when they are at hand.

    Both are full object ids: a branch would move on, and the anchor with it.
    """

    commit: ObjectId
    blobs: Mapping[str, ObjectId] = Field(default_factory=dict)
