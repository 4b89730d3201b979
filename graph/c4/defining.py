"""The statements that define an element: `person`, `softwareSystem`, `container`, `component`, `element`."""

from graph.c4.archetypes import ELEMENT_KEYWORDS, Archetype
from graph.c4.draft import Draft, DraftElement
from graph.c4.findings import Findings
from graph.c4.frames import Block, Frame
from graph.c4.lines import split_tags
from graph.c4.statements import Statement
from graph.elements import ElementKind

_PARENT = {ElementKind.CONTAINER: ElementKind.SYSTEM, ElementKind.COMPONENT: ElementKind.CONTAINER}
# Where the words after the name go.
_WORDS = {
    ElementKind.PERSON: ("description", "tags"),
    ElementKind.SYSTEM: ("description", "tags"),
    ElementKind.CONTAINER: ("description", "technology", "tags"),
    ElementKind.COMPONENT: ("description", "technology", "tags"),
    ElementKind.CUSTOM: ("technology", "description", "tags"),
}


def define(
    statement: Statement, frame: Frame, archetype: Archetype, draft: Draft, findings: Findings, *, again: bool
) -> DraftElement | None:
    """Return the element that the statement defines in this block; None, with a fault, when it cannot stand there.

    With `again` (a workspace that extends another) it may be one that exists, which it then changes.
    """
    kind = ELEMENT_KEYWORDS[archetype.keyword]
    parent = frame.element if frame.block is Block.ELEMENT else None
    allowed = parent is not None and parent.kind is _PARENT[kind] if kind in _PARENT else frame.block is Block.MODEL
    fault = ""
    if not allowed:
        fault = f"a {kind.value} must stand in a {_PARENT[kind].value if kind in _PARENT else 'model or group'}"
    elif not statement.word(1).strip():
        fault = f"a {kind.value} needs a name"
    element = DraftElement(kind, statement.word(1), parent, statement.line.file, statement.line.number)
    known = draft.elements.get(element.ref)
    if not fault and known is not None and not (again and known.kind is kind):
        fault = f"a second element with the ref {element.ref!r}; the first is at {known.file}:{known.line}"
    if fault:
        findings.fault(statement.line.where, fault)
        return None
    element = draft.elements.setdefault(element.ref, element)
    element.in_enterprise = frame.in_enterprise
    _fill(element, statement, archetype)
    words = _WORDS[kind]
    if len(statement.words) > len(words) + 2:
        what = f"a {kind.value} has at most {len(words) + 1} words; the rest was left out"
        findings.warn(statement.line.where, what)
    if frame.group:
        element.group = frame.group.name
        if kind is not ElementKind.CUSTOM:  # the official parser lets no group's `!elements` choose it
            frame.group.add(element)
    return element


def _fill(element: DraftElement, statement: Statement, archetype: Archetype) -> None:
    element.description, element.technology = archetype.description, archetype.technology
    element.tags += archetype.tags
    if element.kind is not ElementKind.CUSTOM:  # the official parser hands it no properties
        element.properties |= archetype.properties
    for name, word in zip(_WORDS[element.kind], statement.words[2:], strict=False):
        if name == "tags":
            element.tags += split_tags(word)
        else:
            setattr(element, name, word)
