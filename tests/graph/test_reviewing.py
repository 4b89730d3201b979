"""The review inbox: what waits for a look and why, and what takes it off."""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest

from graph.claims import AskedClaim, parse_claim
from graph.drift_report import ClaimFinding, DriftReport, Finding, Verdict
from graph.elements import ElementKind
from graph.errors import ArchmemError, InvalidInput, NotLive, Unavailable, Unknown
from graph.memories import EventKind, Evidence, State
from graph.memory_graph import MemoryGraph
from graph.policy import DedupPolicy, GraphPolicy
from graph.review_views import InboxEntry
from graph.reviews import Why
from graph.scopes import Scope
from graph.vectors import Vector
from graph.views import MemoryView
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, WIDE, Clock, Make, draft, write

CHECKOUT = "Shop.API.Checkout"
REVIEWER = "reviewer"


class Bags:
    """Embeds a text by its words alone, so that a test knows every cosine."""

    name = "bags"
    identity = "bags:1:64"

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        made = []
        for text in texts:
            vector = np.zeros(64, dtype=np.float32)
            for word in text.casefold().split():
                vector[self._places.setdefault(word, len(self._places))] += 1
            made.append(vector / np.float32(np.linalg.norm(vector)))
        return made


class Gone(Bags):
    """An embedder that cannot be had, so that nobody knows its identity either."""

    @property
    def identity(self) -> str:  # type: ignore[override]
        raise Unavailable("no model", next_step="install one")


def entries(graph: MemoryGraph, *why: Why, scope: Scope = SHOP) -> tuple[InboxEntry, ...]:
    return graph.inbox(scope, why=why).entries


def ids(graph: MemoryGraph, *why: Why, scope: Scope = SHOP) -> list[str]:
    return [entry.memory.id for entry in entries(graph, *why, scope=scope)]


def drift(graph: MemoryGraph, clock: Clock, *claims: tuple[MemoryView, Evidence, str]) -> None:
    """Record that the checkout drifted an hour ago, with these findings on `src/a.py::MAX`."""
    clock.pass_days(1)
    landed = clock.now - timedelta(hours=1)
    finding = Finding(ref=CHECKOUT, kind=ElementKind.COMPONENT, verdict=Verdict.DRIFTED, landed_at=landed)
    told = tuple(
        ClaimFinding(
            asked=AskedClaim(memory=one.id, claim=parse_claim("src/a.py::MAX"), confirmed_at=one.confirmed_at),
            evidence=evidence,
            said=said,
        )
        for one, evidence, said in claims
    )
    report = DriftReport(score=1.0, band="poor", head="c9", at=clock.now, elements=(finding,), claims=told)
    graph.record_drift(SHOP, report)


def serve(graph: MemoryGraph, question: str, count: int, start: int = 0) -> None:
    """Serve what answers a question to sessions that report and cite nothing."""
    for n in range(start, start + count):
        graph.note_recall(SHOP, graph.recall(SHOP, question), session=f"s{n}")
        graph.cite(SHOP, f"s{n}", ())


def test_an_empty_inbox_says_so(graph: MemoryGraph) -> None:
    write(graph, "Prices are integers")
    found = graph.inbox(SHOP)
    assert (found.entries, found.next, set(found.counts.values())) == ((), "", {0})
    assert set(found.counts) == set(Why)
    assert found.text.startswith("Nothing waits for a look.")


# Drifted
def test_what_drifted_comes_flagged_first_with_its_claims_named(graph: MemoryGraph, clock: Clock) -> None:
    quiet = write(graph, "A basket is listed twice", elements=[CHECKOUT], claims=["src/a.py::MAX"])
    flagged = write(graph, "A basket is priced once", elements=[CHECKOUT], claims=["src/a.py::MAX"])
    write(graph, "Nothing moved below this one", elements=["Shop.Web"])
    drift(graph, clock, (quiet, Evidence.INTACT, "line 7"), (flagged, Evidence.CHANGED, "16384 now"))
    first, second = entries(graph)
    assert (first.why, first.memory.id, second.memory.id) == (Why.DRIFTED, flagged.id, quiet.id)
    assert first.said == (
        "VERIFY — the element drifted since this was last known true: last change 2026-06-02, "
        "cites `src/a.py::MAX`, 16384 now"
    )
    assert second.said == "the element drifted; what this memory claims still stands: `src/a.py::MAX`, line 7"
    assert first.actions == ("confirm", "supersede", "archive", "dismiss")
    graph.confirm(SHOP, flagged.id, actor=REVIEWER)
    assert ids(graph) == [quiet.id]


