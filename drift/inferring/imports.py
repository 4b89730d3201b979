"""Which components of a container import which others, read from the import lines alone."""

import re
from collections.abc import Iterator, Sequence
from posixpath import dirname, join, normpath

from drift.inferring.sketch import Component, Container
from drift.trees import GitTree
from graph.errors import ArchmemError

_LARGEST = 200_000
_MOST_FILES = 2_000
_LONGEST_LINE = 300
_PYTHON = re.compile(r"from[ \t]+([.\w]+)[ \t]+import[ \t]+([\w*, \t(]+)")
_NAMED = re.compile(r"(?:import|use|using|alias|require)[ \t]+(?:static[ \t]+|type[ \t]+)?([A-Za-z_][\w.:\\]*)")
_QUOTED = re.compile(r"""\b(?:from|import|require|require_relative)[ \t(]{0,3}["']([^"']+)["']""")
_GO = re.compile(r"""(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w./-]+/[\w./-]+)"$""")
_MAY_IMPORT = re.compile(r"import|use|using|alias|require|from|\"[\w.-]+/")


def find_imports(
    components: Sequence[Component | Container], code: Sequence[str], tree: GitTree
) -> list[tuple[str, str]]:
    """Return the pairs of names of components of which the first imports the second."""
    folders = {component.source[0]: component.name for component in components if len(component.source) == 1}
    if len(folders) < 2:
        return []
    tails = {"/".join(folder.split("/")[-2:]): folder for folder in folders}
    found: dict[tuple[str, str], None] = {}
    own = [(path, home) for path in code if (home := _home(path, folders))]
    for path, home in own[:_MOST_FILES]:
        for target in _targets(path, _text(tree, path)):
            named = (folder for tail, folder in tails.items() if f"/{tail}/" in f"/{target}/")
            other = _home(f"{target}/x", folders) or next(named, "")
            if other and other != home:
                found[folders[home], folders[other]] = None
    return list(found)


def _home(path: str, folders: dict[str, str]) -> str:
    folder = dirname(path.strip("/"))
    while folder:
        if folder in folders:
            return folder
        folder = dirname(folder)
    return ""


def _targets(path: str, text: str) -> Iterator[str]:
    """Yield what a file imports as a path: from the repository's root where it is relative, else as it is named."""
    folder = dirname(path)
    for line in map(str.strip, text.splitlines()):
        if len(line) > _LONGEST_LINE or not _MAY_IMPORT.search(line):
            continue
        if python := _PYTHON.match(line):
            yield from _python(folder, python[1], python[2])
        elif quoted := _QUOTED.search(line):
            named = quoted[1]
            yield normpath(join(folder, named)) if named.startswith(".") else re.sub(r"^[@~]/", "src/", named)
        elif go := _GO.match(line):
            yield go[1]
        elif named_so := _NAMED.match(line):
            yield re.sub(r"^crate/", "src/", re.sub(r"[.:\\]+", "/", named_so[1]))


def _python(folder: str, module: str, names: str) -> Iterator[str]:
    dots = len(module) - len(module.lstrip("."))
    base = module.lstrip(".").replace(".", "/")
    if dots:
        base = normpath(join(folder, "../" * (dots - 1), base or "."))
    yield base
    yield from (f"{base}/{name.strip(' (')}" for name in names.split(",") if name.strip(" (*"))


def _text(tree: GitTree, path: str) -> str:
    try:
        content = tree.read(path)
    except ArchmemError:
        return ""
    return content.decode("utf-8", "replace") if len(content) <= _LARGEST else ""
