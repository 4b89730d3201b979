"""The façade's part for work: sessions, what an agent reads before it starts, what is remembered at a glance."""

from collections.abc import Sequence

from graph import edit_notes, heartbeat, holding, manifest, working
from graph.memories import Checkout
from graph.parts import Parts
from graph.scopes import Scope
from graph.work_views import Briefing, EditNotes, Finished, LeaseConflict, Manifest, SessionView, Started


class WorkGraph:
    """What agents do around their work, in one store."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    # Sessions
    def start_session(
        self,
        scope: Scope,
        task: str,
        *,
        agent: str,
        elements: Sequence[str] = (),
        paths: Sequence[str] = (),
        exclusive: bool = False,
    ) -> Started:
        """Begin a declared unit of work on elements (refs, unique names) and paths, and brief its agent.

        No session is made when the gate denies: another session holds one of them, its parts or what contains it for
        itself alone. Raises InvalidInput, Unknown, Ambiguous.
        """
        return working.start(self._parts, scope, task, agent=agent, elements=elements, paths=paths, exclusive=exclusive)

    def heartbeat(self, scope: Scope, session: str) -> SessionView:
        """Note that a declared session is there, and return how it stands; raise Unknown."""
        return working.heartbeat(self._parts, scope, session)

    def hear(self, scope: Scope, session: str) -> None:
        """Note that a session spoke, if it is declared; gives way to a busy store."""
        heartbeat.hear(self._parts, scope, session)

    def finish_session(
        self,
        scope: Scope,
        session: str,
        *,
        summary: str,
        decisions: Sequence[str] = (),
        follow_ups: Sequence[str] = (),
        used: Sequence[str] | None = None,
        actor: str,
        checkout: Checkout | None = None,
    ) -> Finished:
        """End a session with one outcome about all that it leased, and record what it `used` (titles or ids).

        None used is an answer too; unset reports nothing. A second finish returns the same outcome and writes nothing.
        Raises InvalidInput, Unknown.
        """
        return working.finish(
            self._parts,
            scope,
            session,
            summary=summary,
            decisions=decisions,
            follow_ups=follow_ups,
            used=used,
            actor=actor,
            checkout=checkout,
        )

    def open_session(self, scope: Scope, *, agent: str) -> str:
        """Begin a session whose task nobody has told yet, and return its id: it holds nothing."""
        return holding.open_session(self._parts, scope, agent)

    def hold(self, scope: Scope, session: str, paths: Sequence[str]) -> tuple[LeaseConflict, ...]:
        """Let a session that is at work hold what the paths belong to as well; return who else is there.

        What another session holds alone is left to it, and a path that no element covers is held by nobody.
        """
        return holding.hold(self._parts, scope, session, paths)

    def withdraw_session(self, scope: Scope, session: str) -> None:
        """Take back what an unfinished session declared: it holds nothing, and writes no outcome."""
        holding.withdraw(self._parts, scope, session)

    def session(self, scope: Scope, name: str) -> SessionView:
        """Return a declared session by its id; raise Unknown."""
        return working.session(self._parts, scope, name)

    def sessions(
        self, scope: Scope, *, finished: bool = False, before: str = "", limit: int = 100
    ) -> tuple[SessionView, ...]:
        """Return the sessions that are not finished, or those that are, newest first, `before` an id."""
        return working.sessions(self._parts, scope, finished=finished, before=before, limit=limit)

    # What is known, before the work
    def briefing(
        self,
        scope: Scope,
        task: str = "",
        *,
        elements: Sequence[str] = (),
        paths: Sequence[str] = (),
        session: str = "",
    ) -> Briefing:
        """Tell what an agent should know before it starts; a declared session's own task and elements where unset.

        What is told in full counts as served to the session. Raises InvalidInput, Unknown, Ambiguous.
        """
        return working.briefing(self._parts, scope, task, elements=elements, paths=paths, session=session)

    def edit_notes(self, scope: Scope) -> EditNotes:
        """Return what is worth knowing before an edit of any element: its pitfalls, and what must be verified."""
        return edit_notes.edit_notes(self._parts, scope)

    def manifest(self, scope: Scope, *, after: str = "", limit: int = 100) -> Manifest:
        """Return a page of the titles of all live memories of the project and its organisation, by id."""
        return manifest.manifest(self._parts, scope, after=after, limit=limit)
