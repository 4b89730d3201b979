"""Wiki links: which `[[…]]` in a text are links, and what each may mean."""

import re

from graph.frozen import Frozen
from graph.naming import exact

_LINK = re.compile(r"(?<![\w\\\]\[])\[\[(?![\s\[\"'])((?:(?!\[\[).){1,400}?)(?<!\s)\]\](?!\])", re.UNICODE)
_FENCE = re.compile(
    r"^[ \t]{0,3}(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(?P<mark>`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE
)
_TICKS = re.compile(r"`+")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_BAR = re.compile(r"(?<!\\)\|")


class WikiLink(Frozen):
    """One link as written: `raw` is the whole text between the brackets, `targets` what it may name, best first."""

    raw: str
    targets: tuple[str, ...]


def find_links(text: str) -> tuple[WikiLink, ...]:
    """Return the text's links, each raw text once; none inside code spans, fences or HTML comments."""
    found: dict[str, WikiLink] = {}
    for match in _LINK.finditer(_without_code(text)):
        raw = match.group(1)
        targets = link_targets(raw)
        if targets:
            found.setdefault(raw, WikiLink(raw=raw, targets=targets))
    return tuple(found.values())


def link_targets(raw: str) -> tuple[str, ...]:
    """Return the names a link may mean: the whole text, then the part before `|`, then the part before `#`."""
    before_bar = _BAR.split(raw, maxsplit=1)[0]
    candidates = (raw, before_bar, before_bar.split("#", 1)[0])
    return tuple(
        dict.fromkeys(name for name in (exact(c.replace("\\|", "|")) for c in candidates) if name.strip("|# "))
    )


def _without_code(text: str) -> str:
    """Return the text with code and comments blanked out, every other character at its place."""
    kept: list[str] = []
    at = 0
    for start, end in _code_ranges(text):
        kept.append(text[at:start])
        kept.append("\n" if "\n" in text[start:end] else " ")
        at = end
    return "".join([*kept, text[at:]])


def _code_ranges(text: str) -> list[tuple[int, int]]:
    fences = _fence_ranges(text)
    ranges: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        fence = next((r for r in fences if r[0] >= at), (len(text), len(text)))
        tick, comment = text.find("`", at, fence[0]), text.find("<!--", at, fence[0])
        if tick < 0 and comment < 0:
            if fence[0] < len(text):
                ranges.append(fence)
            at = fence[1]
        elif comment >= 0 and (tick < 0 or comment < tick):
            end = text.find("-->", comment + 4)
            if end >= 0:
                ranges.append((comment, end + 3))
            at = end + 3 if end >= 0 else comment + 4
        else:
            span = _span_end(text, tick, fence[0])
            if span.closed:
                ranges.append((tick, span.end))
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
