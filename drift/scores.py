"""The score of a run."""

from collections.abc import Collection

from drift.policy import DriftPolicy
from graph.drift_report import Finding, Verdict

_KEPT = frozenset({Verdict.MATCHED, Verdict.MOVED})
_BROKEN = frozenset({Verdict.DRIFTED, Verdict.MISSING})


def score_of(findings: Collection[Finding], new: int) -> float | None:
    """Return 100 · (matched + moved) / (those + drifted + missing + new); None when nothing could be scored."""
    kept = sum(finding.verdict in _KEPT for finding in findings)
    broken = sum(finding.verdict in _BROKEN for finding in findings)
    if not kept + broken and (not new or undecided(findings)):
        return None
    return round(100 * kept / (kept + broken + new), 1)


def undecided(findings: Collection[Finding]) -> bool:
    """Say whether every element that could be scored is unverified."""
    verdicts = {finding.verdict for finding in findings}
    return Verdict.UNVERIFIED in verdicts and not verdicts & (_KEPT | _BROKEN)


def band_of(score: float | None, policy: DriftPolicy) -> str:
    """Return the name of a score; `unknown` without one."""
    if score is None:
        return "unknown"
    return next((name for least, name in policy.bands if score >= least), policy.lowest_band)
