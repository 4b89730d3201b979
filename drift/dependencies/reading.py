"""Which file imports which, read file by file as it is asked for."""

import json
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from posixpath import splitext
from typing import NamedTuple, Protocol

from drift.dependencies.files import Resolved, SourceFiles
from drift.dependencies.go_packages import GoPackages
from drift.dependencies.jvm_packages import JvmPackages
from drift.dependencies.python_modules import PythonModules
from drift.dependencies.script_modules import ScriptModules
from drift.dependencies.statements import Import, Statements, language_of, read_statements
from drift.manifests.reading import ManifestFiles
from drift.trees import GitTree

_RULES = 2
"""Counted up when other statements are read of the same file: what was found before then no longer holds."""


class Edge(NamedTuple):
    """An import of a file that leads to files of the tree, any of them; None when it cannot be told where."""

    line: int
    targets: Resolved
    for_types: bool


class _Resolver(Protocol):
    def resolve(self, path: str, imported: Import) -> Resolved: ...


class ImportReader:
    """The imports of a tree's files; `code` are those whose packages are looked up.

    `found` is what earlier runs read, by blob id; what this one reads is added to it.
    """

    def __init__(self, tree: GitTree, code: Iterable[str], found: MutableMapping[str, str] | None = None) -> None:
        self._found: MutableMapping[str, str] = {} if found is None else found
        self._files = SourceFiles(tree)
        self._code = tuple(code)
        self._statements: dict[str, Statements] = {}
        self._edges: dict[str, tuple[Edge, ...]] = {}
        self._resolvers: Mapping[str, _Resolver] | None = None

    def edges(self, path: str) -> tuple[Edge, ...]:
        """Return what the file imports from the tree, in the order of its lines."""
        if path not in self._edges:
            self._edges[path] = tuple(self._read(path))
        return self._edges[path]

    def package(self, path: str) -> str:
        """Return the package that a file of Java or Kotlin declares."""
        return self._said(path).package

    def _read(self, path: str) -> Iterator[Edge]:
        resolver = self._by_language.get(language_of(path))
        if resolver is None:
            return
        for imported in sorted(self._said(path).imports, key=lambda one: one.line):
            targets = resolver.resolve(path, imported)
            if targets is None or targets:
                yield Edge(imported.line, targets, imported.for_types)

    def _said(self, path: str) -> Statements:
        if path not in self._statements:
            self._statements[path] = self._read_once(path)
        return self._statements[path]

    def _read_once(self, path: str) -> Statements:
        key = f"imports {_RULES} {splitext(path)[1].lower()} {self._files.blob(path)}"
        known = self._found.get(key)
        if known is not None:
            imports, package = json.loads(known)
            return Statements(tuple(Import(*values) for values in imports), package)
        statements = read_statements(path, self._files.text(path))
        self._found[key] = json.dumps(statements)
        return statements

    @property
    def _by_language(self) -> Mapping[str, _Resolver]:
        if self._resolvers is None:
            jvm = {path: self.package(path) for path in self._code if language_of(path) == "jvm"}
            self._resolvers = {
                "python": PythonModules(self._files),
                "script": ScriptModules(self._files, ManifestFiles(self._files.tree)),
                "go": GoPackages(self._files),
                "jvm": JvmPackages(self._files, jvm),
            }
        return self._resolvers
