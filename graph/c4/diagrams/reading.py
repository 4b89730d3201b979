"""Reads what the C4 macros of one diagram declare, whichever of the two languages it is written in."""

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from graph.c4.diagrams.calls import Brace, Call, is_evaluated, text_of
from graph.c4.diagrams.macros import Macro, Role, find_macro, kind_of_boundary
from graph.c4.draft import DraftElement
from graph.c4.findings import Findings
from graph.c4.lines import Line
from graph.elements import ElementKind

_MOST_NESTED = 100
_BREAK = re.compile(r"\\n|<br\s{0,9}/?>", re.IGNORECASE)
_MARKUP = re.compile(
    r"</?(?:b|i|u|s|w|size|color|font|back|sub|sup|img|span|strong|em|small|code)\b[^<>]{0,200}>|<[$&][^<>]{1,200}>",
    re.IGNORECASE,
)
_C4 = (Role.ELEMENT, Role.BOUNDARY, Role.NODE, Role.RELATIONSHIP)
_HEADER = ("Property", "Value")


@dataclass(eq=False, slots=True)
class Declaration:
    """An element or boundary of one diagram; a boundary without a kind is a group of what stands in it.

    `element` is what it turns out to be in the model.
    """

    line: Line
    macro: Macro
    alias: str
    kind: ElementKind | None
    outer: "Declaration | None"
    name: str
    description: str = ""
    technology: str = ""
    url: str = ""
    tags: list[str] = field(default_factory=list)
    properties: Mapping[str, str] = field(default_factory=dict)
    element: DraftElement | None = None

    @property
    def is_boundary(self) -> bool:
        return self.macro.role is Role.BOUNDARY


@dataclass(frozen=True, slots=True)
class Arrow:
    """A relationship of one diagram; its ends are aliases."""

    line: Line
    source: str
    target: str
    description: str
    technology: str
    url: str
    tags: list[str]
    properties: Mapping[str, str]


@dataclass(eq=False, slots=True)
class Diagram:
    """What one diagram declares, in its order; `left_out` are the aliases of deployment nodes.

    `is_c4` says whether it has any macro of C4, be it a faulty one.
    """

    is_c4: bool = False
    declarations: list[Declaration] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Frame:
    """An open block and the boundary that what stands in it lies in: its own, or the one around it."""

    line: Line
    boundary: Declaration | None
    is_boundary: bool


