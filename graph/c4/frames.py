"""The open blocks of a workspace while it is read."""

from dataclasses import dataclass, field
from enum import Enum, auto

from graph.c4.archetypes import Archetype
from graph.c4.draft import DraftElement, DraftGroup, DraftRelationship
from graph.c4.expressions import Item


class Block(Enum):
    """What an open block holds."""

    WORKSPACE = auto()
    MODEL = auto()
    ELEMENT = auto()
    RELATIONSHIP = auto()
    ITEMS = auto()
    PROPERTIES = auto()
    ARCHETYPES = auto()
    ARCHETYPE = auto()
    DEPLOYMENT = auto()
    SKIPPED = auto()
    SCRIPT = auto()


@dataclass(slots=True)
class Frame:
    """One open block: where it was opened, and what its statements are about."""

    block: Block
    where: str
    element: DraftElement | None = None
    group: DraftGroup | None = None
    items: list[Item] = field(default_factory=list)
    archetype: Archetype | None = None
    properties: list[dict[str, str]] = field(default_factory=list)
    in_enterprise: bool = False

    @property
    def elements(self) -> list[DraftElement]:
        """What `this` is."""
        if self.block in (Block.ITEMS, Block.RELATIONSHIP):
            return [item for item in self.items if isinstance(item, DraftElement)]
        return [self.element] if self.element else []


def relationships_frame(where: str, scope: Frame, made: list[DraftRelationship]) -> Frame:
    """Return the block of relationships that a statement of this scope made."""
    block = Block.ITEMS if scope.block is Block.ITEMS else Block.RELATIONSHIP
    return Frame(block, where, element=scope.element, items=list(made))
