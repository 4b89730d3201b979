"""The base of every value that crosses rooms: frozen, closed, with aware UTC times."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: equal by content, refuses unknown fields and change."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def as_utc(moment: datetime) -> datetime:
    """Return the moment in UTC; raise ValueError when it has no offset."""
    if moment.tzinfo is None:
        raise ValueError("a time needs an offset; a naive one is refused")
    return moment.astimezone(UTC)


Moment = Annotated[datetime, AfterValidator(as_utc)]
"""A point in time, always aware and in UTC."""
