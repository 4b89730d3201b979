"""Answers about sessions in words, as a terminal shows them."""

from graph.work_views import Briefing, Finished, Manifest, SessionView, Started
from server.answers import SessionPage


def started(answer: Started) -> str:
    """Return the briefing, which says the session's id and the gate."""
    return answer.briefing


def briefing(answer: Briefing) -> str:
    """Return the briefing as an agent reads it."""
    return answer.text


def session(view: SessionView) -> str:
    """Return a session with what it holds or lost."""
    lines = [f"{_line(view)}: {_one_line(view.task)}"]
    for one in view.leases:
        alone = " alone" if one.exclusive else ""
        lost = f", lost at {one.lost_at:%Y-%m-%d %H:%M}Z" if one.lost_at else ""
        lines.append(f"  {one.element}{alone}{lost}")
    lines.append(f"  started {view.started_at:%Y-%m-%d %H:%M}Z, heard {view.seen_at:%Y-%m-%d %H:%M}Z")
    if view.outcome:
        lines.append(f"  outcome {view.outcome}")
    return "\n".join(lines)


def sessions(answer: SessionPage) -> str:
    """Return a page of sessions, a line each."""
    return "\n".join(f"{_line(one)}: {_one_line(one.task)}" for one in answer.sessions) or "no sessions"


def finished(answer: Finished) -> str:
    """Return the outcome that a session left, and what of its report could not be kept."""
    again = " already; this is the outcome that it left" if answer.repeated else ""
    lines = [f"finished session {answer.session}{again}", f"  outcome {answer.outcome.id}"]
    if answer.cited:
        lines.append(f"  cited {len(answer.cited)} {'memory' if len(answer.cited) == 1 else 'memories'}")
    lines.extend(f"  no memory, or more than one, is called {name!r}" for name in answer.unknown)
    lines.extend(f"  the lease on {ref} had been lost by silence; look what others did there" for ref in answer.lost)
    return "\n".join(lines)


def manifest(answer: Manifest) -> str:
    """Return a page of titles, a line each."""
    lines = []
    for one in answer.memories:
        verify = " [VERIFY]" if one.verify else ""
        about = f" ({', '.join(one.elements)})" if one.elements else ""
        lines.append(f"{one.id} {one.title} [{one.kind.upper()}]{verify}{about}")
    return "\n".join([f"{answer.total} remembered", *lines])


def _line(view: SessionView) -> str:
    return f"{view.id} [{view.state}] {_one_line(view.agent)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
