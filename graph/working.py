"""Sessions at work: how one begins, holds its elements, is heard of, and ends with one outcome."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from graph.bounds import LONGEST_NAME, count_faults, refuse, text_faults, texts_faults, too_long
from graph.briefing import Standing, brief
from graph.changing import Writer, anchors_of, keep
from graph.describing import is_outside, present
from graph.errors import Ambiguous, Fault, InvalidInput, Unknown
from graph.finding import find_visible, show
from graph.heartbeat import beat
from graph.indexing import by_id, embed
from graph.leasing import Entry, enter, flagged_pitfalls, named_elements
from graph.linking import make_links
from graph.locating import find_elements
from graph.memories import Checkout, EventKind, Kind, Memory
from graph.noting import note_served
from graph.outcomes import tell_outcome
from graph.parts import Parts
from graph.scopes import Scope
from graph.secrets import secret_faults
from graph.sessions import Gate, Lease, Session, Work, as_of, is_silent
from graph.stores.port import ReadUnit, WriteUnit
from graph.work_views import Briefing, Finished, LeaseView, SessionView, Started

_LONGEST_OUTCOME = 20_000
_MOST_USED = 500
_MINUTES_A_DAY = 24 * 60
_MOST_LISTED = 1_000


def start(
    parts: Parts,
    scope: Scope,
    task: str,
    *,
    agent: str,
    elements: Sequence[str],
    paths: Sequence[str],
    exclusive: bool,
) -> Started:
    """Begin a session, unless another one holds an element for itself alone; see WorkGraph.start_session."""
    refuse(
        "the session cannot begin",
        text_faults("task", task, parts.policy.recall.longest_question),
        text_faults("agent", agent, LONGEST_NAME),
        secret_faults([("task", task)]),
        count_faults("elements", (*elements, *paths)),
    )
    # Its question is embedded, so this happens before the lock is taken.
    is_placed = bool(elements or paths)
    found = () if is_placed else find_elements(parts, scope, task, limit=parts.policy.sessions.found).elements
    name = parts.ids()

    def work(unit: WriteUnit) -> tuple[Entry, Standing, tuple[str, ...]]:
        stored = unit.elements()
        named = named_elements(stored, elements, paths)
        meant = {one.ref for one in found}
        guessed = [one for one in present(unit) if one.element.ref in meant and not is_outside(one.element)]
        entry = enter(parts, unit, named, guessed, exclusive=exclusive)
        refs = tuple(one.element.ref for one in (*named, *guessed))
        if entry.gate is not Gate.DENY:
            now, sealed = parts.clock(), parts.codec.seal(scope, name, "task", 1, task)
            begun = Work(agent=agent, task=sealed, started_at=now, leases=entry.leases)
            unit.put_session(Session(id=name, seen_at=now, work=begun))
            _give_up(parts, unit)
        return entry, _standing(parts, unit, entry, "" if entry.gate is Gate.DENY else name, task, refs), refs

    entry, standing, refs = parts.store.write(scope, work)
    told = brief(parts, scope, task, refs, paths, standing)
    if entry.gate is not Gate.DENY:
        note_served(parts, scope, name, told.served)
    return Started(
        session=standing.session,
        gate=entry.gate,
        elements=refs,
        found=found,
        conflicts=entry.conflicts,
        briefing=told.text,
        served=told.served,
    )


def heartbeat(parts: Parts, scope: Scope, name: str) -> SessionView:
    """Note that a declared session is there; raise Unknown."""

    def work(unit: WriteUnit) -> SessionView:
        beat(parts, unit, name)
        return _view(parts, unit, _declared(unit, name)[0])

    return parts.store.write(scope, work)


def finish(
    parts: Parts,
    scope: Scope,
    name: str,
    *,
    summary: str,
    decisions: Sequence[str],
    follow_ups: Sequence[str],
    used: Sequence[str] | None,
    actor: str,
    checkout: Checkout | None,
) -> Finished:
    """End a session with one outcome about all that it leased; see WorkGraph.finish_session."""
    known = parts.store.read(scope, lambda unit: _finished(parts, unit, name))
    if known is not None:
        return known
    content = tell_outcome(summary, decisions, follow_ups)
    refuse(
        "the session cannot be finished",
        text_faults("summary", summary, _LONGEST_OUTCOME),
        texts_faults("decisions", decisions, _LONGEST_OUTCOME),
        texts_faults("follow_ups", follow_ups, _LONGEST_OUTCOME),
        secret_faults(
            [
                ("summary", summary),
                *((f"decisions.{number}", text) for number, text in enumerate(decisions)),
                *((f"follow_ups.{number}", text) for number, text in enumerate(follow_ups)),
            ]
        ),
        [] if len(used or ()) <= _MOST_USED else [Fault(where="used", what=f"are more than {_MOST_USED}")],
        [] if len(content) <= _LONGEST_OUTCOME else [too_long("summary, decisions and follow_ups", _LONGEST_OUTCOME)],
    )

    def made(unit: ReadUnit) -> Memory:
        _, work = _declared(unit, name)
        now = parts.clock()
        return Memory(
            id=parts.ids(),
            scope=scope,
            kind=Kind.SESSION_OUTCOME,
            content=content,
            elements=tuple(sorted({lease.element for lease in work.leases})),
            created_at=now,
            created_by=actor,
            confirmed_at=now,
            confirmed_by=actor,
        )

    # Embedding is slow, so it happens before the lock is taken. An outcome is told once, so nothing confirms it.
    outcome, stored = parts.store.read(scope, lambda unit: (made(unit), by_id(unit.elements())))
    embedding = embed(parts, [(outcome, stored)]).get(outcome.id)

    def work(unit: WriteUnit) -> Finished:
        done = _finished(parts, unit, name)
        if done is not None:
            return done
        beat(parts, unit, name)
        session, ending = _declared(unit, name)
        keep(parts, unit, outcome, EventKind.CREATED, Writer(actor=actor, checkout=checkout, session=name))
        if embedding is not None:
            unit.put_vectors(outcome.id, embedding)
        unit.put_anchors(outcome.id, anchors_of(unit, outcome, checkout))
        unit.put_links(outcome.id, make_links(parts, unit, outcome))
        over = ending.model_copy(update={"finished_at": parts.clock(), "outcome": outcome.id})
        unit.put_session(session.model_copy(update={"work": over}))
        cited, unknown = _cite(parts, unit, name, used)
        return Finished(
            session=name,
            outcome=show(parts, unit, (outcome,))[0],
            cited=cited,
            unknown=unknown,
            lost=_lost(unit, ending.leases),
        )

    return parts.store.write(scope, work)


def session(parts: Parts, scope: Scope, name: str) -> SessionView:
    """Return a declared session; raise Unknown."""
    return parts.store.read(scope, lambda unit: _view(parts, unit, _declared(unit, name)[0]))


def sessions(parts: Parts, scope: Scope, *, finished: bool, before: str, limit: int) -> tuple[SessionView, ...]:
    """Return the open sessions, or those that were finished or given up, newest first."""
    if not 1 <= limit <= _MOST_LISTED:
        fault = Fault(where="limit", what=f"is not between 1 and {_MOST_LISTED}")
        raise InvalidInput("the sessions cannot be listed", next_step="give another limit", faults=[fault])

    def work(unit: ReadUnit) -> tuple[SessionView, ...]:
        if finished:
            found: Iterable[Session] = unit.ended_sessions(limit, before=before)
        else:
            found = (one for one in reversed(unit.open_sessions()) if not before or one.id < before)
        return tuple(_view(parts, unit, one) for one in islice(found, limit))

    return parts.store.read(scope, work)


def briefing(
    parts: Parts, scope: Scope, task: str, *, elements: Sequence[str], paths: Sequence[str], session: str
) -> Briefing:
    """Tell what an agent should know before it starts; see WorkGraph.briefing."""
    refuse(
        "there can be no briefing",
        text_faults("task", task, parts.policy.recall.longest_question) if task else [],
        count_faults("elements", (*elements, *paths)),
    )

    def work(unit: ReadUnit) -> tuple[str, tuple[str, ...], Standing]:
        known = unit.session(session) if session else None
        declared = as_of(known, parts.clock(), parts.policy.sessions.silent_minutes) if known else None
        now_asked, stored = task, unit.elements()
        named = named_elements(stored, elements, paths)
        if declared is not None and declared.work is not None:
            now_asked = task or parts.codec.open(scope, declared.id, "task", 1, declared.work.task)
            held = {lease.element for lease in declared.work.leases}
            named = named or tuple(one for one in stored if one.id in held and one.retired_at is None)
        entry = enter(parts, unit, named, (), exclusive=False, session=session)
        refs = tuple(one.element.ref for one in named)
        return now_asked, refs, Standing(conflicts=entry.conflicts)

    asked, refs, standing = parts.store.read(scope, work)
    told = brief(parts, scope, asked, refs, paths, standing)
    note_served(parts, scope, session, told.served)
    return told


def _give_up(parts: Parts, unit: WriteUnit) -> None:
    """Take what crashed long ago from the open sessions, which every start looks through."""
    now, policy = parts.clock(), parts.policy.sessions
    for one in unit.open_sessions():
        if one.work is not None and is_silent(one, now, policy.given_up_days * _MINUTES_A_DAY):
            work = as_of(one, now, policy.silent_minutes).work or one.work
            over = work.model_copy(update={"given_up_at": now})
            unit.put_session(one.model_copy(update={"work": over}))


def _standing(parts: Parts, unit: ReadUnit, entry: Entry, session: str, task: str, refs: Sequence[str]) -> Standing:
    names = {one.id: one.element.ref for one in unit.elements()}
    minutes = parts.policy.sessions.silent_minutes
    next_step = ""
    if entry.gate is Gate.DENY:
        next_step = (
            "No session was made and nothing is leased. Next: wait until that session finishes or is silent for "
            f"{minutes} minutes, or start on other elements."
        )
    return Standing(
        session=session,
        task=task,
        gate=entry.gate,
        reasons=tuple(_reasons(parts, unit, entry, refs)),
        holding=tuple(f"{names[one.element]}{' alone' if one.exclusive else ''}" for one in entry.leases),
        conflicts=entry.conflicts,
        next_step=next_step,
    )


def _reasons(parts: Parts, unit: ReadUnit, entry: Entry, refs: Sequence[str]) -> Iterator[str]:
    if any(one.exclusive for one in entry.conflicts):
        yield "another session holds this for itself alone"
    elif entry.conflicts:
        yield "another session works here too, so you hold it beside that one"
    if entry.gate is not Gate.DENY and (flagged := len(flagged_pitfalls(parts, unit, refs))):
        yield f"{flagged} pitfall{'s' if flagged != 1 else ''} to VERIFY here"


def _declared(unit: ReadUnit, name: str) -> tuple[Session, Work]:
    """Return a session with its work; raise Unknown for one that never declared any."""
    known = unit.session(name)
    if known is None or known.work is None:
        raise Unknown(
            f"no session {name!r} was started in this project",
            id=name,
            next_step="start one (`archmem session start TASK`), and pass the id that it answers",
            candidates=[one.id for one in unit.open_sessions()[:5]],
        )
    return known, known.work


def _finished(parts: Parts, unit: ReadUnit, name: str) -> Finished | None:
    """Return how a session was finished before; None while it is not."""
    _, work = _declared(unit, name)
    if work.finished_at is None:
        return None
    outcome = show(parts, unit, map(parts.codec.open_memory, unit.memories((work.outcome,))))[0]
    return Finished(session=name, outcome=outcome, lost=_lost(unit, work.leases), repeated=True)


def _lost(unit: ReadUnit, leases: Iterable[Lease]) -> tuple[str, ...]:
    names = {one.id: one.element.ref for one in unit.elements()}
    return tuple(names.get(one.element, one.element) for one in leases if one.lost_at is not None)


def _cite(
    parts: Parts, unit: WriteUnit, session: str, used: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Record what a session reports that it used; one that reports nothing at all (None) has ignored nothing."""
    if used is None:
        return (), ()
    cited: dict[str, None] = {}
    unknown: list[str] = []
    for name in dict.fromkeys(used):
        try:
            cited[find_visible(parts, unit, name).id] = None
        except (Ambiguous, Unknown):
            unknown.append(name)
    unit.cite(session, tuple(cited), parts.clock())
    return tuple(cited), tuple(unknown)


def _view(parts: Parts, unit: ReadUnit, session: Session) -> SessionView:
    now, minutes = parts.clock(), parts.policy.sessions.silent_minutes
    standing = as_of(session, now, minutes)
    if standing.work is None:
        raise Unknown(f"session {session.id} declared no work", id=session.id, next_step="start a session")
    names = {one.id: one.element.ref for one in unit.elements()}
    work = standing.work
    state = "finished" if work.finished_at else "expired" if is_silent(session, now, minutes) else "open"
    return SessionView(
        id=session.id,
        state=state,
        agent=work.agent,
        task=parts.codec.open(unit.scope, session.id, "task", 1, work.task),
        started_at=work.started_at,
        seen_at=session.seen_at,
        finished_at=work.finished_at,
        leases=tuple(
            LeaseView(element=names.get(one.element, one.element), exclusive=one.exclusive, lost_at=one.lost_at)
            for one in work.leases
        ),
        outcome=work.outcome,
    )
