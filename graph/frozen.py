"""The base of every value that crosses rooms: frozen, closed, with aware UTC times."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

_ENDLESS = 2**40


class Frozen(BaseModel):
    """A value: equal by content, refuses unknown fields and change, and what no store or answer could hold.

    That is numbers without an end, and texts that are no Unicode (lone surrogates).
    """

    # Pydantic looks into a text only where its length is bounded.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, str_max_length=_ENDLESS)


def as_utc(moment: datetime) -> datetime:
    """Return the moment in UTC; raise ValueError when it has no offset, or leaves the years 1 to 9999 in UTC."""
    if moment.utcoffset() is None:  # a time zone may know no offset either
        raise ValueError("a time needs an offset; a naive one is refused")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("a time lies outside the years 1 to 9999 in UTC") from error


Moment = Annotated[datetime, AfterValidator(as_utc)]
"""A point in time, always aware and in UTC."""


def is_empty(value: object) -> bool:
    """Say whether a field is left out: what had none is exported as it was before the field existed."""
    return not value
