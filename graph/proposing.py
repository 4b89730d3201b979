"""Proposals: a change of a memory that waits until a person accepts or rejects it."""

import json

from graph.bounds import LONGEST_NAME, refuse, too_long
from graph.changing import Writer, archived
from graph.errors import Conflict, Unknown
from graph.finding import find, find_live, home, show
from graph.heartbeat import hear
from graph.indexing import by_id, embed
from graph.memories import Checkout, Draft, Memory
from graph.parts import Parts
from graph.remembering import Replaced, draft_memory, without_secrets, write_memory
from graph.review_views import Decided, ProposalView
from graph.reviews import Proposal, ProposalKind
from graph.scopes import Scope
from graph.secrets import secret_faults
from graph.stores.port import ReadUnit, StoredElement, WriteUnit

_LONGEST_REASON = 2_000


def propose(
    parts: Parts, scope: Scope, name: str, *, draft: Draft | None, reason: str, actor: str, session: str
) -> ProposalView:
    """Keep a proposal; the same one that waits already is returned."""
    bounded = (("reason", reason, _LONGEST_REASON), ("session", session, LONGEST_NAME))
    refuse(
        "nothing can be proposed so",
        (too_long(where, most) for where, text, most in bounded if len(text) > most),
        secret_faults([("reason", reason)]),
    )
    draft = without_secrets(draft) if draft else None
    asked, scope = scope, home(parts, scope, name)
    kind = ProposalKind.SUPERSEDE if draft else ProposalKind.ARCHIVE

    def work(unit: WriteUnit) -> ProposalView:
        memory = find_live(parts, unit, name)
        if draft is not None:
            draft_memory(parts, unit, draft, Replaced(memory.id, None), actor)  # whose faults are told now
        for known in (one for one in unit.proposals() if one.memory == memory.id):
            told = opened(parts, scope, known)
            if (told.draft, told.reason) == (draft, reason):
                return told
        made = parts.ids()
        # What was left unset stays unset: a successor keeps it from what it replaces.
        given = None if draft is None else draft.model_dump(mode="json", exclude_unset=True)
        body = parts.codec.seal(scope, made, "proposal", 1, json.dumps({"draft": given, "reason": reason}))
        proposal = Proposal(
            id=made, kind=kind, memory=memory.id, at=parts.clock(), by=actor, session=session, body=body
        )
        unit.put_proposal(proposal)
        return opened(parts, scope, proposal)

    made = parts.store.write(scope, work)
    hear(parts, asked, session)
    return made


def accept(parts: Parts, scope: Scope, name: str, *, actor: str, checkout: Checkout | None) -> Decided:
    """Do what was proposed, as the one who accepts it, and close the proposal, in one transaction."""
    scope = _home(parts, scope, name)

    def prepare(unit: ReadUnit) -> tuple[Memory, tuple[StoredElement, ...]] | None:
        told = opened(parts, scope, _waiting(unit, name))
        memory = find_live(parts, unit, told.memory)
        if told.draft is None:
            return None
        # Who accepts it has looked at it.
        draft = told.draft.model_copy(update={"unreviewed": False})
        return draft_memory(parts, unit, draft, Replaced(memory.id, None), actor)

    prepared = parts.store.read(scope, prepare)
    embedding = embed(parts, [(prepared[0], by_id(prepared[1]))]).get(prepared[0].id) if prepared else None

    def work(unit: WriteUnit) -> Decided:
        proposal = _waiting(unit, name)
        writer = Writer(actor=actor, checkout=checkout, session=proposal.session)
        if prepared is not None:
            view = write_memory(parts, unit, prepared[0], embedding, Replaced(proposal.memory, None), writer).memory
        else:
            memory = find_live(parts, unit, proposal.memory)
            note = opened(parts, scope, proposal).reason
            view = show(parts, unit, (archived(parts, unit, memory, writer, note=note),))[0]
        return Decided(proposal=_decide(parts, unit, proposal, "accepted", actor), memory=view)

    return parts.store.write(scope, work)


def reject(parts: Parts, scope: Scope, name: str, *, actor: str) -> Decided:
    """Close a proposal; the memory stays as it is."""
    scope = _home(parts, scope, name)

    def work(unit: WriteUnit) -> Decided:
        proposal = _waiting(unit, name)
        view = show(parts, unit, (find(parts, unit, proposal.memory),))[0]
        return Decided(proposal=_decide(parts, unit, proposal, "rejected", actor), memory=view)

    return parts.store.write(scope, work)


def opened(parts: Parts, scope: Scope, proposal: Proposal) -> ProposalView:
    """Return a proposal as it was written."""
    told = json.loads(parts.codec.open(scope, proposal.id, "proposal", 1, proposal.body))
    draft = None if told["draft"] is None else Draft.model_validate(told["draft"])
    return ProposalView(**proposal.model_dump(exclude={"body"}), draft=draft, reason=told["reason"])


def _decide(parts: Parts, unit: WriteUnit, proposal: Proposal, outcome: str, actor: str) -> ProposalView:
    decided = {"outcome": outcome, "decided_at": parts.clock(), "decided_by": actor}
    kept = proposal.model_copy(update=decided)
    unit.put_proposal(kept)
    return opened(parts, unit.scope, kept)


def _waiting(unit: ReadUnit, name: str) -> Proposal:
    """Return a proposal that nobody has decided on; raise Unknown or Conflict."""
    proposal = unit.proposal(name)
    if proposal is None:
        raise Unknown(
            f"there is no proposal {name!r}", id=name, next_step="give the id of one that the inbox lists as proposed"
        )
    if proposal.outcome:
        raise Conflict(
            f"the proposal {name} was {proposal.outcome} by {proposal.decided_by} already",
            id=name,
            next_step="propose anew what should change still",
        )
    return proposal


def _home(parts: Parts, scope: Scope, name: str) -> Scope:
    """Return the scope of the proposal: the project's own, else the organisation's."""

    def has(one: Scope) -> bool:
        return parts.store.read(one, lambda unit: unit.proposal(name)) is not None

    return next((one for one in scope.visible if has(one)), scope)
