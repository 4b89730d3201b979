"""Text, JSON and dotenv."""

import json

from drift import FORMATS, KnownFindings, judge_report, known_of, results_of
from graph.drift_report import Reason, Verdict
from tests.drift.reports import DRIFTED, GONE, MOVED, NEVER, NEW, change, checked, note, of, report


def test_the_text_stands_worst_first_with_the_edit_that_repairs() -> None:
    text = FORMATS["text"](judge_report(report(MOVED, DRIFTED, NEVER, new=(NEW,))))
    assert text.splitlines() == [
        "drift: score 50 (fair), at aaaaaaaaaaaa",
        "  missing    Shop.Web: src/web never existed: an error of the model",
        "  drifted    Shop.API: 2 commits, 1 file, 25% of lines, last landed 2024-01-04, by dev",
        "  moved      Shop.Job",
        "             src/job -> jobs",
        "  new        src/new: 1 file that no element covers",
        "  warning: renames: too many",
    ]


def test_many_elements_without_a_source_are_counted_in_the_text_and_named_in_the_json() -> None:
    unmapped = of(*[Verdict.UNMAPPED] * 11)
    told = judge_report(report(DRIFTED, *(one.model_copy(update={"reason": Reason.NO_SOURCE}) for one in unmapped)))
    text = FORMATS["text"](told).splitlines()
    assert text[2] == "  unmapped   11 elements: 11 no source (--format json names them)"
    assert len(json.loads(FORMATS["json"](told))["elements"]) == 12
    few = FORMATS["text"](judge_report(report(*of(*[Verdict.UNMAPPED] * 10))))
    assert few.count("unmapped") == 10


def test_the_text_tells_claims_dependencies_memories_and_why_it_is_violated() -> None:
    known = KnownFindings(findings=known_of(results_of(report(GONE, *of(Verdict.DRIFTED)))), from_file=True)
    lines = FORMATS["text"](
        checked(known=known, fail_on="new", change=change(note(stale=True)), notices=["a note"], min_score=60)
    ).splitlines()
    assert "  claim      Pay once cites src/api/pay.js::pay, gone: no longer defined" in lines
    assert "  claim      1 claim could not be checked" in lines
    assert (
        "  dependency Shop.API -> Shop.Job is in the code (2 imports), but not declared; see ADR-17 (src/api/pay.js:3)"
        in lines
    )
    assert "  stale      Header limit [pitfall] about Shop.API" in lines
    assert "note: a note" in lines
    assert "known, but no longer there: drifted 0" in lines
    assert lines[-2:] == [
        "violated: the score 50 is below 60",
        "violated: 3 drifted, missing or new findings that were not in .archmem/drift-baseline.json",
    ]


def test_the_json_has_the_published_shape() -> None:
    values = json.loads(FORMATS["json"](judge_report(report(DRIFTED, *of(Verdict.MATCHED), new=(NEW,)))))
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
        "file": "docs/workspace.dsl",
        "line": 4,
    }
    assert list(values["elements"][1]) == ["ref", "kind", "verdict", "source", "commits", "files"]
    assert values["new"] == [{"path": "src/new", "files": 1, "first": "src/new/a b.py"}]


def test_the_json_has_claims_dependencies_and_the_change() -> None:
    values = json.loads(FORMATS["json"](checked(fail_on="any", change=change(note(stale=True)))))
    assert (values["status"], values["counts"]["missing"], values["counts"]["new"]) == ("violated", 2, 1)
    assert [one["evidence"] for one in values["claims"]] == ["gone", "unchecked"]
    assert [one["declared"] for one in values["dependencies"]] == [True, False]
    assert values["change"]["memories"][0]["stale"] is True


def test_dotenv_has_numbers_and_the_status_alone() -> None:
    lines = FORMATS["dotenv"](checked(fail_on="any", change=change(note(stale=True)))).splitlines()
    assert lines == [
        *("score=50", "matched=1", "moved=1", "drifted=1", "missing=2", "new=1", "unverified=1", "stale=1"),
        "status=violated",
    ]
    assert FORMATS["dotenv"](judge_report(report(score=None))).startswith("score=\n")
