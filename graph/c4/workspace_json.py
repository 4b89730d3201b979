"""Reads what a DSL workspace that `extends` a JSON one builds upon: its elements, relationships and identifiers."""

import json
import re
from collections.abc import Iterator
from typing import Any

from graph.c4.draft import Draft, DraftElement, DraftRelationship
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles
from graph.c4.lines import Line
from graph.elements import ElementKind

_IDENTIFIER = "structurizr.dsl.identifier"
_MADE_UP = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LISTS = (
    ("people", ElementKind.PERSON),
    ("softwareSystems", ElementKind.SYSTEM),
    ("customElements", ElementKind.CUSTOM),
)
_CHILDREN = (("containers", ElementKind.CONTAINER), ("components", ElementKind.COMPONENT))
_DEFAULT_TAGS = frozenset(("Element", "Person", "Software System", "Container", "Component", "Relationship"))


def read_workspace_json(draft: Draft, files: ModelFiles, path: str, line: Line, findings: Findings) -> None:
    """Add the workspace's static model to the draft; whatever cannot be understood is left out with a warning."""
    text = files.content(path, line.where)
    if text is None:
        return
    try:
        workspace = json.loads(text)
        model = workspace["model"]
        by_id = dict(_elements(draft, model, path))
        for raw in _raw_elements(model):
            _relate(draft, raw, by_id, path)
        draft.name = _text(workspace, "name")
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        findings.warn(line.where, f"{path} is no workspace in JSON ({error!r}); the model is incomplete")


def _elements(draft: Draft, model: Any, path: str) -> Iterator[tuple[str, DraftElement]]:
    for name, kind in _LISTS:
        for raw in model.get(name) or ():
            yield from _element(draft, raw, kind, None, path)


def _element(
    draft: Draft, raw: Any, kind: ElementKind, parent: DraftElement | None, path: str
) -> Iterator[tuple[str, DraftElement]]:
    element = DraftElement(
        kind,
        str(raw["name"]),
        parent,
        path,
        line=1,
        description=_text(raw, "description"),
        technology=_text(raw, "technology") or _text(raw, "metadata"),
        url=_text(raw, "url"),
        group=_text(raw, "group"),
        tags=_tags(raw),
        properties=_properties(raw),
        external=_text(raw, "location").lower() == "external",
    )
    element = draft.elements.setdefault(element.ref, element)
    # The identifiers in the JSON are whole paths already, or made up for an element that has none.
    identifier = element.properties.pop(_IDENTIFIER, "")
    draft.register_as("" if _MADE_UP.fullmatch(identifier) else identifier, element)
    yield str(raw["id"]), element
    for name, child in _CHILDREN:
        for inner in raw.get(name) or ():
            yield from _element(draft, inner, child, element, path)


def _raw_elements(model: Any) -> Iterator[Any]:
    for name, _ in _LISTS:
        for raw in model.get(name) or ():
            yield raw
            for container in raw.get("containers") or ():
                yield container
                yield from container.get("components") or ()


def _relate(draft: Draft, raw: Any, by_id: dict[str, DraftElement], path: str) -> None:
    for known in raw.get("relationships") or ():
        source, target = by_id.get(str(raw["id"])), by_id.get(str(known["destinationId"]))
        if source is None or target is None or known.get("linkedRelationshipId"):
            continue
        relationship = DraftRelationship(
            source,
            target,
            path,
            line=1,
            description=_text(known, "description"),
            technology=_text(known, "technology"),
            url=_text(known, "url"),
            tags=_tags(known),
            properties=_properties(known),
        )
        identifier = relationship.properties.pop(_IDENTIFIER, "")
        if draft.relate(relationship) and identifier:
            draft.register(identifier, relationship)


def _text(raw: Any, key: str) -> str:
    return str(raw.get(key) or "")


def _tags(raw: Any) -> list[str]:
    return [tag for tag in _text(raw, "tags").split(",") if tag not in _DEFAULT_TAGS]


def _properties(raw: Any) -> dict[str, str]:
    return {str(key): str(value) for key, value in (raw.get("properties") or {}).items()}
