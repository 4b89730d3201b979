"""Sessions that a client opens by itself: without a task, holding what is touched, taken back without a report."""

from collections.abc import Sequence

from graph.heartbeat import beat
from graph.leasing import enter, named_elements
from graph.parts import Parts
from graph.scopes import Scope
from graph.sessions import Session, Work
from graph.stores.port import WriteUnit
from graph.work_views import LeaseConflict


def open_session(parts: Parts, scope: Scope, agent: str) -> str:
    """Begin a session without a task; see WorkGraph.open_session."""
    name, now = parts.ids(), parts.clock()
    begun = Work(agent=agent, task=parts.codec.seal(scope, name, "task", 1, ""), started_at=now)
    parts.store.write(scope, lambda unit: unit.put_session(Session(id=name, seen_at=now, work=begun)))
    return name


def hold(parts: Parts, scope: Scope, name: str, paths: Sequence[str]) -> tuple[LeaseConflict, ...]:
    """Lease what the paths belong to as well; see WorkGraph.hold."""

    def work(unit: WriteUnit) -> tuple[LeaseConflict, ...]:
        known = beat(parts, unit, name)
        if known is None or known.work is None or known.work.finished_at is not None:
            return ()
        held = {one.element for one in known.work.leases if one.lost_at is None}
        wanted = [one for one in named_elements(unit.elements(), (), paths) if one.id not in held]
        entry = enter(parts, unit, (), wanted, exclusive=False, session=name)
        kept = [one for one in known.work.leases if one.element not in {lease.element for lease in entry.leases}]
        leases = (*kept, *entry.leases)
        unit.put_session(known.model_copy(update={"work": known.work.model_copy(update={"leases": leases})}))
        return entry.conflicts

    return parts.store.write(scope, work)


def withdraw(parts: Parts, scope: Scope, name: str) -> None:
    """Take back what an unfinished session declared; see WorkGraph.withdraw_session."""

    def work(unit: WriteUnit) -> None:
        known = unit.session(name)
        if known is not None and known.work is not None and known.work.finished_at is None:
            unit.put_session(known.model_copy(update={"work": None}))

    parts.store.write(scope, work)
