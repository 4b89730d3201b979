"""Reads pacta's architecture.yml: a system, its containers and their layers, each with the code that it is."""

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence

from graph.c4.draft import Draft, DraftElement
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles
from graph.c4.yaml_models.values import Value, YamlFile
from graph.elements import ElementKind

_NAMES = ("architecture.yml", "architecture.yaml")
_KEYS = tuple(re.compile(rf"^{key}[ \t]*:", re.MULTILINE) for key in ("system", "containers", r"[ \t]+roots"))


def is_pacta(path: str, text: str) -> bool:
    """Say whether the file is named as pacta names it and maps containers to code."""
    return posixpath.basename(path).lower() in _NAMES and all(key.search(text) for key in _KEYS)


def main_pacta(found: Collection[str], _: Mapping[str, str]) -> list[str]:
    """Return all of them, the topmost first."""
    return sorted(found, key=lambda path: (path.count("/"), path))


def read_pacta(path: str, files: ModelFiles, findings: Findings) -> Draft:
    """Read the model; a container's roots and a layer's patterns are its source."""
    draft = Draft()
    file = YamlFile(path, findings)
    text = files.content(path, f"{path}:1")
    root = file.read(text) if text is not None else None
    if root is None:
        return draft
    entries = file.known_entries(root, ("version", "system", "containers", "contexts"), "the file")
    system = entries.get("system", root)
    about = file.known_entries(system, ("id", "name", "description"), "the system")
    top = _element(draft, file, system, about, ElementKind.SYSTEM, file.text(about.get("id")) or "system", None, ())
    draft.name = top.name
    for id, container in file.entries(entries.get("containers")).items():
        about = file.known_entries(container, ("name", "description", "context", "code"), "a container")
        code = file.known_entries(about.get("code"), ("roots", "layers"), "a container's code")
        roots = file.texts(code.get("roots"))
        element = _element(draft, file, container, about, ElementKind.CONTAINER, id, top, roots)
        for name, layer in file.entries(code.get("layers")).items():
            about = file.known_entries(layer, ("name", "description", "patterns"), "a layer")
            patterns = file.texts(about.get("patterns"))
            _element(draft, file, layer, about, ElementKind.COMPONENT, name, element, patterns)
    return draft


def _element(
    draft: Draft,
    file: YamlFile,
    value: Value,
    about: Mapping[str, Value],
    kind: ElementKind,
    id: str,
    parent: DraftElement | None,
    paths: Sequence[str],
) -> DraftElement:
    element = DraftElement(kind, file.text(about.get("name")) or id, parent, file.path, value.line)
    element.description = file.text(about.get("description"))
    element.key = f"{parent.key}.{id}" if parent and parent.parent else id
    if paths:
        element.properties["paths"] = "\n".join(paths)
    if element.ref in draft.elements:
        element.name = f"{element.name} ({id})"
    return draft.elements.setdefault(element.ref, element)
