"""Whether the code behind an element still is what it was when something was known to hold."""

from collections.abc import Mapping

from drift.changes import changes_of_blobs
from drift.coverage import Coverage
from drift.repository import Repository
from drift.verdicts import Facts, unmapped
from graph.claims import Anchor
from graph.drift_report import AnchorFinding, Reason
from graph.elements import Element
from graph.errors import ArchmemError


class Anchors:
    """Compares anchors with the target, by their blobs; by the tree of their commit when they have none."""

    def __init__(self, repository: Repository, elements: Mapping[str, Element], target: Coverage, facts: Facts) -> None:
        self._repository = repository
        self._elements = elements
        self._target = target
        self._facts = facts
        self._coverages: dict[str, Coverage | None] = {}

    def find(self, anchor: Anchor) -> AnchorFinding:
        """Return whether the element's source differs; None when neither blobs nor commit can tell.

        Of an element that left the model, or lost its source, the recorded paths alone are compared.
        """
        element = self._elements.get(anchor.element)
        source = element.source if element and unmapped(element) is Reason.NONE else ()
        blobs = anchor.blobs or self._blobs_then(anchor.commit, source)
        if blobs is None:
            return AnchorFinding(anchor=anchor, differs=None)
        tree = self._target.tree.blobs()
        covered = self._target.paths(source)
        if any(path not in blobs for path in covered) and (then := self._coverage(anchor.commit)):
            # A source that was only widened since covers what stood there already.
            known = then.tree.blobs()
            covered = tuple(path for path in covered if path in blobs or known.get(path) != tree[path])
        counted = [change for change in changes_of_blobs(blobs, tree, covered) if self._facts.counts(change)]
        if not counted:
            return AnchorFinding(anchor=anchor, differs=False)
        touches = self._facts.history.touches_of(counted, None)
        last = self._facts.history.last(touches, self._facts.significance.differs)
        return AnchorFinding(anchor=anchor, differs=True, landed_at=self._facts.landed_at(last))

    def _blobs_then(self, commit: str, source: tuple[str, ...]) -> Mapping[str, str] | None:
        then = self._coverage(commit) if source else None
        return then.blobs(source) if then else None

    def _coverage(self, commit: str) -> Coverage | None:
        if commit not in self._coverages:
            try:
                self._coverages[commit] = Coverage(self._repository.tree(commit)) if commit else None
            except ArchmemError:
                self._coverages[commit] = None
        return self._coverages[commit]
