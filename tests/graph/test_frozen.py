"""Values: closed, finite, Unicode, and times that are UTC or refused."""
# ruff: noqa: DTZ901

from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from graph.frozen import Frozen, Moment, as_utc
from graph.stores.rows import from_micros, to_micros

OFFSETS = st.timedeltas(timedelta(hours=-24, microseconds=1), timedelta(hours=24, microseconds=-1))
ENDS = st.sampled_from((datetime.min, datetime.max))
# The calendar's ends are naive, since they are what is given a zone here.
NEAR_ENDS = st.tuples(ENDS, st.timedeltas(timedelta(0), timedelta(days=2))).map(
    lambda end: end[0] + end[1] if end[0] == datetime.min else end[0] - end[1]
)


class Zone(tzinfo):
    """A zone of any offset, or of none."""

    def __init__(self, offset: timedelta | None) -> None:
        self._offset = offset

    def utcoffset(self, _: datetime | None) -> timedelta | None:
        return self._offset

    def dst(self, _: datetime | None) -> None:
        return None

    def tzname(self, _: datetime | None) -> str:
        return "zone"


class Value(Frozen):
    at: Moment | None = None
    number: float = 0
    text: str = ""
    texts: tuple[str, ...] = ()


@given(naive=st.datetimes() | NEAR_ENDS, offset=OFFSETS)
@example(naive=datetime.min, offset=timedelta(microseconds=1))
@example(naive=datetime.max, offset=timedelta(microseconds=-1))
@example(naive=datetime.max, offset=timedelta(0))
def test_any_aware_time_is_the_same_moment_in_utc_or_refused(naive: datetime, offset: timedelta) -> None:
    for zone in (timezone(offset), Zone(offset)):
        moment = naive.replace(tzinfo=zone)
        if not _fits(naive, offset):
            with pytest.raises(ValueError, match="1 to 9999"):
                as_utc(moment)
            with pytest.raises(ValidationError):
                Value(at=moment)
            continue
        found = as_utc(moment)
        assert (found, found.tzinfo) == (moment, UTC)
        assert found.replace(tzinfo=None) == naive - offset
        assert from_micros(to_micros(found)) == found
        assert Value.model_validate_json(Value(at=moment).model_dump_json()).at == found


def _fits(naive: datetime, offset: timedelta) -> bool:
    try:
        _ = naive - offset
    except OverflowError:
        return False
    return True


@given(naive=st.datetimes() | NEAR_ENDS)
def test_a_time_without_an_offset_is_refused_though_it_has_a_zone(naive: datetime) -> None:
    for moment in (naive, naive.replace(tzinfo=Zone(None))):
        with pytest.raises(ValueError, match="naive"):
            as_utc(moment)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "10000-01-01T00:00:00Z"])
def test_a_written_time_outside_the_calendar_is_invalid(text: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Value.model_validate({"at": text})
    assert caught.value.errors()[0]["loc"] == ("at",)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_an_endless_number_is_refused(number: float) -> None:
    with pytest.raises(ValidationError, match="finite"):
        Value(number=number)


@given(text=st.text(st.characters(codec=None), max_size=5))
@example(text="\ud800")
@example(text="\U0001f469\u200d\U0001f4bb")
def test_a_text_is_kept_whole_or_refused_where_no_store_could_hold_it(text: str) -> None:
    is_unicode = not any("\ud800" <= character <= "\udfff" for character in text)
    for fields in ({"text": text}, {"texts": (text,)}):
        if is_unicode:
            made = Value.model_validate(fields)
            assert Value.model_validate_json(made.model_dump_json()) == made
        else:
            with pytest.raises(ValidationError, match="unicode"):
                Value.model_validate(fields)


def test_a_value_is_closed_and_does_not_change() -> None:
    with pytest.raises(ValidationError, match="Extra"):
        Value.model_validate({"other": 1})
    with pytest.raises(ValidationError, match="frozen"):
        Value().text = "changed"  # type: ignore[misc]
