"""Which files `.gitattributes` calls generated or vendored, read from the tree itself (git before 2.40 cannot)."""

import posixpath
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from wcmatch import glob

from drift.trees import GitTree

_FILE = ".gitattributes"
_NAMES = ("linguist-generated", "linguist-vendored")
_FLAGS = glob.GLOBSTAR | glob.DOTGLOB | glob.CASE | glob.FORCEUNIX
_CACHED = 65536


@dataclass(frozen=True, slots=True)
class _Rule:
    folder: str
    anchored: bool
    matches: Callable[[str], bool]
    states: dict[str, bool]


def not_written_here(tree: GitTree) -> Callable[[str], bool]:
    """Return the test whether a path is generated or vendored; a deeper file and a later line win."""
    files = [path for path in tree.paths() if posixpath.basename(path) == _FILE]
    macros: dict[str, list[str]] = {}
    rules: list[_Rule] = []
    for path in sorted(files, key=lambda path: path.count("/")):
        folder = posixpath.dirname(path)
        for line in tree.read(path).decode("utf-8", "replace").splitlines():
            rules.extend(_rules(line, folder, macros))
    if not rules:
        return lambda _path: False

    @lru_cache(maxsize=_CACHED)
    def test(path: str) -> bool:
        states: dict[str, bool] = {}
        name = posixpath.basename(path)
        for rule in rules:
            if path.startswith(rule.folder) and rule.matches(path[len(rule.folder) :] if rule.anchored else name):
                states.update(rule.states)
        return any(states.values())

    return test


def _rules(line: str, folder: str, macros: dict[str, list[str]]) -> list[_Rule]:
    line = line.strip()
    if not line or line.startswith("#"):
        return []
    pattern, attributes = _words(line)
    if pattern.startswith("[attr]"):
        macros[pattern.removeprefix("[attr]")] = attributes
        return []
    states: dict[str, bool] = {}
    for attribute in attributes:
        for each in (attribute, *macros.get(attribute, ())):
            name, _, value = each.lstrip("-!").partition("=")
            if name in _NAMES:
                states[name] = not each.startswith(("-", "!")) and value not in ("false", "0")
    if not states or pattern.endswith("/"):  # git gives attributes to files, never to a folder
        return []
    included, _ = glob.translate(pattern.lstrip("/"), flags=_FLAGS)
    compiled = re.compile(included[0])  # wcmatch's own object takes ten times as long for each name
    return [_Rule(f"{folder}/" if folder else "", "/" in pattern, lambda name: bool(compiled.match(name)), states)]


def _words(line: str) -> tuple[str, list[str]]:
    try:
        words = shlex.split(line) if line.startswith('"') else line.split()
    except ValueError:
        words = line.split()
    return words[0], words[1:]
