"""What a syntax tree says once layout, comments and the ornaments of a formatter are left out."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.grammars import Node

_TRANSPARENT = frozenset({"parenthesized_expression"})
COMMENTS = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})
QUOTES = "\"'`"


def squeezed(text: str) -> str:
    """Return a text without white space, with one kind of quotes and no comma or semicolon at an end."""
    plain = re.sub(r"\s+", "", text).replace("'", '"').replace("`", '"')
    return re.sub(r",(?=[)\]}])", "", plain).rstrip(",;")


def significant(node: "Node") -> Iterator[str]:
    """Go through the tokens of a syntax tree as they matter: no comments, no layout, no ornament of a formatter.

    What brackets, commas and line ends would say is said by the tree's own nesting.
    """
    if node.type in COMMENTS or is_docstring(node):
        return
    if node.type in ("string", "string_literal", "interpreted_string_literal") and (text := _plain_text(node)):
        yield f'"{text}"'
        return
    children = node.children
    if not children:
        text = text_of(node).strip()
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


def written(node: "Node") -> Iterator[str]:
    if node.type in COMMENTS or is_docstring(node):
        return
    if not node.children:
        yield text_of(node)
    for child in node.children:
        yield from written(child)


def is_docstring(node: "Node") -> bool:
    if node.type != "expression_statement" or node.named_child_count != 1 or node.named_children[0].type != "string":
        return False
    return node.parent is not None and node.parent.type in ("block", "module")


def is_comment(node: "Node") -> bool:
    around: Node | None = node
    while around is not None:
        if around.type in COMMENTS or is_docstring(around):
            return True
        around = around.parent
    return False


def _plain_text(node: "Node") -> str:
    """Return the text of a string whose quotes could be any; empty when that matters."""
    text = text_of(node)
    inner = text[1:-1]
    is_plain = len(text) > 2 and text[0] in QUOTES and text[-1] == text[0]
    return inner if is_plain and not any(mark in inner for mark in "\\\"'`$\n{") else ""


def text_of(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")
