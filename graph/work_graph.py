"""The façade's part for work: sessions, what an agent reads before it starts, what is remembered at a glance."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from graph import (
    dismissing,
    edit_notes,
    heartbeat,
    holding,
    impact,
    locating,
    manifest,
    merging,
    planning,
    proposing,
    reviewing,
    telling,
    working,
)
from graph.memories import Checkout, Draft
from graph.review_views import Decided, Dismissed, Inbox, Merged, ProposalView
from graph.reviews import Why
from graph.scopes import Scope
from graph.service_graph import ServiceGraph
from graph.work_views import (
    Briefing,
    EditNotes,
    Finished,
    FoundElements,
    Impact,
    LeaseConflict,
    Manifest,
    Plan,
    SessionView,
    Started,
)

_ANY_VERSION: Mapping[str, int] = MappingProxyType({})


class WorkGraph(ServiceGraph):
    """What agents do around their work, in one store."""

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
        """Return the open sessions, or those that were finished or given up, newest first, `before` an id."""
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

    def told(self, scope: Scope, name: str) -> str:
        """Return one memory in any state, quoted with its origin and warnings; raise Unknown or Ambiguous."""
        return telling.tell(self._parts, scope, name)

    # What the work is about
    def find_elements(self, scope: Scope, question: str, *, limit: int | None = None) -> FoundElements:
        """Find the elements that a question or a task means, by meaning and words; writes nothing.

        What the model says of them counts, and what is remembered about them. Raises InvalidInput.
        """
        return locating.find_elements(self._parts, scope, question, limit=limit)

    def plan_work(self, scope: Scope, task: str, *, elements: Sequence[str] = (), session: str = "") -> Plan:
        """Tell what to know before a task: elements (named, or found) in the order to work in, constraints, risks.

        What is told in full counts as served to the session. Raises InvalidInput, Unknown, Ambiguous.
        """
        return planning.plan_work(self._parts, scope, task, elements=elements, session=session)

    def impact_of(self, scope: Scope, element: str, *, depth: int | None = None) -> Impact:
        """Tell who uses an element (a ref, unique name or path), through how many others, and what is known there.

        Raises InvalidInput, Unknown, Ambiguous.
        """
        return impact.impact_of(self._parts, scope, element, depth=depth)

    # The review inbox
    def inbox(
        self,
        scope: Scope,
        *,
        why: Sequence[Why] = (),
        after: str = "",
        limit: int | None = None,
        budget: int | None = None,
    ) -> Inbox:
        """Return a page of what a person should look at in the exact scope, for these reasons or for any.

        With a `budget` of characters only the entries whose text fits, one at least. Raises InvalidInput.
        """
        return reviewing.inbox(self._parts, scope, why=why, after=after, limit=limit, budget=budget)

    def dismiss(self, scope: Scope, name: str, why: Why, *, actor: str, other: str = "") -> Dismissed:
        """Keep that an entry was looked at: it is not shown again until its cause changes; the memory stays as it is.

        `other` is the second memory of near duplicates, or the text of a pending link; `name` a proposal's id where
        one is rejected. Raises InvalidInput, Unknown, NotLive.
        """
        return dismissing.dismiss(self._parts, scope, name, why, actor=actor, other=other)

    def merge(
        self,
        scope: Scope,
        names: Sequence[str],
        *,
        into: str,
        actor: str,
        draft: Draft | None = None,
        versions: Mapping[str, int] = _ANY_VERSION,
        checkout: Checkout | None = None,
    ) -> Merged:
        """Let several memories be one: `into` stays, gains pins and titles of the others, which are superseded by it.

        A `draft` then supersedes it in turn, with what all of them say. `versions` (by name) refuse the merge when one
        changed since. Raises InvalidInput, Unknown, NotLive, VersionConflict.
        """
        return merging.merge(
            self._parts, scope, names, into=into, actor=actor, draft=draft, versions=versions, checkout=checkout
        )

    def propose(
        self, scope: Scope, name: str, *, draft: Draft | None, reason: str = "", actor: str, session: str = ""
    ) -> ProposalView:
        """Propose to supersede a live memory by a draft, or to archive it without one; a person decides."""
        return proposing.propose(self._parts, scope, name, draft=draft, reason=reason, actor=actor, session=session)

    def accept_proposal(self, scope: Scope, name: str, *, actor: str, checkout: Checkout | None = None) -> Decided:
        """Do what a proposal (by id) says; raise Unknown, Conflict when it was decided, NotLive."""
        return proposing.accept(self._parts, scope, name, actor=actor, checkout=checkout)

    def reject_proposal(self, scope: Scope, name: str, *, actor: str) -> Decided:
        """Close a proposal (by id) and leave the memory as it is; raise Unknown, Conflict when it was decided."""
        return proposing.reject(self._parts, scope, name, actor=actor)
