"""The lines of a PlantUML diagram as its preprocessor leaves them, as far as nothing must be computed for that."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from graph.c4.diagrams.calls import is_evaluated, text_of
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles
from graph.c4.lines import Line, physical_lines

_MOST_EXPANDED = 1_000_000  # characters that variables may add to one diagram
_LONGEST_CONDITION = 500
_START = re.compile(r"\s*@startuml\b(.*)", re.IGNORECASE)
_END = re.compile(r"\s*@enduml\b", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"!\s*(?:(?:local|global)\s+)?\$(\w+)\s*(\??)=(?!=)(.*)")
_DIRECTIVE = re.compile(r"!\s*(?:(?:unquoted|final)\s+)*(\w+)(.*)")
_DEFINITION = re.compile(r"\s+(\w+)(\([^()]*\))?(.*)")
_RETURNS = re.compile(r"\)\s*(?:!\s*)?return\b")
_VARIABLE = re.compile(r"\$(\w+)\b(?!\s*=(?!=))")
_WORD = re.compile(r"[A-Za-z_]\w*")
_EXISTS = re.compile(r'%variable_exists\s*\(\s*["\']?\$?(\w+)["\']?\s*\)')
_COMPARISON = re.compile(r'"?([^"$%=!&|]*)"?\s*(==|!=)\s*"?([^"$%=!&|]*)"?')
_LIBRARY = re.compile(r"(?:.*/)?C4(?:_(Context|Container|Component|Deployment|Dynamic|Sequence))?(?:\.\w+)?")
_TRUTHS = {"%true()": True, "true": True, "1": True, "%false()": False, "false": False, "0": False}
_BODIES = frozenset(("procedure", "function", "definelong"))
_BODY_ENDS = frozenset(("endprocedure", "endfunction", "enddefinelong"))
_INCLUDES = frozenset(("include", "include_once", "include_many", "includeurl", "includesub", "import"))
_CONDITIONS = frozenset(("if", "ifdef", "ifndef", "elseif", "else", "endif"))


@dataclass(slots=True)
class _Branch:
    """An open `!if`; `taken` says whether a branch of it was read already, None when all of them are."""

    line: Line
    active: bool
    taken: bool | None


class Preprocessor:
    """Follows includes, variables, definitions and the conditions that these decide; procedures are not run."""

    def __init__(self, files: ModelFiles, findings: Findings) -> None:
        self._files = files
        self._findings = findings
        self._variables: dict[str, str] = {}
        self._definitions: dict[str, str] = {}
        self._branches: list[_Branch] = []
        self._body: Line | None = None
        self._included: set[tuple[str, str]] = set()
        self._room = _MOST_EXPANDED
        self.dynamic = False
        self.sequence = False

    def lines(self, rows: Iterable[Line]) -> Iterator[Line]:
        """Yield the lines of the diagram that stands in these rows, with those of what it includes."""
        yield from self._lines(rows)
        for opened in (*(branch.line for branch in self._branches), *filter(None, [self._body])):
            self._findings.warn(opened.where, f"no end of this `{opened.text.split()[0][:20]}` follows")

    def _lines(self, rows: Iterable[Line]) -> Iterator[Line]:
        for line in _without_comments(rows, self._findings):
            text = line.text.strip()
            directive = _DIRECTIVE.fullmatch(text)
            keyword = directive[1].lower() if directive else ""
            if keyword in _BODY_ENDS or self._body:
                self._body = None if keyword in _BODY_ENDS else self._body
            elif directive and keyword in _BODIES:
                self._body = None if _RETURNS.search(directive[2]) else line
            elif directive and keyword in _CONDITIONS:
                self._condition(line, keyword, directive[2])
            elif self._branches and not self._branches[-1].active:
                continue
            elif assignment := _ASSIGNMENT.fullmatch(text):
                self._assign(assignment[1], assignment[3], only_new=bool(assignment[2]))
            elif directive and keyword in _INCLUDES:
                yield from self._include(line, keyword, directive[2])
            elif directive and keyword == "define":
                self._define(directive[2])
            elif directive and keyword in ("while", "foreach"):
                self._findings.warn(line.where, "a loop is read once; what it would repeat is left out")
            elif not text.startswith("!"):
                yield Line(line.file, line.number, self._expanded(line.text))

    # -- conditions -----------------------------------------------------------------------------------------------

    def _condition(self, line: Line, keyword: str, rest: str) -> None:
        if keyword in ("if", "ifdef", "ifndef"):
            around = not self._branches or self._branches[-1].active
            holds = self._holds(line, keyword, rest) if around else False
            self._branches.append(_Branch(line, around and holds is not False, holds if around else True))
        elif not self._branches:
            self._findings.warn(line.where, f"`!{keyword}` belongs to no `!if`")
        elif keyword == "endif":
            self._branches.pop()
        elif (branch := self._branches[-1]).taken is not None:
            holds = not branch.taken and (keyword == "else" or self._holds(line, "if", rest))
            branch.active = holds is not False
            branch.taken = branch.taken or holds

    def _holds(self, line: Line, keyword: str, rest: str) -> bool | None:
        """Return whether the condition holds; None, with a warning, when that must be computed."""
        text, wanted = rest.strip(), True
        if keyword in ("ifdef", "ifndef"):
            return self._is_known(text) is (keyword == "ifdef")
        while len(text) < _LONGEST_CONDITION and text.endswith(")") and text.startswith(("(", "%not(")):
            wanted = not wanted if text.startswith("%") else wanted
            text = text[text.index("(") + 1 : -1].strip()
        if exists := _EXISTS.fullmatch(text):
            return self._is_known(exists[1]) is wanted
        text = self._expanded(text)
        if text.lower() in _TRUTHS:
            return _TRUTHS[text.lower()] is wanted
        if len(text) < _LONGEST_CONDITION and (compared := _COMPARISON.fullmatch(text)):
            return ((compared[1].strip() == compared[3].strip()) is (compared[2] == "==")) is wanted
        self._findings.warn(line.where, "this condition was not evaluated; all its branches were read")
        return None

    def _is_known(self, name: str) -> bool:
        return name in self._variables or name in self._definitions

    # -- variables ------------------------------------------------------------------------------------------------

    def _assign(self, name: str, expression: str, *, only_new: bool) -> None:
        if only_new and name in self._variables:
            return
        value = self._expanded(expression)
        self._variables.pop(name, None)
        if is_evaluated(value):
            self._variables[name] = text_of(value).replace('"', "'")

    def _define(self, rest: str) -> None:
        definition = _DEFINITION.fullmatch(rest)
        if definition and not definition[2]:
            self._definitions[definition[1]] = definition[3].strip()

    def _expanded(self, text: str) -> str:
        if self._definitions:
            text = _WORD.sub(self._bounded(lambda match: self._definitions.get(match[0], match[0])), text)
        if "$" not in text or not self._variables:
            return text
        parts = text.split('"')
        parts[::2] = (_VARIABLE.sub(self._bounded(self._quoted_value), part) for part in parts[::2])
        parts[1::2] = (_VARIABLE.sub(self._bounded(self._value), part) for part in parts[1::2])
        return '"'.join(parts)

    def _value(self, match: re.Match[str]) -> str:
        return self._variables.get(match[1], match[0])

    def _quoted_value(self, match: re.Match[str]) -> str:
        return f'"{self._variables[match[1]]}"' if match[1] in self._variables else match[0]

    def _bounded(self, put: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
        """Stop replacing when the diagram has grown enough: a variable can double itself on every line."""

        def replaced(match: re.Match[str]) -> str:
            value = put(match)
            if len(value) - len(match[0]) > self._room:
                return match[0]
            self._room -= max(0, len(value) - len(match[0]))
            return value

        return replaced

    # -- includes -------------------------------------------------------------------------------------------------

    def _include(self, line: Line, keyword: str, rest: str) -> Iterator[Line]:
        source = self._expanded(rest).replace('"', "").strip()
        file, _, part = source.partition("!")
        if library := _LIBRARY.fullmatch(file.strip("<>")):
            self.dynamic |= library[1] in ("Dynamic", "Sequence")
            self.sequence |= library[1] == "Sequence"
            return
        if source.startswith("<") or "://" in source:
            return  # sprites and themes, for the most part
        if not is_evaluated(source):
            self._findings.warn(line.where, f"the include of {source[:100]!r} was not evaluated")
            return
        for path in self._files.named_by(file, line):
            if (path, part) not in self._included:
                self._included.add((path, part))
                rows = self._files.lines(path, line.where, physical_lines)
                self._files.open.append(path)
                yield from self._lines(_named_part(rows, part, is_sub=keyword == "includesub"))
                self._files.open.pop()


def diagrams_in(rows: Sequence[Line]) -> dict[str, list[Line]]:
    """Return the lines of each diagram between `@startuml` and `@enduml`, by its name or number."""
    found: dict[str, list[Line]] = {}
    inside: list[Line] | None = None
    for line in rows:
        if start := _START.fullmatch(line.text):
            name = start[1].strip().removeprefix("(id=").strip('()" ')
            inside = found[name if name and name not in found else f"#{len(found)}"] = []
        elif _END.match(line.text):
            inside = None
        elif inside is not None:
            inside.append(line)
    return found


def _named_part(rows: Sequence[Line], part: str, *, is_sub: bool) -> Sequence[Line]:
    """Return what an include of `file!part` takes: a marked part, the diagram of that name or number, or the first."""
    if is_sub:
        return list(_marked(rows, part))
    diagrams = diagrams_in(rows)
    if part.isdecimal():
        return list(diagrams.values())[int(part)] if int(part) < len(diagrams) else []
    return diagrams.get(part) or next(iter(diagrams.values()), rows)


def _marked(rows: Iterable[Line], name: str) -> Iterator[Line]:
    inside = False
    for line in rows:
        words = line.text.split()
        if words[:1] == ["!startsub"]:
            inside = words[1:] == [name]
        elif words[:1] == ["!endsub"]:
            inside = False
        elif inside:
            yield line


def _without_comments(rows: Iterable[Line], findings: Findings) -> Iterator[Line]:
    """Yield the lines without `/' … '/` and those that begin with `'`; one that ends with `\\` goes on in the next."""
    opened: Line | None = None
    begun: Line | None = None
    for line in rows:
        text, opened = _uncommented(line, opened)
        if begun:
            line, text = begun, begun.text + text
        if text.endswith("\\"):
            begun = replace(line, text=text[:-1])
        else:
            begun = None
            yield replace(line, text=text)
    if begun:
        yield begun
    if opened:
        findings.fault(opened.where, "this comment is never closed")


def _uncommented(line: Line, opened: Line | None) -> tuple[str, Line | None]:
    """Return what of the line is in no comment, and where the comment began that it leaves open."""
    text, position, quotes = line.text, 0, 0
    kept: list[str] = []
    if not opened and text.lstrip().startswith("'"):
        return "", None
    while True:
        if opened:
            end = text.find("'/", position)
            if end < 0:
                return "".join(kept), opened
            position, opened = end + 2, None
        start = text.find("/'", position)
        if start < 0:
            return "".join((*kept, text[position:])), None
        quotes += text.count('"', position, start)
        if quotes % 2:
            kept.append(text[position : start + 2])
        else:
            kept.append(text[position:start])
            opened = line
        position = start + 2
