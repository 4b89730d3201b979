"""Tell a change that matters from white space, file by file."""

import re
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from posixpath import basename, splitext

from drift.changes import SUBMODULE, SYMLINK, Change
from drift.policy import DriftPolicy

_BINARY_PROBE = 8000
_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")
_PIECE = re.compile(rb"""\s+|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|["'].*|[^\s"']+""")
_OUTSIDE = re.compile(rb'''"""|\'\'\'|`|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|//.*''')
_OUTSIDE_HASH = re.compile(rb'''"""|\'\'\'|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#.*''')
_LONG = (b'"""', b"'''", b"`")
_CACHED = 65536


class Shape(Enum):
    """What white space means in a file."""

    FREE = "between words only"
    LAYOUT = "indentation counts"
    TEXT = "indentation and blank lines count"


def shape_of(path: str, policy: DriftPolicy) -> Shape:
    """Return what white space means in a file of this name; in doubt it counts."""
    suffix = splitext(basename(path))[1].lower()
    if suffix in policy.free_form_suffixes:
        return Shape.FREE
    return Shape.LAYOUT if suffix in policy.layout_suffixes else Shape.TEXT


def normal_lines(content: bytes, shape: Shape) -> list[bytes] | None:
    """Return the lines without insignificant white space; None for a binary file.

    Line ends and trailing white space never count. A line that starts inside a long string (backtick or three quotes)
    is kept as it is, and so is what stands between quotes.
    """
    if b"\0" in content[:_BINARY_PROBE]:
        return None
    lines: list[bytes] = []
    inside = b""
    long_strings = shape is not Shape.TEXT and any(quote in content for quote in _LONG)
    for line in _LINE_END.split(content.removeprefix(_BOM)):
        if inside:
            lines.append(line)
        else:
            _append(lines, line, shape)
        if long_strings:
            inside = _open_string(line, inside, _OUTSIDE if shape is Shape.FREE else _OUTSIDE_HASH)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


class Significance:
    """Judges changes by content; reads each blob once. `read` answers None for an object that is not here."""

    def __init__(self, read: Callable[[str], bytes | None], policy: DriftPolicy) -> None:
        self._policy = policy
        self._read = read
        self._digest = lru_cache(maxsize=_CACHED)(self._digest_of)

    def differs(self, change: Change) -> bool:
        """Say whether a change matters: an addition, a removal, another content; a pure rename does not."""
        if change.added or change.removed or change.old_mode[:2] != change.new_mode[:2]:
            return True
        if change.old_blob == change.new_blob:
            return False
        if change.new_mode in (SUBMODULE, SYMLINK):
            return True
        shape = shape_of(change.new, self._policy)
        old, new = self._digest(change.old_blob, shape), self._digest(change.new_blob, shape)
        return old is None or new is None or old != new

    def lines(self, blob: str, path: str) -> list[bytes] | None:
        """Return a file's significant lines; None for what has no lines."""
        content = self._read(blob) if blob else b""
        return None if content is None else normal_lines(content, shape_of(path, self._policy))

    def _digest_of(self, blob: str, shape: Shape) -> bytes | None:
        content = self._read(blob)
        if content is None:
            return None
        lines = normal_lines(content, shape)
        return blake2b(content if lines is None else b"\n".join(lines), digest_size=20).digest()


def _append(lines: list[bytes], line: bytes, shape: Shape) -> None:
    if shape is Shape.TEXT:
        lines.append(line.rstrip())
        return
    kept = line.strip() if shape is Shape.FREE else line.rstrip()
    if kept:
        lines.append(_single_spaced(kept) if shape is Shape.FREE and (b"  " in kept or b"\t" in kept) else kept)


def _single_spaced(line: bytes) -> bytes:
    return b"".join(b" " if piece[:1].isspace() else piece for piece in _PIECE.findall(line))


def _open_string(line: bytes, inside: bytes, outside: re.Pattern[bytes]) -> bytes:
    """Return the quote of the long string that is open at the line's end; empty when none is."""
    at = 0
    while True:
        if inside:
            while (end := line.find(inside, at)) > 0 and line[end - 1 : end] == b"\\":
                at = end + 1
            if end < 0:
                return inside
            at, inside = end + len(inside), b""
        found = outside.search(line, at)
        if found is None:
            return b""
        at = found.end()
        inside = found[0] if found[0] in _LONG else b""
