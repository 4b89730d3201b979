"""What the tree holds, asked by the ways in which models name it: a path, a glob, the end of a path."""

import posixpath
import re
from collections.abc import Iterable

from graph.paths import clean_path, is_glob, matcher

_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,12}$")


class TreePaths:
    """The files and folders of a tree."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.files = frozenset(paths)
        self.folders: set[str] = set()
        self._by_name: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        self._matched: dict[str, bool] = {}
        for path in self.files:
            folder, name = posixpath.split(path)
            self._by_name.setdefault(name, []).append(path)
            self._by_stem.setdefault(posixpath.splitext(name)[0], []).append(path)
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = posixpath.dirname(folder)

    def has(self, path: str) -> bool:
        """Say whether this is a file or a folder, or a glob that matches a file."""
        literal = clean_path(path)
        if literal in self.files or literal in self.folders:
            return True
        if not is_glob(path):
            return False
        if path not in self._matched:
            self._matched[path] = any(map(matcher((path,)), self.files))
        return self._matched[path]

    def ending_with(self, path: str) -> str:
        """Return the one file whose path ends so; empty when there is none, or more than one."""
        found = self._by_name.get(posixpath.basename(path), [])
        return _only(known for known in found if f"/{known}".endswith(f"/{path}"))

    def of_class(self, name: str) -> str:
        """Return the one file that a fully qualified class name means (`org.shop.Cart` is `…/org/shop/Cart.java`).

        Kotlin, Scala and C# let a package's file lie deeper (`…/org/shop/basket/Cart.kt`): that counts where no file
        lies as the name says.
        """
        parts = name.split("$")[0].split(".")
        if len(parts) < 2 or not all(parts):
            return ""
        end = "/" + "/".join(parts)
        package = end.rpartition("/")[0] + "/"
        found = [known for known in self._by_stem.get(parts[-1], []) if package in f"/{known}"]
        exact = [known for known in found if f"/{posixpath.splitext(known)[0]}".endswith(end)]
        return _only(exact or found)

    def located(self, path: str) -> str:
        """Return the tree's path for one that begins elsewhere (a build folder, a source root), or an empty one."""
        path = clean_path(path)
        if self.has(path):
            return path
        parts = path.split("/")
        ends = ("/".join(parts[start:]) for start in range(max(1, len(parts) - 1)))
        return next((found for end in ends if (found := self.ending_with(end))), "")


def has_extension(path: str) -> bool:
    """Say whether the path ends like a file."""
    return _EXTENSION.search(posixpath.basename(path)) is not None


def _only(found: Iterable[str]) -> str:
    paths = list(found)
    return paths[0] if len(paths) == 1 else ""
