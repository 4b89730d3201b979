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

    What brackets, commas and line ends would say is said by the tree's own nesting, which may be of any depth.
    """
    waiting: list[Node | str] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
            continue
        if one.type in COMMENTS or is_docstring(one):
            continue
        if one.type in ("string", "string_literal", "interpreted_string_literal") and (text := _plain_text(one)):
            yield f'"{text}"'
            continue
        children = one.children
        if not children:
            if text := text_of(one).strip():
                yield text
        elif one.type in _TRANSPARENT:
            waiting.extend(reversed(children[1:-1]))
        else:
            if one.is_named and len(children) > 1:
                yield "("
                waiting.append(")")
            followers = [child.type for child in children[1:]] + [""]
            waiting.extend(
                child
                for child, follower in zip(reversed(children), reversed(followers), strict=True)
                if not (child.type in (",", ";") and follower in ")]}>")
            )


def written(node: "Node") -> Iterator[str]:
    """Go through the texts of a syntax tree's leaves, comments and docstrings left out."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in COMMENTS or is_docstring(one):
            continue
        children = one.children
        if not children:
            yield text_of(one)
        waiting.extend(reversed(children))


def is_docstring(node: "Node") -> bool:
    """Say whether a statement is a string that documents what it stands in."""
    if node.type != "expression_statement" or node.named_child_count != 1 or node.named_children[0].type != "string":
        return False
    return node.parent is not None and node.parent.type in ("block", "module")


def is_comment(node: "Node") -> bool:
    """Say whether a node lies in a comment or a docstring."""
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
    """Return what stands there in the file."""
    return (node.text or b"").decode("utf-8", "replace")
