"""SARIF, held to the official schema."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator, FormatChecker

from drift import FORMATS, KnownFindings, judge_report, known_of, results_of
from drift.results import Rule
from graph.drift_report import Finding, Verdict
from graph.elements import ElementKind
from tests.drift.reports import DRIFTED, NEW, checked, full, report

SCHEMA = json.loads((Path(__file__).parent / "sarif-schema-2.1.0.json").read_text("utf-8"))
VALIDATOR = Draft4Validator(SCHEMA, format_checker=FormatChecker())


def sarif(text: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(text)
    VALIDATOR.validate(values)
    return values


def results(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sarif(text)["runs"][0]["results"]
    return found


def test_the_schema_is_one_that_refuses() -> None:
    assert not VALIDATOR.is_valid({"version": "2.1.0", "runs": [{"results": []}]})


def test_a_report_of_everything_and_one_of_nothing_are_valid() -> None:
    run = sarif(FORMATS["sarif"](checked(fail_on="any")))["runs"][0]
    assert {one["ruleId"] for one in run["results"]} == {str(rule) for rule in Rule} - {"claim-changed"}
    rules = run["tool"]["driver"]["rules"]
    assert [rules[one["ruleIndex"]]["id"] for one in run["results"]] == [one["ruleId"] for one in run["results"]]
    assert all(one["help"]["text"] for one in rules)
    assert results(FORMATS["sarif"](judge_report(report(score=None)))) == []


def test_a_finding_keeps_its_fingerprint_when_its_line_moves() -> None:
    before = results(FORMATS["sarif"](judge_report(report(DRIFTED))))[0]
    moved = DRIFTED.model_copy(update={"line": 40, "commits": 9, "files": ("src/api/other.js",)})
    after = results(FORMATS["sarif"](judge_report(report(moved))))[0]
    assert before["partialFingerprints"] == after["partialFingerprints"]
    assert before["locations"] != after["locations"]
    all_of_them = [
        one["partialFingerprints"]["primaryLocationLineHash"] for one in results(FORMATS["sarif"](checked()))
    ]
    assert len(set(all_of_them)) == len(all_of_them)


def test_a_drifted_element_points_to_the_model_and_relates_to_its_files() -> None:
    found = results(FORMATS["sarif"](judge_report(report(DRIFTED, new=(NEW,)))))
    model = found[0]["locations"][0]["physicalLocation"]
    assert (model["artifactLocation"]["uri"], model["region"]) == ("docs/workspace.dsl", {"startLine": 4})
    related = found[0]["relatedLocations"][0]["physicalLocation"]["artifactLocation"]
    assert related["uri"] == "src/api/pay.js"
    assert found[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/new/a%20b.py"


def test_what_is_known_is_unchanged_and_a_note() -> None:
    known = KnownFindings(findings=known_of(results_of(full())), from_file=True)
    for one in results(FORMATS["sarif"](checked(known=known))):
        assert (one.get("baselineState") == "unchanged") is (
            one["ruleId"] in ("missing", "never-existed", "drifted", "new")
        )
        assert one["level"] == "note" or "baselineState" not in one


@settings(max_examples=30, deadline=None)
@given(st.text(min_size=1), st.text())
def test_any_text_makes_valid_sarif(ref: str, path: str) -> None:
    finding = Finding(ref=ref, kind=ElementKind.CONTAINER, verdict=Verdict.DRIFTED, file=path, files=(path, ref))
    assert results(FORMATS["sarif"](judge_report(report(finding))))[0]["message"]["text"].startswith(ref)
