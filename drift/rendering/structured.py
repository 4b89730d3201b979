"""The report as JSON."""

import json
from typing import Any

from drift.checked import ChangeReport, Checked
from graph.frozen import Frozen

_ALWAYS = ("ref", "kind", "verdict", "source", "commits", "files")


def render_json(checked: Checked) -> str:
    """Return the report as JSON; what an element has nothing to say about is left out."""
    report = checked.report
    values: dict[str, Any] = {
        "score": report.score,
        "band": report.band,
        "status": checked.status,
        "reasons": list(checked.reasons),
        "base": report.base,
        "head": report.head,
        "at": report.at.isoformat(),
        "counts": dict(checked.counts),
        "elements": [_told(finding, *_ALWAYS) for finding in report.elements],
        "new": [_told(new) for new in report.new],
        "claims": [_told(claim) for claim in report.claims],
        "dependencies": [_told(one, "declared") for one in report.dependencies],
        "known": [_subject(one.rule, one.subject) for one in checked.results if one.known],
        "obsolete": [_subject(one.rule, one.subject) for one in checked.obsolete],
        "change": _change(checked.change) if checked.change else None,
        "notices": list(checked.notices),
        "warnings": [{"where": fault.where, "what": fault.what} for fault in report.warnings],
    }
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"


def _told(value: Frozen, *always: str) -> dict[str, Any]:
    """Return the fields that say something, and those that are always there."""
    fields = value.model_dump(mode="json")
    return {name: said for name, said in fields.items() if name in always or said not in (None, "", [], {}, 0.0)}


def _subject(rule: str, subject: str) -> dict[str, str]:
    return {"rule": rule, "subject": subject}


def _change(change: ChangeReport) -> dict[str, Any]:
    return change.model_dump(mode="json")
