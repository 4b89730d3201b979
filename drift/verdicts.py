"""The verdict on one element, from what changed between its baseline and the target."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from drift.changes import Change
from drift.coverage import covered_sorted
from drift.history import Clock, History, Touch
from drift.repairs import repairs
from drift.shares import changed_share
from drift.significance import Significance
from graph.drift_report import Finding, Reason, Verdict
from graph.elements import Element, ElementKind


@dataclass(frozen=True, slots=True)
class Compared:
    """An element's source in two states: what changed, what it covered before, what it covers now (path to blob).

    `depth` is how many commits of the branch lie between; None when the base is known by its blobs alone.
    """

    base: str
    depth: int | None
    changes: tuple[Change, ...]
    before: frozenset[str]
    now: dict[str, str]

    @property
    def renames(self) -> dict[str, str]:
        return {change.old: change.new for change in self.changes if change.renamed and change.old in self.before}


@dataclass(frozen=True, slots=True)
class Facts:
    """What every verdict of a run needs to know; `skip` says which paths never count."""

    history: History
    clock: Clock
    significance: Significance
    skip: Callable[[str], bool]
    share_sample: int
    head_at: datetime

    def counts(self, change: Change) -> bool:
        """Say whether a change matters."""
        return not all(self.skip(path) for path in change.paths) and self.significance.differs(change)

    def landed_at(self, touch: Touch | None) -> datetime:
        """Return when a touch came to the branch; without one, the latest moment at which it can have."""
        if touch is not None:
            return self.moment(touch)
        oldest = self.history.oldest() if self.history.truncated else None
        return min(oldest.committed_at if oldest else self.head_at, self.clock.now)

    def moment(self, touch: Touch) -> datetime:
        """Return when a known touch came to the branch."""
        commit = self.history.commit(touch.position)
        assert commit is not None, "a touch has its commit"
        return self.clock.landed(touch.position, commit.committed_at)


def unmapped(element: Element) -> Reason:
    """Return why an element has nothing to compare; NONE when it has."""
    if element.kind is ElementKind.PERSON:
        return Reason.PERSON
    if element.external:
        return Reason.EXTERNAL
    return Reason.NONE if element.source else Reason.NO_SOURCE


def may_have_lost_its_source(element: Element) -> bool:
    """Say whether an element without a source has words that may have named one while its code was there."""
    return unmapped(element) is Reason.NO_SOURCE and bool(element.properties or element.url or element.technology)


def finding(element: Element, verdict: Verdict, reason: Reason = Reason.NONE, **details: object) -> Finding:
    """Return a finding on an element."""
    return Finding.model_validate(
        {
            "ref": element.ref,
            "kind": element.kind,
            "verdict": verdict,
            "reason": reason,
            "source": element.source,
            "file": element.file,
            "line": element.line,
            **details,
        }
    )


def judge(element: Element, compared: Compared, facts: Facts) -> Finding:
    """Return the verdict on an element whose source existed before or exists now."""
    counted = [change for change in compared.changes if facts.counts(change)]
    renames = compared.renames
    repair = repairs(element.source, renames, compared.before, compared.now)
    if not compared.now:
        lost = [change for change in compared.changes if change.removed]
        if not renames or len(renames) < len(lost):
            return _missing(element, compared, lost, facts)
    if counted:
        return _drifted(element, compared, counted, repair, facts)
    if repair or not compared.now:
        return finding(element, Verdict.MOVED, base=compared.base, files=sorted(renames), repair=repair)
    return finding(element, Verdict.MATCHED, base=compared.base, note=_dead_patterns(element, compared))


def _missing(element: Element, compared: Compared, lost: list[Change], facts: Facts) -> Finding:
    touches = facts.history.touches_of(lost, compared.depth)
    removed_at = facts.landed_at(next((touch for touch in touches if touch.change.removed), None))
    return finding(
        element,
        Verdict.MISSING,
        Reason.REMOVED,
        base=compared.base,
        files=sorted(change.old for change in lost),
        removed_at=removed_at,
        landed_at=removed_at,
        **_commits(touches, facts),
    )


def _drifted(
    element: Element, compared: Compared, counted: list[Change], repair: dict[str, str], facts: Facts
) -> Finding:
    touches = facts.history.touches_of(counted, compared.depth)
    last = facts.history.last(touches, facts.significance.differs)
    if last is not None:
        touches = [touch for touch in touches if touch.position >= last.position]
    changed = {path for change in counted for path in change.paths}
    unchanged = [blob for path, blob in compared.now.items() if path not in changed]
    return finding(
        element,
        Verdict.DRIFTED,
        base=compared.base,
        files=sorted(change.new or change.old for change in counted),
        share=changed_share(counted, unchanged, facts.significance, facts.share_sample),
        landed_at=facts.landed_at(last),
        repair=repair,
        note="" if compared.before else "the source did not exist at the baseline",
        **_commits(touches, facts),
    )


def _commits(touches: list[Touch], facts: Facts) -> dict[str, Any]:
    """Return how many commits, by whom, from when to when, of touches that stand newest first."""
    positions = sorted({touch.position for touch in touches})
    commits = [commit for position in positions if (commit := facts.history.commit(position)) is not None]
    if not commits:
        return {}
    return {
        "commits": len(commits),
        "first_change_at": commits[-1].committed_at,
        "last_change_at": commits[0].committed_at,
        "authors": tuple(dict.fromkeys(commit.author for commit in commits if commit.author)),
    }


def _dead_patterns(element: Element, compared: Compared) -> str:
    """Name the paths of the source that cover nothing, when others do."""
    now = sorted(compared.now)
    dead = [pattern for pattern in element.source if not covered_sorted((pattern,), now)]
    return f"no tracked file at {', '.join(dead)}" if dead and len(element.source) > 1 else ""
