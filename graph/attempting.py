"""Attempts at drift runs, kept so that a schedule's tick is taken once, and that failures are seen by everybody."""

from collections.abc import Callable
from datetime import datetime, timedelta

from graph.attempts import SCHEDULE, Attempt, AttemptState
from graph.errors import Unknown
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import WriteUnit

_KEPT = 20
_LOST_AFTER = timedelta(minutes=30)


def attempts(parts: Parts, scope: Scope) -> tuple[Attempt, ...]:
    """Return the latest attempts, newest first."""
    return parts.store.read(scope, lambda unit: unit.attempts())


def attempt(parts: Parts, scope: Scope, name: str) -> Attempt:
    """Return one of the latest attempts; raise Unknown."""
    found = next((one for one in attempts(parts, scope) if one.id == name), None)
    if found is None:
        step = f"list the runs that were recorded; the latest {_KEPT} attempts are kept"
        raise Unknown(f"there is no attempt {name!r} at a drift run", id=name, next_step=step)
    return found


def begin(parts: Parts, scope: Scope, by: str, due: Callable[[datetime | None], bool] | None) -> Attempt | None:
    """Keep that an attempt begins; None when it is not due after the schedule's last one, since another took the tick.

    `due` is asked inside the transaction, so of several servers one gets the attempt.
    """
    made = Attempt(id=parts.ids(), by=by, started_at=parts.clock())

    def work(unit: WriteUnit) -> Attempt | None:
        known = unit.attempts()
        if due is not None and not due(last_scheduled(known)):
            return None
        unit.put_attempts((made, *(_ended(one, made.started_at) for one in known))[:_KEPT])
        return made

    return parts.store.write(scope, work)


def end(parts: Parts, scope: Scope, ended: Attempt) -> Attempt:
    """Keep what became of an attempt; of the schedule's that found nothing new, one after another, the latest stays."""
    kept = ended.model_copy(update={"ended_at": parts.clock()})

    def work(unit: WriteUnit) -> Attempt:
        others = [one for one in unit.attempts() if one.id != kept.id]
        while others and _is_idle(kept) and _is_idle(others[0]):
            others.pop(0)
        unit.put_attempts((kept, *others)[:_KEPT])
        return kept

    return parts.store.write(scope, work)


def last_scheduled(known: tuple[Attempt, ...]) -> datetime | None:
    """Return when the schedule's last attempt began; None without one."""
    return max((one.started_at for one in known if one.by == SCHEDULE), default=None)


def _is_idle(one: Attempt) -> bool:
    return one.by == SCHEDULE and one.state is AttemptState.UNCHANGED


def _ended(one: Attempt, now: datetime) -> Attempt:
    if one.state is not AttemptState.RUNNING or now - one.started_at < _LOST_AFTER:
        return one
    lost = {"state": AttemptState.FAILED, "ended_at": now, "error": "its process ended before it did"}
    return one.model_copy(update={**lost, "next_step": "nothing: the next run looks at everything anew"})
