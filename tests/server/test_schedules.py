"""Schedules: what they mean, and how a faulty one is told."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import InvalidInput
from graph.project_file import parse_project_file
from server.schedules import parse_schedule

MONDAY = datetime(2024, 1, 1, 12, 0, 30, tzinfo=UTC)


def times(text: str, count: int, start: datetime = MONDAY) -> list[str]:
    schedule, found = parse_schedule(text), []
    for _ in range(count):
        start = schedule.after(start)
        found.append(f"{start:%a %d %H:%M}")
    return found


def test_an_interval_counts_from_the_last_time() -> None:
    for text, seconds in (("every 2s", 2), ("@every 15m", 900), ("Every 6 h", 21_600), ("every 1d", 86_400)):
        assert parse_schedule(text).after(MONDAY) == MONDAY + timedelta(seconds=seconds)


def test_cron_means_what_it_means_to_cron() -> None:
    assert times("*/30 * * * *", 2) == ["Mon 01 12:30", "Mon 01 13:00"]
    assert times("0 3 * * mon-fri", 5) == [f"{day} 03:00" for day in ("Tue 02", "Wed 03", "Thu 04", "Fri 05", "Mon 08")]
    assert times("0 3 * * 0", 2) == times("0 3 * * 7", 2) == times("0 3 * * sun", 2) == ["Sun 07 03:00", "Sun 14 03:00"]
    assert times("0 3 * * 5-7", 3) == ["Fri 05 03:00", "Sat 06 03:00", "Sun 07 03:00"]
    assert times("0 3 * * */3", 3) == ["Wed 03 03:00", "Sat 06 03:00", "Sun 07 03:00"]
    assert times("0 3 10 * 2", 3) == ["Tue 02 03:00", "Tue 09 03:00", "Wed 10 03:00"]
    assert times("0 3 10 * *", 1) == ["Wed 10 03:00"]


def test_a_time_is_due_once() -> None:
    schedule = parse_schedule("0 3 * * *")
    assert schedule.is_due(None, MONDAY)
    assert not schedule.is_due(MONDAY, MONDAY + timedelta(hours=14))
    late = MONDAY + timedelta(hours=16)
    assert schedule.is_due(MONDAY, late)
    assert not schedule.is_due(late, late)


@pytest.mark.parametrize(
    "text",
    [
        *("", "hourly", "every 0s", "every 5 weeks", "every 99999999d", "every -1s", "* * * *", "61 * * * *"),
        *("* * * * 8", "0 0 31 2 *", "* * * * fri-mon", "* * * * mon/0", "a b c d e", "* * * foo *", "0 3 * * mon; x"),
    ],
)
def test_what_is_no_schedule_is_told_with_its_place(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_schedule(text, "ARCHMEM_DRIFT_SCHEDULE")
    assert [fault.where for fault in caught.value.faults] == ["ARCHMEM_DRIFT_SCHEDULE"]
    assert "every 15m" in caught.value.next_step


@given(st.text(alphabet="0123456789*/,-smhdmonfrievy ", max_size=25))
def test_any_text_is_a_schedule_or_refused(text: str) -> None:
    try:
        schedule = parse_schedule(text)
    except InvalidInput:
        return
    assert schedule.after(MONDAY) > MONDAY


def test_the_project_file_takes_both_and_tells_what_is_neither() -> None:
    for text in ("0 3 * * mon-fri", "every 15m"):
        assert parse_project_file(f'[drift]\nschedule = "{text}"\n'.encode()).drift.schedule == text
    with pytest.raises(InvalidInput) as caught:
        parse_project_file(b'[drift]\nschedule = "nightly"\n')
    assert "drift.schedule" in caught.value.faults[0].where
