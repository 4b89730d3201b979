"""Structurizr workspaces, in DSL and in JSON: known by their content, read into a draft, told from their parts."""

import json
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from graph.c4.dialects import Dialect, dialect_of
from graph.c4.draft import Draft
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles, resolve
from graph.c4.structurizr import WorkspaceReader
from graph.c4.workspace_json import read_workspace_json

_FLAGS = re.IGNORECASE | re.MULTILINE
_ELEMENT = re.compile(r"^[ \t]*(\S+[ \t]*=[ \t]*)?(person|softwaresystem|element)[ \t]+\S", _FLAGS)
_NAMED = re.compile(r"^[ \t]*(?:!include|workspace[ \t]+extends)[ \t]+\"?([^\s\"]+)", _FLAGS)
_BETWEEN = re.compile(r"[;,]")
_LISTS = ("people", "softwareSystems")


def is_dsl(path: str, text: str) -> bool:
    """Say whether a workspace begins here, or a model that lacks one."""
    return dialect_of(path, text) is Dialect.STRUCTURIZR


def is_json(_: str, text: str) -> bool:
    """Say whether this is a workspace in JSON; most files named `workspace.json` are something else."""
    if not text.lstrip().startswith("{") or not any(f'"{name}"' in text for name in _LISTS):
        return False
    try:
        model = json.loads(text).get("model")
    except (ValueError, RecursionError):
        return '"model"' in text and '"softwareSystems"' in text  # its reader says where it breaks
    return isinstance(model, dict) and any(isinstance(model.get(name), list) for name in _LISTS)


def read_dsl(path: str, files: ModelFiles, findings: Findings) -> Draft:
    """Read a workspace with what it includes and extends; name the export beside it."""
    export = f"{posixpath.splitext(path)[0]}.json"
    if is_json(export, files.peek(export)):
        findings.warn(f"{export}:1", f"{path} beside it counts; an export is often older than its DSL")
    return _with_owners(WorkspaceReader(files, findings).read(path))


def read_json(path: str, files: ModelFiles, findings: Findings) -> Draft:
    """Read a workspace in JSON."""
    draft = Draft()
    read_workspace_json(draft, files, path, findings, report=findings.fault)
    return _with_owners(draft)


def main_dsl(found: Collection[str], texts: Mapping[str, str]) -> list[str]:
    """Return the workspaces that no other file includes or extends, the ones that look most like the main one first."""
    parts = set(_parts(texts))

    def rank(path: str) -> tuple[bool, bool, int, str]:
        is_empty = not _ELEMENT.search(texts[path]) and not _NAMED.search(texts[path])
        is_named_so = posixpath.basename(path).lower().startswith("workspace.")
        return is_empty, not is_named_so, path.count("/"), path

    return sorted((path for path in found if not _is_part(path, parts)), key=rank)


def main_json(found: Collection[str], texts: Mapping[str, str]) -> list[str]:
    """Return the workspaces that no DSL extends and that no DSL lies beside: an export is often older than its DSL."""
    parts = set(_parts(texts))
    with_dsl = {posixpath.dirname(path) for path, text in texts.items() if path not in found and is_dsl(path, text)}
    alone = [path for path in found if posixpath.dirname(path) not in with_dsl and not _is_part(path, parts)]
    return sorted(alone, key=lambda path: (path.count("/"), path))


def _with_owners(draft: Draft) -> Draft:
    """Give elements the owners that a property names; Structurizr has no word of its own for that."""
    for element in draft.elements.values():
        said = [value for key, value in element.properties.items() if key.lower() in ("owner", "owners")]
        element.owners += [name for value in said for part in _BETWEEN.split(value) if (name := part.strip())]
    return draft


def _parts(texts: Mapping[str, str]) -> Iterator[str]:
    for path, text in texts.items():
        for source in _NAMED.findall(text):
            target = resolve(path, source)
            if target is not None and target != path:
                yield target


def _is_part(path: str, parts: Iterable[str]) -> bool:
    return any(path == part or path.startswith(f"{part}/") for part in parts if part)
