"""What a drift run does to memories: flagged by anchor or stamp, cleared by a revert or a confirmation."""

from datetime import datetime, timedelta

import pytest

from graph.claims import Anchor, Baseline
from graph.drift_report import AnchorFinding, DriftReport, Finding, Reason, Verdict
from graph.elements import ElementKind
from graph.errors import Unknown
from graph.memories import Checkout, EventKind
from graph.memory_graph import MemoryGraph
from tests.graph.conftest import ME, SHOP, Clock, draft, found, write

CHECKOUT = "Shop.API.Checkout"
BLOBS = {"src/api/checkout/total.py": "b1", "src/api/catalogue.py": "b2"}


def report(at: datetime, *findings: Finding, anchors: tuple[AnchorFinding, ...] = (), head: str = "c9") -> DriftReport:
    return DriftReport(score=50.0, band="poor", head=head, at=at, elements=findings, anchors=anchors)


def finding(verdict: Verdict = Verdict.DRIFTED, ref: str = CHECKOUT, **others: object) -> Finding:
    return Finding.model_validate({"ref": ref, "kind": ElementKind.COMPONENT, "verdict": verdict, **others})


def anchored(differs: bool | None, landed: datetime | None = None, commit: str = "c1") -> AnchorFinding:
    return AnchorFinding(anchor=Anchor(element=CHECKOUT, commit=commit), differs=differs, landed_at=landed)


def test_a_stamp_later_than_the_last_confirmation_flags_and_recall_says_verify(
    graph: MemoryGraph, clock: Clock
) -> None:
    kept = write(graph, "A basket is priced once", elements=[CHECKOUT])
    other = write(graph, "A basket is listed twice", elements=["Shop.Web"])
    clock.pass_days(2)
    landed = clock.now - timedelta(days=1)
    before = graph.recall(SHOP, "basket priced").hits[0]
    stamped = graph.record_drift(SHOP, report(clock.now, finding(landed_at=landed, commits=14)))
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
        checkout=Checkout(commit="c1", blobs=BLOBS),
    ).memory
    assert graph.anchors(SHOP) == (Anchor(element=CHECKOUT, commit="c1", blobs={"src/api/checkout/total.py": "b1"}),)
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
        checkout=Checkout(commit="c1", blobs=BLOBS),
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
        checkout=Checkout(commit="c1", blobs=BLOBS),
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
        checkout=Checkout(commit="c1", blobs=BLOBS),
    ).memory
    clock.pass_days(1)
    graph.confirm(SHOP, kept.id, actor=ME)
    assert graph.anchors(SHOP) == ()
    graph.confirm(SHOP, kept.id, actor=ME, checkout=Checkout(commit="c2", blobs=BLOBS))
    assert [anchor.commit for anchor in graph.anchors(SHOP)] == ["c2"]


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
    assert [run.report.head for run in graph.drift_runs(SHOP)] == ["c2", "c1"]


def test_drift_is_a_caveat_and_never_a_filter(graph: MemoryGraph, clock: Clock) -> None:
    write(graph, "A basket is priced once", elements=[CHECKOUT])
    clock.pass_days(1)
    graph.record_drift(SHOP, report(clock.now, finding(landed_at=clock.now)))
    assert found(graph, "basket") == ["A basket is priced once"]
