"""YAML as values that know their lines; read without recursion, in bounded memory, and without types but text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.c4.findings import Findings

_MOST_VALUES = 100_000  # what aliases stand for counted in full
_DEEPEST = 50
_NULLS = ("", "~", "null", "Null", "NULL")
_TRUTHS = ("true", "yes", "on")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Value:
    """A text, a list or a mapping, and the line of its key, or its own where it has none."""

    line: int
    content: "str | list[Value] | dict[str, Value]"
    quoted: bool = False


@dataclass(eq=False, slots=True)
class _Open:
    """A list or mapping that is being read; `size` counts the values in it."""

    value: Value
    anchor: str | None
    key: tuple[str, int] | None = None
    size: int = 1


class YamlFile:
    """One file: it answers what a value holds, and warns of one that holds something else."""

    def __init__(self, path: str, findings: Findings) -> None:
        self.path = path
        self._findings = findings

    def where(self, value: Value) -> str:
        """Return where the value stands."""
        return f"{self.path}:{value.line}"

    def warn(self, value: Value, what: str) -> None:
        """Warn at the value's line."""
        self._findings.warn(self.where(value), what)

    def fault(self, value: Value, what: str) -> None:
        """Refuse the model for what stands at this line."""
        self._findings.fault(self.where(value), what)

    def text(self, value: Value | None) -> str:
        """Return the text; an empty one for none."""
        if value is None:
            return ""
        if isinstance(value.content, str):
            return value.content.strip()
        self.warn(value, "a text is expected here; it was left out")
        return ""

    def is_true(self, value: Value | None) -> bool:
        """Say whether it is `true`."""
        return self.text(value).lower() in _TRUTHS

    def items(self, value: Value | None) -> Sequence[Value]:
        """Return the items of a list; none for nothing."""
        if value is None or value.content == "":
            return ()
        if isinstance(value.content, list):
            return value.content
        self.warn(value, "a list is expected here; it was left out")
        return ()

    def texts(self, value: Value | None) -> list[str]:
        """Return the texts of a list, or a single one."""
        single = value is not None and isinstance(value.content, str)
        found = [self.text(one) for one in ([value] if single else self.items(value))]
        return [text for text in found if text]

    def entries(self, value: Value | None) -> dict[str, Value]:
        """Return the entries of a mapping; none for nothing."""
        if value is None or value.content == "":
            return {}
        if isinstance(value.content, dict):
            return value.content
        self.warn(value, "a mapping is expected here; it was left out")
        return {}

    def known_entries(self, value: Value | None, known: Sequence[str], of: str) -> dict[str, Value]:
        """Return the entries of a mapping and warn of the keys that are not known."""
        entries = self.entries(value)
        for key, entry in entries.items():
            if key not in known:
                self.warn(entry, f"unknown key {key[:60]!r} of {of}; it was left out")
        return entries

    def read(self, text: str) -> Value | None:
        """Return the file's first document; None, with a fault, when it is no sound YAML."""
        import yaml  # not all models need it

        if unprintable := _UNPRINTABLE.search(text):
            self._fault(text.count("\n", 0, unprintable.start()) + 1, "a character that YAML does not allow")
            return None
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            root, more = _Builder().build(yaml.parse(text, Loader=loader))
        except _Unsound as error:
            self._fault(error.line, error.what)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self._fault(mark.line + 1 if mark else 1, f"no sound YAML: {error.problem or error.context}")
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self._fault(1, f"no sound YAML: {error}")
        else:
            if more is not None:
                self._findings.warn(f"{self.path}:{more}", "of several documents the first counts")
            return root
        return None

    def _fault(self, line: int, what: str) -> None:
        self._findings.fault(f"{self.path}:{line}", what)


class _Unsound(Exception):
    """What the parser allows and a model does not."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


class _Builder:
    """Makes values of the parser's events, one by one: so it can stop where they become too many or too deep."""

    def __init__(self) -> None:
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Value, int] | None] = {}
        self._root: Value | None = None
        self._count = 0

    def build(self, events: Iterator[Any]) -> tuple[Value, int | None]:
        """Return the first document, an empty text where there is none, and the line where a second one begins."""
        import yaml

        for event in events:
            line = event.start_mark.line + 1
            if isinstance(event, yaml.DocumentStartEvent) and self._root is not None:
                return self._root, line
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event, line)
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event.anchor or "", line)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._open(event.anchor, line, is_list=isinstance(event, yaml.SequenceStartEvent))
            elif isinstance(event, yaml.CollectionEndEvent):
                done = self._stack.pop()
                self._add(_merged(done.value), done.anchor, done.size)
            if self._count > _MOST_VALUES:
                raise _Unsound(line, f"the file stands for more than {_MOST_VALUES} values")
        return self._root or Value(1, ""), None

    def _scalar(self, event: Any, line: int) -> None:
        quoted = not event.implicit[0]
        content = "" if not quoted and event.value in _NULLS else event.value
        self._count += 1
        self._add(Value(self._line(line), content, quoted), event.anchor, 1)

    def _alias(self, anchor: str, line: int) -> None:
        known = self._anchors.get(anchor)
        if known is None:
            raise _Unsound(line, f"the alias *{anchor} stands for nothing, or for what it is part of")
        value, size = known
        self._count += size
        self._add(Value(self._line(line), value.content, value.quoted), None, size)

    def _open(self, anchor: str | None, line: int, *, is_list: bool) -> None:
        if len(self._stack) >= _DEEPEST:
            raise _Unsound(line, f"this is nested more than {_DEEPEST} deep")
        self._count += 1
        self._stack.append(_Open(Value(self._line(line), [] if is_list else {}), anchor))
        if anchor:
            self._anchors[anchor] = None

    def _line(self, line: int) -> int:
        key = self._stack[-1].key if self._stack else None
        return key[1] if key else line

    def _add(self, value: Value, anchor: str | None, size: int) -> None:
        """Put a whole value where it belongs: it is a key, or what the last key stands for, or an item."""
        if anchor:
            self._anchors[anchor] = (value, size)
        if not self._stack:
            self._root = value
            return
        top = self._stack[-1]
        top.size += size
        if isinstance(top.value.content, list):
            top.value.content.append(value)
        elif isinstance(top.value.content, dict) and top.key is not None:
            top.value.content[top.key[0]] = value
            top.key = None
        elif isinstance(top.value.content, dict):
            top.key = _key(value, top.value.content)


def _key(value: Value, entries: Mapping[str, Value]) -> tuple[str, int]:
    if not isinstance(value.content, str):
        raise _Unsound(value.line, "a key must be a text")
    if value.content in entries:
        first = entries[value.content].line
        raise _Unsound(value.line, f"the key {value.content[:60]!r} is here already, at line {first}")
    return value.content, value.line


def _merged(value: Value) -> Value:
    """Return a mapping with those that its merge key `<<` names put under it."""
    if isinstance(value.content, dict) and (named := value.content.pop("<<", None)):
        for one in named.content if isinstance(named.content, list) else [named]:
            if isinstance(one.content, dict):
                value.content.update({key: entry for key, entry in one.content.items() if key not in value.content})
    return value
