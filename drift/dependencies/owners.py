"""Whose each file is: the most specific element that covers it."""

from collections.abc import Callable, Iterable, Mapping

from drift.coverage import Coverage
from graph.elements import Element, ElementKind, ancestors
from graph.paths import matcher, specificity


class Owners:
    """The element of each file of the product, and what each element covers."""

    def __init__(self, elements: Mapping[str, Element], coverage: Coverage, counts: Callable[[str], bool]) -> None:
        self.elements = elements
        self.lines = {
            ref: (ref, *(one.ref for one in ancestors(element, elements))) for ref, element in elements.items()
        }
        self.covered: dict[str, set[str]] = {}
        candidates: dict[str, list[str]] = {}
        for ref, element in elements.items():
            if element.external or element.kind is ElementKind.PERSON or not element.source:
                continue
            for path in coverage.paths(element.source):
                if counts(path):
                    candidates.setdefault(path, []).append(ref)
                    for each in self.lines[ref]:
                        self.covered.setdefault(each, set()).add(path)
        self.by_path = {path: owner for path, refs in candidates.items() if (owner := self._most_specific(path, refs))}

    def is_related(self, one: str, other: str) -> bool:
        """Say whether the elements are the same or one lies in the other, in the model or with all of its code."""
        if one in self.lines[other] or other in self.lines[one]:
            return True
        ours, theirs = self.covered.get(one, set()), self.covered.get(other, set())
        return bool(ours and theirs) and (ours <= theirs or theirs <= ours)

    def of_all(self, paths: Iterable[str]) -> str:
        """Return the one element that owns all of the files; empty when there is none."""
        found = {self.by_path.get(path, "") for path in paths}
        return found.pop() if len(found) == 1 else ""

    def _most_specific(self, path: str, refs: list[str]) -> str:
        """Return the innermost element, else the one with the narrowest pattern; code elements count as their parent.

        Nobody's is what two elements name alike.
        """
        innermost = [ref for ref in refs if not any(ref != other and ref in self.lines[other] for other in refs)]
        if len(innermost) > 1:
            narrow = {ref: self._narrowness(path, ref) for ref in innermost}
            innermost = [ref for ref, size in narrow.items() if size == max(narrow.values())]
        if len(innermost) != 1:
            lifted = {self._lifted(ref) for ref in innermost}
            return lifted.pop() if len(lifted) == 1 else ""
        return self._lifted(innermost[0])

    def _lifted(self, ref: str) -> str:
        element = self.elements[ref]
        is_code = element.kind is ElementKind.CODE and element.parent in self.elements
        return element.parent if is_code else ref

    def _narrowness(self, path: str, ref: str) -> int:
        fitting = (pattern for pattern in self.elements[ref].source if matcher((pattern,))(path))
        return max((specificity(pattern) for pattern in fitting), default=0)
