"""Tracked code that no element covers, by its topmost folder."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from posixpath import basename, dirname

from drift.policy import DriftPolicy
from drift.product import is_aside, is_code
from graph.drift_report import NewCode
from graph.paths import matcher

# What makes a folder a package says nothing of its own beside code that an element covers.
_PACKAGE_FILES = frozenset({"__init__.py", "package-info.java", "module-info.java"})


def find_new_code(
    paths: Iterable[str], covered: Collection[str], skip: Callable[[str], bool], policy: DriftPolicy
) -> tuple[NewCode, ...]:
    """Return the topmost folders with code of which nothing is covered; loose files count for their own folder."""
    shared = {""}
    for path in covered:
        folder = dirname(path)
        while folder and folder not in shared:
            shared.add(folder)
            folder = dirname(folder)
    not_product = matcher(policy.not_product)
    found: Counter[str] = Counter()
    first: dict[str, str] = {}
    for path in paths:
        aside = path in covered or not is_code(path, policy) or not_product(path) or is_aside(path)
        if not aside and not skip(path):
            folder = _topmost(dirname(path), shared)
            if folder in shared and basename(path) in _PACKAGE_FILES:
                continue
            found[folder] += 1
            first[folder] = min(path, first.get(folder, path))
    return tuple(
        NewCode(path=folder or ".", files=count, first=first[folder]) for folder, count in sorted(found.items())
    )


def _topmost(folder: str, shared: Collection[str]) -> str:
    while folder not in shared and dirname(folder) not in shared:
        folder = dirname(folder)
    return folder
