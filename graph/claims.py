"""Claims and anchors: what a memory says about the repository, and the state in which it was known to hold."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, StringConstraints

from graph.errors import Fault, InvalidInput
from graph.frozen import Frozen, Moment
from graph.paths import clean_path

ObjectId = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
"""A git object's id as git prints it in full; a name such as `main` moves, and is none."""

RecordedId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{0,64}$")]
"""An object's id as it was recorded, perhaps cut short or empty: it names nothing that git is asked for then."""


_LINE = re.compile(r"(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$")  # a line moves with every edit above it


class Claim(Frozen):
    """A checkable statement: a `path`, a `path::symbol`, or a `path::NAME=value`.

    Without a path, a symbol of the memory's elements is meant; only code spans make such claims.
    """

    path: str
    symbol: str = ""
    value: str | None = None

    def __str__(self) -> str:
        text = "::".join(part for part in (self.path, self.symbol) if part)
        return text if self.value is None else f"{text}={self.value}"


def parse_claim(text: str) -> Claim:
    """Return the claim that the text spells; raise InvalidInput when it has no path or an empty symbol."""
    path, separator, rest = text.partition("::")
    symbol, equals, value = rest.partition("=")
    path, symbol = clean_path(_LINE.sub("", path.strip())), symbol.strip()
    if not path or (separator and not symbol) or "\n" in text:
        raise InvalidInput(
            f"{text!r} is not a claim",
            id=text,
            faults=[Fault(where="claims", what=f"{text!r} has no path or no symbol")],
            next_step="write `path`, `path::symbol` or `path::NAME=value`",
        )
    return Claim(path=path, symbol=symbol, value=value.strip() if equals else None)


class Anchor(Frozen):
    """The state in which something was known to hold: a commit (a hint: it may be rebased away) and its source's blobs.

    `element` is a ref; `blobs` maps each path of the element's source to its blob id then.
    """

    element: str
    commit: RecordedId
    blobs: Mapping[str, RecordedId] = Field(default_factory=dict)

    @property
    def state(self) -> str:
        """The name of what was recorded: two anchors of one commit may hold different blobs."""
        blobs = json.dumps(dict(sorted(self.blobs.items())))
        return f"{self.commit}:{hashlib.sha256(blobs.encode()).hexdigest()}"


class Baseline(Frozen):
    """An element's accepted state: its anchor, and when it was accepted."""

    anchor: Anchor
    accepted_at: Moment


class AskedClaim(Frozen):
    """A claim of a memory, and the state since which the drift check is asked whether it still holds.

    A claim without a path means the source of `elements` (refs). `commit` is a hint that may be empty or rebased away;
    without it counts the last first-parent commit not newer than `confirmed_at`. `details` are the names, numbers and
    texts that the memory mentions: those that a symbol's definition had then should still be in it.
    """

    memory: str
    claim: Claim
    elements: tuple[str, ...] = ()
    commit: RecordedId = ""
    details: tuple[str, ...] = ()
    confirmed_at: Moment
