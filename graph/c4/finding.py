"""Finds the Structurizr DSL workspaces of a repository, by content: file endings alone do not tell."""

import posixpath
import re
from collections.abc import Iterable

from graph.c4.including import resolve
from graph.c4.lines import decode
from graph.errors import Unknown
from graph.trees import FileTree

_ENDINGS = (".dsl", ".c4", ".structurizr")
_LARGEST = 5_000_000
_FOREIGN = frozenset(
    ("node_modules", "vendor", "third_party", "testdata", "test-data", "fixtures", "__fixtures__", "__tests__")
) | frozenset(("site-packages", "dist", "build", "target", ".venv", "venv"))
_TESTS = re.compile(r"(^|/)(src/test|tests?|spec)/")
_EXAMPLES = re.compile(r"(^|/)(examples?|samples?|demos?|templates?|archive)/")
_FLAGS = re.IGNORECASE | re.MULTILINE
_WORKSPACE = re.compile(r"^[ \t]*workspace\b.*\{[ \t\r]*$", _FLAGS)
_MODEL = re.compile(r"^[ \t]*model[ \t]*\{[ \t\r]*$", _FLAGS)
_ELEMENT = re.compile(r"^[ \t]*(\S+[ \t]*=[ \t]*)?(person|softwaresystem|element)[ \t]+\S", _FLAGS)
_LIKEC4 = re.compile(r"^[ \t]*specification[ \t]*\{", _FLAGS)
_NAMED = re.compile(r"^[ \t]*(?:!include|workspace[ \t]+extends)[ \t]+\"?([^\s\"]+)", _FLAGS)


def find_models(tree: FileTree) -> tuple[str, ...]:
    """Return the tree's own workspaces, best first; a file that another includes or extends comes with that one."""
    texts = {path: text for path in tree.paths() if _may_be_own(path) and (text := _text(tree, path))}
    parts = {
        target
        for path, text in texts.items()
        for source in _NAMED.findall(text)
        if (target := resolve(path, source)) is not None and target != path
    }
    found = [path for path, text in texts.items() if _is_workspace(text) and not _is_part(path, parts)]
    return tuple(sorted(found, key=lambda path: _rank(path, texts[path])))


def _may_be_own(path: str) -> bool:
    folders = path.lower().split("/")[:-1]
    return path.lower().endswith(_ENDINGS) and not _FOREIGN.intersection(folders) and not _TESTS.search(path.lower())


def _text(tree: FileTree, path: str) -> str:
    try:
        content = tree.read(path)
    except (Unknown, OSError):
        return ""
    return decode(content)[0] if len(content) <= _LARGEST else ""


def _is_workspace(text: str) -> bool:
    if _WORKSPACE.search(text):
        return True
    return bool(_MODEL.search(text) and _ELEMENT.search(text) and not _LIKEC4.search(text))


def _is_part(path: str, parts: Iterable[str]) -> bool:
    return any(path == part or path.startswith(f"{part}/") for part in parts if part)


def _rank(path: str, text: str) -> tuple[bool, bool, bool, int, str]:
    is_empty = not _ELEMENT.search(text) and not _NAMED.search(text)
    is_named_so = posixpath.basename(path).lower().startswith("workspace.")
    return bool(_EXAMPLES.search(path.lower())), is_empty, not is_named_so, path.count("/"), path
