"""Tell a change that matters from white space, comments and moves, file by file."""

import re
from collections import Counter
from collections.abc import Callable, MutableMapping
from itertools import zip_longest
from posixpath import basename, splitext

from drift.changes import SUBMODULE, SYMLINK, Change
from drift.lexing import lexer_name, lexers_version

RULES = 2
"""Raised with every change of what counts, so that nothing is taken from a run under other rules."""

_BINARY_PROBE = 8000
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_COMMENT_LINES = {"ini": "#;", "properties": "#!"}
_COMMENT_LINE = re.compile(r"//|/\*|\*/|<!--|(?:#|\*|--|;)(?:\s|$)")


def same_meaning(path: str, old: bytes, new: bytes) -> bool:
    """Say whether two contents of a file say the same, apart from layout and comments."""
    # Not before it is needed: a run to which every pair is known compares nothing.
    from drift.layouts import layout_of
    from drift.normal_form import normal_form

    before, after = decoded(old), decoded(new)
    if before is None or after is None:
        return old == new
    if before == after:
        return True
    lexer = lexer_name(path, after)
    if lexer != lexer_name(path, before):
        return False
    if layout_of(lexer) is None:
        return _plain_lines(before, lexer) == _plain_lines(after, lexer)
    pairs = zip_longest(normal_form(lexer, before), normal_form(lexer, after))
    return all(one == other for one, other in pairs)


def decoded(content: bytes) -> str | None:
    """Return a file's text without its byte order mark, its line ends as one; None for a binary file."""
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            text = content[len(mark) if encoding == "utf-8" else 0 :].decode(encoding, "replace")
            break
    else:
        if b"\0" in content[:_BINARY_PROBE]:
            return None
        text = content.decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Significance:
    """Judges changes by content. `read` answers None for an object that is not here.

    `found` is what earlier runs found, by blob ids; what this one finds is added to it.
    """

    def __init__(self, read: Callable[[str], bytes | None], found: MutableMapping[str, str] | None = None) -> None:
        self._read = read
        self._found: MutableMapping[str, str] = {} if found is None else found
        self._version = f"{RULES}-{lexers_version()}"

    def differs(self, change: Change) -> bool:
        """Say whether a change matters: an addition, a removal, another content; a pure rename does not."""
        if change.added or change.removed or change.old_mode[:2] != change.new_mode[:2]:
            return True
        if change.old_blob == change.new_blob:
            return False
        if change.new_mode in (SUBMODULE, SYMLINK):
            return True
        name = basename(change.new).lower()
        key = f"same {self._version} {splitext(name)[1] or name} {change.old_blob} {change.new_blob}"
        known = self._found.get(key)
        if known is None:
            old, new = self._read(change.old_blob), self._read(change.new_blob)
            if old is None or new is None:  # it may be fetched until the next run
                return True
            known = self._found[key] = "yes" if same_meaning(change.new, old, new) else "no"
        return known != "yes"

    def extent(self, change: Change) -> tuple[int, int]:
        """Return how many lines a change changed, of how many; what has no lines counts as one."""
        key = f"extent {self._version} {change.old_blob} {change.new_blob}"
        known = self._found.get(key)
        if known is None:
            changed, total = self._extent(change)
            known = self._found[key] = f"{changed} {total}"
        changed, total = map(int, known.split())
        return changed, total

    def length(self, blob: str) -> int:
        """Return how many lines a file has."""
        key = f"length {self._version} {blob}"
        known = self._found.get(key)
        if known is None:
            lines = self._lines(blob)
            known = self._found[key] = str(1 if lines is None else max(1, lines.total()))
        return int(known)

    def _extent(self, change: Change) -> tuple[int, int]:
        old, new = self._lines(change.old_blob), self._lines(change.new_blob)
        if old is None or new is None:
            return 1, 1
        removed, added = old - new, new - old
        changed = max(removed.total(), added.total(), 1 if old.total() == new.total() else 0)
        return changed, max(old.total(), new.total(), 1)

    def _lines(self, blob: str) -> Counter[str] | None:
        """Return the lines that hold more than white space or a comment, as a line's first sign tells it.

        A share of lines is a magnitude, no verdict: that is near enough.
        """
        content = self._read(blob) if blob else b""
        text = None if content is None else decoded(content)
        if text is None:
            return None
        lines = (line.strip() for line in text.split("\n"))
        return Counter(line for line in lines if line and not _COMMENT_LINE.match(line))


def _plain_lines(text: str, lexer: str) -> str:
    """Return what has no layout that is known: all but the last line's end, and the lines that are comments."""
    marks = _COMMENT_LINES.get(lexer, "")
    if marks:
        text = re.sub(rf"(?m)(?<!\\\n)^[ \t]*[{marks}].*\n?", "", text)
    return text.removesuffix("\n")
