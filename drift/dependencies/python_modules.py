"""Resolve Python's imports to files, as the interpreter would that starts at a source root."""

import sys
from functools import cached_property
from posixpath import basename, dirname, join

from drift.dependencies.files import Resolved, SourceFiles, upward
from drift.dependencies.statements import Import

_PACKED = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "manage.py")
_BELOW_PACKED = ("src", "lib", "python")


class PythonModules:
    """The modules of a tree by source root."""

    def __init__(self, files: SourceFiles) -> None:
        self._files = files

    def resolve(self, path: str, imported: Import) -> Resolved:
        """Return the file of the imported module, or of the module that the name is taken from."""
        dots = len(imported.module) - len(imported.module.lstrip("."))
        parts = [part for part in imported.module.lstrip(".").split(".") if part]
        if dots:
            folder = dirname(path)
            for _ in range(dots - 1):
                if not folder:
                    return None
                folder = dirname(folder)
            found = self._below(folder, parts, imported.name)
            return (found,) if found else None
        if parts[0] in sys.stdlib_module_names:
            return ()
        return self._absolute(path, parts, imported.name)

    def _absolute(self, path: str, parts: list[str], name: str) -> Resolved:
        """Look in the roots around the importing file, nearest first; elsewhere only what stands in one root alone."""
        around = [folder for folder in upward(dirname(path)) if self._is_root(folder, path)]
        is_ours = False
        for root in around:
            for place in (root, *(join(root, below) for below in _BELOW_PACKED)):
                found = self._below(place, parts, name)
                if found:
                    return (found,)
                is_ours |= self._has(place, parts[0])
        elsewhere = {found for root in self._roots if (found := self._below(root, parts, name))}
        if len(elsewhere) == 1:
            return tuple(elsewhere)
        return None if elsewhere or is_ours else ()

    def _is_root(self, folder: str, path: str) -> bool:
        """Say whether modules are looked up here: never inside a package, whose modules have its name before theirs."""
        if join(folder, "__init__.py") in self._files:
            return False
        return folder in self._roots or folder in ("", dirname(path))

    @cached_property
    def _roots(self) -> frozenset[str]:
        """Where packages are installed from: beside a manifest, in its `src`, and around each topmost package."""
        packed = {dirname(path) for path in self._files.named(*_PACKED)}
        found = packed | {join(folder, below) for folder in packed for below in _BELOW_PACKED}
        for path in self._files.named("__init__.py"):
            around = dirname(dirname(path))
            if dirname(path) and join(around, "__init__.py") not in self._files:
                found.add(around)
        return frozenset(folder for folder in found if folder in self._files.folders)

    def _has(self, root: str, top: str) -> bool:
        return join(root, f"{top}.py") in self._files or join(root, top, "__init__.py") in self._files

    def _below(self, folder: str, parts: list[str], name: str) -> str:
        """Return the file of the deepest module that is named, if all of it is there."""
        place = "/".join((folder, *parts)).strip("/")
        if name and name != "*" and (found := self._module(join(place, name))):
            return found
        return self._module(place) if parts else self._package(place)

    def _module(self, place: str) -> str:
        return self._package(place) or (f"{place}.py" if basename(place) and f"{place}.py" in self._files else "")

    def _package(self, place: str) -> str:
        path = join(place, "__init__.py")
        return path if path in self._files else ""
