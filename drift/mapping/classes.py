"""Which file defines a class of a given name, where the file is named otherwise."""

import re
from collections.abc import Collection, Iterable

from drift.trees import GitTree
from graph.errors import ArchmemError

LARGEST = 400_000
"""Bytes; a longer file is generated, or data."""

_DEFINITION = re.compile(
    rb"^[ \t]*(?:[a-z]+[ \t]+)*(?:class|interface|struct|trait|enum|record|object|protocol|defmodule|type|module)[ \t]+"
    rb"([A-Za-z_][\w.]*)",
    re.MULTILINE,
)


def find_classes(tree: GitTree, paths: Iterable[str], wanted: Collection[str]) -> dict[str, list[str]]:
    """Return the files that define a class by its name in lower case; only the wanted names."""
    found: dict[str, list[str]] = {}
    for path in paths if wanted else ():
        try:
            content = tree.read(path)
        except ArchmemError:
            continue
        if len(content) > LARGEST:
            continue
        names = {match.rpartition(b".")[2].decode("ascii", "replace").lower() for match in _DEFINITION.findall(content)}
        for name in names.intersection(wanted):
            found.setdefault(name, []).append(path)
    return found
