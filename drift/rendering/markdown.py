"""The report as Markdown: a job's summary."""

from collections.abc import Iterator

from drift.checked import Checked
from drift.rendering.noted import memory_lines, score_line
from drift.rendering.quoting import code, within
from drift.results import Rule
from drift.wording import DriftWords, count
from graph.drift_report import Finding, Verdict

_ORDER = (Verdict.MISSING, Verdict.DRIFTED, Verdict.MOVED, Verdict.UNVERIFIED)
_ROOM = 500_000  # a step's summary may have 1 MiB, in UTF-8
_OTHERS = (Rule.CLAIM_GONE, Rule.CLAIM_CHANGED, Rule.UNDECLARED_DEPENDENCY, Rule.ABSENT_DEPENDENCY)


def render_markdown(checked: Checked) -> str:
    """Return the summary; it says that it is kept too, since silence would look like it."""
    lines = ["## Drift check", "", score_line(checked), ""]
    lines.extend(f"- **{checked.status}**: {reason}" for reason in checked.reasons)
    lines.extend(f"- note: {code(notice)}" for notice in checked.notices)
    counts = ", ".join(f"{number} {verdict}" for verdict, number in checked.counts.items() if number)
    lines.extend(["", counts or "the model is empty", ""])
    lines.extend(within([*_findings(checked), *_warnings(checked)], _ROOM, "- … and {} more; SARIF and JSON have all"))
    if checked.obsolete:
        lines.extend(["", "Known, but no longer there; `archmem drift baseline --prune` takes them out:", ""])
        lines.extend(within([f"- {code(str(one))}" for one in checked.obsolete], _ROOM // 10, "- … and {} more"))
    if checked.change is not None:
        lines.extend(["", *memory_lines(checked.change, _ROOM // 2)])
    return "\n".join(lines) + "\n"


def _findings(checked: Checked) -> Iterator[str]:
    known = {(one.subject, one.rule) for one in checked.results if one.known}
    words = DriftWords(code)
    shown = [finding for finding in checked.report.elements if finding.verdict in _ORDER]
    for finding in sorted(shown, key=lambda finding: (_ORDER.index(finding.verdict), finding.ref)):
        is_known = any(subject == finding.ref for subject, _ in known)
        yield f"- **{finding.verdict}**{' (known)' if is_known else ''} {code(finding.ref)}{_said(finding, words)}"
    for new in checked.report.new:
        is_known = (new.path, Rule.NEW) in known
        yield f"- **new**{' (known)' if is_known else ''} {code(new.path)}: {words.new(new)}"


def _said(finding: Finding, words: DriftWords) -> str:
    parts = [part for part in (words.finding(finding), words.moves(finding)) if part]
    return f": {'; '.join(parts)}" if parts else ""


def _warnings(checked: Checked) -> Iterator[str]:
    for one in checked.results:
        if one.rule in _OTHERS:
            place = f" ({code(f'{one.file}:{one.line}' if one.line else one.file)})" if one.file else ""
            yield f"- **{one.rule}** {code(one.message)}{place}"
    yield from (f"- warning: {code(f'{fault.where}: {fault.what}')}" for fault in checked.report.warnings)
    unchecked = sum(one.evidence == "unchecked" for one in checked.report.claims)
    if unchecked:
        yield f"- {count(unchecked, 'claim')} could not be checked"
