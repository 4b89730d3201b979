"""Edits of JSON with comments that leave every other byte as it is, and can be taken back exactly.

What an edit makes tells later what it made: a box of ours is spread out (`{ "a": 1 }`), while in an empty box of
somebody else our member touches the bracket (`{"a": 1}`). So a removal knows which empty boxes to leave behind.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from server.installing.jsonc import Child, Document, Node, parse
from server.installing.refusing import Refused

_INDENT = re.compile(r"\n([ \t]+)\S")
_BLANK_TO_LINE_END = re.compile(r"(?:[ \t]|//[^\r\n]*|/\*[^\r\n]*?\*/)*(?=\r?\n)")

Path = tuple[str | int, ...]
"""Keys, and places in arrays, from the whole document on."""


def new_document(value: object) -> str:
    """Return a document that removals will empty again."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def with_member(text: str, path: Path, value: object) -> str:
    """Return the text with the value at the path; boxes on the way are made. Raise Refused."""
    document = parse(text)
    box, name = document.root, "the file"
    for depth, key in enumerate(path):
        box = box if isinstance(key, int) else _object(document, box, name)
        child = _member(document, box, key)
        rest = path[depth + 1 :]
        if child is None:
            assert isinstance(key, str)
            made = value
            for below in reversed(rest):
                made = {below: made}
            return _inserted(document, box, made, key)
        if not rest:
            return text if child.node.value == value else _replaced(document, box, child, value)
        box, name = child.node, str(key)
    return text


def without_member(text: str, path: Path) -> str:
    """Return the text without what is at the path, nor boxes of ours that it leaves empty; "" where nothing stays."""
    document = parse(text)
    boxes, children, name = [document.root], [], "the file"
    for key in path:
        child = _member(document, _object(document, boxes[-1], name), key)
        if child is None:
            return text
        name = str(key)
        children.append(child)
        boxes.append(child.node)
    return _without(document, boxes[:-1], children)


def with_item(text: str, path: Path, value: object) -> str:
    """Return the text with one more item in the array at the path, which is made where it is missing."""
    document = parse(text)
    array = array_at(document, path)
    return with_member(text, path, [value]) if array is None else _inserted(document, array, value)


def without_items(text: str, path: Path, is_ours: Callable[[Any], bool]) -> str:
    """Return the text without the items of the array at the path that are ours; "" where nothing stays."""
    while text:
        document = parse(text)
        array = array_at(document, path)
        chosen = next((child for child in array.children if is_ours(child.node.value)), None) if array else None
        if array is None or chosen is None:
            return text
        boxes, children = [document.root], []
        for key in path:
            child = _member(document, boxes[-1], key)
            assert child is not None
            children.append(child)
            boxes.append(child.node)
        text = _without(document, boxes, [*children, chosen])
    return text


def array_at(document: Document, path: Path) -> Node | None:
    """Return the array at the path, None where there is none; raise Refused for anything else there."""
    node, name = document.root, "the file"
    for key in path:
        box = node if isinstance(key, int) else _object(document, node, name)
        child = _member(document, box, key)
        if child is None:
            return None
        node, name = child.node, str(key)
    if not isinstance(node.value, list):
        raise Refused(f"`{'.'.join(map(str, path))}` is no array", document.line(node.start))
    return node


def _object(document: Document, node: Node, name: str) -> Node:
    if not isinstance(node.value, dict):
        raise Refused(f"{name if name == 'the file' else f'`{name}`'} is no object", document.line(node.start))
    return node


def _member(document: Document, box: Node, key: str | int) -> Child | None:
    if isinstance(key, int):
        return box.children[key]
    found = [child for child in box.children if child.key == key]
    if len(found) > 1:
        raise Refused(f"`{key}` stands here a second time", document.line(found[1].start))
    return found[0] if found else None


def _inserted(document: Document, box: Node, value: object, key: str | None = None) -> str:
    text = document.text
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if not box.children:
        return _spliced(text, (box.start + 1, box.start + 1, name + _on_one_line(value)))
    last = box.children[-1]
    space = _space_before(text, last.start)
    after = last.node.end if last.comma < 0 else last.comma + 1
    if "\n" in space:
        indent = space.rpartition("\n")[2]
        lead = ("\r\n" if "\r\n" in space else "\n") + indent
        found = _BLANK_TO_LINE_END.match(text, after)
        at, made = found.end() if found else after, name + _spread(document, value, indent)
    else:
        lead, at, made = " ", after, name + _on_one_line(value)
    if last.comma >= 0:
        return _spliced(text, (at, at, f"{lead}{made},"))
    return _spliced(text, (last.node.end, last.node.end, ","), (at, at, lead + made))


def _replaced(document: Document, box: Node, child: Child, value: object) -> str:
    space = _space_before(document.text, child.start)
    spread = "\n" in space and "\n" in document.text[box.start : box.end]
    made = _spread(document, value, space.rpartition("\n")[2]) if spread else _on_one_line(value)
    return _spliced(document.text, (child.node.start, child.node.end, made))


def _without(document: Document, boxes: list[Node], children: list[Child]) -> str:
    """Return the text without the last child, `boxes` being what each child lies in."""
    text, box, child = document.text, boxes[-1], children[-1]
    end = child.node.end if child.comma < 0 else child.comma + 1
    if len(box.children) == 1:
        around = text[box.start + 1 : child.start], text[end : box.end - 1]
        if not around[0] or (around[0] + around[1]).strip():
            return _spliced(text, (child.start, end, ""))
        return _without(document, boxes[:-1], children[:-1]) if len(boxes) > 1 else _around(document)
    start = child.start - len(_space_before(text, child.start))
    if start in document.ends and not re.match(r"[ \t]*\r?\n", text[end:]):
        start = text.index("\n", start) + 1  # what follows must not become part of the comment
    if child.comma >= 0:
        return _spliced(text, (start, end, ""))
    previous = box.children[box.children.index(child) - 1]
    return _spliced(text, (previous.comma, previous.comma + 1, ""), (start, end, ""))


def _around(document: Document) -> str:
    """Return what is left when nothing is left of the value: nothing, unless somebody commented on it."""
    text, root = document.text, document.root
    left = text[: root.start] + text[root.end :]
    return f"{text[: root.start]}{{}}{text[root.end :]}" if left.strip() else ""


def _space_before(text: str, offset: int) -> str:
    return text[len(text[:offset].rstrip(" \t\r\n")) : offset]


def _spliced(text: str, *edits: tuple[int, int, str]) -> str:
    for start, end, new in sorted(edits, key=lambda edit: edit[:2])[::-1]:
        text = text[:start] + new + text[end:]
    return text


def _spread(document: Document, value: object, indent: str) -> str:
    """Return the value over several lines, indented as the document is."""
    found = _INDENT.search(document.text)
    lines = json.dumps(value, indent=found[1] if found else 2, ensure_ascii=False)
    return lines.replace("\n", ("\r\n" if "\r\n" in document.text else "\n") + indent)


def _on_one_line(value: object) -> str:
    if isinstance(value, dict) and value:
        members = (f"{json.dumps(key, ensure_ascii=False)}: {_on_one_line(one)}" for key, one in value.items())
        return f"{{ {', '.join(members)} }}"
    if isinstance(value, list) and value:
        return f"[ {', '.join(map(_on_one_line, value))} ]"
    return json.dumps(value, ensure_ascii=False)
