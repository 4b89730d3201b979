"""GitHub's workflow commands: annotations on the model's lines and on code, worst first."""

from collections import Counter

from drift.checked import Checked
from drift.results import Level, Result
from drift.wording import count

MOST_OF_A_LEVEL = 10
"""GitHub shows as many of each level and step."""

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def render_annotations(checked: Checked) -> str:
    """Return a line each; what is more than GitHub shows is counted in a line of the log."""
    shown: Counter[Level] = Counter()
    lines = []
    for one in checked.results:
        shown[one.level] += 1
        if shown[one.level] <= MOST_OF_A_LEVEL:
            lines.append(_command(one))
    rest = [
        count(total - MOST_OF_A_LEVEL, f"more {_COMMANDS[level]}")
        for level in Level
        if (total := shown[level]) > MOST_OF_A_LEVEL
    ]
    if rest:
        lines.append(f"drift: {', '.join(rest)} than GitHub shows; the job summary and SARIF have all")
    score = "no score" if checked.report.score is None else f"score {checked.report.score:g}"
    said = f"{checked.status}: {'; '.join(checked.reasons)}" if checked.reasons else checked.status
    lines.append(f"drift: {score} ({checked.report.band}), {said}")
    return "".join(f"{line}\n" for line in lines)


def _command(one: Result) -> str:
    known = "known, " if one.known else ""
    properties = {"title": f"{known}{one.rule}: {one.subject}"}
    if one.file:
        properties["file"] = one.file
    if one.file and one.line:
        properties["line"] = str(one.line)
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = f"{one.subject}: {one.message}" if one.message else one.subject
    return f"::{_COMMANDS[one.level]} {told}::{_data(f'{message}. {one.about.help}')}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