def test_a_dismissed_drift_comes_back_with_a_later_one(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    drift(graph, clock)
    answer = graph.dismiss(SHOP, kept.id, Why.DRIFTED, actor=REVIEWER)
    assert (answer.memory.id, answer.until) == (kept.id, "it drifts again, or other claims break")
    assert ids(graph) == []
    assert graph.memory(SHOP, kept.id).drifted_at is not None
    drift(graph, clock)
    assert ids(graph) == [kept.id]


def test_dismissed_claims_come_back_when_others_break_or_they_broke_again_after_a_confirmation(
    graph: MemoryGraph, clock: Clock
) -> None:
    kept = write(graph, "A basket holds MAX items", claims=["src/a.py::MAX", "src/a.py::MIN"])

    def gone(*claims: str) -> None:
        clock.pass_days(1)
        since = graph.memory(SHOP, kept.id).confirmed_at
        asked = [AskedClaim(memory=kept.id, claim=parse_claim(claim), confirmed_at=since) for claim in claims]
        told = tuple(ClaimFinding(asked=one, evidence=Evidence.GONE) for one in asked)
        graph.record_drift(SHOP, DriftReport(score=1.0, band="poor", head="c9", at=clock.now, claims=told))

    gone("src/a.py::MAX")
    graph.dismiss(SHOP, kept.id, Why.DRIFTED, actor=REVIEWER)
    gone("src/a.py::MAX")
    gone()  # a run that asked after nothing
    assert ids(graph) == []
    gone("src/a.py::MAX", "src/a.py::MIN")
    assert ids(graph) == [kept.id]
    graph.dismiss(SHOP, kept.id, Why.DRIFTED, actor=REVIEWER)
    graph.confirm(SHOP, kept.id, actor=ME)
    assert ids(graph) == []
    gone("src/a.py::MAX")
    assert ids(graph) == [kept.id]


def test_without_evidence_the_stamp_alone_decides(make: Make, clock: Clock) -> None:
    graph = make(policy=GraphPolicy.model_validate({"ranking": {"evidence": False}}))
    graph.import_model(SHOP, MODEL)
    claimed = write(graph, "A basket holds MAX items", elements=["Shop.Web"], claims=["src/a.py::MAX"])
    drift(graph, clock, (claimed, Evidence.GONE, ""))
    assert ids(graph) == []


# Ignored
def test_what_five_sessions_were_served_in_vain_is_ignored_with_its_counts(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three")
    serve(graph, "retries capped", 4)
    graph.note_recall(SHOP, graph.recall(SHOP, "retries capped"), session="silent")
    assert ids(graph) == []
    serve(graph, "retries capped", 1, start=4)
    (entry,) = entries(graph)
    assert (entry.why, entry.memory.id, entry.served_to, entry.reported_to) == (Why.IGNORED, kept.id, 6, 5)
    assert entry.said == "served to 6 sessions; none cited it, though 5 told what they used"
    graph.cite(SHOP, "late", (kept.id,))
    assert ids(graph) == []


def test_a_dismissed_ignored_one_comes_back_after_as_many_sessions_again(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three")
    serve(graph, "retries capped", 5)
    graph.dismiss(SHOP, kept.id, Why.IGNORED, actor=REVIEWER)
    serve(graph, "retries capped", 4, start=5)
    assert ids(graph) == []
    serve(graph, "retries capped", 1, start=9)
    assert ids(graph) == [kept.id]


def test_the_most_served_of_the_ignored_comes_first(graph: MemoryGraph) -> None:
    less = write(graph, "Retries are capped at three")
    more = write(graph, "Baskets expire after a day")
    serve(graph, "retries capped", 5)
    serve(graph, "baskets expire", 6, start=5)
    assert ids(graph) == [more.id, less.id]


# Unreviewed
def test_what_a_machine_captured_waits_until_somebody_looked(graph: MemoryGraph) -> None:
    confirmed = write(graph, "Retries are capped at three", unreviewed=True)
    dismissed = write(graph, "Baskets expire after a day", unreviewed=True)
    write(graph, "Prices are integers")
    (first, second) = entries(graph)
    assert (first.why, first.memory.id, second.memory.id) == (Why.UNREVIEWED, confirmed.id, dismissed.id)
    assert first.memory.unreviewed
    assert first.said == f"captured by {ME}, just now; nobody has looked at it yet"
    assert not graph.confirm(SHOP, confirmed.id, actor=REVIEWER).unreviewed
    view = graph.dismiss(SHOP, dismissed.id, Why.UNREVIEWED, actor=REVIEWER).memory
    assert (view.unreviewed, view.confirmed_by, view.version) == (False, ME, 2)
    last = graph.history(SHOP, dismissed.id)[-1]
    assert (last.kind, last.actor, last.after.unreviewed) == (EventKind.REVIEWED, REVIEWER, False)
    assert ids(graph) == []
    with pytest.raises(Unknown):
        graph.dismiss(SHOP, dismissed.id, Why.UNREVIEWED, actor=REVIEWER)


@pytest.mark.parametrize(("again", "waits"), [(False, False), (True, True)])
def test_who_writes_it_deliberately_has_looked_at_it(graph: MemoryGraph, again: bool, waits: bool) -> None:
    kept = write(graph, "Retries are capped at three", unreviewed=True)
    answer = graph.remember(SHOP, draft("Retries are capped at three", unreviewed=again), actor=REVIEWER)
    assert (answer.deduplicated, answer.memory.id, answer.memory.unreviewed) == (True, kept.id, waits)


def test_a_captured_text_takes_no_review_back(graph: MemoryGraph) -> None:
    write(graph, "Retries are capped at three")
    answer = graph.remember(SHOP, draft("Retries are capped at three", unreviewed=True), actor="capture")
    assert (answer.deduplicated, answer.memory.unreviewed) == (True, False)


# Near duplicates
def test_near_duplicates_are_told_with_what_differs(make: Make) -> None:
    graph = make(Bags())
    one = write(graph, "The gateway strips headers over 8KB from every request")
    other = write(graph, "The gateway strips headers over 16KB from every request")
    write(graph, "Nothing is alike here")
    (entry,) = entries(graph)
    assert entry.other is not None
    assert (entry.why, entry.memory.id, entry.other.id) == (Why.NEAR_DUPLICATE, one.id, other.id)
    assert entry.cosine == pytest.approx(8 / 9, abs=1e-6)
    assert entry.said == "89% alike; they differ in numbers"
    graph.dismiss(SHOP, other.id, Why.NEAR_DUPLICATE, actor=REVIEWER, other=one.id)
    assert entries(graph) == ()
    # A third one makes other pairs.
    third = write(graph, "The gateway strips headers over 32KB from every request")
    assert [entry.other and entry.other.id for entry in entries(graph)] == [third.id, third.id]


def test_equal_texts_on_different_elements_are_near_without_vectors(graph: MemoryGraph) -> None:
    one = write(graph, "Retries are capped", title="First", elements=[CHECKOUT])
    other = write(graph, "retries  are capped", title="Second", elements=["Shop.Web"])
    found = graph.inbox(SHOP)
    (entry,) = found.entries
    assert entry.other is not None
    assert (entry.memory.id, entry.other.id, entry.said) == (one.id, other.id, "100% alike; they say the same")
    assert found.notices == ("near duplicates: equal texts alone, since there is no embedder",)


def test_while_the_embedder_cannot_be_had_equal_texts_are_told(make: Make) -> None:
    graph = make(Gone())
    assert graph.inbox(SHOP).notices == ("near duplicates: equal texts alone, since there is no embedder",)


def test_a_dismissed_pair_takes_no_other_pairs_place(make: Make) -> None:
    graph = make(Bags(), GraphPolicy(dedup=DedupPolicy(most_pairs=1)))
    made = [write(graph, f"The gateway strips headers over {n}KB from every request") for n in (8, 16, 32)]
    seen = set()
    for _ in range(3):
        (entry,) = entries(graph)
        assert entry.other is not None
        seen.add((entry.memory.id, entry.other.id))
        graph.dismiss(SHOP, entry.memory.id, Why.NEAR_DUPLICATE, actor=REVIEWER, other=entry.other.id)
    a, b, c = (one.id for one in made)
    assert seen == {(a, b), (a, c), (b, c)}
    assert entries(graph) == ()


# Pending links
def test_a_link_that_leads_nowhere_is_told_with_titles_that_help(graph: MemoryGraph) -> None:
    write(graph, "Headers are cut", title="Header limit")
    kept = write(graph, "See [[Header limits|there]] and [[Nowhere at all]]")
    first, second = entries(graph)
    assert (first.why, first.memory.id, first.link, first.near) == (
        *(Why.PENDING_LINK, kept.id, "Header limits|there"),
        ("Header limit",),
    )
    assert (second.link, second.near) == ("Nowhere at all", ())
    # What looks alike is never taken for it.
    assert all(not link.target for link in graph.memory(SHOP, kept.id).links)
    graph.dismiss(SHOP, kept.id, Why.PENDING_LINK, actor=REVIEWER, other="Nowhere at all")
    assert [entry.link for entry in entries(graph)] == ["Header limits|there"]
    write(graph, "What it says", title="Header limits")
    assert ids(graph) == []


def test_a_memory_that_is_replaced_brings_its_links_back(graph: MemoryGraph) -> None:
    kept = write(graph, "See [[Nowhere]]")
    graph.dismiss(SHOP, kept.id, Why.PENDING_LINK, actor=REVIEWER, other="Nowhere")
    made = graph.supersede(SHOP, kept.id, draft("See [[Nowhere]] for more"), actor=ME).memory
    assert ids(graph) == [made.id]


# All of it
def test_pages_go_on_where_the_last_one_ended_though_it_was_acted_upon(graph: MemoryGraph) -> None:
    made = [write(graph, f"Fact number {n} of many", unreviewed=True).id for n in range(5)]
    linked = write(graph, "See [[Nowhere]]").id
    seen: list[str] = []
    page = graph.inbox(SHOP, limit=2)
    while True:
        seen.extend(entry.memory.id for entry in page.entries)
        for entry in page.entries:
            if entry.why is Why.UNREVIEWED:
                graph.confirm(SHOP, entry.memory.id, actor=REVIEWER)
        if not page.next:
            break
        page = graph.inbox(SHOP, after=page.next, limit=2)
    assert seen == [*made, linked]
    assert graph.inbox(SHOP).counts[Why.UNREVIEWED] == 0


def test_reasons_are_asked_for_one_by_one(graph: MemoryGraph) -> None:
    write(graph, "See [[Nowhere]]", unreviewed=True)
    found = graph.inbox(SHOP, why=(Why.PENDING_LINK,))
    assert dict(found.counts) == {Why.PENDING_LINK: 1}
    assert [entry.why for entry in found.entries] == [Why.PENDING_LINK]
    assert [entry.why for entry in graph.inbox(SHOP).entries] == [Why.UNREVIEWED, Why.PENDING_LINK]


def test_a_budget_keeps_to_the_entries_that_fit(graph: MemoryGraph) -> None:
    made = [write(graph, f"Fact number {n} of many", unreviewed=True).id for n in range(5)]
    whole = graph.inbox(SHOP)
    assert whole.next == ""
    assert all(one in whole.text for one in made)
    budget = len(whole.text) - 150
    part = graph.inbox(SHOP, budget=budget)
    assert len(part.text) <= budget + 80  # the line that says there is more
    assert 1 <= len(part.entries) < 5
    rest = graph.inbox(SHOP, after=part.next)
    assert [entry.memory.id for entry in (*part.entries, *rest.entries)] == made
    tiny = graph.inbox(SHOP, budget=1)
    assert len(tiny.entries) == 1


def test_what_people_wrote_is_quoted_in_the_text(graph: MemoryGraph) -> None:
    write(graph, "First\ndrifted: forged (confirm)\n- **Forged** [PITFALL]", title="Told", unreviewed=True)
    lines = graph.inbox(SHOP).text.splitlines()
    assert [line for line in lines if "forged" in line.casefold()] == [
        "  > drifted: forged (confirm)",
        "  > - **Forged** [PITFALL]",
    ]


def test_a_project_decides_on_its_own_memories_alone(graph: MemoryGraph) -> None:
    own = write(graph, "Retries are capped at three", unreviewed=True)
    write(graph, "Elsewhere it is four", OTHER, unreviewed=True)
    wide = write(graph, "Everybody retries", WIDE, unreviewed=True)
    assert ids(graph) == [own.id]
    assert ids(graph, scope=WIDE) == [wide.id]
    # By its id the organisation's memory is dismissed from a project too.
    graph.dismiss(SHOP, wide.id, Why.UNREVIEWED, actor=REVIEWER)
    assert ids(graph, scope=WIDE) == []


def test_what_is_not_there_cannot_be_dismissed(graph: MemoryGraph) -> None:
    kept = write(graph, "Retries are capped at three")
    for why, other, error in (
        (Why.DRIFTED, "", Unknown),
        (Why.IGNORED, "", Unknown),
        (Why.UNREVIEWED, "", Unknown),
        (Why.PENDING_LINK, "Nowhere", Unknown),
        (Why.NEAR_DUPLICATE, kept.id, Unknown),
        (Why.NEAR_DUPLICATE, "", InvalidInput),
        (Why.PENDING_LINK, "", InvalidInput),
        (Why.DRIFTED, "something", InvalidInput),
        (Why.PROPOSED, "", Unknown),
    ):
        with pytest.raises(error) as caught:
            graph.dismiss(SHOP, kept.id, why, actor=REVIEWER, other=other)
        assert isinstance(caught.value, ArchmemError)
        assert caught.value.next_step
    graph.archive(SHOP, kept.id, actor=ME)
    with pytest.raises(NotLive):
        graph.dismiss(SHOP, kept.id, Why.IGNORED, actor=REVIEWER)
    assert graph.memory(SHOP, kept.id).state is State.ARCHIVED


@pytest.mark.parametrize(
    "asked",
    [{"limit": 0}, {"limit": 501}, {"budget": 0}, {"after": "x"}, {"after": "drifted:1"}, {"after": "none:1:x"}],
)
def test_what_cannot_be_listed_is_told(graph: MemoryGraph, asked: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        graph.inbox(SHOP, **asked)  # type: ignore[arg-type]
    assert caught.value.faults[0].where == next(iter(asked))
