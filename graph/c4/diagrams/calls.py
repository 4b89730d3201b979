"""Calls of C4 macros and the braces around them: `System_Boundary(shop, "Shop", $tags="a+b") {`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graph.c4.diagrams.macros import find_macro
from graph.c4.lines import Line

_MOST_LINES = 20  # of one call
_CALL = re.compile(r"\s*(\$?\w+)(\s*)\(")
_BRACE = re.compile(r"\s*([{}])")
_MARK = re.compile(r"""["'(),]""")
_SINGLE_QUOTED = re.compile(r"'[^']*'(?=\s*[,)])")
_KEYWORD = re.compile(r"\$(\w+)\s*=(?!=)\s*(.*)", re.DOTALL)
_QUOTED = re.compile(r'"[^"]*"')
_JOINT = re.compile(r"""["']\s*\+\s*["']""")
_NOT_EVALUATED = re.compile(r"\$[A-Za-z_]\w*|%\w+\(")


@dataclass(frozen=True, slots=True)
class Call:
    """A call with its arguments as they are written; one that nothing closes has none."""

    line: Line
    name: str
    arguments: tuple[str, ...] = ()
    keywords: Mapping[str, str] = field(default_factory=dict)
    closed: bool = True

    def by_name(self, parameters: Sequence[str]) -> dict[str, str]:
        """Return the arguments by the names of the macro's parameters; those beyond them are left out."""
        return {**dict(zip(parameters, self.arguments, strict=False)), **self.keywords}


@dataclass(frozen=True, slots=True)
class Brace:
    """A brace that opens the block of a boundary, or of anything else, or that closes the last one."""

    line: Line
    opens: bool


@dataclass(frozen=True, slots=True)
class _Arguments:
    found: tuple[str, ...]
    end: int
    closed: bool
    in_quotes: bool = False


def read_calls(lines: Sequence[Line]) -> Iterator[Call | Brace]:
    """Yield the calls and braces that lines begin with, in order; what else a diagram holds is passed over."""
    for line in _joined(lines):
        position = 0
        while True:
            if brace := _BRACE.match(line.text, position):
                yield Brace(line, brace[1] == "{")
                position = brace.end()
                continue
            call = _CALL.match(line.text, position)
            arguments = _arguments(line.text, call.end()) if call else None
            if call is None or arguments is None or (call[2] and not find_macro(call[1])):
                if line.text[position:].rstrip().endswith("{"):
                    yield Brace(line, opens=True)
                break
            yield _call(line, call[1], arguments)
            position = arguments.end


def text_of(argument: str, joint: str = "") -> str:
    """Return an argument without its quotes; texts that `+` joins are one, with the joint between them."""
    text = _JOINT.sub(joint, argument.strip())
    quoted = len(text) > 1 and text[0] in "\"'" and text[-1] in "\"'"
    return (text[1:-1] if quoted else text).strip()


def is_evaluated(argument: str) -> bool:
    """Say whether nothing of the argument is left to evaluate: a variable or a function outside its quotes."""
    return not _NOT_EVALUATED.search(_QUOTED.sub("", argument))


def _joined(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines, a call of a macro that goes on over several as one."""
    rows = iter(range(len(lines)))
    for row in rows:
        line = lines[row]
        if not _is_open(line.text):
            yield line
            continue
        for last in range(row + 1, min(row + _MOST_LINES, len(lines))):
            if _begins_macro(lines[last].text):
                break
            text = " ".join(part.text.strip() for part in lines[row : last + 1])
            if not _is_open(text):
                line = replace(line, text=text)
                for _ in range(row, last):
                    next(rows)
                break
        yield line


def _is_open(text: str) -> bool:
    """Say whether the text begins with a macro whose arguments may go on in the next line."""
    call = _CALL.match(text)
    if call is None or not find_macro(call[1]):
        return False
    arguments = _arguments(text, call.end())
    return not arguments.closed and not arguments.in_quotes


def _begins_macro(text: str) -> bool:
    call = _CALL.match(text)
    return call is not None and find_macro(call[1]) is not None


def _arguments(text: str, start: int) -> _Arguments:
    """Split at the commas that stand in no quotes and in no inner parentheses.

    A quote is one where a value begins; elsewhere it is an apostrophe, or the sign for inches.
    """
    depth, begin, position = 0, start, start
    found: list[str] = []
    while match := _MARK.search(text, position):
        mark, at = match[0], match.start()
        position = at + 1
        if mark in "\"'":
            if not _begins_value(text, at):
                continue
            if mark == '"':
                position = text.find('"', position) + 1
                if not position:
                    return _Arguments((), len(text), closed=False, in_quotes=True)
            elif quoted := _SINGLE_QUOTED.match(text, at):
                position = quoted.end()
        elif mark == "(":
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
        elif not depth:
            found.append(text[begin:at].strip())
            begin = position
            if mark == ")":
                return _Arguments(tuple(found), position, closed=True)
    return _Arguments((), len(text), closed=False)


def _begins_value(text: str, at: int) -> bool:
    before = at - 1
    while text[before].isspace():
        before -= 1
    return text[before] in "(,=+"


def _call(line: Line, name: str, arguments: _Arguments) -> Call:
    if not arguments.closed:
        return Call(line, name, closed=False)
    keywords = {match[1]: match[2] for one in arguments.found if (match := _KEYWORD.fullmatch(one))}
    positional = tuple(one for one in arguments.found if not _KEYWORD.fullmatch(one))
    return Call(line, name, positional if positional != ("",) else (), keywords)
