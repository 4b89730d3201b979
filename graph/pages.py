"""Pages that agents read: quoted texts that fit into a few characters and cannot end a block of archmem's own."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graph.quoting import HEADER, one_line
from graph.views import Hit, MemoryView

_TAG = re.compile(r"<(?=\s*/?\s*agent-memory)", re.IGNORECASE)


@dataclass(slots=True)
class Page:
    """A text that grows line by line and never beyond its characters."""

    limit: int
    lines: list[str] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many characters are left."""
        return self.limit - sum(len(line) + 1 for line in self.lines)

    def add(self, *lines: str, reserve: int = 0) -> bool:
        """Add these lines if they fit and leave the reserve."""
        if sum(len(line) + 1 for line in lines) > self.left - reserve:
            return False
        self.lines.extend(lines)
        return True


def tame(text: str) -> str:
    """Return a text that cannot open or close the block of contents."""
    return _TAG.sub("&lt;", text)


def short_line(text: str, characters: int) -> str:
    """Return the text as one short line that neither begins another nor ends the block."""
    return cut(tame(one_line(text)), characters)


def said(text: str) -> str:
    """Return what somebody wrote in quotes that it cannot end."""
    return '"{}"'.format(one_line(text).replace('"', "'"))


def cut(text: str, characters: int) -> str:
    """Return the text with at most so many characters."""
    return text if len(text) <= characters else f"{text[: characters - 1].rstrip()}…"


def rank(pins: Sequence[str], refs: Sequence[str]) -> int:
    """Return 0 for what is about the elements or their parts, 1 about what contains them, 2 about the whole."""
    if not pins:
        return 2
    return 0 if any(f"{pin}.".startswith(f"{ref}.") for pin in pins for ref in refs) else 1


def told_briefly(text: str, memory: MemoryView | None, characters: int) -> str:
    """Return a memory's quoted text cut and tamed, without its last line where that lists the claims.

    VERIFY names those claims that broke.
    """
    if memory is not None and memory.claims:
        text = text.rpartition("\n")[0]
    return cut(tame(text), characters)


def texts(hits: Iterable[Hit], characters: int) -> list[tuple[str, str]]:
    """Return each hit's text as a page tells it, with its id."""
    return [(told_briefly(hit.text, hit.memory, characters), hit.id) for hit in hits]


def tell(page: Page, title: str, told: Iterable[tuple[str, str]], reserve: int) -> list[str]:
    """Add each text that fits, below its title; return the ids of what is told."""
    names: list[str] = []
    for text, name in told:
        opening = [] if names else [*([] if HEADER in page.lines else [HEADER]), title]
        if page.add(*opening, text, reserve=reserve):
            names.append(name)
    return names
