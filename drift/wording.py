"""What a report says, in words that every format shares; what people wrote goes through `quote`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from graph.drift_report import ClaimFinding, DependencyFinding, Finding, NewCode, Reason, Verdict

_MOST_NAMED = 5


def _as_it_is(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class DriftWords:
    """The words about one thing each; `quote` marks names, paths and texts as a format needs it."""

    quote: Callable[[str], str] = _as_it_is

    def finding(self, finding: Finding) -> str:
        """Return what is to be said about an element, but for its moves; empty when its verdict says all."""
        said = ""
        if finding.verdict is Verdict.DRIFTED:
            said = (
                f"{count(finding.commits, 'commit')}, {count(len(finding.files), 'file')}, {finding.share:.0%} of lines"
            )
            said += f", last landed {finding.landed_at:%Y-%m-%d}" if finding.landed_at else ""
            said += f", by {self._named(finding.authors)}" if finding.authors else ""
        elif finding.reason is Reason.REMOVED:
            said = f"removed {finding.removed_at:%Y-%m-%d}" if finding.removed_at else "removed"
        elif finding.reason is Reason.NEVER_EXISTED:
            said = f"{self._named(finding.source)} never existed: an error of the model"
        elif finding.reason is not Reason.NONE:
            said = finding.reason.replace("_", " ")
        note = self.quote(finding.note) if finding.note else ""
        return "; ".join(part for part in (said, note) if part)

    def moves(self, finding: Finding) -> str:
        """Return where the paths of an element's source are now; empty when they stayed."""
        return "; ".join(f"{self.quote(old)} is {self.quote(new)} now" for old, new in finding.repair.items())

    def new(self, new: NewCode) -> str:
        """Return what is to be said about a folder without an element."""
        return f"{count(new.files, 'file')} that no element covers"

    def claim(self, one: ClaimFinding, name: str) -> str:
        """Return what became of a memory's claim; `name` is the memory's."""
        said = f": {self.quote(one.said)}" if one.said else ""
        return f"{self.quote(name)} cites {self.quote(str(one.asked.claim))}, {one.evidence}{said}"

    def dependency(self, one: DependencyFinding) -> str:
        """Return on what model and code disagree."""
        pair = f"{self.quote(one.source)} -> {self.quote(one.target)}"
        if one.declared:
            said = f"{pair} is declared, but the code has no import for it"
        else:
            said = f"{pair} is in the code ({count(one.imports, 'import')}), but not declared"
        return f"{said}; see {self._named(one.decisions)}" if one.decisions else said

    def _named(self, names: Iterable[str]) -> str:
        known = tuple(names)
        shown = ", ".join(self.quote(name) for name in known[:_MOST_NAMED])
        return f"{shown} and {len(known) - _MOST_NAMED} more" if len(known) > _MOST_NAMED else shown


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
