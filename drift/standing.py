"""Where the paths that claims name stand in one state of the repository."""

from bisect import bisect_left

from drift.changes import SUBMODULE, SYMLINK
from drift.coverage import Coverage
from drift.trees import Entry, GitTree


class State:
    """One tree, with where its files are."""

    def __init__(self, tree: GitTree) -> None:
        self.tree = tree
        self.coverage = Coverage(tree)

    def blob(self, path: str) -> str:
        """Return the blob of a file that can be read; empty for a folder, a submodule, what is not there."""
        entry = self._entry(path)
        return entry.oid if entry is not None and entry.mode != SUBMODULE else ""

    def is_folder(self, path: str) -> bool:
        """Say whether anything lies below a path, a submodule's being unknown."""
        below = f"{path}/"
        return any(one.startswith(below) for one in self.tree.sorted_paths[self._from(below) : self._from(below) + 1])

    def stands(self, path: str) -> bool:
        """Say whether a file, link, submodule or folder has this path."""
        return path in self.tree.entries or self.is_folder(path) or self._entry(path) is not None

    def hides(self, path: str) -> bool:
        """Say whether a path lies in a submodule, into which this repository does not see."""
        return any(path.startswith(f"{mount}/") for mount in self.tree.submodules)

    def called(self, path: str) -> str:
        """Return the path itself, or the one file whose path ends with it; empty when there is none, or several."""
        if self.stands(path):
            return path
        tail = f"/{path}"
        found = [one for one in self.tree.sorted_paths if one.endswith(tail)]
        return found[0] if len(found) == 1 else ""

    def below(self, path: str) -> list[str]:
        """Return the files of a folder."""
        below = f"{path}/"
        start = self._from(below)
        return self.tree.sorted_paths[start : self._from(below + "\U0010ffff")]

    def _from(self, text: str) -> int:
        return bisect_left(self.tree.sorted_paths, text)

    def _entry(self, path: str) -> Entry | None:
        entry = self.tree.entries.get(path)
        if entry is not None and entry.mode == SYMLINK:
            home = self.tree.links.get(path, "")
            entry = self.tree.entries.get(home) if home else None
        return entry
