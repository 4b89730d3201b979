"""Read a manifest's text or data; a broken one is a warning with its file, never an error."""

import json
import re
import tomllib
from collections.abc import Callable
from itertools import accumulate
from typing import Any
from xml.etree import ElementTree

import yaml

from drift.trees import GitTree
from graph.errors import ArchmemError, Fault

LARGEST = 300_000
"""Bytes; no manifest that somebody wrote is longer, and YAML is slow to read."""

_DEEPEST = 100
_DEPTHS = {"[": 1, "{": 1, "]": -1, "}": -1}
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


class _LenientLoader(yaml.SafeLoader):
    """Takes any tag (`!reset`, `!Ref`) for the plain value behind it."""


def _plain(loader: _LenientLoader, _suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)  # type: ignore[arg-type]


_LenientLoader.add_multi_constructor("!", _plain)


class ManifestFiles:
    """The manifests of a tree, and what could not be read."""

    def __init__(self, tree: GitTree) -> None:
        self._tree = tree
        self._read: dict[tuple[str, str], Any] = {}
        self.warnings: list[Fault] = []

    def warn(self, path: str, what: str) -> None:
        self.warnings.append(Fault(where=path, what=what))

    def text(self, path: str) -> str:
        """Return the text; empty, with a warning, when it is too long or not there."""
        try:
            content = self._tree.read(path)
        except ArchmemError as error:
            self.warn(path, f"it was left out: {error.what}")
            return ""
        if len(content) > LARGEST:
            self.warn(path, f"it was left out: it has more than {LARGEST} bytes")
            return ""
        return content.decode("utf-8-sig", "replace")

    def glance(self, path: str) -> str:
        """Return the text of a file that need be no manifest; empty, without a warning, when it is too long."""
        try:
            content = self._tree.read(path)
        except ArchmemError:
            return ""
        return content.decode("utf-8-sig", "replace") if len(content) <= LARGEST else ""

    def toml(self, path: str) -> dict[str, Any]:
        return self._parsed("toml", path, tomllib.loads)

    def json(self, path: str) -> dict[str, Any]:
        """Return the data of a JSON file, with comments and last commas where tools allow them."""
        return self._parsed("json", path, _loads_json)

    def yaml(self, path: str) -> dict[str, Any]:
        return self._parsed("yaml", path, lambda text: next(iter(_load_yaml(text)), None))

    def yaml_documents(self, path: str) -> list[dict[str, Any]]:
        """Return the mappings among the documents of a YAML file."""
        found = self._parsed("yamls", path, lambda text: {"": _load_yaml(text)})
        return [mapping(document) for document in found.get("", ())]

    def xml(self, path: str) -> ElementTree.Element | None:
        """Return the root; None, with a warning, for what is no XML or declares entities, which may be endless."""
        text = self.text(path)
        if not text:
            return None
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            self.warn(path, "it was left out: it declares entities")
            return None
        try:
            return ElementTree.fromstring(text)
        except (ElementTree.ParseError, ValueError, RecursionError) as error:
            self.warn(path, f"it was left out: it is no XML ({error})")
            return None

    def _parsed(self, form: str, path: str, parse: Callable[[str], Any]) -> dict[str, Any]:
        """Return what the file holds, which is read once however often it is asked for."""
        if (form, path) not in self._read:
            self._read[form, path] = self._parse(path, parse)
        found = self._read[form, path]
        return found if isinstance(found, dict) else {}

    def _parse(self, path: str, parse: Callable[[str], Any]) -> Any:
        text = self.text(path)
        try:
            return parse(text) if text.strip() else {}
        except (ValueError, yaml.YAMLError, RecursionError, TypeError, OverflowError) as error:
            first = " ".join(str(error).split())
            self.warn(path, f"it was left out: it cannot be read ({first[:200]})")
            return {}


def _load_yaml(text: str) -> list[Any]:
    # Reading takes time by the square of the depth, long before Python's own limit.
    depths = accumulate(_DEPTHS.get(character, 0) for character in text)
    if max(depths, default=0) > _DEEPEST:
        raise ValueError(f"it is nested more than {_DEEPEST} deep")
    return list(yaml.load_all(text, Loader=_LenientLoader))


def _loads_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        bare = _COMMENT.sub(lambda match: match[1] or "", text)
        return json.loads(_LAST_COMMA.sub(lambda match: match[1] or "", bare))


def mapping(value: object) -> dict[str, Any]:
    """Return the value where it is a mapping, with its keys as text; else an empty one."""
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def texts(value: object) -> tuple[str, ...]:
    """Return the texts of a list, or the text itself; nothing of anything else."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def text_of(value: object) -> str:
    """Return the value where it is a text, on one line."""
    return " ".join(value.split()) if isinstance(value, str) else ""
