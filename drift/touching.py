"""Which elements a change touches: those that cover a file that it changed."""

from collections.abc import Mapping

from drift.coverage import Coverage, covered_sorted
from drift.policy import DriftPolicy
from drift.repository import Repository
from drift.verdicts import unmapped
from graph.drift_report import Reason
from graph.elements import ArchitectureModel


def touched_elements(
    model: ArchitectureModel, repository: Repository, base: str, target: str, policy: DriftPolicy
) -> Mapping[str, tuple[str, ...]]:
    """Return the changed files by the ref of each element that covers them, from commit `base` to `target`."""
    changes, _ = repository.diff(base, target, policy.rename_limit)
    paths = sorted({path for change in changes for path in change.paths})
    coverage = Coverage(repository.tree(target))
    found = {
        element.ref: tuple(covered_sorted(coverage.patterns(element.source), paths))
        for element in model.elements
        if unmapped(element) is Reason.NONE
    }
    return {ref: files for ref, files in found.items() if files}
