"""Dismissing: somebody looked at an entry of the inbox, and it is not shown again until its cause changes."""

from graph.changing import Writer, mark
from graph.drift_report import BROKEN
from graph.errors import InvalidInput, Unknown
from graph.finding import find_live, home, last_findings, show
from graph.memories import EventKind, Memory
from graph.parts import Parts
from graph.proposing import reject
from graph.review_views import Dismissed
from graph.reviews import Dismissal, Why, pair_of
from graph.scopes import Scope
from graph.stores.port import ReadUnit, WriteUnit
from graph.views import MemoryView
from graph.waiting import drift_cause


def dismiss(parts: Parts, scope: Scope, name: str, why: Why, *, actor: str, other: str) -> Dismissed:
    """Keep that an entry was looked at; see WorkGraph.dismiss."""
    if why is Why.PROPOSED:
        decided = reject(parts, scope, name, actor=actor)
        return Dismissed(why=why, memory=decided.memory, until="it is proposed anew")
    _require_other(why, other)

    def work(unit: WriteUnit) -> Dismissed:
        memory = find_live(parts, unit, name)
        if why is Why.UNREVIEWED:
            return Dismissed(why=why, memory=_reviewed(parts, unit, memory, actor), until="it is captured anew")
        causes, until = _causes(parts, unit, memory, why, other)
        if not causes:
            raise Unknown(
                f"memory {memory.id} is not in the inbox as {why}{f' with {other!r}' if other else ''}",
                id=memory.id,
                next_step="list the inbox, and dismiss one of its entries",
            )
        for subject, cause in causes.items():
            unit.dismiss(Dismissal(why=why, subject=subject, cause=cause, at=parts.clock(), by=actor))
        return Dismissed(why=why, memory=show(parts, unit, (memory,))[0], other=other, until=until)

    return parts.store.write(home(parts, scope, name), work)


def _require_other(why: Why, other: str) -> None:
    wanted = {Why.NEAR_DUPLICATE: "the other memory", Why.PENDING_LINK: "the link's text"}.get(why)
    if bool(other) is not bool(wanted):
        step = f"give {wanted} as `other`" if wanted else "leave `other` out"
        raise InvalidInput(f"an entry that is {why} cannot be dismissed so", id=other, next_step=step)


def _causes(parts: Parts, unit: ReadUnit, memory: Memory, why: Why, other: str) -> tuple[dict[str, str], str]:
    """Return what is dismissed, each with its cause, and in words how long it counts."""
    match why:
        case Why.DRIFTED:
            is_drifted = memory.drifted_at is not None or memory.evidence in BROKEN
            _, claims = last_findings(unit)
            cause = drift_cause(parts, memory, claims.get(memory.id, ()))
            return ({memory.id: cause} if is_drifted else {}), "it drifts again, or other claims break"
        case Why.IGNORED:
            again = parts.policy.ranking.ignored_after_sessions
            ignored = {one.memory: str(one.reported_to) for one in unit.ignored(again) if one.memory == memory.id}
            return ignored, f"{again} more sessions were served it and none cites it"
        case Why.NEAR_DUPLICATE:
            second = find_live(parts, unit, other)
            is_pair = second.id != memory.id and second.scope == memory.scope
            return ({pair_of(memory.id, second.id): ""} if is_pair else {}), "one of them is replaced"
    links = [one for one in unit.links_from((memory.id,)) if not one.target]
    raws = {one.id: parts.codec.open(unit.scope, one.id, "link", 1, one.raw) for one in links}
    return {name: "" for name, raw in raws.items() if raw == other}, "the memory is replaced"


def _reviewed(parts: Parts, unit: WriteUnit, memory: Memory, actor: str) -> MemoryView:
    """Say that somebody looked at a captured memory, without saying that it holds."""
    if not memory.unreviewed:
        raise Unknown(
            f"memory {memory.id} was looked at already", id=memory.id, next_step="list the inbox for what was not"
        )
    seen = memory.model_copy(update={"unreviewed": False})
    kept = mark(parts, unit, seen, EventKind.REVIEWED, Writer(actor=actor))
    return show(parts, unit, (kept,))[0]
