"""Resolve the imports of Java and Kotlin to files, by the package that each file declares."""

import re
from collections.abc import Mapping
from posixpath import basename, splitext

from drift.dependencies.files import Resolved, SourceFiles
from drift.dependencies.statements import Import


class JvmPackages:
    """The files of a tree by package and by the class of their name."""

    def __init__(self, files: SourceFiles, packages: Mapping[str, str]) -> None:
        self._files = files
        self._by_package: dict[str, list[str]] = {}
        self._by_class: dict[str, list[str]] = {}
        for path, package in packages.items():
            self._by_package.setdefault(package, []).append(path)
            self._by_class.setdefault(f"{package}.{splitext(basename(path))[0]}", []).append(path)

    def resolve(self, _path: str, imported: Import) -> Resolved:
        """Return the class's file, for a wildcard or a Kotlin function those of the package that may hold it."""
        parts = imported.module.split(".")
        for size in range(len(parts), 0, -1):
            name = ".".join(parts[:size])
            if found := self._by_class.get(name):
                return tuple(found)
            if package := self._by_package.get(name):
                return tuple(package) if size == len(parts) else self._declaring(package, parts[size])
        return ()

    def _declaring(self, paths: list[str], name: str) -> Resolved:
        declared = re.compile(
            rf"\b(?:class|interface|object|record|enum|fun|va[lr]|typealias|@interface)\b[^\n=]*?\b{re.escape(name)}\b"
        )
        return tuple(path for path in paths if declared.search(self._files.text(path))) or None
