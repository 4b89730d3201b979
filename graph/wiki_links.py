"""Wiki links: which `[[…]]` in a text are links, and what each may mean."""

import re

from graph.code_spans import code_ranges
from graph.frozen import Frozen
from graph.naming import exact

_LINK = re.compile(r"(?<![\w\\\]\[])\[\[(?![\s\[\"'])((?:(?!\[\[).){1,400}?)(?<!\s)\]\](?!\])", re.UNICODE)
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
    for start, end, _ in code_ranges(text):
        kept.append(text[at:start])
        kept.append("\n" if "\n" in text[start:end] else " ")
        at = end
    return "".join([*kept, text[at:]])
