"""Finds the models of a repository by the content of its files, in every format that is known."""

import re
from collections.abc import Sequence

from graph.c4.formats import DIAGRAMS, FORMATS, Format, format_of
from graph.c4.lines import decode
from graph.errors import Unknown
from graph.trees import FileTree

_LARGEST = 5_000_000
_FOREIGN = frozenset(
    ("node_modules", "vendor", "third_party", "testdata", "test-data", "fixtures", "__fixtures__", "__tests__")
) | frozenset(("site-packages", "dist", "build", "target", ".venv", "venv"))
_TESTS = re.compile(r"(^|/)(src/test|tests?)/")
_EXAMPLES = re.compile(r"(^|/)(examples?|samples?|demos?|templates?|archive)/")


def find_models(tree: FileTree) -> tuple[str, ...]:
    """Return the files with which the tree's own models begin, best first; what one of them reads comes with it.

    Diagrams illustrate a model: they are it where there is no other, those of one folder and below it together.
    """
    return _found(tree, [known for known in FORMATS if known is not DIAGRAMS]) or _found(tree, [DIAGRAMS])


def _found(tree: FileTree, formats: Sequence[Format]) -> tuple[str, ...]:
    endings = tuple(ending for known in formats for ending in known.endings)
    paths = [path for path in tree.paths() if path.lower().endswith(endings) and _may_be_own(path)]
    texts = {path: text for path in paths if (text := _text(tree, path))}
    found_formats = {path: format_of(path, text) for path, text in texts.items()}
    found: list[str] = []
    for known in formats:
        found += known.mains([path for path, format in found_formats.items() if format is known], texts)
    return tuple(sorted(found, key=lambda path: bool(_EXAMPLES.search(path.lower()))))


def _may_be_own(path: str) -> bool:
    folders = path.lower().split("/")[:-1]
    return not _FOREIGN.intersection(folders) and not _TESTS.search(path.lower())


def _text(tree: FileTree, path: str) -> str:
    try:
        content = tree.read(path)
    except (Unknown, OSError):
        return ""
    return decode(content)[0] if len(content) <= _LARGEST else ""
