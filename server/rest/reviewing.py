"""Routes: the review inbox, proposals, and merging."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from graph.review_views import Decided, Dismissed, Inbox, Merged, ProposalView
from graph.reviews import Why
from server.answers import MOST_LISTED
from server.rest.bodies import Accepting, Dismissing, Merging, Proposing
from server.rest.parts import Actor, Graph, InScope
from server.rest.reading import Reading

router = APIRouter(tags=["inbox"], route_class=Reading)

ProposalId = Annotated[str, Path(max_length=200, description="The proposal's id, as the inbox shows it.")]


@router.get("/inbox")
def list_inbox(
    graph: Graph,
    scope: InScope,
    why: Annotated[
        tuple[Why, ...], Query(description="Reasons to list; repeat it for several, leave it for all.")
    ] = (),
    after: Annotated[str, Query(max_length=500, description="Continue after it: the last page's `next`.")] = "",
    limit: Annotated[int | None, Query(ge=1, le=MOST_LISTED, description="At most so many; 50 when unset.")] = None,
    budget: Annotated[int | None, Query(description="Only what fits into so many characters of `text`.")] = None,
) -> Inbox:
    """List what a person should look at, with the reason and what fits to be done; `text` is what an agent reads.

    A project lists its own memories; those of the whole organisation wait in its inbox (an empty `project`).
    """
    return graph.inbox(scope, why=why, after=after, limit=limit, budget=budget)


@router.post("/inbox/dismissals")
def dismiss(graph: Graph, scope: InScope, actor: Actor, body: Dismissing) -> Dismissed:
    """Say that an entry was looked at: it is not listed again until its cause changes."""
    return graph.dismiss(scope, body.memory, body.why, actor=actor, other=body.other)


@router.post("/memories/merge")
def merge(graph: Graph, scope: InScope, actor: Actor, body: Merging) -> Merged:
    """Let several memories be one: `into` stays with the pins and titles of the others, which are superseded by it."""
    return graph.merge(
        scope,
        body.memories,
        into=body.into,
        actor=actor,
        draft=body.successor,
        versions=body.versions,
        checkout=body.checkout,
    )


@router.post("/proposals")
def propose(graph: Graph, scope: InScope, actor: Actor, body: Proposing) -> ProposalView:
    """Propose to supersede a memory by a draft, or to archive it without one; it waits in the inbox."""
    return graph.propose(scope, body.memory, draft=body.draft, reason=body.reason, actor=actor, session=body.session)


@router.post("/proposals/{proposal}/accept")
def accept(graph: Graph, scope: InScope, actor: Actor, proposal: ProposalId, body: Accepting | None = None) -> Decided:
    """Do what was proposed, as the one who accepts it."""
    return graph.accept_proposal(scope, proposal, actor=actor, checkout=(body or Accepting()).checkout)


@router.post("/proposals/{proposal}/reject")
def reject(graph: Graph, scope: InScope, actor: Actor, proposal: ProposalId) -> Decided:
    """Close a proposal; the memory stays as it is."""
    return graph.reject_proposal(scope, proposal, actor=actor)
