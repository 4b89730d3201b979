"""Where a text is code: inline spans, fences and comments, as CommonMark sees them."""

import re
from typing import Literal, NamedTuple

from graph.frozen import Frozen

_FENCE = re.compile(
    r"^[ \t]{0,3}(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(?P<mark>`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE
)
_TICKS = re.compile(r"`+")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


class CodeRange(NamedTuple):
    """A stretch of a text, its marks included, that is no prose."""

    start: int
    end: int
    kind: Literal["span", "fence", "comment"]


def code_ranges(text: str) -> list[CodeRange]:
    """Return where code spans, fences and HTML comments stand, in their order."""
    fences = _fence_ranges(text)
    ranges: list[CodeRange] = []
    at = 0
    while at < len(text):
        fence = next((r for r in fences if r[0] >= at), (len(text), len(text)))
        tick, comment = text.find("`", at, fence[0]), text.find("<!--", at, fence[0])
        if tick < 0 and comment < 0:
            if fence[0] < len(text):
                ranges.append(CodeRange(*fence, "fence"))
            at = fence[1]
        elif comment >= 0 and (tick < 0 or comment < tick):
            end = text.find("-->", comment + 4)
            if end >= 0:
                ranges.append(CodeRange(comment, end + 3, "comment"))
            at = end + 3 if end >= 0 else comment + 4
        else:
            span = _span_end(text, tick, fence[0])
            if span.closed:
                ranges.append(CodeRange(tick, span.end, "span"))
            at = span.end
    return ranges


class _Span(Frozen):
    end: int
    closed: bool


def _span_end(text: str, start: int, limit: int) -> _Span:
    opening = _TICKS.match(text, start)
    assert opening is not None
    blank = _BLANK_LINE.search(text, opening.end(), limit)
    limit = blank.start() if blank else limit
    escaped = start > 0 and text[start - 1] == "\\"
    if not escaped:
        for closing in _TICKS.finditer(text, opening.end(), limit):
            if len(closing.group()) == len(opening.group()):
                return _Span(end=closing.end(), closed=True)
    return _Span(end=start + 1 if escaped else opening.end(), closed=False)


def _fence_ranges(text: str) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    at = 0
    while opening := _FENCE.search(text, at):
        mark = opening.group("mark")
        close = re.compile(rf"^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE)
        line_end = text.find("\n", opening.end())
        closing = close.search(text, line_end + 1) if line_end >= 0 else None
        at = closing.end() if closing else len(text)
        ranges.append((opening.start(), at))
    return ranges
