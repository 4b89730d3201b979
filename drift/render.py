"""Print a drift report, and turn it into an exit code."""

import json
from collections.abc import Collection
from typing import Any

from drift.scores import undecided
from graph.drift_report import DriftReport, Finding, Reason, Verdict

_ORDER = (Verdict.MISSING, Verdict.DRIFTED, Verdict.MOVED, Verdict.UNVERIFIED, Verdict.MATCHED, Verdict.UNMAPPED)
_ALWAYS = ("ref", "kind", "verdict", "source", "commits", "files")
_KEPT, _BELOW, _CANNOT_DECIDE = 0, 1, 3
_SHORT = 12


def exit_code(report: DriftReport, min_score: float | None = None, fail: Collection[str] = ()) -> int:
    """Return 0 when kept, 1 below the threshold or when a verdict of `fail` (or `new`) occurs, 3 when undecided."""
    if undecided(report.elements):
        return _CANNOT_DECIDE
    occurring = {str(finding.verdict) for finding in report.elements} | ({"new"} if report.new else set())
    if occurring & {str(verdict) for verdict in fail}:
        return _BELOW
    below = min_score is not None and report.score is not None and report.score < min_score
    return _BELOW if below else _KEPT


def render_json(report: DriftReport) -> str:
    """Return the report as JSON; what an element has nothing to say about is left out."""
    values: dict[str, Any] = {
        "score": report.score,
        "band": report.band,
        "base": report.base,
        "head": report.head,
        "at": report.at.isoformat(),
        "elements": [_element(finding) for finding in report.elements],
        "new": [{"path": new.path, "files": new.files} for new in report.new],
        "warnings": [{"where": fault.where, "what": fault.what} for fault in report.warnings],
    }
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"


def render_text(report: DriftReport) -> str:
    """Return the report for a terminal, worst first."""
    score = "no score" if report.score is None else f"score {report.score:g}"
    since = f", since {report.base[:_SHORT]}" if report.base else ""
    lines = [f"drift: {score} ({report.band}), at {report.head[:_SHORT]}{since}"]
    for finding in sorted(report.elements, key=lambda finding: (_ORDER.index(finding.verdict), finding.ref)):
        lines.append(f"  {finding.verdict:<10} {finding.ref}{_said(finding)}")
        lines.extend(f"             {old} -> {new}" for old, new in finding.repair.items())
    lines.extend(f"  {'new':<10} {new.path}: {_count(new.files, 'file')} that no element covers" for new in report.new)
    lines.extend(f"  warning: {fault.where}: {fault.what}" for fault in report.warnings)
    return "\n".join(lines) + "\n"


def _element(finding: Finding) -> dict[str, Any]:
    values = finding.model_dump(mode="json")
    return {key: value for key, value in values.items() if key in _ALWAYS or value not in (None, "", [], {}, 0.0)}


def _said(finding: Finding) -> str:
    said = ""
    if finding.verdict is Verdict.DRIFTED:
        said = (
            f"{_count(finding.commits, 'commit')}, {_count(len(finding.files), 'file')}, {finding.share:.0%} of lines"
        )
        said += f", last landed {finding.landed_at:%Y-%m-%d}" if finding.landed_at else ""
        said += f", by {', '.join(finding.authors)}" if finding.authors else ""
    elif finding.reason is Reason.REMOVED:
        said = f"removed {finding.removed_at:%Y-%m-%d}" if finding.removed_at else "removed"
    elif finding.reason is Reason.NEVER_EXISTED:
        said = f"{', '.join(finding.source)} never existed: an error of the model"
    elif finding.reason is not Reason.NONE:
        said = finding.reason.replace("_", " ")
    said = "; ".join(part for part in (said, finding.note) if part)
    return f": {said}" if said else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
