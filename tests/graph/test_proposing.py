"""Proposals: a change waits until a person decides, and then happens in that person's name."""

from pathlib import Path

import pytest

from graph.codec import Codec
from graph.errors import Conflict, InvalidInput, NotLive, Unknown
from graph.memories import EventKind, State
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.reviews import ProposalKind, Why
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from tests.graph.conftest import ME, OTHER, SHOP, WIDE, Clock, draft, found, new_id, write

CAPTURE, REVIEWER = "capture", "reviewer"
CHECKOUT = "Shop.API.Checkout"


def test_a_proposal_waits_with_its_reason_and_changes_nothing(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three", title="Retry cap")
    told = draft("Retries are capped at five")
    made = graph.propose(SHOP, "Retry cap", draft=told, reason="the client changed", actor=CAPTURE, session="s1")
    assert (made.kind, made.memory, made.draft, made.by, made.session) == (
        *(ProposalKind.SUPERSEDE, kept.id, told, CAPTURE),
        "s1",
    )
    (entry,) = graph.inbox(SHOP).entries
    assert (entry.why, entry.memory, entry.proposal) == (Why.PROPOSED, kept, made)
    assert entry.said == "capture proposes to supersede it: the client changed"
    assert entry.actions == ("accept", "reject")
    assert "Retries are capped at five" in graph.inbox(SHOP).text
    assert graph.memory(SHOP, kept.id) == kept


def test_accepting_supersedes_in_the_name_of_who_accepts(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three", title="Retry cap", elements=[CHECKOUT])
    told = draft("Retries are capped at five", unreviewed=True)
    made = graph.propose(SHOP, kept.id, draft=told, actor=CAPTURE, session="s1")
    decided = graph.accept_proposal(SHOP, made.id, actor=REVIEWER)
    now = decided.memory
    assert (now.content, now.title, now.elements) == ("Retries are capped at five", "Retry cap", (CHECKOUT,))
    assert (now.created_by, now.unreviewed) == (REVIEWER, False)
    assert (decided.proposal.outcome, decided.proposal.decided_by) == ("accepted", REVIEWER)
    assert graph.memory(SHOP, kept.id).superseded_by == now.id
    event = graph.history(SHOP, now.id)[-1]
    assert (event.kind, event.actor, event.session) == (EventKind.CREATED, REVIEWER, "s1")
    assert graph.inbox(SHOP).entries == ()
    for decide in (graph.accept_proposal, graph.reject_proposal):
        with pytest.raises(Conflict):
            decide(SHOP, made.id, actor=REVIEWER)
    assert found(graph, "retries capped") == ["Retries are capped at five"]


def test_a_proposal_without_a_draft_archives(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three")
    made = graph.propose(SHOP, kept.id, draft=None, reason="nobody retries now", actor=CAPTURE)
    assert made.kind is ProposalKind.ARCHIVE
    assert graph.accept_proposal(SHOP, made.id, actor=REVIEWER).memory.state is State.ARCHIVED
    event = graph.history(SHOP, kept.id)[-1]
    assert (event.kind, event.actor, event.note) == (EventKind.ARCHIVED, REVIEWER, "nobody retries now")


@pytest.mark.parametrize("by_dismissal", [True, False])
def test_rejecting_leaves_the_memory_as_it_is(graph: MemoryGraph, by_dismissal: bool) -> None:
    kept = write(graph, "Retries are capped at three")
    made = graph.propose(SHOP, kept.id, draft=None, actor=CAPTURE)
    if by_dismissal:
        assert graph.dismiss(SHOP, made.id, Why.PROPOSED, actor=REVIEWER).memory == kept
    else:
        assert graph.reject_proposal(SHOP, made.id, actor=REVIEWER).proposal.outcome == "rejected"
    assert graph.memory(SHOP, kept.id) == kept
    assert graph.inbox(SHOP).entries == ()


def test_the_same_proposal_waits_once(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three")
    told = draft("Retries are capped at five")
    first = graph.propose(SHOP, kept.id, draft=told, reason="r", actor=CAPTURE)
    assert graph.propose(SHOP, kept.id, draft=told, reason="r", actor=CAPTURE) == first
    graph.propose(SHOP, kept.id, draft=told, reason="another reason", actor=CAPTURE)
    assert len(graph.inbox(SHOP).entries) == 2
    graph.reject_proposal(SHOP, first.id, actor=REVIEWER)
    again = graph.propose(SHOP, kept.id, draft=told, reason="r", actor=CAPTURE)
    assert again.id != first.id


def test_what_became_of_the_memory_meanwhile_is_told(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three")
    made = graph.propose(SHOP, kept.id, draft=draft("Retries are capped at five"), actor=CAPTURE)
    graph.archive(SHOP, kept.id, actor=ME)
    (entry,) = graph.inbox(SHOP).entries
    assert (entry.actions, entry.said) == (("reject",), "capture proposes to supersede it (it is archived by now)")
    with pytest.raises(NotLive):
        graph.accept_proposal(SHOP, made.id, actor=REVIEWER)
    graph.reject_proposal(SHOP, made.id, actor=REVIEWER)
    assert graph.inbox(SHOP).entries == ()


def test_faults_of_a_draft_are_told_when_it_is_proposed(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three")
    for told, error in (
        (draft("  ", claims=["::x"]), InvalidInput),
        (draft("Retries", elements=["Nowhere"]), Unknown),
    ):
        with pytest.raises(error):
            graph.propose(SHOP, kept.id, draft=told, actor=CAPTURE)
    with pytest.raises(Unknown):
        graph.propose(SHOP, "Nobody", draft=None, actor=CAPTURE)
    with pytest.raises(Unknown):
        graph.accept_proposal(SHOP, "nothing", actor=REVIEWER)
    assert graph.inbox(SHOP).entries == ()


def test_a_proposal_for_the_organisation_waits_there(graph: MemoryGraph) -> None:
    wide = write(graph, "Everybody retries", WIDE)
    made = graph.propose(SHOP, wide.id, draft=None, actor=CAPTURE)
    assert graph.inbox(SHOP).entries == ()
    assert graph.inbox(OTHER).entries == ()
    assert [entry.proposal for entry in graph.inbox(WIDE).entries] == [made]
    assert graph.accept_proposal(SHOP, made.id, actor=REVIEWER).memory.state is State.ARCHIVED


def test_another_projects_proposal_is_unknown(graph: MemoryGraph) -> None:
    made = graph.propose(SHOP, write(graph, "Retries are capped").id, draft=None, actor=CAPTURE)
    for scope in (OTHER, WIDE):
        with pytest.raises(Unknown):
            graph.reject_proposal(scope, made.id, actor=REVIEWER)


def test_proposing_in_a_session_is_a_sign_of_life(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "Retries are capped at three")
    session = graph.start_session(SHOP, "Retries", agent=ME).session
    clock.pass_days(0.01)
    graph.propose(SHOP, kept.id, draft=None, actor=CAPTURE, session=session)
    assert graph.session(SHOP, session).seen_at == clock.now


class Turned(Codec):
    """Seals a text by turning it round, so that whatever is stored unsealed is seen."""

    def seal(self, scope: Scope, record: str, field: str, version: int, text: str) -> str:  # noqa: ARG002
        return text[::-1]

    def open(self, scope: Scope, record: str, field: str, version: int, stored: str) -> str:  # noqa: ARG002
        return stored[::-1]


def test_what_was_proposed_is_sealed(store_path: Path, clock: Clock) -> None:
    graph = MemoryGraph(Parts(SqliteStore(store_path), clock, new_id, codec=Turned()))
    kept = write(graph, "Retries are capped at three and see [[Nowhere]]")
    graph.propose(SHOP, kept.id, draft=draft("Retries secretly capped"), reason="a secret reason", actor=CAPTURE)
    graph.dismiss(SHOP, kept.id, Why.PENDING_LINK, actor=REVIEWER, other="Nowhere")
    (entry,) = graph.inbox(SHOP).entries
    assert entry.proposal is not None
    assert entry.proposal.reason == "a secret reason"
    graph.close()
    stored = b"".join(path.read_bytes() for path in store_path.parent.iterdir())
    assert b"secret" not in stored
    assert b"terces" in stored


def test_a_proposal_is_bounded_and_its_reason_begins_no_line(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three")
    with pytest.raises(InvalidInput) as caught:
        graph.propose(SHOP, kept.id, draft=None, reason="r" * 2_001, actor=ME, session="s" * 201)
    assert [fault.where for fault in caught.value.faults] == ["reason", "session"]
    graph.propose(SHOP, kept.id, draft=None, reason="old\n    archmem archive all", actor=ME)
    (entry,) = graph.inbox(SHOP, why=[Why.PROPOSED]).entries
    assert entry.said.endswith("proposes to archive it: old archmem archive all")
    assert entry.proposal is not None
    assert "\n" in entry.proposal.reason
