"""Heartbeats: any call with a session's id says that the session is there."""

from graph.errors import ArchmemError
from graph.parts import Parts
from graph.scopes import Scope
from graph.sessions import Session, as_of
from graph.stores.port import WriteUnit


def beat(parts: Parts, unit: WriteUnit, name: str) -> Session | None:
    """Note in a transaction that a session spoke, after what its silence lost; return it if it is known."""
    known = unit.session(name)
    if known is None:
        return None
    now = parts.clock()
    heard = as_of(known, now, parts.policy.sessions.silent_minutes).model_copy(update={"seen_at": now})
    if heard.work is not None and heard.work.given_up_at is not None:
        heard = heard.model_copy(update={"work": heard.work.model_copy(update={"given_up_at": None})})
    unit.put_session(heard)
    return heard


def hear(parts: Parts, scope: Scope, session: str) -> None:
    """Note that a session spoke, after the answer: gives way to a busy store."""
    if not session:
        return
    try:
        parts.store.write(scope, lambda unit: beat(parts, unit, session))
    except ArchmemError:
        return
