"""The files of a model: reading them from the tree, and what `!include` and `extends` name."""

import posixpath
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice, takewhile

from graph.c4.findings import Findings
from graph.c4.lines import Line, decode, logical_lines
from graph.errors import Unknown
from graph.paths import clean_path
from graph.trees import FileTree

_DEEPEST = 40
_MOST_LINES = 100_000


class ModelFiles:
    """Reads model files and keeps the list of them: never one outside the tree, and no include without end.

    `named` are the files that reading was asked for: those of them that are one model are read together.
    """

    def __init__(self, tree: FileTree, paths: frozenset[str], findings: Findings, named: Iterable[str] = ()) -> None:
        self._tree = tree
        self.paths = paths
        self._findings = findings
        self._lines = 0
        self.named = tuple(named)
        self.read: dict[str, None] = {}
        self.open: list[str] = []

    def peek(self, path: str) -> str:
        """Return a file's text without counting it as read; an empty one when it is missing."""
        try:
            return decode(self._tree.read(path))[0] if path in self.paths else ""
        except (Unknown, OSError):
            return ""

    def content(self, path: str, where: str) -> str | None:
        """Return a file's text; None, with a warning, when it is missing."""
        try:
            text, is_latin1 = decode(self._tree.read(path))
        except (Unknown, OSError):
            self._findings.warn(where, f"{path} is not in the repository; the model is incomplete")
            return None
        self.read[path] = None
        if is_latin1:
            self._findings.warn(f"{path}:1", "the file is not UTF-8; it was read as Latin-1")
        return text

    def lines(self, path: str, where: str, split: Callable[[str, str], Iterable[Line]] = logical_lines) -> list[Line]:
        """Return a file's lines; none, with a warning, when it is missing, includes itself, or is too much."""
        if path in self.open or len(self.open) >= _DEEPEST:
            self._findings.warn(where, f"{path} includes itself, or includes go too deep; it was left out")
            return []
        if self._lines > _MOST_LINES:
            return []
        text = self.content(path, where)
        lines = list(split(path, text)) if text is not None else []
        self._lines += len(lines)
        if self._lines > _MOST_LINES:
            self._findings.fault(where, f"the model has more than {_MOST_LINES} lines with its includes")
            return []
        return lines

    def named_by(self, source: str, line: Line) -> list[str]:
        """Return the files that `!include` or `extends` names: a file, or all that are not hidden below a folder."""
        if source.lower().startswith(("http://", "https://")):
            self._findings.warn(line.where, f"{source} is not fetched; the model is incomplete")
            return []
        path = resolve(line.file, source)
        if path is None:
            self._findings.warn(line.where, f"{source} is outside the repository; it was not read")
            return []
        if posixpath.basename(source.strip().replace("\\", "/").rstrip("/")).startswith("."):
            self._findings.warn(line.where, f"{source} is hidden, and so is left out, as by other tools")
            return []
        if path in self.paths:
            return [path]
        inside = self._below(path)
        self._lines += len(inside)  # a folder of empty files can be included without end too
        if not inside:
            self._findings.warn(line.where, f"{source} is not in the repository; the model is incomplete")
        return inside

    def _below(self, folder: str) -> list[str]:
        """Return the files below a folder in the order of folders, without those that are hidden there."""
        below = f"{folder}/" if folder else ""
        start = bisect_left(self._in_order, below)
        inside = takewhile(lambda path: path.startswith(below), islice(self._in_order, start, None))
        parts = sorted(path.removeprefix(below).split("/") for path in inside)
        return [below + "/".join(names) for names in parts if not any(name.startswith(".") for name in names)]

    @cached_property
    def _in_order(self) -> list[str]:
        return sorted(self.paths)


def resolve(file: str, source: str) -> str | None:
    """Return the tree's path of what a file names relative to itself; None when that leaves the tree."""
    cleaned = source.strip().replace("\\", "/")
    if cleaned.startswith("/") or ":" in cleaned.split("/")[0]:
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), cleaned))
    return None if path == ".." or path.startswith("../") else clean_path(path)
