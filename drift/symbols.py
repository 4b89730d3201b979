"""Where a file defines a symbol, what stands there, and which values a name is given."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import splitext
from typing import TYPE_CHECKING

from drift.defining import SPLIT, defined_by, extent, is_local, scopes
from drift.grammars import parse
from drift.literals import Value, literal
from drift.syntax import QUOTES, is_comment, significant, squeezed, text_of, written

if TYPE_CHECKING:
    from drift.grammars import Node

_WEAK_VALUES = {
    "default_parameter": "name",
    "typed_default_parameter": "name",
    "keyword_argument": "name",
    "pair": "key",
    "required_parameter": "pattern",
    "assignment_pattern": "left",
    "element_value_pair": "key",
    "optional_parameter": "name",
    "simple_parameter": "name",
    "field_initializer": "field",
    "keyed_element": "",
    "attribute": "",
}
_RETURNS = frozenset({"return_statement", "return_expression", "return", "jump_expression"})
_CALLS = {
    **dict.fromkeys(("call", "call_expression", "function_call_expression", "invocation_expression"), "function"),
    **dict.fromkeys(("method_invocation", "member_call_expression", "scoped_call_expression"), "name"),
    "new_expression": "constructor",
    "object_creation_expression": "type",
}
_VALUE_FIELDS = ("value", "right", "default_value")
_NAMES = re.compile(r"[A-Za-z_$][\w$]*")
_SAYS = re.compile(r"\w")
_BARE = re.compile(r"(?:[-+]?\d[\w.]*|true|false|null)(?=[\s,;}\]]|$)")
_QUOTED_START = re.compile(r"""\"(?:\\.|[^\"\\])*\"|'[^']*'""")
_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")


def parts_of(symbol: str) -> tuple[str, ...]:
    """Return the names of a dotted symbol: `Foo.bar()`, `Foo::bar` and `Foo#bar` are (Foo, bar)."""
    plain = re.sub(r"[(\[<].*$", "", symbol.strip(), flags=re.DOTALL)
    return tuple(part for part in (part.strip().lstrip("@$&*") for part in SPLIT.split(plain)) if part)


@dataclass(frozen=True)
class Definition:
    """What stands where a symbol is defined, without comments and white space."""

    tokens: tuple[str, ...]
    values: tuple[Value, ...] = ()
    text: str = ""
    nodes: "tuple[Node, ...]" = field(default=(), repr=False, compare=False)

    @cached_property
    def given(self) -> dict[str, list[Value]]:
        """What the parameters, keywords and keys in it are given, by their names."""
        found: dict[str, list[Value]] = {}
        for node in self._inside():
            name = (
                node.child_by_field_name(_WEAK_VALUES.get(node.type) or "name") if node.type in _WEAK_VALUES else None
            )
            if name is not None and (value := _value_of(node)) is not None:
                found.setdefault(text_of(name).strip(QUOTES + "$"), []).append(value)
        return found

    @cached_property
    def returned(self) -> frozenset[str]:
        """What it returns, squeezed."""
        texts = ("".join(written(node)) for node in self._inside() if node.type in _RETURNS)
        return frozenset(squeezed(text).removeprefix("return") for text in texts)

    @cached_property
    def called(self) -> frozenset[str]:
        """The last names of what it calls."""
        heads = (
            node.child_by_field_name(part) for node in self._inside() if (part := _CALLS.get(node.type)) is not None
        )
        return frozenset(names[-1] for head in heads if head is not None and (names := _NAMES.findall(text_of(head))))

    def _inside(self) -> "Iterator[Node]":
        rest = list(self.nodes)
        while rest:
            node = rest.pop()
            rest.extend(node.named_children)
            yield node

    @cached_property
    def words(self) -> frozenset[str]:
        """The names, numbers and texts in it, literals as `literal` spells them."""
        return frozenset(literal(token) or token for token in self.tokens)

    def kept_in(self, other: "Definition") -> float:
        """Return the share of its names and literals that the other has too, 0 to 1."""
        mine, theirs = (Counter(token for token in one.tokens if _SAYS.search(token)) for one in (self, other))
        return (mine & theirs).total() / max(1, mine.total())


