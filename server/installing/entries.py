"""What is put into a client's files, and how each kind of file takes it in and gives it up again."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from server.installing.commands import runs_our_hook
from server.installing.json_edits import array_at, new_document, with_item, with_member, without_items, without_member
from server.installing.jsonc import parse
from server.installing.toml_edits import with_table, without_table

_COMMAND_FIELDS = ("command", "bash", "powershell", "windows", "commandWindows")
_MARK = "<!-- Installed by archmem"


class Edit(Protocol):
    """Something of ours in one file; both ways take the text of today and return that of tomorrow, "" for no file."""

    @property
    def path(self) -> Path: ...

    def added(self, text: str) -> str:
        """Return the text with what is ours; raise Refused."""
        ...

    def removed(self, text: str) -> str:
        """Return the text without what is ours; raise Refused."""
        ...


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """A member of a JSON file; what else stands in it (an `env` of the user's) stays."""

    path: Path
    keys: tuple[str, ...]
    value: Mapping[str, Any]

    def added(self, text: str) -> str:
        if not text.strip():
            made: Any = self.value
            for key in reversed(self.keys):
                made = {key: made}
            return new_document(made)
        known: Any = parse(text).root.value
        for key in self.keys:
            known = known.get(key) if isinstance(known, dict) else known
        if known is None or (isinstance(known, dict) and "url" in known):
            return with_member(text, self.keys, dict(self.value))
        for key, value in self.value.items():
            text = with_member(text, (*self.keys, key), value)
        return text

    def removed(self, text: str) -> str:
        return without_member(text, self.keys) if text.strip() else text


@dataclass(frozen=True, slots=True)
class TomlEntry:
    """A table of a TOML file."""

    path: Path
    keys: tuple[str, str]
    values: Mapping[str, Any]

    def added(self, text: str) -> str:
        return with_table(text, self.keys, self.values)

    def removed(self, text: str) -> str:
        return without_table(text, self.keys)


@dataclass(frozen=True, slots=True)
class HookFile:
    """One hook for each event, among the user's own; a file of ours says the format's `version` where it has one."""

    path: Path
    hooks: Mapping[str, Mapping[str, Any]]
    version: int | None = None

    def added(self, text: str) -> str:
        if not text.strip():
            made: dict[str, Any] = {"hooks": {event: [hook] for event, hook in self.hooks.items()}}
            return new_document(made if self.version is None else {**made, "version": self.version})
        for event, hook in self.hooks.items():
            array = array_at(parse(text), ("hooks", event))
            ours = [at for at, one in enumerate(array.value) if _is_ours(one)] if array else []
            if array is None or len(ours) != 1 or _mixed(array.value) is not None:
                text = with_item(self._without(text, event) or "{}", ("hooks", event), hook)
            else:
                text = with_member(text, ("hooks", event, ours[0]), hook)
        return text

    def removed(self, text: str) -> str:
        if not text.strip():
            return text
        # A file of ours begins with the hooks; in one of somebody else they were added after the version.
        members = parse(text).root.children
        is_made_by_us = self.version is not None and bool(members) and members[0].key == "hooks"
        for event in self.hooks:
            text = self._without(text, event)
        return "" if is_made_by_us and text == new_document({"version": self.version}) else text

    def _without(self, text: str, event: str) -> str:
        text = without_items(text, ("hooks", event), _is_ours)
        while (at := _mixed(_items(text, event))) is not None:
            text = without_items(text, ("hooks", event, at, "hooks"), _is_our_command)
        return text


@dataclass(frozen=True, slots=True)
class SkillFile:
    """The skill that teaches an agent to use the memory; one without our first line belongs to the user."""

    path: Path

    def added(self, text: str) -> str:
        return text if text.strip() and _MARK not in text else skill()

    def removed(self, text: str) -> str:
        return "" if _MARK in text else text


def skill() -> str:
    """Return the skill as it is shipped."""
    return (files("server.installing") / "skill" / "SKILL.md").read_text(encoding="utf-8")


def _items(text: str, event: str) -> list[Any]:
    array = array_at(parse(text), ("hooks", event)) if text.strip() else None
    return array.value if array else []


def _is_ours(item: Any) -> bool:
    inner = item.get("hooks") if isinstance(item, dict) else None
    return bool(inner) and all(map(_is_our_command, inner)) if isinstance(inner, list) else _is_our_command(item)


def _is_our_command(item: Any) -> bool:
    return isinstance(item, dict) and any(runs_our_hook(item.get(field)) for field in _COMMAND_FIELDS)


def _mixed(items: list[Any]) -> int | None:
    """Return where a group stands that holds hooks of ours and of the user."""
    for at, item in enumerate(items):
        inner = item.get("hooks") if isinstance(item, dict) else None
        if isinstance(inner, list) and any(map(_is_our_command, inner)) and not _is_ours(item):
            return at
    return None
