"""The drift report: what the analyser found, as a value that the graph records and every door prints."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from graph.claims import Anchor, AskedClaim
from graph.elements import ElementKind
from graph.errors import Fault
from graph.frozen import Frozen, Moment, is_empty
from graph.memories import Evidence


class Verdict(StrEnum):
    """How an element's documented source stands against the repository."""

    MATCHED = "matched"
    MOVED = "moved"
    DRIFTED = "drifted"
    MISSING = "missing"
    UNMAPPED = "unmapped"
    UNVERIFIED = "unverified"


class Reason(StrEnum):
    """Why a verdict is what it is, where the verdict alone does not say."""

    NONE = ""
    REMOVED = "removed"
    NEVER_EXISTED = "never_existed"
    NO_SOURCE = "no_source"
    EXTERNAL = "external"
    PERSON = "person"
    SHALLOW_CLONE = "shallow_clone"
    UNKNOWN_BASELINE = "unknown_baseline"


class Finding(Frozen):
    """The verdict on one element.

    `base` is the commit compared with; `share` the changed part of its source's lines, 0 to 1; `landed_at` the moment
    the last significant change landed on the scanned branch; `repair` maps each gone path of the source to its new
    home; `file` and `line` are the element's place in the model.
    """

    ref: str
    kind: ElementKind
    verdict: Verdict
    reason: Reason = Reason.NONE
    source: tuple[str, ...] = ()
    base: str = ""
    commits: int = 0
    files: tuple[str, ...] = ()
    share: float = 0.0
    first_change_at: Moment | None = None
    last_change_at: Moment | None = None
    landed_at: Moment | None = None
    authors: tuple[str, ...] = ()
    removed_at: Moment | None = None
    repair: Mapping[str, str] = Field(default_factory=dict)
    note: str = ""
    file: str = Field(default="", exclude_if=is_empty)
    line: int = Field(default=0, exclude_if=is_empty)


def is_drift(finding: Finding) -> bool:
    """Say whether a finding stamps: the code moved or went; a path that never existed is an error of the model."""
    if finding.verdict is Verdict.MISSING:
        return finding.reason is not Reason.NEVER_EXISTED
    return finding.verdict is Verdict.DRIFTED


class NewCode(Frozen):
    """A topmost folder with tracked code that no element covers; `first` is the first of its files."""

    path: str
    files: int
    first: str = Field(default="", exclude_if=is_empty)


class AnchorFinding(Frozen):
    """Whether an element's source at HEAD differs significantly from an anchor; None when it cannot be told."""

    anchor: Anchor
    differs: bool | None
    landed_at: Moment | None = None


class ClaimFinding(Frozen):
    """What became of a memory's claim: intact, changed, gone or unchecked, and in words what stands there now."""

    asked: AskedClaim
    evidence: Evidence
    said: str = ""


BROKEN = frozenset({Evidence.CHANGED, Evidence.GONE})
"""The evidence that a claim does not stand any more."""


class DependencyFinding(Frozen):
    """A dependency on which model and code disagree: `declared` but not found in the code, or found there undeclared.

    `file` and `line` are the relationship's place in the model, or the first import that shows the dependency, of
    `imports`; `decisions` are those (by ref) about either element.
    """

    source: str
    target: str
    declared: bool
    file: str = ""
    line: int = 0
    imports: int = 0
    decisions: tuple[str, ...] = ()


class DriftReport(Frozen):
    """One run of the analyser; `score` is None when nothing could be scored."""

    score: float | None
    band: str
    base: str = ""
    head: str
    head_at: Moment | None = None
    at: Moment
    elements: tuple[Finding, ...] = ()
    new: tuple[NewCode, ...] = ()
    anchors: tuple[AnchorFinding, ...] = ()
    claims: tuple[ClaimFinding, ...] = Field(default=(), exclude_if=is_empty)
    dependencies: tuple[DependencyFinding, ...] = Field(default=(), exclude_if=is_empty)
    warnings: tuple[Fault, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return how many elements have each verdict that there is."""
        return dict(sorted(Counter(one.verdict.value for one in self.elements).items()))

    def thinned(self) -> "DriftReport":
        """Return the score and the verdicts alone, without what explains them."""
        told = tuple(
            Finding(ref=one.ref, kind=one.kind, verdict=one.verdict, reason=one.reason) for one in self.elements
        )
        left_out = {"new": (), "anchors": (), "claims": (), "dependencies": (), "warnings": ()}
        return self.model_copy(update={"elements": told, **left_out})
