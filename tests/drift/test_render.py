"""How a report reads, and what it makes a command exit with."""

import json

import pytest

from drift import DriftPolicy, exit_code, render_json, render_text
from drift.scores import band_of, score_of
from graph.drift_report import DriftReport, Finding, NewCode, Reason, Verdict
from graph.elements import ElementKind
from graph.errors import Fault
from tests.drift.conftest import NOW, day

DRIFTED = Finding(
    ref="Shop.API",
    kind=ElementKind.CONTAINER,
    verdict=Verdict.DRIFTED,
    source=("src/api",),
    base="b" * 40,
    commits=2,
    files=("src/api/pay.js",),
    share=0.25,
    landed_at=day(3),
    authors=("dev",),
)
NEVER = Finding(
    ref="Shop.Web",
    kind=ElementKind.CONTAINER,
    verdict=Verdict.MISSING,
    reason=Reason.NEVER_EXISTED,
    source=("src/web",),
)
MOVED = Finding(ref="Shop.Job", kind=ElementKind.CONTAINER, verdict=Verdict.MOVED, repair={"src/job": "jobs"})


def of(*verdicts: Verdict) -> list[Finding]:
    return [Finding(ref=str(i), kind=ElementKind.COMPONENT, verdict=verdict) for i, verdict in enumerate(verdicts)]


def report(*elements: Finding, new: tuple[NewCode, ...] = (), score: float | None = 50) -> DriftReport:
    warnings = (Fault(where="renames", what="too many"),)
    return DriftReport(score=score, band="fair", head="a" * 40, at=NOW, elements=elements, new=new, warnings=warnings)


def test_the_text_stands_worst_first_with_the_edit_that_repairs() -> None:
    text = render_text(report(MOVED, DRIFTED, NEVER, new=(NewCode(path="src/new", files=1),)))
    assert text.splitlines() == [
        "drift: score 50 (fair), at aaaaaaaaaaaa",
        "  missing    Shop.Web: src/web never existed: an error of the model",
        "  drifted    Shop.API: 2 commits, 1 file, 25% of lines, last landed 2024-01-04, by dev",
        "  moved      Shop.Job",
        "             src/job -> jobs",
        "  new        src/new: 1 file that no element covers",
        "  warning: renames: too many",
    ]


def test_the_json_has_the_published_shape() -> None:
    values = json.loads(render_json(report(DRIFTED, *of(Verdict.MATCHED), new=(NewCode(path="x", files=3),))))
    assert {"score", "band", "base", "head", "elements", "new", "warnings"} <= set(values)
    assert values["elements"][0] == {
        "ref": "Shop.API",
        "kind": "container",
        "verdict": "drifted",
        "source": ["src/api"],
        "base": "b" * 40,
        "commits": 2,
        "files": ["src/api/pay.js"],
        "share": 0.25,
        "landed_at": "2024-01-04T12:00:00Z",
        "authors": ["dev"],
    }
    assert list(values["elements"][1]) == ["ref", "kind", "verdict", "source", "commits", "files"]
    assert values["new"] == [{"path": "x", "files": 3}]


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


def test_exit_codes_tell_kept_from_below_from_undecided() -> None:
    new = (NewCode(path="x", files=1),)
    assert exit_code(report(DRIFTED)) == 0
    assert exit_code(report(DRIFTED), min_score=50) == 0
    assert exit_code(report(DRIFTED), min_score=50.1) == 1
    assert exit_code(report(DRIFTED), fail=["missing"]) == 0
    assert exit_code(report(DRIFTED, NEVER), fail=[Verdict.MISSING]) == 1
    assert exit_code(report(MOVED, new=new), fail=["new"]) == 1
    assert exit_code(report(*of(Verdict.UNVERIFIED, Verdict.UNMAPPED), score=None), min_score=1) == 3
    assert exit_code(report(*of(Verdict.UNVERIFIED, Verdict.MATCHED))) == 0
    assert exit_code(report(*of(Verdict.UNMAPPED), score=None)) == 0
