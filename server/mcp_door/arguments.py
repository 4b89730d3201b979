"""What tools are given, checked whole: every fault is named, not only the first."""

import json
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_validator, model_validator

from graph.frozen import Frozen
from graph.memories import Draft, Kind
from graph.reviews import Why


def _listed(given: object) -> object:
    """Take a text for the list that an agent meant: of one name, or written as JSON."""
    if not isinstance(given, str):
        return given
    with suppress(ValueError, RecursionError):
        if isinstance(read := json.loads(given), list):
            return read
    return [given] if given else []


Names = Annotated[tuple[str, ...], BeforeValidator(_listed), Field(max_length=50)]


class Arguments(Frozen):
    """The arguments of a tool; what is null is as if it were not given."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        return {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given

    @field_validator("*", mode="before")
    @classmethod
    def _without_nul(cls, given: Any) -> Any:
        if any(isinstance(one, str) and "\0" in one for one in (given if isinstance(given, list) else [given])):
            raise ValueError("holds a NUL character, which no text has")
        return given


class InSession(Arguments):
    session: str = Field(default="", max_length=200, description="The id that start_work_session gave.")


class Asked(InSession):
    question: str = Field(default="", description="In your words; empty tells what is known of the place.")
    elements: Names = Field(default=(), description="Refs or unique names of elements.")
    paths: Names = Field(default=(), description="Files of the repository.")
    limit: int | None = Field(default=None, description="At most so many memories.")
    budget: int | None = Field(default=None, description="At most so many characters.")
    explain: bool = Field(default=False, description="Show the factors of each score.")


class Fact(InSession):
    content: str = Field(min_length=1, max_length=20_000, description="One fact; [[Title]] links to another memory.")
    elements: Names = Field(default=(), description="Refs, unique names or paths; none: the whole project.")
    kind: Kind = Kind.NOTE
    title: str = Field(default="", description="A short unique name.")
    why: str = Field(default="", max_length=5_000)
    how_to_apply: str = Field(default="", max_length=5_000)
    when_to_use: str = Field(default="", max_length=5_000)
    claims: Names = Field(default=(), description="path, path::symbol or path::NAME=value, checked by each drift run.")

    def draft(self) -> Draft:
        """Return the fact alone, with what was left unset still unset."""
        return Draft.model_validate(self.model_dump(include=set(Draft.model_fields), exclude_unset=True))


class NewFact(Fact):
    supersedes: str = Field(default="", description="Title or id of the memory that this one replaces.")


class Named(InSession):
    memory: str = Field(min_length=1, max_length=300, description="Its title or id.")


class Successor(Fact, Named):
    pass


class Archived(Named):
    reason: str = Field(default="", max_length=2_000)


class Reviewed(InSession):
    why: Annotated[tuple[Why, ...], BeforeValidator(_listed), Field(max_length=50)] = ()
    after: str = Field(default="", max_length=2_000, description="Continue after this entry.")
    limit: int | None = Field(default=None, ge=1, le=100)


class Merging(InSession):
    memories: Names = Field(min_length=1, description="Titles or ids; they give way to `into`.")
    into: str = Field(min_length=1, max_length=300, description="Title or id of the one that stays.")


class Task(Arguments):
    task: str = Field(min_length=1, max_length=2_000, description="What you are about to do, in a sentence.")
    elements: Names = Field(default=(), description="Refs or unique names; without them they are found by the task.")
    paths: Names = Field(default=(), description="Files that you will touch.")
    exclusive: bool = Field(default=False, description="Nobody else may work on these elements meanwhile.")


class OfSession(Arguments):
    session: str = Field(min_length=1, max_length=200, description="The id that start_work_session gave.")


class Report(OfSession):
    summary: str = Field(min_length=1, max_length=20_000, description="What was done and what came of it.")
    decisions: Names = Field(default=(), description="What was decided, and why.")
    follow_ups: Names = Field(default=(), description="What is left to do.")
    used: Annotated[tuple[str, ...], BeforeValidator(_listed), Field(max_length=500)] | None = Field(
        default=None, description="Titles or ids of the memories that you relied on; [] if none helped."
    )


class Planned(InSession):
    task: str = Field(min_length=1, max_length=2_000, description="What you are about to do, in a sentence.")
    elements: Names = Field(default=(), description="Refs or unique names; without them they are found by the task.")


class Meaning(InSession):
    question: str = Field(min_length=1, max_length=2_000, description="What it is about, in your words.")
    limit: int | None = Field(default=None, ge=1, le=50)


class Place(InSession):
    element: str = Field(min_length=1, max_length=2_000, description="Ref or unique name.")


class Impacted(Place):
    depth: int | None = Field(default=None, ge=1, le=20, description="How many steps to follow.")


class Nothing(Arguments):
    pass


class Briefed(Arguments):
    task: str = Field(default="", max_length=2_000)
