"""What a drift run does to memories: flagged by anchor or stamp, cleared by a revert or a confirmation."""

from datetime import datetime, timedelta

import pytest

from graph.claims import Anchor, AskedClaim, Baseline, parse_claim
from graph.drift_report import AnchorFinding, ClaimFinding, DriftReport, Finding, Reason, Verdict
from graph.elements import ElementKind
from graph.errors import Unknown
from graph.memories import Checkout, EventKind, Evidence, Memory
from graph.memory_graph import MemoryGraph
from graph.views import MemoryView
from tests.graph.conftest import ME, OTHER, SHOP, Clock, draft, found, write

CHECKOUT = "Shop.API.Checkout"
COMMIT = "c1" * 20
BLOBS = {"src/api/checkout/total.py": "b1" * 20, "src/api/catalogue.py": "b2" * 20}


def report(at: datetime, *findings: Finding, anchors: tuple[AnchorFinding, ...] = (), head: str = "c9") -> DriftReport:
    return DriftReport(score=50.0, band="poor", head=head, at=at, elements=findings, anchors=anchors)


def finding(verdict: Verdict = Verdict.DRIFTED, ref: str = CHECKOUT, **others: object) -> Finding:
    return Finding.model_validate({"ref": ref, "kind": ElementKind.COMPONENT, "verdict": verdict, **others})


def anchored(differs: bool | None, landed: datetime | None = None, commit: str = COMMIT) -> AnchorFinding:
    anchor = Anchor(
        element=CHECKOUT, commit=commit, blobs={"src/api/checkout/total.py": BLOBS["src/api/checkout/total.py"]}
    )
    return AnchorFinding(anchor=anchor, differs=differs, landed_at=landed)


def test_a_stamp_later_than_the_last_confirmation_flags_and_recall_says_verify(
    graph: MemoryGraph, clock: Clock
) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    other = write(graph, "A basket is listed twice", elements=["Shop.Web"])
    clock.pass_days(2)
    landed = clock.now - timedelta(days=1)
    before = graph.recall(SHOP, "basket priced").hits[0]
    stamped = graph.record_drift(SHOP, report(clock.now, finding(landed_at=landed, commits=14, first_change_at=landed)))
    assert (stamped.stamped, stamped.flagged, stamped.cleared) == ((CHECKOUT,), (kept.id,), ())
    after = graph.recall(SHOP, "basket priced", explain=True)
    assert after.hits[0].verify
    assert "[VERIFY — the element drifted since this was last known true: 14 commits, last change 2026-06-02]" in (
        after.hits[0].text
    )
    assert after.hits[0].score == pytest.approx(before.score * 0.6, abs=1e-9)
    assert after.as_of == "c9"
    assert graph.memory(SHOP, kept.id).drifted_at == landed
    assert graph.memory(SHOP, other.id).drifted_at is None
    assert graph.history(SHOP, kept.id)[-1].kind is EventKind.DRIFTED


def test_confirming_clears_and_a_later_stamp_flags_again(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now)))
    clock.pass_days(1)
    assert graph.confirm(SHOP, kept.id, actor=ME).drifted_at is None
    assert graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now - timedelta(days=1)))).flagged == ()
    assert not graph.recall(SHOP, "basket").hits[0].verify
    clock.pass_days(1)
    assert graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now))).flagged == (kept.id,)


def test_a_memory_written_after_the_change_is_not_suspect(graph: MemoryGraph, clock: Clock) -> None:
    write(graph, "A basket is priced once", elements=[CHECKOUT])
    assert graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now - timedelta(days=3)))).flagged == ()


