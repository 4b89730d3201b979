"""The one comment of a pull request: what the team remembers about what the change touches."""

from drift.checked import ChangeReport, Checked
from drift.rendering.noted import memory_lines, score_line
from drift.rendering.quoting import code, within
from drift.wording import count
from graph.drift_report import Verdict

MARKER = "<!-- archmem drift -->"
"""What a comment begins with, so that the next run updates it."""

_ROOM = 40_000  # with what follows less than the 65,536 characters that GitHub takes
_ELEMENTS_ROOM = 15_000
_CALM = (Verdict.MATCHED, Verdict.UNMAPPED)


def render_comment(checked: Checked) -> str:
    """Return the comment; empty when the change touches no element and makes no memory stale."""
    change = checked.change
    if change is None:  # nothing known must not look like nothing touched
        notices = [f"- {code(notice)}" for notice in checked.notices]
        return "\n".join([MARKER, "What this change touches could not be told.", "", *notices]) + "\n"
    if not (change.touched or change.stale):
        return ""
    lines = [MARKER, "### What the team knows about this change", "", score_line(checked)]
    lines.extend(f"- **{checked.status}**: {reason}" for reason in checked.reasons)
    lines.extend(["", *memory_lines(change, _ROOM)])
    lines.extend(["", f"<details><summary>{count(len(change.touched), 'element')} touched</summary>", ""])
    lines.extend(within(_touched(checked, change), _ELEMENTS_ROOM, "- … and {} more"))
    return "\n".join([*lines, "", "</details>"]) + "\n"


def _touched(checked: Checked, change: ChangeReport) -> list[str]:
    verdicts = {one.ref: one.verdict for one in checked.report.elements}
    told = {ref: f", {verdict}" for ref, verdict in verdicts.items() if verdict not in _CALM}
    return [f"- {code(ref)}: {count(len(files), 'file')}{told.get(ref, '')}" for ref, files in change.touched.items()]
