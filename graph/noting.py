"""What is noted after an answer: impressions of a session, or the gap of a question; gives way to a busy store."""

from collections.abc import Callable, Sequence

from graph.errors import ArchmemError
from graph.heartbeat import beat
from graph.parts import Parts
from graph.scopes import Scope
from graph.secrets import redact
from graph.stores.port import Gap, WriteUnit
from graph.views import Recall


def note(parts: Parts, scope: Scope, answer: Recall, *, session: str) -> None:
    """Record the gap of a question without an answer, or a session's impressions; best effort, after the answer."""
    if not answer.question.strip() or answer.answered:
        note_served(parts, scope, session, [hit.id for hit in answer.hits if hit.type == "memory"])
        return
    gap = Gap(
        id=parts.ids(),
        question=parts.codec.seal(scope, "gap", "question", 1, redact(answer.question)),
        elements=answer.elements,
        at=parts.clock(),
        session=session,
    )

    def work(unit: WriteUnit) -> None:
        unit.add_gap(gap)
        beat(parts, unit, session)

    _write_if_possible(parts, scope, work)


def note_served(parts: Parts, scope: Scope, session: str, memories: Sequence[str]) -> None:
    """Record that a session was served these memories, and that it is there; best effort, after the answer."""

    def work(unit: WriteUnit) -> None:
        beat(parts, unit, session)
        if memories:
            unit.impress(session, memories, parts.clock())

    if session:
        _write_if_possible(parts, scope, work)


def _write_if_possible(parts: Parts, scope: Scope, work: Callable[[WriteUnit], None]) -> None:
    try:
        parts.store.write(scope, work)
    except ArchmemError:
        return
