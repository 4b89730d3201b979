"""Reports to be rendered and judged, as values."""

from drift import ChangeReport, Checked, MemoryNote, judge_report
from graph.claims import AskedClaim, Claim
from graph.drift_report import ClaimFinding, DependencyFinding, DriftReport, Finding, NewCode, Reason, Verdict
from graph.elements import ElementKind
from graph.errors import Fault
from graph.memories import Evidence
from tests.drift.conftest import NOW, day

DRIFTED = Finding(
    ref="Shop.API",
    kind=ElementKind.CONTAINER,
    verdict=Verdict.DRIFTED,
    source=("src/api",),
    base="b" * 40,
    commits=2,
    files=("src/api/pay.js",),
    share=0.25,
    landed_at=day(3),
    authors=("dev",),
    file="docs/workspace.dsl",
    line=4,
)
NEVER = Finding(
    ref="Shop.Web",
    kind=ElementKind.CONTAINER,
    verdict=Verdict.MISSING,
    reason=Reason.NEVER_EXISTED,
    source=("src/web",),
    file="docs/workspace.dsl",
    line=9,
)
GONE = Finding(
    ref="Shop.Old", kind=ElementKind.CONTAINER, verdict=Verdict.MISSING, reason=Reason.REMOVED, removed_at=day(5)
)
MOVED = Finding(ref="Shop.Job", kind=ElementKind.CONTAINER, verdict=Verdict.MOVED, repair={"src/job": "jobs"})
UNVERIFIED = Finding(
    ref="Shop.Cut", kind=ElementKind.CONTAINER, verdict=Verdict.UNVERIFIED, reason=Reason.SHALLOW_CLONE
)
NEW = NewCode(path="src/new", files=1, first="src/new/a b.py")
MEMORY = "0199"
CLAIM = ClaimFinding(
    asked=AskedClaim(memory=MEMORY, claim=Claim(path="src/api/pay.js", symbol="pay"), confirmed_at=day(1)),
    evidence=Evidence.GONE,
    said="no longer defined",
)
UNCHECKED = CLAIM.model_copy(update={"evidence": Evidence.UNCHECKED, "said": ""})
ABSENT = DependencyFinding(source="Shop.Web", target="Shop.API", declared=True, file="docs/workspace.dsl", line=20)
UNDECLARED = DependencyFinding(
    source="Shop.API",
    target="Shop.Job",
    declared=False,
    file="src/api/pay.js",
    line=3,
    imports=2,
    decisions=("ADR-17",),
)


def of(*verdicts: Verdict) -> list[Finding]:
    return [Finding(ref=str(i), kind=ElementKind.COMPONENT, verdict=verdict) for i, verdict in enumerate(verdicts)]


def report(*elements: Finding, score: float | None = 50, **more: object) -> DriftReport:
    values = {
        "score": score,
        "band": "fair",
        "head": "a" * 40,
        "at": NOW,
        "elements": elements,
        "warnings": (Fault(where="renames", what="too many"),),
        **more,
    }
    return DriftReport.model_validate(values)


def full() -> DriftReport:
    """A report with something of everything."""
    return report(
        *(MOVED, DRIFTED, NEVER, GONE, UNVERIFIED, *of(Verdict.MATCHED, Verdict.UNMAPPED)),
        new=(NEW,),
        claims=(CLAIM, UNCHECKED),
        dependencies=(ABSENT, UNDECLARED),
    )


def note(name: str = "Header limit", **more: object) -> MemoryNote:
    values = {"id": MEMORY, "name": name, "kind": "pitfall", "elements": ("Shop.API",), "content": "Strips headers"}
    return MemoryNote.model_validate({**values, **more})


def change(*memories: MemoryNote, **more: object) -> ChangeReport:
    values = {
        "base": "c" * 40,
        "touched": {"Shop.API": ("src/api/pay.js",)},
        "score_before": 60.0,
        "score_after": 50.0,
        "memories": memories,
        "origin": "from the store",
    }
    return ChangeReport.model_validate({**values, **more})


def checked(**more: object) -> Checked:
    return judge_report(full(), titles={MEMORY: "Pay once"}, **more)  # type: ignore[arg-type]
