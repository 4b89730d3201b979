"""The tree's files as resolving sees them: which are there, and their text once it is asked for."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from posixpath import dirname

from drift.trees import GitTree
from graph.errors import ArchmemError

LARGEST = 1_000_000
"""Bytes; longer files are written by programs."""

Resolved = tuple[str, ...] | None
"""The files that an import leads to, any of them; none when it leads out of the tree; None when it cannot be told."""


class SourceFiles:
    """The files of one tree by path and folder."""

    def __init__(self, tree: GitTree) -> None:
        self.tree = tree
        self.sorted_paths = tree.sorted_paths
        self.text = lru_cache(maxsize=256)(self._text)

    def __contains__(self, path: object) -> bool:
        return path in self.tree.entries

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that a file lies in, at any depth; the root is the empty one."""
        found = {""}
        for path in self.sorted_paths:
            folder = dirname(path)
            while folder not in found:
                found.add(folder)
                folder = dirname(folder)
        return frozenset(found)

    def blob(self, path: str) -> str:
        """Return the id of a file's content; empty when there is no such file."""
        return self.tree.blobs().get(path, "")

    def directly_in(self, folder: str) -> Sequence[str]:
        """Return the files of a folder, not those deeper."""
        return self._by_folder.get(folder, ())

    def named(self, *names: str) -> Iterator[str]:
        """Yield the files with one of these names, in whatever folder."""
        for name in names:
            yield from self._by_name.get(name, ())

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.sorted_paths:
            found.setdefault(dirname(path), []).append(path)
        return found

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.sorted_paths:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def _text(self, path: str) -> str:
        """Return a file's text; empty when it is not here, or longer than people write."""
        try:
            content = self.tree.read(path)
        except ArchmemError:
            return ""
        return content.decode("utf-8-sig", "replace") if len(content) <= LARGEST else ""


def upward(folder: str) -> Iterator[str]:
    """Yield the folder and those around it, the root last."""
    yield folder
    while folder:
        folder = dirname(folder)
        yield folder
