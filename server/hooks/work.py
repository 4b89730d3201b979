"""A client session as a work session: begun and briefed at its start, reported at its end where nobody else did."""

from contextlib import suppress
from typing import Any

from graph.errors import ArchmemError, Unknown
from graph.memories import Checkout
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.hooks.notebook import Notebook, left_behind
from server.hooks.warning import covering

_ADVICE = (
    "Pass `session` {id} to every archmem call. At the end call `finish_work_session` with a summary and, as "
    "`used`, what you relied on. For leases and what is known about your task, call `start_work_session` "
    "first, and pass the id that it answers from then on."
)
_PATHS_TOLD = 30
_RECENT = 50


def begin(graph: MemoryGraph, scope: Scope, notebook: Notebook, *, client: str, root: str) -> str:
    """Return the briefing; the session goes on where the client resumes one that is not finished."""
    for old in left_behind():
        _take_back(graph, old, old.read() or {})
    known = notebook.read() or {}
    if known.get("session") and (known["organisation"], known["project"]) != (scope.organisation, scope.project):
        _take_back(graph, notebook, known)  # what was edited in another project is none of this one's
        known = {}
    session = str(known.get("session", ""))
    if not session or not _is_unfinished(graph, scope, session):
        session = graph.open_session(scope, agent=client)
    told = graph.briefing(scope, session=session).text
    with suppress(OSError):  # a folder that nobody may write in costs the warnings, not the briefing
        open_notebook(graph, scope, notebook, root=root, session=session)
    # What was told before is gone from the client's context when it resumes or compacts it.
    for kind in ("element", "memory"):
        notebook.forget(kind)
    return f"Session {session} of this project's memory.\n{told}\n{_ADVICE.format(id=session)}"


def open_notebook(graph: MemoryGraph, scope: Scope, notebook: Notebook, *, root: str, session: str) -> dict[str, Any]:
    """Note all that is to be told before edits, so that no edit has to open the store; return it."""
    found = graph.edit_notes(scope)
    notes = {
        "root": root,
        "session": session,
        "organisation": scope.organisation,
        "project": scope.project,
        "elements": [one.model_dump(mode="json") for one in found.elements if one.source],
        "texts": dict(found.texts),
    }
    notebook.write(notes)
    return notes


def end(
    graph: MemoryGraph, scope: Scope, notebook: Notebook, *, client: str, actor: str, checkout: Checkout | None
) -> None:
    """Finish the session with the facts that are known, unless its agent did, or there are none.

    Then what it declared is taken back: it leaves no outcome behind, as nobody said what came of it.
    """
    notes = notebook.read() or {}
    session = str(notes.get("session", ""))
    if session and _is_unfinished(graph, scope, session):
        reported = _reported_since(graph, scope, session)
        edits = [path for path in notebook.edits() if _refs(notes, path) - reported]
        graph.hold(scope, session, edits)
        if graph.session(scope, session).leases:
            graph.finish_session(scope, session, summary=_facts(client, edits), actor=actor, checkout=checkout)
        else:
            graph.withdraw_session(scope, session)
    notebook.close()


def _refs(notes: dict[str, Any], path: str) -> set[str]:
    return {element["ref"] for element in covering(notes["elements"], path)}


def _reported_since(graph: MemoryGraph, scope: Scope, session: str) -> set[str]:
    """Return the elements that other sessions reported about since this one began: mostly its own agent's."""
    began = graph.session(scope, session).started_at
    recent = graph.sessions(scope, finished=True, limit=_RECENT)
    return {lease.element for one in recent if one.started_at >= began for lease in one.leases}


def _facts(client: str, edits: list[str]) -> str:
    told = "\n".join(f"- `{path}`" for path in edits[:_PATHS_TOLD])
    more = f"\n- and {len(edits) - _PATHS_TOLD} more" if len(edits) > _PATHS_TOLD else ""
    return f"{client} ended this session without a report. Files that it began to edit:\n{told}{more}"


def _take_back(graph: MemoryGraph, notebook: Notebook, notes: dict[str, Any]) -> None:
    """Withdraw the notebook's session, of whatever project, and throw the notebook away."""
    if notes.get("session"):
        with suppress(ArchmemError):  # it may be of another store, where it holds nothing that hinders anybody
            scope = Scope(organisation=notes["organisation"], project=notes["project"])
            graph.withdraw_session(scope, notes["session"])
    notebook.close()


def _is_unfinished(graph: MemoryGraph, scope: Scope, session: str) -> bool:
    try:
        return graph.session(scope, session).state != "finished"
    except Unknown:
        return False
