"""What a report has to say, a result each, worst first: annotations, SARIF and the ratchet are made of them."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from drift.wording import DriftWords
from graph.drift_report import ClaimFinding, DependencyFinding, DriftReport, Finding, Reason, Verdict
from graph.frozen import Frozen
from graph.memories import Evidence


class Level(StrEnum):
    """How bad a result is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Rule(StrEnum):
    """What a result is about, the worst first."""

    MISSING = "missing"
    NEVER_EXISTED = "never-existed"
    DRIFTED = "drifted"
    NEW = "new"
    MOVED = "moved"
    CLAIM_GONE = "claim-gone"
    CLAIM_CHANGED = "claim-changed"
    UNDECLARED_DEPENDENCY = "undeclared-dependency"
    ABSENT_DEPENDENCY = "absent-dependency"
    UNVERIFIED = "unverified"


class About(NamedTuple):
    """A rule in words: how bad it is, what it says, and what to do about it."""

    level: Level
    title: str
    help: str


RULES: Mapping[Rule, About] = {
    Rule.MISSING: About(
        Level.ERROR,
        "The code of a documented element is gone",
        "No tracked file matches the element's source any more. Remove the element from the model, or correct its"
        " source.",
    ),
    Rule.NEVER_EXISTED: About(
        Level.ERROR,
        "An element names code that never existed",
        "No commit had a file at the element's source: an error of the model. Correct the source; `archmem model map`"
        " proposes one.",
    ),
    Rule.DRIFTED: About(
        Level.ERROR,
        "The code of a documented element changed significantly",
        "Since the element was accepted, or last defined, its code changed in more than layout, comments and pure"
        " renames. Update the element in the model, or look and run `archmem drift accept REF`.",
    ),
    Rule.NEW: About(
        Level.WARNING,
        "Code that no element covers",
        "Add an element for the folder, widen the source of one, or put the folder under [drift] ignore in"
        " archmem.toml.",
    ),
    Rule.MOVED: About(
        Level.WARNING,
        "The code of a documented element moved",
        "The element's source is gone, but its content lives on elsewhere. Put the new path into the model.",
    ),
    Rule.CLAIM_GONE: About(
        Level.WARNING,
        "A memory cites what is gone",
        "What the memory names is no longer in the repository. Look, then confirm or supersede the memory.",
    ),
    Rule.CLAIM_CHANGED: About(
        Level.WARNING,
        "A memory cites what changed",
        "What the memory names changed since it was last known true. Look, then confirm or supersede the memory.",
    ),
    Rule.UNDECLARED_DEPENDENCY: About(
        Level.WARNING,
        "The code has a dependency that the model does not declare",
        "One element's code imports another's. Declare the relationship in the model, or remove the import.",
    ),
    Rule.ABSENT_DEPENDENCY: About(
        Level.WARNING,
        "The model declares a dependency that the code does not have",
        "No import of one element's code leads to the other's. Remove the relationship, if nothing else connects them.",
    ),
    Rule.UNVERIFIED: About(
        Level.NOTE,
        "An element could not be checked",
        "This is not clean: its history was cut off (fetch it whole, `fetch-depth: 0`), or its baseline is not known"
        " (run `archmem drift accept REF`).",
    ),
}
"""Every rule that a result may name."""

_OF_VERDICT = {
    Verdict.MISSING: Rule.MISSING,
    Verdict.DRIFTED: Rule.DRIFTED,
    Verdict.MOVED: Rule.MOVED,
    Verdict.UNVERIFIED: Rule.UNVERIFIED,
}
_OF_EVIDENCE = {Evidence.GONE: Rule.CLAIM_GONE, Evidence.CHANGED: Rule.CLAIM_CHANGED}


class Result(Frozen):
    """One thing that a report says: by which rule, of what, in words, and where it points to.

    `subject` is what it is known by from run to run: a ref, a folder, or the parts of a claim or dependency. `known`
    results are let pass. `file` may be empty and `line` 0; `related` are the changed files; `weight` is how much of the
    subject it is about, to compare results of one rule.
    """

    rule: Rule
    subject: str
    message: str
    file: str = ""
    line: int = 0
    related: tuple[str, ...] = ()
    weight: float = 0.0
    known: bool = False

    @property
    def level(self) -> Level:
        """How bad it is; what is known is a note."""
        return Level.NOTE if self.known else RULES[self.rule].level

    @property
    def about(self) -> About:
        """What its rule says."""
        return RULES[self.rule]


def results_of(report: DriftReport, titles: Mapping[str, str] | None = None) -> tuple[Result, ...]:
    """Return the results of a report, worst first; `titles` names memories by id."""
    titles = titles or {}
    found = [
        *_of_elements(report),
        *_of_new_code(report),
        *(_of_claim(one, titles) for one in report.claims if one.evidence in _OF_EVIDENCE),
        *map(_of_dependency, report.dependencies),
    ]
    order = list(Rule)
    return tuple(sorted(found, key=lambda one: (order.index(one.rule), -one.weight, one.subject)))


def rule_of(finding: Finding) -> Rule | None:
    """Return the rule that an element breaks; None when there is nothing to say."""
    return Rule.NEVER_EXISTED if finding.reason is Reason.NEVER_EXISTED else _OF_VERDICT.get(finding.verdict)


def _of_elements(report: DriftReport) -> Iterator[Result]:
    words = DriftWords()
    for finding in report.elements:
        rule = rule_of(finding)
        if rule is not None:
            file = finding.file or next(iter(finding.files), "")
            line = finding.line if finding.file else 0
            yield Result(
                rule=rule,
                subject=finding.ref,
                message="; ".join(part for part in (words.finding(finding), words.moves(finding)) if part),
                file=file,
                line=line,
                related=finding.files,
                weight=finding.share,
            )


def _of_new_code(report: DriftReport) -> Iterator[Result]:
    words = DriftWords()
    for new in report.new:
        file = new.first or new.path
        yield Result(rule=Rule.NEW, subject=new.path, message=words.new(new), file=file, weight=new.files)


def _of_claim(one: ClaimFinding, titles: Mapping[str, str]) -> Result:
    name = titles.get(one.asked.memory, one.asked.memory)
    return Result(
        rule=_OF_EVIDENCE[one.evidence],
        subject=f"{one.asked.memory} {one.asked.claim}",
        message=DriftWords().claim(one, name),
        file=one.asked.claim.path,
    )


def _of_dependency(one: DependencyFinding) -> Result:
    return Result(
        rule=Rule.ABSENT_DEPENDENCY if one.declared else Rule.UNDECLARED_DEPENDENCY,
        subject=f"{one.source} -> {one.target}",
        message=DriftWords().dependency(one),
        file=one.file,
        line=one.line,
    )
