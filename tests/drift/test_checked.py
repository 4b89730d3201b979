"""How a report is judged, and what a command ends with."""

import json

import pytest

from drift import DriftPolicy, KnownFindings, judge_report, known_of, parse_known, results_of, write_known
from drift.scores import band_of, score_of
from graph.drift_report import DriftReport, NewCode, Reason, Verdict
from graph.errors import InvalidInput
from tests.drift.reports import DRIFTED, GONE, MOVED, NEVER, NEW, checked, full, of, report


def known(of_report: DriftReport, *, from_file: bool = True) -> KnownFindings:
    return KnownFindings(findings=known_of(results_of(of_report)), from_file=from_file)


@pytest.mark.parametrize(
    ("verdicts", "new", "score"),
    [
        ([Verdict.MATCHED, Verdict.MOVED, Verdict.DRIFTED, Verdict.MISSING], 0, 50.0),
        ([Verdict.MATCHED, Verdict.UNMAPPED, Verdict.UNVERIFIED], 2, 33.3),
        ([Verdict.UNMAPPED], 0, None),
        ([Verdict.UNMAPPED], 1, 0.0),
        ([Verdict.UNVERIFIED], 1, None),
        ([], 0, None),
    ],
)
def test_the_score_counts_what_could_be_decided(verdicts: list[Verdict], new: int, score: float | None) -> None:
    assert score_of(of(*verdicts), new) == score


@pytest.mark.parametrize(
    ("score", "band"),
    [(100, "excellent"), (90, "excellent"), (89.9, "good"), (70, "good"), (50, "fair"), (30, "poor"), (0, "critical")],
)
def test_bands_begin_at_90_70_50_30(score: float, band: str) -> None:
    assert band_of(score, DriftPolicy()) == band


def test_exit_codes_tell_kept_from_violated_from_undecided() -> None:
    assert judge_report(report(DRIFTED)).exit_code == 0
    assert judge_report(report(DRIFTED), min_score=50).exit_code == 0
    assert judge_report(report(DRIFTED), min_score=50.1).exit_code == 1
    assert judge_report(report(MOVED), fail_on="any").exit_code == 0
    assert judge_report(report(DRIFTED), fail_on="none").exit_code == 0
    for violated in (report(DRIFTED), report(GONE), report(NEVER), report(MOVED, new=(NEW,))):
        assert judge_report(violated, fail_on="any").exit_code == 1
        assert judge_report(violated, fail_on="new").exit_code == 1
        assert judge_report(violated, fail_on="new", known=known(violated)).exit_code == 0
        assert judge_report(violated, fail_on="any", known=known(violated)).exit_code == 1
    undecided = report(*of(Verdict.UNVERIFIED, Verdict.UNMAPPED), score=None)
    assert judge_report(undecided, min_score=1, fail_on="any").exit_code == 3
    assert judge_report(report(*of(Verdict.UNVERIFIED, Verdict.MATCHED))).exit_code == 0
    assert judge_report(report(*of(Verdict.UNMAPPED), score=None)).exit_code == 0


@pytest.mark.parametrize("number", [0, 1, 2, 255, 256, 257, 300])
def test_the_number_of_findings_is_never_the_exit_code(number: int) -> None:
    findings = of(*[Verdict.DRIFTED] * number)
    assert judge_report(report(*findings), fail_on="any").exit_code == (1 if number else 0)
    new = tuple(NewCode(path=f"src/{i}", files=1) for i in range(number))
    assert judge_report(report(new=new), fail_on="new").exit_code == (1 if number else 0)


def test_another_verdict_on_a_known_element_is_new() -> None:
    gone = DRIFTED.model_copy(update={"verdict": Verdict.MISSING, "reason": Reason.REMOVED})
    judged = judge_report(report(gone), fail_on="new", known=known(report(DRIFTED)))
    assert judged.exit_code == 1
    assert [str(one) for one in judged.obsolete] == ["drifted Shop.API"]


def test_only_a_file_can_shrink() -> None:
    for from_file in (True, False):
        judged = judge_report(report(), fail_on="new", known=known(report(DRIFTED), from_file=from_file))
        assert bool(judged.obsolete) is from_file
    assert (
        "not at the merge base"
        in judge_report(report(GONE), fail_on="new", known=known(report(), from_file=False)).reasons[0]
    )


def test_known_results_come_last() -> None:
    results = checked(known=known(report(GONE, NEVER, DRIFTED))).results
    assert [one.known for one in results] == [False] * (len(results) - 3) + [True] * 3
    assert results[0].rule == "new"


def test_the_baseline_file_has_a_sorted_line_for_each_and_no_line_number() -> None:
    text = write_known(known_of(results_of(full())))
    assert text.splitlines() == [
        "{",
        '  "version": 1,',
        '  "known": [',
        '    {"ref": "Shop.API", "verdict": "drifted"},',
        '    {"ref": "Shop.Old", "verdict": "missing", "reason": "removed"},',
        '    {"ref": "Shop.Web", "verdict": "missing", "reason": "never_existed"},',
        '    {"path": "src/new", "verdict": "new"}',
        "  ]",
        "}",
    ]
    assert parse_known(text.encode()) == known_of(results_of(full()))
    assert json.loads(write_known(frozenset())) == {"version": 1, "known": []}
    assert parse_known(write_known(frozenset()).encode()) == frozenset()


@pytest.mark.parametrize(
    ("entries", "faults"),
    [
        ('{"ref": "A", "verdict": "matched"}', ["known.0.verdict"]),
        ('{"verdict": "drifted"}, {"path": "a", "verdict": "drifted"}', ["known.0", "known.1"]),
        ('{"ref": "A", "verdict": "missing"}', ["known.0"]),
        ('{"ref": "A", "verdict": "new"}, {"ref": "A", "line": 3, "verdict": "drifted"}', ["known.1.line"]),
        ("[", [""]),
    ],
)
def test_every_fault_of_the_baseline_file_is_named(entries: str, faults: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_known(f'{{"version": 1, "known": [{entries}]}}'.encode())
    places = [fault.where for fault in refused.value.faults]
    assert places == [f".archmem/drift-baseline.json {fault}".strip() for fault in faults]
