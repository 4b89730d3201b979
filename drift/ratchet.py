"""`.archmem/drift-baseline.json`: the findings that are known and let pass, so that only new ones fail a check.

One entry a line, sorted, without line numbers: what is mended shows as a line that goes.
"""

import json
from collections.abc import Collection, Iterable
from typing import Literal

from pydantic import Field, TypeAdapter, ValidationError

from drift.results import Result, Rule
from graph.drift_report import DriftReport, Verdict
from graph.errors import Fault, InvalidInput
from graph.frozen import Frozen
from graph.trees import FileTree

BASELINE_FILE = ".archmem/drift-baseline.json"
GATED = frozenset({Rule.MISSING, Rule.NEVER_EXISTED, Rule.DRIFTED, Rule.NEW})
"""The rules that can fail a check; the others warn."""

_AS_WRITTEN = {
    Rule.MISSING: ("missing", "removed"),
    Rule.NEVER_EXISTED: ("missing", "never_existed"),
    Rule.DRIFTED: ("drifted", ""),
    Rule.NEW: ("new", ""),
}
_READ = {written: rule for rule, written in _AS_WRITTEN.items()}


class Known(Frozen):
    """A finding that is let pass: its rule, and the element's ref or the folder of new code."""

    rule: Rule
    subject: str

    def __str__(self) -> str:
        return f"{self.rule} {self.subject}"


class KnownFindings(Frozen):
    """The findings that are let pass: those of the baseline file, or else those that were at the merge base already."""

    findings: frozenset[Known]
    from_file: bool

    @property
    def place(self) -> str:
        """Where they are known from, in words."""
        return f"in {BASELINE_FILE}" if self.from_file else "at the merge base"


class _Entry(Frozen):
    verdict: Literal["drifted", "missing", "new"]
    reason: Literal["", "removed", "never_existed"] = ""
    ref: str = ""
    path: str = ""


class _File(Frozen):
    version: Literal[1]
    known: tuple[_Entry, ...] = Field(default=())


_FILE = TypeAdapter(_File)


def known_of(results: Iterable[Result]) -> frozenset[Known]:
    """Return the findings that a baseline file may hold."""
    return frozenset(Known(rule=one.rule, subject=one.subject) for one in results if one.rule in GATED)


def undecided_of(known: Iterable[Known], report: DriftReport) -> frozenset[Known]:
    """Return the known findings of elements that the report could not check: they may still occur."""
    unverified = {one.ref for one in report.elements if one.verdict is Verdict.UNVERIFIED}
    return frozenset(one for one in known if one.rule is not Rule.NEW and one.subject in unverified)


def read_known(tree: FileTree) -> frozenset[Known] | None:
    """Return what the tree's baseline file holds; None without one. Raise InvalidInput with every fault."""
    return parse_known(tree.read(BASELINE_FILE)) if BASELINE_FILE in tree.paths() else None


def parse_known(content: bytes) -> frozenset[Known]:
    """Return what the content of the file says; raise InvalidInput with every fault."""
    try:
        entries = _FILE.validate_json(content).known
    except ValidationError as error:
        raise _refusal(
            Fault(where=f"{BASELINE_FILE} {'.'.join(map(str, fault['loc']))}".strip(), what=fault["msg"])
            for fault in error.errors()
        ) from error
    faults = [
        Fault(where=f"{BASELINE_FILE} known.{number}", what=what)
        for number, entry in enumerate(entries)
        if (what := _fault_of(entry))
    ]
    if faults:
        raise _refusal(faults)
    return frozenset(
        Known(rule=_READ[entry.verdict, entry.reason], subject=entry.path if entry.verdict == "new" else entry.ref)
        for entry in entries
    )


def write_known(known: Collection[Known]) -> str:
    """Return the content of the file."""
    lines = []
    for one in sorted(known, key=lambda one: (one.rule is Rule.NEW, one.subject, one.rule)):
        verdict, reason = _AS_WRITTEN[one.rule]
        entry = {"path" if one.rule is Rule.NEW else "ref": one.subject, "verdict": verdict}
        lines.append(json.dumps(entry | ({"reason": reason} if reason else {}), ensure_ascii=False))
    body = "\n    " + ",\n    ".join(lines) + "\n  " if lines else ""
    return f'{{\n  "version": 1,\n  "known": [{body}]\n}}\n'


def _fault_of(entry: _Entry) -> str:
    wanted, other = ("path", "ref") if entry.verdict == "new" else ("ref", "path")
    if not getattr(entry, wanted) or getattr(entry, other):
        return f"the verdict {entry.verdict} needs a {wanted} and no {other}"
    if (entry.verdict, entry.reason) not in _READ:
        return f"the verdict {entry.verdict} has not the reason {entry.reason!r}"
    return ""


def _refusal(faults: Iterable[Fault]) -> InvalidInput:
    found = tuple(faults)
    return InvalidInput(
        f"{BASELINE_FILE} has {len(found)} fault(s)",
        id=BASELINE_FILE,
        faults=found,
        next_step="correct them, or write the file anew by `archmem drift baseline`",
    )
