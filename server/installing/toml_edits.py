"""Edits of one table in a TOML file that leave every other byte as it is, and can be taken back exactly.

The text is edited by lines, and the result counts only when it reads as the same data but for that table; so whatever
the lines are mistaken about (a text that looks like a table's head) ends as a refusal, never as a broken file.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from server.installing.refusing import Refused

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_LINE = re.compile(r"line (\d+)")


def read(text: str) -> dict[str, Any]:
    """Return the data; raise Refused."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise Refused(f"this is no TOML: {str(error).partition(' (at ')[0]}", line) from error


def with_table(text: str, path: tuple[str, str], values: Mapping[str, Any]) -> str:
    """Return the text with these values in the table, whose other values stay; raise Refused."""
    data, name = read(text), ".".join(path)
    table = _table(data, text, path)
    wanted = deepcopy(data)
    wanted.setdefault(path[0], {})[path[1]] = {**(table or {}), **values}
    if table is None:
        changed = _appended(text, name, values)
    elif all(table.get(key) == value for key, value in values.items()):
        return text
    else:
        changed = _set(text, path, values)
    return _checked(changed, wanted, text, path)


def without_table(text: str, path: tuple[str, str]) -> str:
    """Return the text without the table and all below it; raise Refused."""
    data = read(text)
    if _table(data, text, path) is None:
        return text
    wanted = deepcopy(data)
    del wanted[path[0]][path[1]]
    lines = _LINES.findall(text)
    for start, end in reversed(_blocks(lines, path)):
        if start and not lines[start - 1].strip():
            if end == len(lines) and start > 1 and not lines[-1].endswith("\n"):
                lines[start - 2] = lines[start - 2].rstrip("\r\n")  # as it was before the table was appended
            start -= 1
        del lines[start:end]
    return _checked("".join(lines), wanted, text, path)


def _table(data: dict[str, Any], text: str, path: tuple[str, str]) -> dict[str, Any] | None:
    outer = data.get(path[0], {})
    inner = outer.get(path[1]) if isinstance(outer, dict) else outer
    if inner is not None and not isinstance(inner, dict):
        name = path[0] if inner is outer else ".".join(path)
        raise Refused(f"`{name}` is no table", _line_of(text, name.rpartition(".")[2]))
    return inner


def _appended(text: str, name: str, values: Mapping[str, Any]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in values.items())])
    if not text:
        return block + newline
    # A file without a line end at its end keeps that way, so that the removal can tell.
    return text + newline + (block + newline if text.endswith("\n") else newline + block)


def _set(text: str, path: tuple[str, str], values: Mapping[str, Any]) -> str:
    lines = _LINES.findall(text)
    blocks = _blocks(lines, path)
    if not blocks:
        return text
    start, end = blocks[0]
    for key, value in values.items():
        line = f"{key} = {_toml(value)}"
        at = next((n for n in range(start + 1, end) if re.match(rf"\s*{key}\s*=", lines[n])), None)
        ending = "\r\n" if lines[start].endswith("\r\n") else "\n"
        if at is None:
            lines.insert(start + 1, line + ending)
            end += 1
        else:
            lines[at] = line + (ending if lines[at].endswith("\n") else "")
    return "".join(lines)


def _blocks(lines: list[str], path: tuple[str, str]) -> list[tuple[int, int]]:
    """Return where the table and those below it begin and end: at the last line that says something."""
    names = r"\s*\.\s*".join(rf"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')" for name in path)
    ours = re.compile(rf"\s*\[\s*{names}\s*(?:\.[^\]]*)?\]")
    heads = [n for n, line in enumerate(lines) if re.match(r"\s*\[", line)]
    found = []
    for start, after in zip(heads, [*heads, len(lines)][1:], strict=True):
        if ours.match(lines[start]):
            told = [n for n in range(start, after) if lines[n].strip() and not lines[n].lstrip().startswith("#")]
            found.append((start, told[-1] + 1))
    return found


def _checked(changed: str, wanted: dict[str, Any], text: str, path: tuple[str, str]) -> str:
    try:
        found = read(changed)
    except Refused:
        found = None
    for data in (found, wanted):
        if data is not None and data.get(path[0]) == {}:
            del data[path[0]]
    if found != wanted:
        name = ".".join(path)
        raise Refused(f"`{name}` stands in a form that is not edited here; edit it by hand", _line_of(text, path[0]))
    return changed


def _line_of(text: str, word: str) -> int:
    at = text.find(word)
    return text.count("\n", 0, max(at, 0)) + 1


def _toml(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # A basic string of TOML has the escapes of JSON; DEL alone must be escaped in TOML and is not in JSON.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
