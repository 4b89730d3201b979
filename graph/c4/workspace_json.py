"""Reads a workspace in JSON, as a model of its own or as what a DSL workspace extends."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graph.c4.draft import Draft, DraftElement, DraftRelationship
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles
from graph.c4.lines import split_tags
from graph.elements import Decision, ElementKind

_IDENTIFIER = "structurizr.dsl.identifier"
_MADE_UP = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LISTS = (
    ("people", ElementKind.PERSON),
    ("softwareSystems", ElementKind.SYSTEM),
    ("customElements", ElementKind.CUSTOM),
)
_CHILDREN = {ElementKind.SYSTEM: ("containers", ElementKind.CONTAINER)}
_CHILDREN |= {ElementKind.CONTAINER: ("components", ElementKind.COMPONENT)}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINE = "\0line"
_MARKS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\n]', re.DOTALL)
_NO_TEXT = re.compile("[\0\ud800-\udfff]")

Report = Callable[[str, str], None]
_Raw = Mapping[str, Any]


def read_workspace_json(draft: Draft, files: ModelFiles, path: str, findings: Findings, report: Report) -> None:
    """Add the workspace's static model and its decisions to the draft; `report` takes what cannot be understood.

    Only declared relationships are read: those that an export adds between parents name the one they come from.
    """
    text = files.content(path, f"{path}:1")
    if text is None:
        return
    try:
        workspace = json.loads(text, object_hook=_with_lines(text))
    except (ValueError, RecursionError) as error:
        line, what = (error.lineno, error.msg) if isinstance(error, json.JSONDecodeError) else (1, str(error))
        report(f"{path}:{line}", f"this is no JSON: {what}")
        return
    model = workspace.get("model") if isinstance(workspace, dict) else None
    if not isinstance(model, dict) or not any(isinstance(model.get(name), list) for name, _ in _LISTS):
        report(f"{path}:1", "this JSON is no workspace: it has no `model` with `people` or `softwareSystems`")
        return
    _Workspace(draft, path, findings, report).read(workspace, model)


class _Workspace:
    """One workspace while it is read: its elements by the ids that relationships name."""

    def __init__(self, draft: Draft, path: str, findings: Findings, report: Report) -> None:
        self._draft = draft
        self._path = path
        self._findings = findings
        self._report = report
        self._elements: list[tuple[DraftElement, _Raw]] = []
        self._by_id: dict[str, DraftElement] = {}

    def read(self, workspace: _Raw, model: _Raw) -> None:
        self._draft.name = _text(workspace, "name") or self._draft.name
        self._draft.properties |= _properties(model)
        self._decide(workspace, ())
        for name, kind in _LISTS:
            for raw in self._list(model, name):
                self._element(raw, kind, None)
        deployed = _ids(model.get("deploymentNodes"))
        implied, self._draft.implied = self._draft.implied, False  # an export names them itself
        for element, raw in self._elements:
            for known in self._list(raw, "relationships"):
                self._relate(element, known, deployed)
            self._decide(raw, (element.ref,))
        self._draft.implied = implied

    def _element(self, raw: _Raw, kind: ElementKind, parent: DraftElement | None) -> None:
        name = _text(raw, "name")
        element = DraftElement(
            kind,
            name,
            parent,
            self._path,
            raw[_LINE],
            description=_text(raw, "description"),
            technology=_text(raw, "metadata" if kind is ElementKind.CUSTOM else "technology"),
            url=_text(raw, "url"),
            group=_text(raw, "group"),
            tags=split_tags(_text(raw, "tags")),
            properties=_properties(raw),
            external=_text(raw, "location").lower() == "external",
        )
        for code in self._list(raw, "code"):  # exports of tools before the DSL
            element.url = element.url or _text(code, "url")
            element.properties.setdefault("component.type", _text(code, "type"))
        known = self._draft.elements.get(element.ref)
        if not name.strip():
            self._report(self._where(raw), f"a {kind.value} needs a name")
            return
        if known is not None:
            first = f"the first is at {known.file}:{known.line}"
            self._report(self._where(raw), f"a second element with the ref {element.ref!r}; {first}")
            return
        self._draft.elements[element.ref] = element
        self._elements.append((element, raw))
        self._by_id[_text(raw, "id")] = element
        # The identifiers in the JSON are whole paths already, or made up for an element that has none.
        identifier = element.properties.pop(_IDENTIFIER, "")
        if not self._draft.register_as("" if _MADE_UP.search(identifier) else identifier, element):
            self._report(self._where(raw), f"the identifier {identifier!r} is in use already")
        if kind in _CHILDREN:
            below, child = _CHILDREN[kind]
            for inner in self._list(raw, below):
                self._element(inner, child, element)

    def _relate(self, source: DraftElement, raw: _Raw, deployed: frozenset[str]) -> None:
        destination = _text(raw, "destinationId")
        target = self._by_id.get(destination)
        if raw.get("linkedRelationshipId") and target is not None:
            self._draft.imply(source, target)
        if raw.get("linkedRelationshipId") or destination in deployed:
            return
        if target is None:
            what = f"there is no element {destination[:60]!r}; the relationship was left out"
            self._findings.warn(self._where(raw), what)
            return
        relationship = DraftRelationship(
            source,
            target,
            self._path,
            raw[_LINE],
            description=_text(raw, "description"),
            technology=_text(raw, "technology"),
            url=_text(raw, "url"),
            tags=split_tags(_text(raw, "tags")),
            properties=_properties(raw),
        )
        identifier = relationship.properties.pop(_IDENTIFIER, "")
        if not self._draft.relate(relationship):
            self._findings.warn(self._where(raw), "the relationship exists already; the first counts")
        elif identifier:
            self._draft.register(identifier, relationship)

    def _decide(self, raw: _Raw, about: tuple[str, ...]) -> None:
        documentation = raw.get("documentation")
        for known in self._list(documentation, "decisions") if isinstance(documentation, dict) else ():
            date = _DATE.match(_text(known, "date"))
            decision = Decision(
                ref=f"ADR-{_text(known, 'id')}",
                title=_text(known, "title"),
                status=_text(known, "status"),
                date=date[0] if date else "",
                content=_text(known, "content"),
                about=about,
                file=self._path,
            )
            self._draft.decisions.append(decision)

    def _list(self, raw: _Raw, name: str) -> Iterator[_Raw]:
        """Yield the objects of a list; what is none is reported."""
        values = raw.get(name) or ()
        for value in values if isinstance(values, list) else (values,):
            if isinstance(value, dict):
                yield value
            elif value != ():
                self._report(self._where(raw), f"`{name}` holds something that is no object")

    def _where(self, raw: _Raw) -> str:
        return f"{self._path}:{raw.get(_LINE, 1)}"


def _with_lines(text: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a hook that tells each object the line on which it begins; objects are made in the order of their ends."""
    begun: list[int] = []
    ended: list[int] = []
    line = 1
    for mark in _MARKS.finditer(text):
        if mark[0] == "{":
            begun.append(line)
        elif mark[0] == "}" and begun:
            ended.append(begun.pop())
        elif mark[0] == "\n":
            line += 1
    lines = iter(ended)

    def put(value: dict[str, Any]) -> dict[str, Any]:
        value[_LINE] = next(lines, 1)
        return value

    return put


def _ids(values: object) -> frozenset[str]:
    """Return all ids in a tree of objects."""
    found: set[str] = set()
    waiting = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            found.add(_text(value, "id"))
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return frozenset(found)


def _text(raw: _Raw, key: str) -> str:
    value = raw.get(key)
    if value is None or isinstance(value, dict | list):
        return ""
    return _NO_TEXT.sub("\ufffd", value) if isinstance(value, str) else json.dumps(value)


def _properties(raw: _Raw) -> dict[str, str]:
    properties = raw.get("properties")
    if not isinstance(properties, dict):
        return {}
    return {_NO_TEXT.sub("\ufffd", key): _text(properties, key) for key in properties if key != _LINE}
