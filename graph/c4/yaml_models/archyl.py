"""Reads archyl.yaml: systems with what they contain, relationships in dot notation, decisions, included files."""

import posixpath
import re
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from graph.c4.draft import Draft, DraftElement, DraftRelationship
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles, resolve
from graph.c4.lines import Line
from graph.c4.yaml_models.drawn import read_drawn
from graph.c4.yaml_models.records import read_records
from graph.c4.yaml_models.references import References, relate
from graph.c4.yaml_models.values import Value, YamlFile
from graph.elements import ElementKind
from graph.paths import covers, is_glob, plain_path

_NAMES = ("archyl.yaml", ".archyl.yaml", "archyl.yml", ".archyl.yml")
_START = re.compile(r"^(version|project|systems|nodes)[ \t]*:", re.MULTILINE)
_VERSION = "1.0"
_PASSED_OVER = ("technologies", "environments", "overlays", "events", "api_contracts", "releases")
_READ = ("version", "project", "systems", "relationships", "adrs", "docs", "include", "nodes", "edges")
_OF_FILE = (*_READ, *_PASSED_OVER)
_OF_PROJECT = ("name", "description", "tags")
_OF_ELEMENT = ("name", "description", "type", "external", "tags", "technologies", "technology", "owners")
_OF_CODE = ("code", "code_elements", "codeElements")
_OF_RELATIONSHIP = ("from", "to", "label", "type", "description", "technologies", "technology", "tags")
_OF_OWNERS = ("teams", "users")
_OF_FOLDER = ("folder", "records")


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of C4: the kind of its elements, their further keys, and where the next level stands."""

    kind: ElementKind
    below: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


_LEVELS = (
    _Level(ElementKind.SYSTEM, ("containers",)),
    _Level(ElementKind.CONTAINER, ("components",)),
    _Level(ElementKind.COMPONENT, _OF_CODE),
    _Level(ElementKind.CODE, keys=("language",)),
)


def is_archyl(path: str, text: str) -> bool:
    """Say whether the file is named as Archyl names it and has one of its keys."""
    return posixpath.basename(path).lower() in _NAMES and bool(_START.search(text))


def main_archyl(found: Collection[str], texts: Mapping[str, str]) -> list[str]:
    """Return those that no other includes; of several in one folder the one whose name Archyl tries first."""
    by_folder: dict[str, str] = {}
    for path in sorted(found, key=lambda path: _NAMES.index(posixpath.basename(path).lower())):
        by_folder.setdefault(posixpath.dirname(path), path)
    mains: list[str] = []
    reached: set[str] = set()
    for path in sorted(by_folder.values(), key=lambda path: (path.count("/"), path)):
        if path not in reached:
            mains.append(path)
            reached.update(_reached(path, texts))
    return mains


def _reached(path: str, texts: Mapping[str, str]) -> set[str]:
    """Return the file and all that it includes, and those include."""
    found, waiting = {path}, [path]
    while waiting:
        file = YamlFile(waiting.pop(), Findings())
        for source in _sources(file, file.entries(file.read(texts[file.path])).get("include")):
            new = set(_files_of(source, file.path, texts)) - found
            found |= new
            waiting += new
    return found


def read_archyl(path: str, files: ModelFiles, findings: Findings) -> Draft:
    """Read the model with the files that it includes."""
    return _ArchylReader(files, findings).read(path)


class _ArchylReader:
    """Reads files one after the other into one draft; relationships name what any of them defines."""

    def __init__(self, files: ModelFiles, findings: Findings) -> None:
        self._files = files
        self._findings = findings
        self._draft = Draft()
        self._waiting: deque[str] = deque()
        self._known: set[str] = set()
        self._relationships: list[tuple[YamlFile, Value]] = []

    def read(self, path: str) -> Draft:
        self._waiting.append(path)
        self._known.add(path)
        while self._waiting:
            self._file(self._waiting.popleft())
        references = References(self._draft)
        for file, value in self._relationships:
            self._relate(file, value, references)
        return self._draft

    def _file(self, path: str) -> None:
        file = YamlFile(path, self._findings)
        text = self._files.content(path, f"{path}:1")
        root = file.read(text) if text is not None else None
        if root is None:
            return
        entries = file.known_entries(root, _OF_FILE, "the file")
        if root.content != "" and not isinstance(root.content, dict):
            file.fault(root, "the file holds no mapping")
        version = entries.get("version")
        if version is None or file.text(version) != _VERSION or not version.quoted:
            file.warn(version or root, f'the version is not the text "{_VERSION}"; the file was read as one of that')
        project = file.known_entries(entries.get("project"), _OF_PROJECT, "the project")
        self._draft.name = self._draft.name or file.text(project.get("name"))
        for system in file.items(entries.get("systems")):
            self._element(file, system, None, 0)
        read_drawn(self._draft, file, entries.get("nodes"), entries.get("edges"))
        self._relationships += [(file, one) for one in file.items(entries.get("relationships"))]
        for name in ("adrs", "docs"):
            about = file.known_entries(entries.get(name), _OF_FOLDER, name)
            self._folder(file, about.get("folder"))
            if name == "adrs":
                read_records(self._draft, file, about.get("records"))
        self._include(file, entries.get("include"))

    def _folder(self, file: YamlFile, value: Value | None) -> None:
        """Note a folder of decisions: from the root, or from the file where there is none."""
        folder = file.text(value)
        if not value or not folder:
            return
        places = [plain_path(folder), resolve(file.path, folder)]
        found = [place for place in places if place and any(path.startswith(f"{place}/") for path in self._files.paths)]
        if not any(places):
            file.warn(value, f"{folder} is outside the repository; it was not read")
            return
        place = next(iter(found), places[0] or folder)
        self._draft.decision_folders.append((Line(file.path, value.line, folder), place, None))

    def _include(self, file: YamlFile, value: Value | None) -> None:
        for source in _sources(file, value):
            found = _files_of(source, file.path, self._files.paths)
            if not found and value:
                file.warn(value, f"{source[:100]} is not in the repository; the model is incomplete")
            for path in found:
                if path not in self._known:
                    self._known.add(path)
                    self._waiting.append(path)

    # -- elements -------------------------------------------------------------------------------------------------

    def _element(self, file: YamlFile, value: Value, parent: DraftElement | None, depth: int) -> None:
        level = _LEVELS[depth]
        of = f"a {level.kind.value}"
        entries = file.entries(value)
        name, type = (file.text(entries.get(key)) for key in ("name", "type"))
        if not name:
            file.fault(value, f"{of} needs a name")
            return
        kind = ElementKind.PERSON if not depth and type == "person" else level.kind
        element = DraftElement(kind, name, parent, file.path, value.line)
        known = self._draft.elements.setdefault(element.ref, element)
        if known is not element and known.kind is not kind:
            file.fault(value, f"{element.ref!r} is a {known.kind.value} already, at {known.file}:{known.line}")
            return
        if known is not element and known.file == file.path:
            file.warn(value, f"{element.ref!r} is at line {known.line} already; both were read as one")
        self._describe(file, entries, known, type)
        for key, entry in entries.items():
            if key not in (*_OF_ELEMENT, *level.below, *level.keys):
                self._unknown(file, key, entry, known, of)
        for key in level.below:
            for one in file.items(entries.get(key)):
                self._element(file, one, known, depth + 1)

    def _describe(self, file: YamlFile, entries: Mapping[str, Value], element: DraftElement, type: str) -> None:
        technologies = [file.text(entries.get(key)) for key in ("technology", "language")]
        technologies += file.texts(entries.get("technologies"))
        owners = file.known_entries(entries.get("owners"), _OF_OWNERS, "the owners")
        element.description = element.description or file.text(entries.get("description"))
        element.technology = element.technology or ", ".join(filter(None, technologies))
        element.external |= "external" in type or file.is_true(entries.get("external"))
        element.tags += file.texts(entries.get("tags"))
        element.owners += [owner for key in _OF_OWNERS for owner in file.texts(owners.get(key))]
        if type and element.kind not in (ElementKind.PERSON, ElementKind.SYSTEM):
            element.properties.setdefault("type", type)

    def _unknown(self, file: YamlFile, key: str, value: Value, element: DraftElement, of: str) -> None:
        """Keep what an unknown key says as a property: it may well be the path that the schema lacks."""
        if isinstance(value.content, dict):
            file.warn(value, f"unknown key {key[:60]!r} of {of}; it was left out")
        else:
            file.warn(value, f"unknown key {key[:60]!r} of {of}; it was read as a property")
            element.properties.setdefault(key, "\n".join(file.texts(value)))

    # -- relationships --------------------------------------------------------------------------------------------

    def _relate(self, file: YamlFile, value: Value, references: References) -> None:
        entries = file.known_entries(value, _OF_RELATIONSHIP, "a relationship")
        ends = [references.find(file.text(entries.get(end)), file, value) for end in ("from", "to")]
        source, target = ends
        if source is None or target is None:
            return
        said = [file.text(entries.get(key)) for key in ("label", "description")]
        technologies = [file.text(entries.get("technology")), *file.texts(entries.get("technologies"))]
        relationship = DraftRelationship(
            source,
            target,
            file.path,
            value.line,
            description=next(filter(None, said), file.text(entries.get("type")).replace("_", " ")),
            technology=", ".join(filter(None, technologies)),
            tags=file.texts(entries.get("tags")),
        )
        relate(self._draft, relationship, file, value)


def _sources(file: YamlFile, include: Value | None) -> list[str]:
    """Return what `include` lists: paths, or mappings that hold one."""
    found = [
        file.text(file.entries(one).get("path")) if isinstance(one.content, dict) else file.text(one)
        for one in file.items(include)
    ]
    return [source for source in found if source]


def _files_of(source: str, file: str, paths: Collection[str]) -> list[str]:
    """Return the files that an include names: one, those of a glob, or a folder's archyl.yaml."""
    path = resolve(file, source)
    if path is None:
        return []
    if path in paths:
        return [path]
    if is_glob(path):
        return sorted(known for known in paths if covers(path, known))
    return [f"{path}/{name}" for name in _NAMES if f"{path}/{name}" in paths][:1]
