"""What requests carry."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from graph.access import Right
from graph.claims import Baseline
from graph.frozen import Frozen, Moment
from graph.memories import Checkout, Draft
from graph.reviews import Why


class NewProject(Frozen):
    """A project to register; aliases lead to it as well."""

    identity: str = Field(min_length=1, max_length=300, examples=["github.com/acme/bookshop"])
    name: str = Field(default="", max_length=200)
    aliases: tuple[str, ...] = Field(default=(), max_length=50)


class NewAccessKey(Frozen):
    """An access key to make; without projects (ids or identities) it is good for the whole organisation."""

    name: str = Field(min_length=1, max_length=200, examples=["ci"])
    right: Right = Right.WRITE
    projects: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = Field(default=(), max_length=50)
    expires_at: Moment | None = None


class Successor(Draft):
    """The memory that replaces another; title, kind and pins stay where they are not given."""

    session: str = Field(default="", max_length=200)
    checkout: Checkout | None = Field(default=None, description="The commit the writer stands on, its anchor.")
    version: int | None = Field(default=None, description="Refuse it when what it replaces changed since this version.")

    def draft(self) -> Draft:
        """Return the fact alone, with what was left unset still unset."""
        return Draft.model_validate(self.model_dump(include=set(Draft.model_fields), exclude_unset=True))


class NewMemory(Successor):
    """One fact; `supersedes` names (title or id) the memory that it replaces."""

    supersedes: str = ""


class Confirmation(Frozen):
    """A confirmation; `version` refuses it when the memory changed since."""

    checkout: Checkout | None = None
    version: int | None = None
    session: str = Field(default="", max_length=200)


class Archival(Frozen):
    """Why a memory is taken out of recall."""

    reason: str = Field(default="", max_length=2_000)
    version: int | None = None


class Renaming(Frozen):
    """A memory's new title."""

    title: str
    version: int | None = None


class ElementRenaming(Frozen):
    """An element's ref or unique name, and its new whole ref."""

    old: str = Field(min_length=1, max_length=2_000, examples=["Shop.API"])
    new: str = Field(min_length=1, max_length=2_000, examples=["Shop.Gateway"])


class Question(Frozen):
    """A question, a place (elements or paths of the repository), or both."""

    question: str = ""
    elements: tuple[str, ...] = Field(default=(), max_length=50, description="Refs or unique names.")
    paths: tuple[str, ...] = Field(
        default=(), max_length=50, description="Paths of the repository; no element need cover them."
    )
    limit: int | None = None
    budget: int | None = Field(default=None, description="At most so many characters of text.")
    explain: bool = False
    session: str = Field(default="", max_length=200)


class Citations(Frozen):
    """The memories (titles or ids) that a session relied on; none is an answer too."""

    used: tuple[str, ...] = Field(max_length=500)


class NewSession(Frozen):
    """A unit of work to begin: the task, and the elements and paths that it touches."""

    task: str = Field(min_length=1, max_length=2_000, examples=["Let customers pay by voucher"])
    agent: str = Field(default="", max_length=200, description="Who works; without one the actor.")
    elements: tuple[str, ...] = Field(default=(), max_length=50, description="Refs or unique names.")
    paths: tuple[str, ...] = Field(default=(), max_length=50, description="Paths of the repository.")
    exclusive: bool = Field(default=False, description="Let nobody else work on the named elements meanwhile.")


class Task(Frozen):
    """What somebody is about to do; without elements those that it means are found."""

    task: str = Field(min_length=1, max_length=2_000, examples=["Let customers pay by voucher"])
    elements: tuple[str, ...] = Field(default=(), max_length=50, description="Refs or unique names.")
    session: str = Field(default="", max_length=200, description="The session that is served this.")


class SessionEnd(Frozen):
    """What a session did; `used` are the memories (titles or ids) that it relied on, and unset reports nothing."""

    summary: str = Field(min_length=1, max_length=20_000)
    decisions: tuple[str, ...] = Field(default=(), max_length=50)
    follow_ups: tuple[str, ...] = Field(default=(), max_length=50)
    used: tuple[str, ...] | None = Field(default=None, max_length=500, description="None used is an answer too.")
    checkout: Checkout | None = Field(default=None, description="The commit the writer stands on, its anchor.")


_Named = Annotated[str, Field(min_length=1, max_length=2_000)]


class Dismissing(Frozen):
    """An entry of the inbox: a memory (title or id; of a rejected proposal its id) and why it is there.

    `other` is the second of near duplicates, or the text of a pending link.
    """

    memory: _Named
    why: Why
    other: str = Field(default="", max_length=20_000)


class Merging(Frozen):
    """The memories (titles or ids) to merge and the one that stays; `successor` supersedes it with new words.

    `versions` (by name) refuse the merge when a memory changed since.
    """

    memories: tuple[_Named, ...] = Field(min_length=1, max_length=100)
    into: _Named
    successor: Draft | None = None
    versions: Mapping[str, int] = Field(default_factory=dict, max_length=101)
    checkout: Checkout | None = None


class Proposing(Frozen):
    """What is proposed for a memory (title or id): the draft that supersedes it, none to archive it; and why."""

    memory: _Named
    draft: Draft | None = None
    reason: str = Field(default="", max_length=2_000)
    session: str = Field(default="", max_length=200)


class Accepting(Frozen):
    """Where the one who accepts stands."""

    checkout: Checkout | None = None


class Acceptance(Frozen):
    """What to accept: states of elements, each with the element's ref in its anchor, or refs alone."""

    baselines: tuple[Baseline, ...] = Field(default=(), max_length=10_000)
    refs: tuple[str, ...] = Field(default=(), max_length=10_000)

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if bool(self.baselines) is bool(self.refs):
            raise ValueError("give either baselines or refs")
        return self


class WatchedRepository(Frozen):
    """The repository that a server checks by itself: an https or ssh address, `git@host:path`, or a folder.

    An empty one ends that. A folder is read in place, at its HEAD, and must lie where the server may read.
    """

    repository: str = Field(max_length=2_000, examples=["https://github.com/acme/bookshop.git"])
    branch: str = Field(default="", max_length=300, description="The branch to follow; without one its HEAD.")
