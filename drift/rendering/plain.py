"""The report for a terminal, worst first."""

from collections import Counter
from collections.abc import Iterator

from drift.checked import ChangeReport, Checked
from drift.results import Rule
from drift.wording import DriftWords, count
from graph.drift_report import DriftReport, Verdict
from graph.memories import Evidence

_ORDER = (Verdict.MISSING, Verdict.DRIFTED, Verdict.MOVED, Verdict.UNVERIFIED, Verdict.MATCHED, Verdict.UNMAPPED)
_SHORT = 12
_WIDTH = 10
_MOST_UNMAPPED = 10
_CLAIMS = (Rule.CLAIM_GONE, Rule.CLAIM_CHANGED)
_DEPENDENCIES = (Rule.UNDECLARED_DEPENDENCY, Rule.ABSENT_DEPENDENCY)


def render_text(checked: Checked) -> str:
    """Return the report in lines."""
    report = checked.report
    lines = [_headline(report), *_elements(report), *_claims(checked), *_dependencies(checked)]
    lines.extend(f"  warning: {fault.where}: {fault.what}" for fault in report.warnings)
    if checked.change is not None:
        lines.extend(_change(checked.change))
    lines.extend(f"note: {notice}" for notice in checked.notices)
    lines.extend(f"known, but no longer there: {known}" for known in checked.obsolete)
    if checked.obsolete:
        lines.append("Next: `archmem drift baseline --prune` takes them out of the baseline file")
    lines.extend(f"{checked.status}: {reason}" for reason in checked.reasons)
    return "\n".join(lines) + "\n"


def _headline(report: DriftReport) -> str:
    score = "no score" if report.score is None else f"score {report.score:g}"
    since = f", since {report.base[:_SHORT]}" if report.base else ""
    return f"drift: {score} ({report.band}), at {report.head[:_SHORT]}{since}"


def _elements(report: DriftReport) -> Iterator[str]:
    words = DriftWords()
    unmapped = [finding.reason for finding in report.elements if finding.verdict is Verdict.UNMAPPED]
    is_long = len(unmapped) > _MOST_UNMAPPED
    for finding in sorted(report.elements, key=lambda finding: (_ORDER.index(finding.verdict), finding.ref)):
        if is_long and finding.verdict is Verdict.UNMAPPED:
            continue
        said = words.finding(finding)
        yield f"  {finding.verdict:<{_WIDTH}} {finding.ref}{f': {said}' if said else ''}"
        yield from (f"  {'':<{_WIDTH}} {old} -> {new}" for old, new in finding.repair.items())
    if is_long:
        reasons = ", ".join(
            f"{number} {reason.replace('_', ' ')}" for reason, number in Counter(unmapped).most_common()
        )
        yield f"  {Verdict.UNMAPPED:<{_WIDTH}} {count(len(unmapped), 'element')}: {reasons} (--format json names them)"
    yield from (f"  {'new':<{_WIDTH}} {new.path}: {words.new(new)}" for new in report.new)


def _claims(checked: Checked) -> Iterator[str]:
    yield from (f"  {'claim':<{_WIDTH}} {one.message}" for one in checked.results if one.rule in _CLAIMS)
    unchecked = sum(one.evidence is Evidence.UNCHECKED for one in checked.report.claims)
    if unchecked:
        yield f"  {'claim':<{_WIDTH}} {count(unchecked, 'claim')} could not be checked"


def _dependencies(checked: Checked) -> Iterator[str]:
    for one in checked.results:
        if one.rule in _DEPENDENCIES:
            place = f" ({one.file}:{one.line})" if one.file else ""
            yield f"  {'dependency':<{_WIDTH}} {one.message}{place}"


def _change(change: ChangeReport) -> Iterator[str]:
    scores = [f"{score:g}" if score is not None else "none" for score in (change.score_before, change.score_after)]
    yield (
        f"change since {change.base[:_SHORT]}: {count(len(change.touched), 'element')} touched, "
        f"score {scores[0]} before, {scores[1]} after"
    )
    if change.memories is None:
        return
    yield f"  {count(len(change.memories), 'memory', 'memories')} about them ({change.origin})"
    for one in change.memories:
        mark = "stale" if one.stale else "verify" if one.verify else "applies"
        yield f"  {mark:<{_WIDTH}} {' '.join(one.name.split())} [{one.kind}] about {', '.join(one.elements)}"
