"""GitHub's workflow commands."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from drift import FORMATS, judge_report
from graph.drift_report import Finding, NewCode, Verdict
from graph.elements import ElementKind
from tests.drift.reports import DRIFTED, GONE, NEVER, NEW, UNVERIFIED, checked, report

COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^,:]*,?)+)::(.*)")


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Read commands as the runner does."""
    found = []
    for line in text.splitlines():
        if line.startswith("::"):
            match = COMMAND.fullmatch(line)
            assert match is not None, line
            properties = dict(part.split("=", 1) for part in match[2].split(","))
            found.append(
                (match[1], {name: unescaped(value) for name, value in properties.items()}, unescaped(match[3]))
            )
    return found


def unescaped(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_each_points_to_its_line_in_the_model_or_to_a_file_of_new_code() -> None:
    found = commands(FORMATS["github"](judge_report(report(DRIFTED, NEVER, UNVERIFIED, new=(NEW,)))))
    assert [(level, one.get("file"), one.get("line")) for level, one, _ in found] == [
        ("error", "docs/workspace.dsl", "9"),
        ("error", "docs/workspace.dsl", "4"),
        ("warning", "src/new/a b.py", None),
        ("notice", None, None),
    ]
    assert found[1][2].startswith("Shop.API: 2 commits, 1 file, 25% of lines")


def test_claims_and_dependencies_point_to_code() -> None:
    found = {
        one["title"]: (one["file"], one.get("line"))
        for _, one, _ in commands(FORMATS["github"](checked()))
        if "file" in one
    }
    assert found["claim-gone: 0199 src/api/pay.js::pay"] == ("src/api/pay.js", None)
    assert found["undeclared-dependency: Shop.API -> Shop.Job"] == ("src/api/pay.js", "3")
    assert found["absent-dependency: Shop.Web -> Shop.API"] == ("docs/workspace.dsl", "20")


def test_ten_of_each_level_are_shown_the_worst_first_and_the_rest_is_told() -> None:
    drifted = [DRIFTED.model_copy(update={"ref": f"Shop.{i}", "share": i / 100}) for i in range(14)]
    new = tuple(NewCode(path=f"src/{i}", files=i + 1) for i in range(300))
    text = FORMATS["github"](judge_report(report(*drifted, GONE, new=new)))
    found = commands(text)
    assert [level for level, _, _ in found] == ["error"] * 10 + ["warning"] * 10
    assert [one["title"] for _, one, _ in found][:3] == ["missing: Shop.Old", "drifted: Shop.13", "drifted: Shop.12"]
    assert found[10][1]["title"] == "new: src/299"
    assert "drift: 5 more errors, 290 more warnings than GitHub shows; the job summary and SARIF have all" in text


@settings(deadline=None)
@given(st.text(min_size=1), st.text())
def test_nothing_that_people_wrote_ends_a_command_or_begins_another(ref: str, path: str) -> None:
    finding = Finding(ref=ref, kind=ElementKind.CONTAINER, verdict=Verdict.DRIFTED, file=path, line=3, authors=(ref,))
    text = FORMATS["github"](judge_report(report(finding)))
    command, rest = text.split("\n", 1)
    assert rest == "drift: score 50 (fair), kept\n"
    assert "\r" not in command
    match = re.fullmatch(r"::error ([^:]*)::(.*)", command, re.DOTALL)
    assert match is not None
    properties = dict(part.split("=", 1) for part in match[1].split(","))
    assert unescaped(properties["title"]) == f"drifted: {ref}"
    assert unescaped(properties.get("file", "")) == path
