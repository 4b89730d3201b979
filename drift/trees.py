"""A tree of git objects as readers see it."""

import posixpath
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import NamedTuple

from drift.changes import SUBMODULE, SYMLINK
from graph.errors import Unknown

_MOST_LINKS = 8


class Entry(NamedTuple):
    """What stands at a path: its mode and its object (a submodule's commit)."""

    mode: str
    oid: str


class GitTree:
    """One state of the repository, from git objects alone."""

    def __init__(self, entries: Mapping[str, Entry], read_object: Callable[[str], bytes | None]) -> None:
        self.entries = entries
        self.read_object = read_object

    def paths(self) -> Collection[str]:
        """Return the path of every file, symlink and submodule (models name those too), sorted."""
        return self.sorted_paths

    def read(self, path: str) -> bytes:
        """Return a file's content, through links that stay in the tree; raise Unknown when there is none."""
        for _ in range(_MOST_LINKS):
            entry = self.entries.get(path)
            if entry is None or entry.mode == SUBMODULE:
                break
            content = self.read_object(entry.oid)
            if content is None:
                break
            if entry.mode != SYMLINK:
                return content
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), content.decode("utf-8", "replace")))
        raise Unknown(f"there is no file {path!r} in the commit", id=path, next_step="check the path")

    def blobs(self) -> Mapping[str, str]:
        """Return every path's blob id; a submodule's path has its commit, so that a bump is a change."""
        return self._blobs

    @cached_property
    def links(self) -> Mapping[str, str]:
        """The target path in the tree of each symlink that stays inside it."""
        found: dict[str, str] = {}
        for path, entry in self.entries.items():
            if entry.mode == SYMLINK:
                target = (self.read_object(entry.oid) or b"").decode("utf-8", "replace")
                joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
                if target and not joined.startswith(("../", "/")) and joined != "..":
                    found[path] = "" if joined == "." else joined
        return found

    @cached_property
    def submodules(self) -> tuple[str, ...]:
        """The paths at which other repositories are mounted."""
        return tuple(path for path, entry in self.entries.items() if entry.mode == SUBMODULE)

    @cached_property
    def sorted_paths(self) -> list[str]:
        """Every path, in order of code points."""
        return sorted(self.entries)

    @cached_property
    def folded_paths(self) -> list[tuple[str, str]]:
        """Every path, in order, with its form in which case does not count."""
        return [(path, path.casefold()) for path in self.sorted_paths]

    @cached_property
    def _blobs(self) -> Mapping[str, str]:
        return {path: entry.oid for path, entry in self.entries.items()}
