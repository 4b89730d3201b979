"""Sources of a model that cover no file: gone from the repository, or never in it."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from drift.coverage import Coverage, covered_sorted, static_prefix
from drift.history import History
from drift.repository import Repository
from drift.verdicts import unmapped
from graph.drift_report import Reason
from graph.elements import Element


class DeadSource(NamedTuple):
    """A path or glob of an element's source that covers nothing, and what is known about it."""

    ref: str
    pattern: str
    what: str


def find_dead_sources(
    elements: Iterable[Element], paths: Collection[str], repository: Repository | None = None
) -> tuple[DeadSource, ...]:
    """Return the sources that cover none of the paths; the repository's history says whether they ever did.

    People, externals and elements without a source have none that could be dead.
    """
    present = sorted(paths)
    named = [(one.ref, pattern) for one in elements if unmapped(one) is Reason.NONE for pattern in one.source]
    absent = [(ref, pattern) for ref, pattern in named if not covered_sorted((pattern,), present)]
    if not absent:
        return ()
    past = _Past(repository, present) if repository is not None and not repository.is_empty() else None
    told = ((ref, pattern, past.tell(pattern) if past else "there is no history to ask") for ref, pattern in absent)
    return tuple(
        DeadSource(ref, pattern, f"no file matches {pattern!r}: {what}") for ref, pattern, what in told if what
    )


class _Past:
    """What the branch of HEAD had."""

    def __init__(self, repository: Repository, present: Sequence[str]) -> None:
        head = repository.head()
        self._coverage = Coverage(repository.tree(head))
        self._history = History(repository, head)
        self._present = present
        self._once: list[str] = []

    def tell(self, pattern: str) -> str:
        """Return what became of a pattern's files; empty when they are there by another way (a link, a submodule)."""
        patterns = self._coverage.patterns((pattern,))
        mounts = self._coverage.tree.submodules
        if covered_sorted(patterns, self._present) or any(static_prefix(one) in mounts for one in patterns):
            return ""
        if self._coverage.paths((pattern,)):
            return "HEAD has some, but not the disk"
        self._once = self._once or sorted(self._history.all_paths())
        removals = [
            touch.position
            for path in covered_sorted(patterns, self._once)
            for touch in self._history.touches(path)
            if touch.change.new != path
        ]
        commit = self._history.commit(min(removals)) if removals else None
        if commit is not None:
            return f"the last one left with commit {commit.oid[:12]} on {commit.committed_at:%Y-%m-%d}"
        if self._history.truncated:
            return "whether one ever did cannot be told in a shallow clone"
        twin = self._coverage.case_twin((pattern,))
        return f"the repository spells it {twin!r}" if twin else "none ever did in the history of HEAD"
