"""What a client tells a hook on standard input, and the answer in the form that this client reads.

Claude Code, Codex and VS Code name fields alike; Cursor and Copilot's own agents have names of their own. Unknown
fields are left alone, missing ones are empty.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

_EDITING = re.compile(r"edit|write|create|replace|insert|patch|notebook|delete", re.IGNORECASE)
_READING = re.compile(r"read|search|grep|glob|list|^mcp", re.IGNORECASE)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$|^\*\*\* Move to: (.+?)\s*$", re.MULTILINE)
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_PATH_FIELDS = ("file_path", "filePath", "path", "notebook_path", "target_file")
_LIST_FIELDS = ("files", "edits", "replacements", "paths")
_PATCH_FIELDS = ("command", "input", "patch")
_MOST_PATHS = 50
_LONGEST_PATH = 4_096


class Call(NamedTuple):
    """A hook's call: the client's own session id, the folder it works in, and the files of an edit."""

    session: str = ""
    folder: str = ""
    paths: tuple[str, ...] = ()
    shape: Literal["claude", "cursor", "copilot"] = "claude"


def read_call(given: bytes) -> Call:
    """Return the call; raise ValueError for what is no JSON object."""
    told = json.loads(given.decode("utf-8-sig", "replace"))
    if not isinstance(told, dict):
        raise ValueError("the client told no JSON object")
    roots = told.get("workspace_roots")
    tool, arguments = _tool(told)
    is_edit = bool(_EDITING.search(tool)) and not _READING.search(tool)
    return Call(
        session=_text(told, "session_id", "sessionId", "conversation_id"),
        folder=_text(told, "cwd") or (str(roots[0]) if isinstance(roots, list) and roots else ""),
        paths=tuple(dict.fromkeys(filter(_is_path, _paths(arguments))))[:_MOST_PATHS] if is_edit else (),
        shape="cursor" if "cursor_version" in told or roots else "copilot" if "sessionId" in told else "claude",
    )


def answer(call: Call, event: Literal["SessionStart", "PreToolUse"], text: str) -> str:
    """Return the text as the client takes it in; nothing is allowed or forbidden by it."""
    specific = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    match call.shape:
        case "cursor":
            made: dict[str, Any] = {"additional_context": text}
            if event == "PreToolUse":
                made["agent_message"] = text
        case "copilot":
            made = {"additionalContext": text, **specific}
        case _:
            made = specific  # Codex refuses an answer with a field that it does not know
    return json.dumps(made)


def _tool(told: dict[str, Any]) -> tuple[str, Any]:
    arguments = told.get("tool_input", told.get("toolArgs"))
    if isinstance(arguments, str):  # Copilot's agents tell them as JSON in a text
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = {"input": arguments}
    return _text(told, "tool_name", "toolName"), arguments


def _paths(arguments: Any) -> Iterator[str]:
    """Yield the paths in a tool's arguments, whatever the client calls them; those in a patch too."""
    if isinstance(arguments, str):
        arguments = {"path": arguments}
    if not isinstance(arguments, dict):
        return
    for name in _PATH_FIELDS:
        path = arguments.get(name)
        if isinstance(path, str):
            yield path
    for name in _LIST_FIELDS:
        many = arguments.get(name)
        for one in many if isinstance(many, list) else ():
            yield from _paths(one)
    for name in _PATCH_FIELDS:
        patch = arguments.get(name)
        if isinstance(patch, str):
            yield from (found[1] or found[2] for found in _PATCHED.finditer(patch))


def _is_path(path: str) -> bool:
    """Say whether a file can be called so: half a surrogate pair names none."""
    return 0 < len(path) <= _LONGEST_PATH and "\0" not in path and not _HALF_PAIR.search(path)


def _text(told: dict[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := told.get(name), str) and value), "")