class Source:
    """One version of one file."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content

    @cached_property
    def root(self) -> "Node | None":
        return parse(self.path, self.content)

    @property
    def is_whole(self) -> bool:
        """Whether there is a grammar for it, and all of it was understood."""
        return self.root is not None and not self.root.has_error

    def definition(self, symbol: str) -> Definition | None:
        """Return what defines the symbol (overloads and branches together); None where nothing does."""
        nodes = self._definitions(parts_of(symbol))
        if not nodes:
            return None
        tokens = tuple(token for node in nodes for token in significant(node))
        values = tuple(value for node in nodes if (value := _value_of(node)) is not None)
        text = squeezed("".join(text for node in nodes for text in written(node)))
        return Definition(tokens, values, text, tuple(nodes))

    @cached_property
    def text(self) -> str:
        """All of it without comments, layout and what a formatter adds."""
        return squeezed("".join(written(self.root)) if self.root else self.content.decode("utf-8", "replace"))

    def values(self, symbol: str) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
        """Return every value that the name is given where it is defined, and where it is a default or a key."""
        parts = parts_of(symbol)
        if not parts:
            return (), ()
        if self.root is None:
            return self.assigned(symbol), ()
        strong = [value for node in self._definitions(parts) if (value := _value_of(node)) is not None]
        sites = (self._weak_site(leaf) for leaf in self._leaves(parts[-1]))
        weak = [value for node in sites if node is not None and (value := _value_of(node)) is not None]
        return tuple(strong), tuple(weak)

    def mentions(self, symbol: str) -> bool:
        """Say whether the symbol's last name stands in it, outside of comments where a grammar tells them."""
        parts = parts_of(symbol) or (symbol,)
        return any(not is_comment(leaf) for leaf in self._leaves(parts[-1])) if self.root else self.has_word(parts[-1])

    def spells(self, symbol: str) -> bool:
        """Say whether it uses the symbol as it is written, `app.run` with its `app`."""
        parts = parts_of(symbol)
        if len(parts) < 2:
            return self.mentions(symbol)
        names = (re.escape(part.encode()) for part in parts)
        dotted = re.compile(rb"(?<![\w\x80-\xff])" + rb"\s*(?:\.|::|->|#|\?\.)\s*".join(names) + rb"(?![\w$\x80-\xff])")
        return dotted.search(self.content) is not None and self.mentions(parts[-1])

    def assigned(self, name: str) -> tuple[Value, ...]:
        """Return what a configuration file sets the name to: `NAME=value`, `name: value`, `"name": value`."""
        last = (parts_of(name) or (name,))[-1]
        places = re.compile(
            rb"(?<![\w.$-])[\"']?" + re.escape(last.encode()) + rb"[\"']?[ \t]*(?::=|\?=|=>|[:=])[ \t]*([^\r\n]*)"
        )
        found = (_setting(match[1].decode("utf-8", "replace")) for match in places.finditer(self.content))
        return tuple(Value.of(text, (text,)) for text in found if text)

    def has_word(self, word: str) -> bool:
        """Say whether a word stands anywhere in it."""
        return any(True for _ in self._places(word))

    def _definitions(self, parts: Sequence[str]) -> list["Node"]:
        if not parts or self.root is None:
            return []
        found: list[tuple[bool, Node]] = []
        for leaf in self._leaves(parts[-1]):
            node = defined_by(leaf)
            if node is not None and self._is_in(leaf, node, parts[:-1]):
                found.append((is_local(leaf, node), extent(leaf, node)))
        lasting = [node for is_local, node in found if not is_local]
        return lasting or [node for _, node in found]

    def _leaves(self, word: str) -> Iterator["Node"]:
        if self.root is None:
            return
        for start, end in self._places(word):
            leaf = self.root.descendant_for_byte_range(start, end)
            if leaf is not None and text_of(leaf).strip(QUOTES) == word:
                yield leaf

    def _places(self, word: str) -> Iterator[tuple[int, int]]:
        pattern = re.compile(rb"(?<![\w\x80-\xff])" + re.escape(word.encode()) + rb"(?![\w$\x80-\xff])")
        return (match.span() for match in pattern.finditer(self.content))

    @cached_property
    def _modules(self) -> frozenset[str]:
        return frozenset(splitext(self.path)[0].split("/"))

    def _is_in(self, leaf: "Node", node: "Node", scope: Sequence[str]) -> bool:
        """Say whether a definition stands in the scope; what the file itself is called may lead it."""
        if not scope:
            return True
        around = scopes(leaf, node)
        inner = min(len(around), len(scope))
        outer = scope[: len(scope) - inner]
        return tuple(scope[len(outer) :]) == around[len(around) - inner :] and set(outer) <= self._modules

    @staticmethod
    def _weak_site(leaf: "Node") -> "Node | None":
        node = leaf
        while node.parent is not None and node.parent.type in ("string", "variable_name", "literal_element"):
            node = node.parent
        return node.parent if node.parent is not None and node.parent.type in _WEAK_VALUES else None


def _setting(rest: str) -> str:
    """Return the value at the start of the rest of a line: without its comment and what ends an entry."""
    whole = _QUOTED_START.match(rest) or _BARE.match(rest)
    return whole[0] if whole else re.split(r"\s+[#;]|\s*[,;}\]]\s*$|\s*//", rest, maxsplit=1)[0].strip()


def names_in(content: bytes) -> frozenset[bytes]:
    """Return every name of a file."""
    return frozenset(_WORD.findall(content))


def _value_of(node: "Node") -> Value | None:
    value = next((found for field in _VALUE_FIELDS if (found := node.child_by_field_name(field))), None)
    if value is None and node.type == "field_declaration":
        declarator = node.child_by_field_name("declarator")
        value = declarator.child_by_field_name("value") if declarator else None
    if value is None and node.type == "declaration":
        declarator = node.child_by_field_name("declarator")
        value = declarator.child_by_field_name("value") if declarator else None
    if value is None and node.type in ("variable_declarator", "const_element", "property_declaration"):
        rest = node.named_children[1:]
        value = rest[-1] if rest and "type" not in rest[-1].type and "declaration" not in rest[-1].type else None
    if value is None:
        return None
    if value.type == "expression_list" and value.named_child_count == 1:
        value = value.named_children[0]
    return Value.of(text_of(value), tuple(significant(value)))
