"""A report judged: whether it is kept, and what the change under check does to what the team remembers."""

from collections.abc import Collection, Mapping
from enum import StrEnum

from pydantic import Field

from drift.policy import FailOn
from drift.ratchet import GATED, Known, KnownFindings, known_of, undecided_of
from drift.results import Result, results_of
from drift.scores import undecided
from drift.wording import count
from graph.drift_report import DriftReport, Verdict
from graph.frozen import Frozen


class Status(StrEnum):
    """How a check ends; invalid is none of these."""

    KEPT = "kept"
    VIOLATED = "violated"
    UNDECIDED = "undecided"


EXIT_CODES: Mapping[Status, int] = {Status.KEPT: 0, Status.VIOLATED: 1, Status.UNDECIDED: 3}
"""What a command ends with: never a number of findings, of which 256 would be 0."""


class MemoryNote(Frozen):
    """A memory that applies to what a change touches.

    `verify` says that it is doubtful, `stale` that this change made it so. `link` leads to it on a server, where there
    is one.
    """

    id: str
    name: str
    kind: str
    elements: tuple[str, ...] = ()
    content: str
    verify: bool = False
    stale: bool = False
    link: str = ""


class ChangeReport(Frozen):
    """What a change does: the files it touches by element, the score before and after, the memories that apply.

    `base` is the merge base; `memories` is None when no memories were at hand, and `origin` says whence they came.
    """

    base: str
    touched: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    score_before: float | None = None
    score_after: float | None = None
    memories: tuple[MemoryNote, ...] | None = None
    origin: str = ""

    @property
    def stale(self) -> tuple[MemoryNote, ...]:
        """The memories that this change makes stale."""
        return tuple(one for one in self.memories or () if one.stale)


class Checked(Frozen):
    """A report with its results, worst first, and what they mean.

    `reasons` say why it is not kept; `obsolete` are the known findings that no longer occur; `notices` are what a
    reader must know about the check itself.
    """

    report: DriftReport
    results: tuple[Result, ...] = ()
    status: Status = Status.KEPT
    reasons: tuple[str, ...] = ()
    obsolete: tuple[Known, ...] = ()
    change: ChangeReport | None = None
    notices: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        return EXIT_CODES[self.status]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many elements have each verdict, and how many folders are new."""
        verdicts = [one.verdict for one in self.report.elements]
        return {verdict.value: verdicts.count(verdict) for verdict in Verdict} | {"new": len(self.report.new)}


def judge_report(
    report: DriftReport,
    *,
    min_score: float | None = None,
    fail_on: FailOn = "none",
    known: KnownFindings | None = None,
    titles: Mapping[str, str] | None = None,
    change: ChangeReport | None = None,
    notices: Collection[str] = (),
) -> Checked:
    """Return the report judged; with `fail_on` of new the `known` findings are let pass.

    Where nothing could be decided it is neither kept nor violated.
    """
    passed: Collection[Known] = known.findings if known else ()
    results = [
        one.model_copy(update={"known": Known(rule=one.rule, subject=one.subject) in passed})
        for one in results_of(report, titles)
    ]
    results.sort(key=lambda one: one.known)
    status, reasons = Status.UNDECIDED, ["no element could be checked"]
    if not undecided(report.elements):
        reasons = _reasons(report, results, min_score, fail_on, known)
        status = Status.VIOLATED if reasons else Status.KEPT
    obsolete = set(passed) - known_of(results) - undecided_of(passed, report) if known and known.from_file else ()
    return Checked(
        report=report,
        results=tuple(results),
        status=status,
        reasons=tuple(reasons),
        obsolete=tuple(sorted(obsolete, key=str)),
        change=change,
        notices=tuple(notices),
    )


def _reasons(
    report: DriftReport,
    results: Collection[Result],
    min_score: float | None,
    fail_on: FailOn,
    known: KnownFindings | None,
) -> list[str]:
    reasons = []
    if min_score is not None and report.score is not None and report.score < min_score:
        reasons.append(f"the score {report.score:g} is below {min_score:g}")
    gated = [one for one in results if one.rule in GATED]
    counted = [one for one in gated if fail_on == "any" or (fail_on == "new" and not one.known)]
    if counted:
        told = f" that {'was' if len(counted) == 1 else 'were'} not {known.place}" if known and fail_on == "new" else ""
        reasons.append(f"{count(len(counted), 'drifted, missing or new finding')}{told}")
    return reasons
