"""Say of a declared relationship that the code shows none of it: only where imports would show it."""

from collections.abc import Iterable
from functools import cached_property
from posixpath import dirname

from drift.dependencies.owners import Owners
from drift.dependencies.reading import ImportReader
from drift.dependencies.statements import language_of
from graph.elements import ElementKind, Relationship


class Absence:
    """The judge of relationships that no import shows; `code` is all that the product has in the languages read.

    What runs may join two elements that know nothing of each other: the one who makes both, a bus that carries a
    message of one to the other, an interface that both know, a name in a configuration. Nothing is said of those.
    """

    def __init__(self, owners: Owners, reader: ImportReader, code: Iterable[str]) -> None:
        self._owners = owners
        self._reader = reader
        self._code = tuple(code)

    def is_absent(self, one: Relationship) -> bool:
        """Say whether the source would have to import the target, imports other files, and does not reach it."""
        source = self._owners.covered.get(one.source, set())
        target = self._owners.covered.get(one.target, set())
        if one.technology or not self._is_within_container(one) or not source or not target or source & target:
            return False
        languages = {language_of(path) for path in source | target}
        if len(languages) != 1 or self._share_package(source, target):
            return False
        edges = [edge for path in source for edge in self._reader.edges(path)]
        if not edges or any(edge.targets is None for edge in edges):
            return False
        passable = {one.source, one.target}
        from_source, from_target = self._reached(source, passable), self._reached(target, passable)
        if from_source & target or from_target & source:
            return False
        users = self._importing(target) - target
        if not users or users & (self._importing(source) | from_source):
            return False
        if languages == {"jvm"} and (from_source & from_target) - source - target:
            return False
        return not any(self._is_passable(path, passable) for path in users & self._importing(from_source - source))

    def _is_within_container(self, one: Relationship) -> bool:
        """Say whether both run in one process, so that only code can join them."""
        lines, elements = self._owners.lines, self._owners.elements
        if one.source not in lines or one.target not in lines or self._owners.is_related(one.source, one.target):
            return False
        shared = (ref for ref in lines[one.source] if ref in lines[one.target])
        return any(elements[ref].kind is ElementKind.CONTAINER for ref in shared)

    def _share_package(self, source: Iterable[str], target: Iterable[str]) -> bool:
        """Say whether code of both lies in one package, where using each other takes no import."""

        def packages(paths: Iterable[str]) -> set[str]:
            go = {f"go {dirname(path)}" for path in paths if language_of(path) == "go"}
            return go | {f"jvm {self._reader.package(path)}" for path in paths if language_of(path) == "jvm"}

        return bool(packages(source) & packages(target))

    def _reached(self, start: Iterable[str], ends: set[str]) -> set[str]:
        """Return the files that imports lead to, on through those that are no third element's."""
        seen = set(start)
        waiting = list(seen)
        while waiting:
            for edge in self._reader.edges(waiting.pop()):
                fresh = set(edge.targets or ()) - seen
                seen |= fresh
                waiting.extend(path for path in fresh if self._is_passable(path, ends))
        return seen

    def _is_passable(self, path: str, ends: set[str]) -> bool:
        owner = self._owners.by_path.get(path, "")
        return not owner or any(self._owners.is_related(owner, end) for end in ends)

    def _importing(self, targets: Iterable[str]) -> set[str]:
        return {path for target in targets for path in self._importers.get(target, ())}

    @cached_property
    def _importers(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for path in self._code:
            for edge in self._reader.edges(path):
                for target in edge.targets or ():
                    found.setdefault(target, set()).add(path)
        return found