def test_the_same_run_twice_changes_nothing(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    landed = finding(landed_at=clock.now)
    graph.record_drift(SHOP, report(clock.now, landed))
    again = graph.record_drift(SHOP, report(clock.now, landed))
    assert (again.stamped, again.flagged, again.cleared) == ((), (), ())
    assert len(graph.history(SHOP, kept.id)) == 2


def test_an_anchor_decides_before_the_stamp(graph: MemoryGraph, clock: Clock) -> None:
    kept = graph.remember(
        SHOP,
        draft("A basket is priced once", elements=[CHECKOUT]),
        actor=ME,
        checkout=Checkout(commit=COMMIT, blobs=BLOBS),
    ).memory
    assert graph.anchors(SHOP) == (anchored(None).anchor,)
    clock.pass_days(1)
    stamp = finding(landed_at=clock.now)
    assert graph.record_drift(SHOP, report(clock.now, stamp, anchors=(anchored(False),))).flagged == ()
    landed = clock.now - timedelta(hours=1)
    assert graph.record_drift(SHOP, report(clock.now, stamp, anchors=(anchored(True, landed),))).flagged == (kept.id,)
    assert graph.memory(SHOP, kept.id).drifted_at == landed


def test_a_revert_clears_the_flag_by_its_anchor(graph: MemoryGraph, clock: Clock) -> None:
    kept = graph.remember(
        SHOP,
        draft("A basket is priced once", elements=[CHECKOUT]),
        actor=ME,
        checkout=Checkout(commit=COMMIT, blobs=BLOBS),
    ).memory
    clock.pass_days(1)
    graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now), anchors=(anchored(True, clock.now),)))
    assert graph.recall(SHOP, "basket").hits[0].verify
    matched = finding(Verdict.MATCHED)
    assert graph.record_drift(SHOP, report(clock.now, matched, anchors=(anchored(False),))).cleared == (kept.id,)
    assert not graph.recall(SHOP, "basket").hits[0].verify
    assert graph.history(SHOP, kept.id)[-1].kind is EventKind.DRIFT_CLEARED


def test_an_anchor_flags_though_the_element_was_accepted_or_redefined(graph: MemoryGraph, clock: Clock) -> None:
    kept = graph.remember(
        SHOP,
        draft("A basket is priced once", elements=[CHECKOUT]),
        actor=ME,
        checkout=Checkout(commit=COMMIT, blobs=BLOBS),
    ).memory
    matched = finding(Verdict.MATCHED)
    stamped = graph.record_drift(SHOP, report(clock.now, matched, anchors=(anchored(True, clock.now),)))
    assert stamped.flagged == (kept.id,)


def test_accepting_an_element_clears_no_flag(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now)))
    baseline = Baseline(anchor=Anchor(element=CHECKOUT, commit="c9"), accepted_at=clock.now)
    assert graph.accept_drift(SHOP, {CHECKOUT: baseline}, actor=ME) == (CHECKOUT,)
    assert graph.baselines(SHOP) == {CHECKOUT: baseline}
    assert graph.record_drift(SHOP, report(clock.now, finding(Verdict.MATCHED))).cleared == ()
    assert graph.memory(SHOP, kept.id).drifted_at is not None
    with pytest.raises(Unknown):
        graph.accept_drift(SHOP, {"Nowhere": baseline}, actor=ME)


def test_confirming_without_a_checkout_drops_the_old_anchor(graph: MemoryGraph, clock: Clock) -> None:
    kept = graph.remember(
        SHOP,
        draft("A basket is priced once", elements=[CHECKOUT]),
        actor=ME,
        checkout=Checkout(commit=COMMIT, blobs=BLOBS),
    ).memory
    clock.pass_days(1)
    graph.confirm(SHOP, kept.id, actor=ME)
    assert graph.anchors(SHOP) == ()
    graph.confirm(SHOP, kept.id, actor=ME, checkout=Checkout(commit=COMMIT[::-1], blobs=BLOBS))
    assert [anchor.commit for anchor in graph.anchors(SHOP)] == [COMMIT[::-1]]


def test_of_several_pins_the_latest_stamp_counts(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT, "Shop.Web"])
    clock.pass_days(3)
    early, late = clock.now - timedelta(days=2), clock.now - timedelta(days=1)
    graph.record_drift(SHOP, report(clock.now, finding(landed_at=late), finding(ref="Shop.Web", landed_at=early)))
    assert graph.memory(SHOP, kept.id).drifted_at == late


def test_removed_source_stamps_and_a_path_that_never_existed_does_not(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    never = finding(Verdict.MISSING, reason=Reason.NEVER_EXISTED)
    assert graph.record_drift(SHOP, report(clock.now, never)).stamped == ()
    gone = finding(Verdict.MISSING, reason=Reason.REMOVED, removed_at=clock.now)
    assert graph.record_drift(SHOP, report(clock.now, gone)).flagged == (kept.id,)
    assert "the element's source is gone" in graph.recall(SHOP, "basket").text


def test_a_stamp_is_never_later_than_the_run(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now + timedelta(days=9))))
    assert graph.memory(SHOP, kept.id).drifted_at == clock.now


