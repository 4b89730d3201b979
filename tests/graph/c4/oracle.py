"""What the official Structurizr DSL parser makes of a file, beside what the reader makes of it, in the same words."""

import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.c4.draft import DEFAULT_TAGS, Draft, DraftElement, DraftRelationship
from graph.elements import ElementKind
from tests.graph.c4.real import SHARED

RUN = SHARED / "oracle" / "structurizr" / "run"
_IDENTIFIER = "structurizr.dsl.identifier"
_MADE_UP = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LISTS = {
    "people": ElementKind.PERSON,
    "softwareSystems": ElementKind.SYSTEM,
    "containers": ElementKind.CONTAINER,
    "components": ElementKind.COMPONENT,
    "customElements": ElementKind.CUSTOM,
}


@dataclass(frozen=True)
class Answer:
    """The official parser's line about a file."""

    workspace: Mapping[str, Any]
    error: str
    is_model_only: bool

    @property
    def is_accepted(self) -> bool:
        return bool(self.workspace)


@dataclass(frozen=True)
class Facts:
    """Everything that a workspace says about its static model: elements by ref, relationships by their ends."""

    name: str
    elements: Mapping[str, Mapping[str, Any]]
    relationships: Mapping[tuple[str, str, str], Mapping[str, Any]]


class Missing(Exception):
    """The official parser is not there, or does not run."""


def ask(files: Sequence[Path]) -> dict[Path, Answer]:
    """Let the official parser read the files, all in one process; raise Missing with the reason when it cannot."""
    if not RUN.is_file():
        raise Missing(f"no official parser at {RUN}; ARCHMEM_SHARED can name another folder")
    try:
        done = subprocess.run([RUN, *files], capture_output=True, encoding="utf-8", timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{RUN} does not run: {error}") from error
    if done.returncode:
        raise Missing(f"{RUN} needs Maven and Java 21 or newer: {done.stderr.strip()[-300:]}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return {
        file: Answer(answer.get("workspace") or {}, answer.get("error") or "", bool(answer.get("model_only")))
        for file, answer in zip(files, answers, strict=True)
    }


def facts_of_json(workspace: Mapping[str, Any]) -> Facts:
    """Return the facts of a workspace in the JSON format."""
    model = workspace["model"]
    known = list(_raw_elements(model, ""))
    refs = {raw["id"]: ref for ref, _, raw in known}
    return Facts(
        name=workspace.get("name", ""),
        elements={ref: _raw_element(kind, raw) for ref, kind, raw in known},
        relationships={
            (ref, refs[raw["destinationId"]], raw.get("description", "")): {
                "technology": raw.get("technology", ""),
                **_common(raw, {"Relationship"}),
            }
            for ref, _, element in known
            for raw in element.get("relationships", ())
            if raw["destinationId"] in refs and "linkedRelationshipId" not in raw
        },
    )


def _raw_elements(raw: Mapping[str, Any], parent: str) -> Iterator[tuple[str, ElementKind, Mapping[str, Any]]]:
    for key, kind in _LISTS.items():
        for child in raw.get(key, ()):
            ref = f"{parent}.{child['name']}" if parent else child["name"]
            yield ref, kind, child
            yield from _raw_elements(child, ref)


def _raw_element(kind: ElementKind, raw: Mapping[str, Any]) -> Mapping[str, Any]:
    identifier = raw.get("properties", {}).get(_IDENTIFIER, "")
    return {
        "kind": kind,
        "identity": "" if _MADE_UP.search(identifier) else identifier.lower(),
        "description": raw.get("description", ""),
        "technology": raw.get("technology", raw.get("metadata", "")),
        "group": raw.get("group", ""),
        **_common(raw, {"Element", DEFAULT_TAGS.get(kind, "")}),
    }


def _common(raw: Mapping[str, Any], default_tags: set[str]) -> Mapping[str, Any]:
    properties = dict(raw.get("properties", {}))
    properties.pop(_IDENTIFIER, "")
    return {"url": raw.get("url", ""), "tags": _tags(raw["tags"].split(","), default_tags), "properties": properties}


def facts_of_draft(draft: Draft, *, with_identities: bool = True) -> Facts:
    """Return the facts of a draft; older tools exported no identifiers."""
    return Facts(
        name=draft.name,
        elements={
            ref: {
                "kind": element.kind,
                "identity": element.key.lower() if with_identities and "#" not in element.key else "",
                "description": element.description,
                "technology": element.technology,
                "group": element.group,
                **_drafted(element, {"Element", DEFAULT_TAGS.get(element.kind, "")}),
            }
            for ref, element in draft.elements.items()
        },
        relationships={
            (known.source.ref, known.target.ref, known.description): {
                "technology": known.technology,
                **_drafted(known, {"Relationship"}),
            }
            for known in draft.relationships
        },
    )


def _drafted(item: DraftElement | DraftRelationship, default_tags: set[str]) -> Mapping[str, Any]:
    return {"url": item.url, "tags": _tags(item.tags, default_tags), "properties": item.properties}


def _tags(tags: Sequence[str], default_tags: set[str]) -> list[str]:
    return [tag for tag in dict.fromkeys(tag.strip() for tag in tags) if tag and tag not in default_tags]


def differences(expected: Facts, found: Facts) -> dict[str, str]:
    """Return what differs, by the ref of an element or the ends of a relationship."""
    # The official parser calls a workspace without a name so.
    named = {} if expected.name in (found.name, found.name or "Name") else {"name": f"is read as {found.name!r}"}
    return {
        **named,
        **_differences(expected.elements, found.elements),
        **_differences(expected.relationships, found.relationships),
    }


def _differences(expected: Mapping[Any, Mapping[str, Any]], found: Mapping[Any, Mapping[str, Any]]) -> dict[str, str]:
    told = {}
    for key in {**expected, **found}:
        if key not in found:
            told[key] = "is not read"
        elif key not in expected:
            told[key] = "is read, but not there"
        elif expected[key] != found[key]:
            unlike = [name for name in expected[key] if expected[key][name] != found[key][name]]
            told[key] = ", ".join(f"{name} {expected[key][name]!r} is read as {found[key][name]!r}" for name in unlike)
    return {
        key if isinstance(key, str) else f"{key[0]} -> {key[1]} {key[2]}".strip(): what for key, what in told.items()
    }
