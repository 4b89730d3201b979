"""Where a file defines a symbol, what stands there, and which values a name is given."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from posixpath import splitext
from typing import TYPE_CHECKING

from drift.grammars import parse
from drift.literals import Value, literal

if TYPE_CHECKING:
    from drift.grammars import Node

_NAME_FIELD = ("name",)
_DEFINING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        """
        function_definition class_definition function_declaration generator_function_declaration class_declaration
        abstract_class_declaration method_definition method_signature abstract_method_signature function_signature
        public_field_definition interface_declaration property_signature type_alias_declaration enum_declaration
        enum_assignment enum_body variable_declarator internal_module module class method_declaration type_spec
        type_alias const_spec var_spec method_elem record_declaration annotation_type_declaration
        constructor_declaration enum_constant function_item function_signature_item struct_item enum_item trait_item
        union_item const_item static_item type_item mod_item macro_definition enum_variant struct_specifier
        class_specifier enum_specifier union_specifier preproc_def preproc_function_def namespace_definition
        alias_declaration enumerator concept_definition struct_declaration property_declaration
        enum_member_declaration delegate_declaration namespace_declaration event_declaration trait_declaration
        enum_case property_element object_declaration companion_object method singleton_method
        annotation_type_element_declaration
        """.split(),
        _NAME_FIELD,
    ),
    "function_definition": ("name", "declarator"),
    "field_declaration": ("name", "declarator"),
    "field_definition": ("property", "name"),
    "declaration": ("declarator",),
    "type_definition": ("declarator",),
    "assignment": ("left",),
    "assignment_expression": ("left",),
    "type_alias_statement": ("left",),
    "pair": ("key",),
    "const_element": ("",),
    "enum_entry": ("",),
    "class_parameter": ("",),
    "type_alias_kotlin": ("type",),
}
_FIRST_CHILD = frozenset({"const_element", "enum_entry", "class_parameter", "property_declaration"})
_WRAPPERS = frozenset(
    """
    pointer_declarator function_declarator array_declarator reference_declarator parenthesized_declarator
    init_declarator qualified_identifier variable_name variable_declaration type
    """.split()
)
_MEMBERS = {"attribute": "attribute", "member_expression": "property", "field_expression": "field"}
_FUNCTIONS = frozenset(
    """
    function_definition function_declaration generator_function_declaration method_definition method_declaration
    function_item arrow_function function_expression constructor_declaration method singleton_method lambda
    """.split()
)
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
_VALUE_FIELDS = ("value", "right", "default_value")
_TRANSPARENT = frozenset({"parenthesized_expression"})
_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})
_QUOTES = "\"'`"
_SPLIT = re.compile(r"::|->|[.#]")
_SAYS = re.compile(r"\w")
_BARE = re.compile(r"(?:[-+]?\d[\w.]*|true|false|null)(?=[\s,;}\]]|$)")
_QUOTED_START = re.compile(r"""\"(?:\\.|[^\"\\])*\"|'[^']*'""")
_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")


def parts_of(symbol: str) -> tuple[str, ...]:
    """Return the names of a dotted symbol: `Foo.bar()`, `Foo::bar` and `Foo#bar` are (Foo, bar)."""
    plain = re.sub(r"[(\[<].*$", "", symbol.strip(), flags=re.DOTALL)
    return tuple(part for part in (part.strip().lstrip("@$&*") for part in _SPLIT.split(plain)) if part)


@dataclass(frozen=True)
class Definition:
    """What stands where a symbol is defined, without comments and white space."""

    tokens: tuple[str, ...]
    values: tuple[Value, ...] = ()

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
        return Definition(tokens, tuple(value for node in nodes if (value := _value_of(node)) is not None))

    def values(self, symbol: str) -> tuple[Value, ...]:
        """Return every value that the name is given where it is defined; else where it is a default or a key."""
        parts = parts_of(symbol)
        strong = [value for node in self._definitions(parts) if (value := _value_of(node)) is not None]
        if strong or not parts:
            return tuple(strong)
        weak = (self._weak_site(leaf) for leaf in self._leaves(parts[-1]))
        return tuple(value for node in weak if node is not None and (value := _value_of(node)) is not None)

    def mentions(self, symbol: str) -> bool:
        """Say whether the symbol's last name stands in it, outside of comments where a grammar tells them."""
        parts = parts_of(symbol) or (symbol,)
        return any(not _is_comment(leaf) for leaf in self._leaves(parts[-1])) if self.root else self.has_word(parts[-1])

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
            node = _defined_by(leaf)
            if node is not None and self._is_in(leaf, node, parts[:-1]):
                found.append((_is_local(leaf, node), _extent(leaf, node)))
        lasting = [node for is_local, node in found if not is_local]
        return lasting or [node for _, node in found]

    def _leaves(self, word: str) -> Iterator["Node"]:
        if self.root is None:
            return
        for start, end in self._places(word):
            leaf = self.root.descendant_for_byte_range(start, end)
            if leaf is not None and _text(leaf).strip(_QUOTES) == word:
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
        around = _scopes(leaf, node)
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