@pytest.mark.parametrize("verdict", [Verdict.MATCHED, Verdict.MOVED, Verdict.UNMAPPED, Verdict.UNVERIFIED])
def test_other_verdicts_stamp_nothing(graph: MemoryGraph, clock: Clock, verdict: Verdict) -> None:
    write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    assert graph.record_drift(SHOP, report(clock.now, finding(verdict))).flagged == ()


def test_a_project_wide_memory_is_not_flagged_by_elements(graph: MemoryGraph, clock: Clock) -> None:
    write(graph, "A basket is priced once")
    clock.pass_days(1)
    assert graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now))).flagged == ()


def test_runs_are_kept_newest_first(graph: MemoryGraph, clock: Clock) -> None:
    for head in ("c1", "c2"):
        graph.record_drift(SHOP, report(clock.now, finding(Verdict.MATCHED), head=head))
    newest, oldest = graph.drift_runs(SHOP)
    assert [newest.report.head, oldest.report.head] == ["c2", "c1"]
    assert graph.drift_runs(SHOP, before=newest.id) == (oldest,)
    assert graph.drift_run(SHOP, oldest.id) == oldest
    with pytest.raises(Unknown):
        graph.drift_run(OTHER, oldest.id)


def test_old_runs_keep_their_score_and_verdicts_without_what_explains_them(graph: MemoryGraph, clock: Clock) -> None:
    for number in range(52):
        told = finding(landed_at=clock.now, files=("a.py",), authors=("dev",))
        graph.record_drift(SHOP, report(clock.now, told, head=f"c{number}"))
    runs = graph.drift_runs(SHOP, 100)
    assert [bool(run.report.elements[0].files) for run in runs] == [True] * 50 + [False] * 2
    assert {run.report.score for run in runs} == {runs[0].report.score}
    assert [run.report.counts() for run in runs] == [{"drifted": 1}] * 52


def test_drift_is_a_caveat_and_never_a_filter(graph: MemoryGraph, clock: Clock) -> None:
    write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now)))
    assert found(graph, "basket") == ["A basket is priced once"]


def anchored_memory(graph: MemoryGraph) -> str:
    checkout = Checkout(commit=COMMIT, blobs=BLOBS)
    priced = draft("A basket is priced once", elements=[CHECKOUT])
    return graph.remember(SHOP, priced, actor=ME, checkout=checkout).memory.id


def test_a_run_of_an_older_commit_flags_but_clears_nothing(graph: MemoryGraph, clock: Clock) -> None:
    kept = anchored_memory(graph)
    clock.pass_days(2)
    new = report(clock.now, finding(landed_at=clock.now), anchors=(anchored(True, clock.now),))
    graph.record_drift(SHOP, new.model_copy(update={"head_at": clock.now}))
    old = report(clock.now, finding(Verdict.MATCHED), anchors=(anchored(False),), head="c1")
    earlier = clock.now - timedelta(days=1)
    assert graph.record_drift(SHOP, old.model_copy(update={"head_at": earlier})).cleared == ()
    assert graph.memory(SHOP, kept).drifted_at == clock.now
    later = report(clock.now, finding(Verdict.MATCHED), anchors=(anchored(False),), head="c10")
    assert graph.record_drift(SHOP, later.model_copy(update={"head_at": clock.now})).cleared == (kept,)


def test_restating_from_where_nothing_moved_clears_no_flag(graph: MemoryGraph, clock: Clock) -> None:
    kept = anchored_memory(graph)
    clock.pass_days(1)
    graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now), anchors=(anchored(True, clock.now),)))
    again = draft("a basket is priced once", elements=[CHECKOUT])
    for checkout in (None, Checkout(commit=COMMIT, blobs=BLOBS)):
        answer = graph.remember(SHOP, again, actor=ME, checkout=checkout)
        assert answer.deduplicated
        assert answer.memory.drifted_at is not None
        assert [anchor.commit for anchor in graph.anchors(SHOP)] == [COMMIT]
    moved = Checkout(commit=COMMIT[::-1], blobs={"src/api/checkout/total.py": "b" * 40})
    assert graph.remember(SHOP, again, actor=ME, checkout=moved).memory.drifted_at is None
    assert graph.memory(SHOP, kept).version == 5


