"""The files of a checkout as they stand on disk, for models that are not committed yet."""

import os
from collections.abc import Collection
from functools import cached_property
from pathlib import Path, PurePosixPath

from graph.naming import is_unicode
from graph.trees import FolderTree

_PASSED_OVER = frozenset(
    (".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", "site-packages")
)


class WorkTree:
    """A folder tree that is listed once and passes over folders of installed packages and caches.

    Names that are not UTF-8 are passed over too: no record could hold them.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files = FolderTree(root)

    def paths(self) -> Collection[str]:
        return self._paths

    def read(self, path: str) -> bytes:
        return self._files.read(path)

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        found: list[str] = []
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(name for name in folders if name not in _PASSED_OVER)
            place = PurePosixPath(Path(folder).relative_to(self._root).as_posix())
            found.extend(str(place / name) for name in files)
        return tuple(sorted(path for path in found if is_unicode(path)))
