"""Resolve Go's imports to the files of the package's folder, by the modules of the tree."""

import re
from functools import cached_property, lru_cache
from posixpath import dirname, join, normpath

from drift.dependencies.files import Resolved, SourceFiles, upward
from drift.dependencies.statements import Import

_MODULE = re.compile(r"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)
_REPLACED = re.compile(r"^(?:replace)?[ \t]*([^\s(]+)(?:[ \t]+v\S+)?[ \t]+=>[ \t]+(\.{1,2}(?:/\S*)?)", re.MULTILINE)


class GoPackages:
    """The packages of a tree by module."""

    def __init__(self, files: SourceFiles) -> None:
        self._files = files
        self._modules_around = lru_cache(maxsize=4096)(self._find_modules)

    def resolve(self, path: str, imported: Import) -> Resolved:
        """Return every file of the package but its tests; a package that is not there is generated, so unknown."""
        for module, folder in self._modules_around(dirname(path)).items():
            if imported.module == module or imported.module.startswith(f"{module}/"):
                place = normpath(join(folder, imported.module[len(module) :].lstrip("/") or "."))
                found = self._files.directly_in("" if place == "." else place)
                return tuple(one for one in found if one.endswith(".go") and not one.endswith("_test.go")) or None
        return ()

    def _find_modules(self, folder: str) -> dict[str, str]:
        """Return the folders of modules by their path as the file's own module names them, the longest first."""
        own = next((place for place in upward(folder) if join(place, "go.mod") in self._files), None)
        named = dict(self._modules)
        if own is not None:
            for module, target in _REPLACED.findall(self._files.text(join(own, "go.mod"))):
                place = normpath(join(own, target))
                if not place.startswith(".."):
                    named[module] = "" if place == "." else place
        return dict(sorted(named.items(), key=lambda item: -len(item[0])))

    @cached_property
    def _modules(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for path in self._files.named("go.mod"):
            if match := _MODULE.search(self._files.text(path)):
                found.setdefault(match[1], dirname(path))
        return found
