"""What `map` proposes for an element."""

from pydantic import Field

from graph.elements import ElementKind
from graph.frozen import Frozen


class Place(Frozen):
    """A file, a folder, or two that belong together, with the confidence that it implements an element."""

    source: tuple[str, ...]
    confidence: float = Field(ge=0, le=1)
    reason: str


class Proposal(Frozen):
    """The likeliest place of an element without source, and the others that are nearly as likely."""

    ref: str
    kind: ElementKind
    source: tuple[str, ...]
    confidence: float = Field(ge=0, le=1)
    reason: str
    others: tuple[Place, ...] = ()
