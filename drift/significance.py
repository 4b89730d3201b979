"""Tell a change that matters from white space, comments and moves, file by file."""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest

from drift.changes import SUBMODULE, SYMLINK, Change
from drift.layouts import layout_of
from drift.lexing import lexer_name
from drift.normal_form import normal_form

_BINARY_PROBE = 8000
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_COMMENT_LINES = {"ini": "#;", "properties": "#!"}
_COMMENT_LINE = re.compile(r"//|/\*|\*/|<!--|(?:#|\*|--|;)(?:\s|$)")
_CACHED = 65536


def same_meaning(path: str, old: bytes, new: bytes) -> bool:
    """Say whether two contents of a file say the same, apart from layout and comments."""
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
    """Judges changes by content. `read` answers None for an object that is not here."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._same = lru_cache(maxsize=_CACHED)(self._compare)

    def differs(self, change: Change) -> bool:
        """Say whether a change matters: an addition, a removal, another content; a pure rename does not."""
        if change.added or change.removed or change.old_mode[:2] != change.new_mode[:2]:
            return True
        if change.old_blob == change.new_blob:
            return False
        if change.new_mode in (SUBMODULE, SYMLINK):
            return True
        return not self._same(change.old_blob, change.new_blob, change.new)

    def lines(self, blob: str) -> list[str] | None:
        """Return the lines of a file that hold more than white space or a comment; None for what has no lines.

        What is a comment is told by a line's first sign alone: a share of lines is a magnitude, no verdict.
        """
        content = self._read(blob) if blob else b""
        text = None if content is None else decoded(content)
        if text is None:
            return None
        lines = [line.strip() for line in text.split("\n")]
        return [line for line in lines if line and not _COMMENT_LINE.match(line)]

    def _compare(self, old_blob: str, new_blob: str, path: str) -> bool:
        old, new = self._read(old_blob), self._read(new_blob)
        return old is not None and new is not None and same_meaning(path, old, new)


def _plain_lines(text: str, lexer: str) -> str:
    """Return what has no layout that is known: all but the last line's end, and the lines that are comments."""
    marks = _COMMENT_LINES.get(lexer, "")
    if marks:
        text = re.sub(rf"(?m)(?<!\\\n)^[ \t]*[{marks}].*\n?", "", text)
    return text.removesuffix("\n")
