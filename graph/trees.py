"""A tree of files as readers see it: a folder on disk or a commit, never more than what lies inside it."""

from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Protocol

from graph.errors import Unknown


class FileTree(Protocol):
    """The files of one state of a repository, by `/`-separated paths from its root."""

    def paths(self) -> Collection[str]:
        """Return every file's path."""

    def read(self, path: str) -> bytes:
        """Return a file's content; raise Unknown when the tree has no such file."""


class FolderTree:
    """The files below a folder on disk; never follows a way out of it."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def paths(self) -> Collection[str]:
        return sorted(
            str(PurePosixPath(path.relative_to(self._root)))
            for path in self._root.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(self._root).parts
        )

    def read(self, path: str) -> bytes:
        target = (self._root / path).resolve()
        if not target.is_relative_to(self._root) or not target.is_file():
            raise Unknown(f"there is no file {path!r} in the folder", id=path, next_step="check the path")
        return target.read_bytes()