def significant(node: "Node") -> Iterator[str]:
    """Go through the tokens of a syntax tree as they matter: no comments, no layout, no ornament of a formatter.

    What brackets, commas and line ends would say is said by the tree's own nesting.
    """
    if node.type in _COMMENTS or _is_docstring(node):
        return
    if node.type in ("string", "string_literal", "interpreted_string_literal") and (text := _plain_text(node)):
        yield f'"{text}"'
        return
    children = node.children
    if not children:
        text = _text(node).strip()
        if text:
            yield text
        return
    if node.type in _TRANSPARENT:
        for child in children[1:-1]:
            yield from significant(child)
        return
    nests = node.is_named and len(children) > 1
    if nests:
        yield "("
    for index, child in enumerate(children):
        if child.type in (",", ";") and (index + 1 == len(children) or children[index + 1].type in ")]}>"):
            continue
        yield from significant(child)
    if nests:
        yield ")"


def _defined_by(leaf: "Node") -> "Node | None":
    """Return the node that the leaf is the name of; None when it only uses the name."""
    node = leaf
    while (parent := node.parent) is not None:
        if parent.type in _DEFINING and _names(parent, node):
            return parent
        member = _MEMBERS.get(parent.type)
        if (member and parent.child_by_field_name(member) == node) or (
            parent.type in _WRAPPERS and _is_head(parent, node)
        ):
            node = parent
            continue
        return None
    return None


def _extent(leaf: "Node", node: "Node") -> "Node":
    if node.type == "enum_body":
        return leaf
    return node.parent if node.parent is not None and node.parent.type == "decorated_definition" else node


def _names(parent: "Node", node: "Node") -> bool:
    if parent.type == "pair" and node.type == "string":
        return False
    if any(
        child == node for field in _DEFINING[parent.type] if field for child in parent.children_by_field_name(field)
    ):
        return True
    return (
        parent.type in _FIRST_CHILD
        and next((c for c in parent.named_children if "modifier" not in c.type), None) == node
    )


def _is_head(parent: "Node", node: "Node") -> bool:
    for field in ("declarator", "name"):
        head = parent.child_by_field_name(field)
        if head is not None:
            return head == node
    return bool(parent.named_children) and parent.named_children[0] == node


def _scopes(leaf: "Node", node: "Node") -> tuple[str, ...]:
    """Return the names around a definition, outermost first."""
    found: list[str] = []
    qualified = leaf.parent
    if qualified is not None and qualified.type == "qualified_identifier":
        scope = qualified.child_by_field_name("scope")
        found.extend(reversed(_SPLIT.split(_text(scope)) if scope else ()))
    owner = leaf.parent if leaf.parent is not None and leaf.parent.type in _MEMBERS else None
    holder = owner.named_children[0] if owner is not None else None
    if holder is not None and _text(holder) not in ("self", "this", "cls"):
        found.extend(part for part in reversed(_SPLIT.split(_text(holder))) if part not in ("prototype", "exports"))
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        types = re.findall(r"\w+", re.sub(r"\[.*\]", "", _text(receiver)))
        found.extend(types[-1:])
    around = node.parent
    while around is not None:
        is_own_method = holder is not None and around.type in _FUNCTIONS
        name = "" if is_own_method else _scope_name(around)
        if name:
            found.append(name)
        around = around.parent
    return tuple(reversed(found))


def _scope_name(node: "Node") -> str:
    if node.type == "impl_item":
        kind = node.child_by_field_name("type")
        return re.split(r"[<\s]", _text(kind))[0].split("::")[-1] if kind else ""
    if node.type not in _DEFINING or node.type in ("enum_body", "pair"):
        return ""
    named = node.child_by_field_name("name") or (
        node.child_by_field_name("left") if node.type in ("assignment", "assignment_expression") else None
    )
    return _text(named) if named is not None else ""


def _is_local(leaf: "Node", node: "Node") -> bool:
    """Say whether a definition lasts no longer than a call: a variable of a function."""
    if leaf.parent is not None and leaf.parent.type in _MEMBERS:
        return False
    if node.type not in ("assignment", "variable_declarator", "var_spec", "const_spec", "declaration", "pair"):
        return False
    around = node.parent
    while around is not None:
        if around.type in _FUNCTIONS:
            return True
        around = around.parent
    return False


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
    return Value.of(_text(value), tuple(significant(value)))


def _is_docstring(node: "Node") -> bool:
    if node.type != "expression_statement" or node.named_child_count != 1 or node.named_children[0].type != "string":
        return False
    return node.parent is not None and node.parent.type in ("block", "module")


def _is_comment(node: "Node") -> bool:
    around: Node | None = node
    while around is not None:
        if around.type in _COMMENTS or _is_docstring(around):
            return True
        around = around.parent
    return False


def _plain_text(node: "Node") -> str:
    """Return the text of a string whose quotes could be any; empty when that matters."""
    text = _text(node)
    inner = text[1:-1]
    is_plain = len(text) > 2 and text[0] in _QUOTES and text[-1] == text[0]
    return inner if is_plain and not any(mark in inner for mark in "\\\"'`$\n{") else ""


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")