def test_a_clock_that_runs_ahead_stamps_nothing_in_the_future(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    ahead = clock.now + timedelta(days=9_000)
    graph.record_drift(SHOP, report(ahead, finding(landed_at=ahead)))
    assert graph.memory(SHOP, kept.id).drifted_at == clock.now
    clock.pass_days(1)
    graph.confirm(SHOP, kept.id, actor=ME)
    assert graph.record_drift(SHOP, report(clock.now, finding(Verdict.MATCHED))).flagged == ()


def test_drift_of_unknown_landing_does_not_come_anew_with_each_run(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    assert graph.record_drift(SHOP, report(clock.now, finding())).flagged == (kept.id,)
    graph.confirm(SHOP, kept.id, actor=ME)
    clock.pass_days(1)
    assert graph.record_drift(SHOP, report(clock.now, finding())).flagged == ()


def test_an_anchor_of_unknown_landing_makes_one_event(graph: MemoryGraph, clock: Clock) -> None:
    kept = anchored_memory(graph)
    for _ in range(3):
        clock.pass_days(1)
        graph.record_drift(SHOP, report(clock.now, finding(Verdict.MATCHED), anchors=(anchored(True),)))
    assert [event.kind for event in graph.history(SHOP, kept)] == [EventKind.CREATED, EventKind.DRIFTED]


def test_verify_names_the_pin_that_drifted_and_counts_only_commits_since(graph: MemoryGraph, clock: Clock) -> None:
    write(graph, "A basket is priced once", elements=[CHECKOUT, "Shop.Web"])
    clock.pass_days(2)
    early, late = clock.now - timedelta(days=9), clock.now - timedelta(days=1)
    mine = finding(commits=2, first_change_at=late, landed_at=late)
    never = finding(Verdict.MISSING, "Shop.Web", reason=Reason.NEVER_EXISTED)
    graph.record_drift(SHOP, report(clock.now, mine, never))
    assert "[VERIFY — the element drifted since this was last known true: 2 commits, last change" in (
        graph.recall(SHOP, "basket").text
    )
    old = finding(ref="Shop.Web", commits=99, first_change_at=early, landed_at=early)
    graph.record_drift(SHOP, report(clock.now, mine, old))
    text = graph.recall(SHOP, "basket").text
    assert "2 commits" in text
    assert "99 commits" not in text


def told(memory: Memory | MemoryView, claim: str, evidence: Evidence, said: str = "") -> ClaimFinding:
    asked = AskedClaim(memory=memory.id, claim=parse_claim(claim), confirmed_at=memory.confirmed_at, details=("a",))
    return ClaimFinding(asked=asked, evidence=evidence, said=said)


def test_the_claims_of_live_memories_are_asked_with_their_anchor(graph: MemoryGraph) -> None:
    given = draft(
        "`roundHalf` rounds 3 digits",
        elements=[CHECKOUT],
        claims=["src/a.py::total"],
        why="see `src/a.py::total` and `src/b.py`",
    )
    kept = graph.remember(SHOP, given, actor=ME, checkout=Checkout(commit=COMMIT, blobs=BLOBS)).memory
    write(graph, "Nothing to check")
    wide = write(graph, "`src/c.py` and `aloneName`")
    asked = graph.claims(SHOP)
    assert [(one.memory, str(one.claim), one.elements, one.commit) for one in asked] == [
        (kept.id, "src/a.py::total", (CHECKOUT,), COMMIT),
        (kept.id, "roundHalf", (CHECKOUT,), COMMIT),
        (kept.id, "src/b.py", (CHECKOUT,), COMMIT),
        (wide.id, "src/c.py", (), ""),
    ]
    assert {"3", "roundHalf", "total"} <= set(asked[0].details)
    assert asked[0].confirmed_at == kept.confirmed_at
    graph.archive(SHOP, kept.id, actor=ME)
    assert [one.memory for one in graph.claims(SHOP)] == [wide.id]


def test_the_worst_claim_counts_and_recall_names_what_broke(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    claims = (
        told(kept, "a.py::MAX=8192", Evidence.CHANGED, "16384 now"),
        *(told(kept, f"a.py::f{number}", Evidence.GONE, "no f in a.py any more") for number in range(4)),
        told(kept, "a.py", Evidence.INTACT),
        told(kept, "b.py", Evidence.UNCHECKED, "why"),
    )
    run = report(clock.now).model_copy(update={"claims": claims})
    assert graph.record_drift(SHOP, run).flagged == (kept.id,)
    hit = graph.recall(SHOP, "basket priced").hits[0]
    assert "[VERIFY — cites `a.py::f0`, gone; `a.py::f1`, gone; `a.py::f2`, gone and 2 more]" in hit.text
    assert hit.memory is not None
    assert hit.memory.evidence is Evidence.GONE
    event = graph.history(SHOP, kept.id)[-1]
    assert (event.kind, "a.py::MAX=8192, 16384 now" in event.note) == (EventKind.DRIFTED, True)
    stored = graph.drift_runs(SHOP)[0].report.claims
    assert {str(one.asked.claim) for one in stored} == {"a.py::MAX=8192", *(f"a.py::f{n}" for n in range(4))}
    assert not any(one.asked.details for one in stored)
    fixed = run.model_copy(update={"claims": (told(kept, "a.py::MAX=8192", Evidence.CHANGED, "16384 now"),)})
    assert graph.record_drift(SHOP, fixed).flagged == ()
    assert "[VERIFY — cites `a.py::MAX=8192`, 16384 now]" in graph.recall(SHOP, "basket priced").hits[0].text
    assert graph.confirm(SHOP, kept.id, actor=ME).evidence is Evidence.NONE
    assert "VERIFY" not in graph.recall(SHOP, "basket priced").hits[0].text


def test_intact_claims_quiet_a_stamp_and_tell_what_moved(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    before = graph.recall(SHOP, "basket priced").hits[0]
    moved = told(kept, "a.py", Evidence.INTACT, "lives at b.py now")
    run = report(clock.now, finding(landed_at=clock.now)).model_copy(update={"claims": (moved,)})
    assert graph.record_drift(SHOP, run).flagged == ()
    hit = graph.recall(SHOP, "basket priced").hits[0]
    assert "[the element drifted; what this memory claims still stands: `a.py`, lives at b.py now]" in hit.text
    assert not hit.verify
    assert hit.score == pytest.approx(before.score * 0.9, abs=1e-9)
    assert graph.record_drift(SHOP, run.model_copy(update={"elements": ()})).cleared == ()
    unknown = told(kept.model_copy(update={"id": "m-unknown"}), "a.py", Evidence.GONE)
    assert graph.record_drift(SHOP, run.model_copy(update={"claims": (unknown,)})).flagged == ()


def test_evidence_of_before_a_confirmation_says_nothing(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    stale = told(kept, "a.py", Evidence.GONE)
    clock.pass_days(1)
    graph.confirm(SHOP, kept.id, actor=ME)
    run = report(clock.now).model_copy(update={"claims": (stale,)})
    assert graph.record_drift(SHOP, run).flagged == ()
    assert graph.memory(SHOP, kept.id).evidence is Evidence.NONE


def test_an_older_commit_can_break_a_claim_and_mend_none(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "A basket is priced once")
    clock.pass_days(2)

    def at(days: int, evidence: Evidence) -> DriftReport:
        claims = (told(kept, "a.py", evidence),)
        moment = clock.now + timedelta(days=days)
        return report(clock.now).model_copy(update={"claims": claims, "head_at": moment})

    assert graph.record_drift(SHOP, at(0, Evidence.GONE)).flagged == (kept.id,)
    assert graph.record_drift(SHOP, at(-1, Evidence.INTACT)).cleared == ()
    assert graph.record_drift(SHOP, at(0, Evidence.INTACT)).cleared == (kept.id,)
    assert graph.memory(SHOP, kept.id).evidence is Evidence.INTACT
    assert graph.record_drift(SHOP, at(-1, Evidence.CHANGED)).flagged == (kept.id,)