class DiagramReader:
    """Reads one diagram.

    The relationships of a dynamic one are the steps of a story, no facts about the model, and are left out. In a
    sequence the block of a boundary has no braces.
    """

    def __init__(self, findings: Findings, *, dynamic: bool = False, sequence: bool = False) -> None:
        self._findings = findings
        self._dynamic = dynamic
        self._sequence = sequence
        self._diagram = Diagram()
        self._stack: list[_Frame] = []
        self._opening: Declaration | None = None
        self._header: tuple[str, ...] = _HEADER
        self._properties: dict[str, str] = {}
        self._unknown: list[Call] = []
        self._told: set[str] = set()

    def read(self, statements: Iterable[Call | Brace]) -> Diagram:
        """Read the diagram; what is wrong with it is in the findings."""
        for statement in statements:
            if len(self._stack) > _MOST_NESTED:
                self._findings.fault(statement.line.where, f"blocks are nested more than {_MOST_NESTED} deep")
                return self._diagram
            if isinstance(statement, Call):
                self._call(statement)
            elif statement.opens:
                self._open(statement.line, self._opening)
            else:
                self._close(statement.line)
        self._finish()
        return self._diagram

    def _finish(self) -> None:
        for frame in self._stack:
            if frame.is_boundary:
                self._findings.fault(frame.line.where, "this boundary is never closed")
        for call in self._unknown:
            self._findings.warn(call.line.where, f"{call.name[:60]}(…) is no C4 macro; it was not evaluated")

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _open(self, line: Line, boundary: Declaration | None) -> None:
        around = self._stack[-1].boundary if self._stack else None
        self._stack.append(_Frame(line, boundary or around, boundary is not None))
        self._opening = None

    def _close(self, line: Line) -> None:
        self._opening = None
        if self._stack:
            self._stack.pop()
        else:
            self._tell(line, "this `}` closes nothing")

    # -- macros ---------------------------------------------------------------------------------------------------

    def _call(self, call: Call) -> None:
        macro = find_macro(call.name)
        self._opening = None
        self._diagram.is_c4 |= macro is not None and macro.role in _C4
        if macro is None:
            if call.closed:
                self._unknown.append(call)
        elif not call.closed:
            self._findings.fault(call.line.where, f"nothing closes {call.name}(")
        elif macro.role in (Role.ELEMENT, Role.BOUNDARY):
            self._declare(call, macro)
        elif macro.role is Role.RELATIONSHIP:
            self._relate(call, macro)
        elif macro.role is Role.PROPERTY:
            self._property(call)
        elif macro.role is Role.NODE:
            self._diagram.left_out.add(text_of(call.by_name(macro.parameters).get("alias", "")))
            self._properties = {}
            self._tell(call.line, "deployment nodes are left out; the elements in them were read")
        elif macro.role is Role.BOUNDARY_END:
            self._close(call.line)

    def _declare(self, call: Call, macro: Macro) -> None:
        words = call.by_name(macro.parameters)
        alias = text_of(words.get("alias", ""))
        if not alias:
            self._findings.fault(call.line.where, f"{call.name} needs an alias")
            return
        if not is_evaluated(words["alias"]):
            self._findings.warn(call.line.where, f"the alias {alias[:60]!r} was not evaluated; it was left out")
            return
        is_boundary = macro.role is Role.BOUNDARY
        kind = macro.kind or (kind_of_boundary(text_of(words.get("type", ""))) if is_boundary else None)
        declaration = Declaration(
            call.line,
            macro,
            alias,
            kind,
            self._stack[-1].boundary if self._stack else None,
            " ".join(self._text(call, words, "label").split()) or alias,
            description=self._text(call, words, "descr"),
            technology=" ".join(self._text(call, words, "techn").split()),
            url=self._text(call, words, "link"),
            tags=_tags(words),
            properties={} if is_boundary else self._taken_properties(),
        )
        self._diagram.declarations.append(declaration)
        if is_boundary:
            self._opening = declaration
            if self._sequence:
                self._open(call.line, declaration)

    def _relate(self, call: Call, macro: Macro) -> None:
        properties = self._taken_properties()
        if self._dynamic or macro.indexed:
            self._tell(call.line, "the relationships of a dynamic diagram are its steps; they were left out")
            return
        words = call.by_name(macro.parameters)
        ends = [text_of(words.get("from", "")), text_of(words.get("to", ""))]
        if not all(ends):
            self._findings.warn(call.line.where, "a relationship needs two ends; it was left out")
            return
        label, details = self._text(call, words, "label"), self._text(call, words, "descr")
        for source, target in (ends, ends[::-1]) if macro.both else (ends[::-1] if macro.back else ends,):
            arrow = Arrow(
                call.line,
                source,
                target,
                description=f"{label}: {details}" if label and details else label or details,
                technology=self._text(call, words, "techn"),
                url=self._text(call, words, "link"),
                tags=_tags(words),
                properties=properties,
            )
            self._diagram.arrows.append(arrow)

    def _property(self, call: Call) -> None:
        """Keep a row of the next element's table: its name, its value, and further columns by the table's header."""
        columns = tuple(plain_text(text_of(argument)) for argument in call.arguments)
        if call.name != "AddProperty":
            self._header = columns
            return
        name = columns[0] if columns else ""
        for number, value in enumerate(columns[1:], start=1):
            title = self._header[number] if number < len(self._header) else str(number + 1)
            self._properties[name if number == 1 else f"{name}.{title}"] = value
        if name and len(columns) == 1:
            self._properties[name] = ""

    # -- texts ----------------------------------------------------------------------------------------------------

    def _taken_properties(self) -> dict[str, str]:
        properties, self._properties = self._properties, {}
        return properties

    def _text(self, call: Call, words: Mapping[str, str], parameter: str) -> str:
        argument = words.get(parameter, "")
        if not is_evaluated(argument):
            self._findings.warn(call.line.where, f"{argument[:60]!r} was not evaluated")
        return plain_text(text_of(argument))

    def _tell(self, line: Line, what: str) -> None:
        """Warn once in a diagram."""
        if what not in self._told:
            self._told.add(what)
            self._findings.warn(line.where, what)


def plain_text(text: str) -> str:
    """Return a label or description without its markup, with real line ends."""
    return html.unescape(_MARKUP.sub("", _BREAK.sub("\n", text)).replace("**", "")).strip()


def _tags(words: Mapping[str, str]) -> list[str]:
    tags = (tag.strip() for tag in text_of(words.get("tags", ""), joint="+").split("+"))
    return [tag for tag in tags if tag]
