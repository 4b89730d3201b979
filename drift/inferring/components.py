"""The components of a container: its package folders, below the folders that only lead to them."""

from collections.abc import Sequence
from posixpath import basename, dirname

from drift.inferring.sketch import Component
from drift.inferring.titles import title, unique

# Folders that sort a package's code by what tools ask for, and say nothing about the software.
_ROOTS = frozenset("src lib app main java kotlin scala groovy python internal pkg source sources code".split())
_NO_COMPONENTS = frozenset(
    "assets static public resources migrations migration locales locale i18n styles css images img icons fonts data "
    "types typings proto generated vendor bin obj config configs cmd __generated__ properties wwwroot docker scripts "
    "webapp".split()
)
_FEWEST, _MOST = 2, 30


def find_components(source: Sequence[str], code: Sequence[str]) -> list[Component]:
    """Return a component for each package folder of a source that has this code; none where there are not two."""
    folders = _packages(code, source[0] if len(source) == 1 else _common(source))
    if not _FEWEST <= len(folders) <= _MOST:
        return []
    taken: set[str] = set()
    return [Component(unique(title(basename(folder)), taken), (folder,)) for folder in folders]


def _common(source: Sequence[str]) -> str:
    folder = dirname(source[0]) if source else ""
    while folder and not all(one.startswith(f"{folder}/") for one in source):
        folder = dirname(folder)
    return folder


def _packages(code: Sequence[str], folder: str) -> list[str]:
    """Go down while a folder only leads to one other; then its folders with code are the packages."""
    while True:
        prefix = f"{folder}/" if folder else ""
        below = [path[len(prefix) :] for path in code if path.startswith(prefix)]
        names = sorted({path.partition("/")[0] for path in below if "/" in path})
        kept = [name for name in names if name.lower() not in _NO_COMPONENTS]
        loose = sum("/" not in path for path in below)
        roots = [name for name in kept if name.lower() in _ROOTS]
        if len(kept) == 1 and loose < _FEWEST:
            folder = prefix + kept[0]
        elif len(roots) == 1:
            folder = prefix + roots[0]
        else:
            return [prefix + name for name in kept]
