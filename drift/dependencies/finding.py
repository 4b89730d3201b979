"""Hold the imports between elements against the relationships of the model."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import NamedTuple

from drift.coverage import Coverage
from drift.dependencies.absence import Absence
from drift.dependencies.owners import Owners
from drift.dependencies.reading import ImportReader
from drift.dependencies.statements import language_of
from drift.policy import DriftPolicy
from drift.product import product_files
from graph.drift_report import DependencyFinding
from graph.elements import ArchitectureModel, Element
from graph.errors import Fault


class Found(NamedTuple):
    """The dependencies on which model and code disagree, and what was left out."""

    findings: tuple[DependencyFinding, ...] = ()
    warnings: tuple[Fault, ...] = ()


class _Imports(NamedTuple):
    file: str
    line: int
    number: int


def find_dependencies(
    model: ArchitectureModel,
    elements: Mapping[str, Element],
    coverage: Coverage,
    skip: Callable[[str], bool],
    policy: DriftPolicy,
    found: MutableMapping[str, str] | None = None,
) -> Found:
    """Return the imports between elements that no relationship covers, and relationships that no import shows.

    Tests, samples, generated and ignored files do not count; an import counts only where it leads to a file. `found` is
    what earlier runs read; what this one reads is added to it.
    """
    if not policy.dependencies:
        return Found()
    code = tuple(path for path in product_files(coverage.tree, policy) if language_of(path) and not skip(path))
    owners = Owners(elements, coverage, frozenset(code).__contains__)
    covered = tuple(path for path in code if path in owners.by_path)
    reader = ImportReader(coverage.tree, code, found)
    if len(covered) > policy.dependency_files:
        what = f"of {len(covered)} files only {policy.dependency_files} were read: what the others import is not known"
        comparison = _Comparison(model, owners, reader, covered[: policy.dependency_files])
        return Found(tuple(comparison.undeclared()), (Fault(where="dependencies", what=what),))
    comparison = _Comparison(model, owners, reader, covered)
    absence = Absence(owners, reader, code[: policy.dependency_files])
    return Found((*comparison.undeclared(), *comparison.absent(absence)))


class _Comparison:
    def __init__(self, model: ArchitectureModel, owners: Owners, reader: ImportReader, covered: Sequence[str]) -> None:
        self._model = model
        self._owners = owners
        self._reader = reader
        self._covered = covered
        lines = owners.lines
        self._implied = {
            (above, beyond)
            for one in model.relationships
            if one.source in lines and one.target in lines and not owners.is_related(one.source, one.target)
            for above in lines[one.source]
            for beyond in lines[one.target]
        }

    def undeclared(self) -> list[DependencyFinding]:
        """Return, once for each pair of elements, what the code imports and the model does not say."""
        found: dict[tuple[str, str], _Imports] = {}
        for path in self._covered:
            owner = self._owners.by_path[path]
            for edge in self._reader.edges(path):
                target = self._owners.of_all(edge.targets or ())
                if not target or edge.for_types or self._owners.is_related(owner, target):
                    continue
                first = found.get((owner, target), _Imports(path, edge.line, 0))
                found[owner, target] = first._replace(number=first.number + 1)
        return [
            self._finding(source, target, declared=False, file=first.file, line=first.line, imports=first.number)
            for (source, target), first in sorted(found.items())
            if not self._is_declared(source, target)
        ]

    def absent(self, absence: Absence) -> list[DependencyFinding]:
        """Return, once for each pair of elements, the relationships that the code would show and does not."""
        found: dict[tuple[str, str], DependencyFinding] = {}
        for one in self._model.relationships:
            if (one.source, one.target) not in found and absence.is_absent(one):
                found[one.source, one.target] = self._finding(
                    one.source, one.target, declared=True, file=one.file, line=one.line
                )
        return list(found.values())

    def _finding(
        self, source: str, target: str, *, declared: bool, file: str, line: int, imports: int = 0
    ) -> DependencyFinding:
        ends = {source, target}
        decisions = tuple(decision.ref for decision in self._model.decisions if ends.intersection(decision.about))
        return DependencyFinding(
            source=source,
            target=target,
            declared=declared,
            file=file,
            line=line,
            imports=imports,
            decisions=decisions,
        )

    def _is_declared(self, source: str, target: str) -> bool:
        """Say whether a relationship holds between the two or what they lie in, itself or by what lies in that.

        "The shop's API uses the bank's ledger" implies "the shop uses the bank", which covers what else uses it.
        """
        return any(
            (one, other) in self._implied
            for one in self._owners.lines[source]
            for other in self._owners.lines[target]
            if not self._owners.is_related(one, other)
        )
