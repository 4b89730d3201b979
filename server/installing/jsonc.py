"""JSON with comments, read with the place of everything in it."""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, NoReturn

from server.installing.refusing import Refused

_SCALAR = re.compile(r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])")
_TRIVIA = re.compile(r"[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_DEEPEST = 200


@dataclass(slots=True)
class Node:
    """A value with its place in the text, and the members or items in it."""

    start: int
    value: Any
    end: int = -1
    children: list["Child"] = field(default_factory=list)

    @property
    def is_box(self) -> bool:
        """Say whether it is an object or an array."""
        return isinstance(self.value, dict | list)


@dataclass(slots=True)
class Child:
    """A member (`start` is its key's) or an item; `comma` is where the comma after it stands, -1 for none."""

    start: int
    node: Node
    key: str = ""
    comma: int = -1


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its values; `ends` is after each line comment."""

    text: str
    root: Node
    ends: frozenset[int]

    def line(self, offset: int) -> int:
        """Return the line, counted from 1, that an offset stands in."""
        return self.text.count("\n", 0, offset) + 1


def parse(text: str) -> Document:
    """Return the document; comments and trailing commas are fine. Raise Refused."""
    return _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._breaks = [found.start() for found in re.finditer("\n", text)]
        self._ends: set[int] = set()
        self._decoder = json.JSONDecoder()

    def document(self) -> Document:
        self._skip()
        root = self._value(0)
        self._skip()
        if self._at < len(self._text):
            self._fail("more follows after the end of the value")
        return Document(self._text, root, frozenset(self._ends))

    def _fail(self, what: str) -> NoReturn:
        raise Refused(what, bisect_right(self._breaks, self._at - 1) + 1)

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self) -> None:
        while found := _TRIVIA.match(self._text, self._at):
            self._at = found.end()
            if found[0].startswith("//"):
                self._ends.add(self._at)

    def _value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            self._fail(f"nests deeper than {_DEEPEST} levels")
        match self._peek():
            case "{":
                return self._box(Node(self._at, {}), "}", depth)
            case "[":
                return self._box(Node(self._at, []), "]", depth)
            case '"':
                start = self._at
                return Node(start, self._string(), self._at)
        found = _SCALAR.match(self._text, self._at)
        if found is None:
            self._fail("a value is missing or misspelled")
        self._at = found.end()
        return Node(found.start(), json.loads(found[0]), found.end())

    def _string(self) -> str:
        try:
            value, self._at = self._decoder.raw_decode(self._text, self._at)
        except json.JSONDecodeError as error:
            self._fail(f"a string is broken: {error.msg}")
        return str(value)

    def _box(self, box: Node, close: str, depth: int) -> Node:
        self._at += 1
        while True:
            self._skip()
            if self._peek() == close:
                self._at += 1
                box.end = self._at
                return box
            if box.children and box.children[-1].comma < 0:
                self._fail(f"a comma or {close!r} is missing")
            self._child(box, depth)
            self._skip()
            if self._peek() == ",":
                box.children[-1].comma = self._at
                self._at += 1

    def _child(self, box: Node, depth: int) -> None:
        start, key = self._at, ""
        if isinstance(box.value, dict):
            if self._peek() != '"':
                self._fail("a key in double quotes, or the end of the object, is missing")
            key = self._string()
            self._skip()
            if self._peek() != ":":
                self._fail("a colon is missing after a key")
            self._at += 1
            self._skip()
        node = self._value(depth + 1)
        box.children.append(Child(start, node, key))
        if isinstance(box.value, dict):
            box.value[key] = node.value
        else:
            box.value.append(node.value)
