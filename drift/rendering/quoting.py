"""Texts that people wrote, quoted in Markdown so that nothing in them is markup, a mention or a link."""

import re

_TICKS = re.compile("`+")
_NO_ADDRESS = re.compile(r"[<>\s\\]")
_UNSEEN = re.compile("[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def code(text: str, most: int = 300) -> str:
    """Return the text as a code span on one line, cut to `most` characters.

    Nothing is parsed in a code span, and GitHub links no name, number or address in one. Control characters and those
    that turn the direction of writing are left out.
    """
    line = " ".join(_UNSEEN.sub("", " ".join(text.split())).split())
    if not line:
        return ""
    if len(line) > most:
        line = f"{line[: most - 1]}…"
    fence = "`" * (max((len(run) for run in _TICKS.findall(line)), default=0) + 1)
    space = " " if line.startswith("`") or line.endswith("`") or not line.strip(" `") else ""
    return f"{fence}{space}{line}{space}{fence}"


def link(words: str, address: str) -> str:
    """Return a link with own words, whose address cannot end it."""
    return f"[{words}](<{_NO_ADDRESS.sub('', address)}>)"


def within(lines: list[str], room: int, rest: str) -> list[str]:
    """Return as many of the lines as have room, and a line with how many are left out, `{}` in `rest`."""
    kept: list[str] = []
    used = 0
    for number, line in enumerate(lines):
        used += len(line) + 1
        if used > room:
            return [*kept, rest.format(len(lines) - number)]
        kept.append(line)
    return kept
