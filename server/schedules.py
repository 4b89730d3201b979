"""When a server checks a project by itself: five cron fields, or an interval; all in UTC."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Protocol

from graph.errors import Fault, InvalidInput
from graph.project_file import EVERY

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_LONGEST = timedelta(days=366)
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELD = re.compile(r"[a-z0-9*,/-]+")
_NEXT = "write five cron fields such as `0 3 * * mon-fri`, or an interval such as `every 15m` (s, m, h, d)"


class _Trigger(Protocol):
    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None: ...


class Schedule(NamedTuple):
    """A schedule as it is written, and what reckons it."""

    text: str
    trigger: "timedelta | _Trigger"

    def after(self, moment: datetime) -> datetime:
        """Return the first time later than a moment."""
        if isinstance(self.trigger, timedelta):
            return moment + self.trigger
        found = self.trigger.get_next_fire_time(None, moment + timedelta(microseconds=1))
        return found.astimezone(UTC) if found else datetime.max.replace(tzinfo=UTC)

    def is_due(self, last: datetime | None, now: datetime) -> bool:
        """Say whether it is time, when the last time that was taken was then; the first time is at once."""
        return last is None or self.after(last) <= now


def parse_schedule(text: str, where: str = "schedule") -> Schedule:
    """Return the schedule that a text spells; raise InvalidInput, naming `where` it stands.

    Cron means what it means to cron: Sunday is 0 and 7, and a day that both fields restrict need match one of them.
    """
    every = EVERY.fullmatch(text.strip().lower())
    try:
        trigger = _interval(int(every[1]), every[2]) if every else _cron(text.lower().split())
    except (ValueError, OverflowError) as error:
        fault = Fault(where=where, what=f"{text!r} is no schedule: {error}")
        raise InvalidInput("the schedule cannot be used", id=where, faults=[fault], next_step=_NEXT) from error
    return Schedule(text.strip(), trigger)


def _interval(count: int, unit: str) -> timedelta:
    length = timedelta(seconds=count * _SECONDS[unit])
    if not timedelta() < length <= _LONGEST:
        raise ValueError("an interval is at least a second and at most a year")
    return length


def _cron(fields: list[str]) -> _Trigger:
    from apscheduler.triggers.combining import OrTrigger
    from apscheduler.triggers.cron import CronTrigger

    if len(fields) != 5:
        raise ValueError(f"it has {len(fields)} fields, and cron has five")
    for field in fields:
        if not _FIELD.fullmatch(field):
            raise ValueError(f"{field!r} is no field of cron")
    minute, hour, day, month, weekday = fields
    named = ",".join(_weekdays(weekday))
    times = {"minute": minute, "hour": hour, "month": month, "timezone": UTC}
    if day.startswith("*") or weekday.startswith("*"):
        trigger = CronTrigger(day=day, day_of_week=named, **times)
    else:
        trigger = OrTrigger([CronTrigger(day=day, **times), CronTrigger(day_of_week=named, **times)])
    if trigger.get_next_fire_time(None, datetime(2024, 1, 1, tzinfo=UTC)) is None:
        raise ValueError("that day never comes")
    made: _Trigger = trigger
    return made


def _weekdays(field: str) -> Iterator[str]:
    """Yield the days of a weekday field by name: the scheduler counts from Monday, cron from Sunday."""
    for part in field.split(","):
        span, slash, step = part.partition("/")
        first, dash, last = span.partition("-")
        if span == "*":
            days = range(7)
        else:
            end = last if dash else ("6" if slash else first)
            days = range(_weekday(first), _weekday(end) + 1)
        if not days or (slash and not (step.isdecimal() and int(step))):
            raise ValueError(f"{part!r} names no days of the week")
        yield from (_DAYS[day % 7] for day in days[:: int(step or 1)])


def _weekday(name: str) -> int:
    if name in _DAYS:
        return _DAYS.index(name)
    if name.isdecimal() and int(name) <= 7:
        return int(name)
    raise ValueError(f"{name!r} is no day of the week")
