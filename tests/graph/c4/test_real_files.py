"""Files as real teams wrote them, where a folder with them lies beside the repository."""

import csv
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.c4 import read_model
from graph.elements import ArchitectureModel, ElementKind
from graph.errors import UnreadableModel
from graph.trees import FolderTree

_REPOSITORY = Path(__file__).resolve().parents[3]
_SHARED = Path(os.environ.get("ARCHMEM_SHARED") or _REPOSITORY.parent / "shared")
_REAL = _SHARED / "real" / "c4"
_REASON = f"no folder with real model files at {_REAL}; ARCHMEM_SHARED can name another"
_KINDS = {
    "people": ElementKind.PERSON,
    "softwareSystems": ElementKind.SYSTEM,
    "containers": ElementKind.CONTAINER,
    "components": ElementKind.COMPONENT,
    "customElements": ElementKind.CUSTOM,
}
# People, systems, containers, components and relationships, counted in the files.
_DIAGRAMS = {
    "bigbankplc.puml": (1, 3, 5, 0, 10),
    "techtribesjs.puml": (3, 4, 5, 0, 12),
    "enterprise.puml": (2, 5, 0, 0, 7),
    "TestEmptyLabel.puml": (5, 15, 5, 5, 8),
    "TestProperty.puml": (1, 1, 1, 0, 1),
    "petition050-timeline-architecture.md": (3, 5, 4, 0, 12),
    "petition020-solution-architecture.md": (2, 4, 0, 0, 5),
}
_DEFAULT_TAGS = {"Element", "Person", "Software System", "Container", "Component"}


def _main_files() -> list[str]:
    if not _REAL.is_dir():
        return []
    with (_REAL / "MANIFEST.tsv").open(encoding="utf-8", newline="") as rows:
        local = [row["local"] for row in csv.DictReader(rows, delimiter="\t")]
    embedded = [str(path.relative_to(_REAL)) for path in (_REAL / "structurizr-json").glob("*.dsl")]
    return sorted([name for name in local if name.startswith("structurizr-dsl/") or "UKHomeOffice" in name] + embedded)


def _pairs() -> list[str]:
    return sorted(path.name for path in (_REAL / "structurizr-json").glob("*.json")) if _REAL.is_dir() else []


def _read(name: str) -> ArchitectureModel:
    path = _REAL / name
    return read_model(FolderTree(path.parent), [path.name])


@pytest.mark.skipif(not _REAL.is_dir(), reason=_REASON)
@pytest.mark.parametrize("name", _main_files())
def test_a_real_file_is_read_or_refused_with_file_line_and_reason(name: str) -> None:
    began = time.monotonic()
    try:
        findings = _read(name).warnings
    except UnreadableModel as error:
        findings = error.faults
        assert findings
    assert time.monotonic() - began < 10
    for finding in findings:
        file, _, line = finding.where.rpartition(":")
        assert file
        assert int(line) > 0
        assert finding.what


@pytest.mark.skipif(not _REAL.is_dir(), reason=_REASON)
@pytest.mark.parametrize("name", _pairs())
def test_the_dsl_gives_the_elements_and_relationships_of_its_json(name: str) -> None:
    workspace = json.loads((_REAL / "structurizr-json" / name).read_text(encoding="utf-8"))
    model = _read(f"structurizr-json/{name.removesuffix('.json')}.embedded.dsl")
    expected = list(_elements(workspace["model"]))
    assert {(ref, kind) for ref, kind, _ in expected} == {(e.ref, e.kind) for e in model.elements}
    by_ref = {element.ref: element for element in model.elements}
    for ref, _, raw in expected:
        element = by_ref[ref]
        assert element.name == raw["name"]
        assert element.description == raw.get("description", "")
        assert element.technology == raw.get("technology", "")
        assert element.url == raw.get("url", "")
        assert element.group == raw.get("group", "")
        assert set(element.tags) == {tag.strip() for tag in raw["tags"].split(",")} - _DEFAULT_TAGS
        # Older versions wrote identifiers in lower case.
        properties = dict(raw.get("properties", {}))
        identity = properties.pop("structurizr.dsl.identifier", element.identity)
        assert element.properties == properties
        assert element.identity.lower() == identity.lower()
    refs = {raw["id"]: ref for ref, _, raw in expected}
    declared = {
        (refs[known["sourceId"]], refs[known["destinationId"]], known.get("description", ""))
        for _, _, raw in expected
        for known in raw.get("relationships", ())
        if "linkedRelationshipId" not in known
    }
    found = {(known.source, known.target, known.description) for known in model.relationships}
    # Exports of older versions do not say which relationships are implied.
    says_what_is_implied = any(
        "linkedRelationshipId" in known for _, _, raw in expected for known in raw.get("relationships", ())
    )
    assert found == declared if says_what_is_implied else found <= declared


@pytest.mark.skipif(not _REAL.is_dir(), reason=_REASON)
@pytest.mark.parametrize(("name", "counts"), _DIAGRAMS.items())
def test_the_diagrams_give_what_is_drawn_in_them(name: str, counts: tuple[int, ...]) -> None:
    (path,) = _REAL.glob(f"*/*{name}*")
    model = read_model(FolderTree(path.parent), [path.name])
    kinds = Counter(element.kind for element in model.elements)
    assert (*(kinds[kind] for kind in list(_KINDS.values())[:4]), len(model.relationships)) == counts
    assert all(element.file == path.name and element.line for element in model.elements)


def _elements(raw: Any, parent: str = "") -> Iterator[tuple[str, ElementKind, Any]]:
    for key, kind in _KINDS.items():
        for child in raw.get(key, ()):
            ref = f"{parent}.{child['name']}" if parent else child["name"]
            yield ref, kind, child
            yield from _elements(child, ref)
