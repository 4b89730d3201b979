"""The model while it is read: elements and relationships that later lines may still change, and their identifiers."""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from itertools import islice

from graph.c4.lines import Line
from graph.elements import Decision, ElementKind

DEFAULT_TAGS = {
    ElementKind.PERSON: "Person",
    ElementKind.SYSTEM: "Software System",
    ElementKind.CONTAINER: "Container",
    ElementKind.COMPONENT: "Component",
}
_CANONICAL = {
    ElementKind.PERSON: "Person",
    ElementKind.SYSTEM: "SoftwareSystem",
    ElementKind.CONTAINER: "Container",
    ElementKind.COMPONENT: "Component",
    ElementKind.CUSTOM: "Custom",
}


@dataclass(eq=False, slots=True)
class DraftElement:
    """An element that is still being read.

    `key` is its identifier, hierarchical where the workspace says so; one with `#` was made up for want of another.
    """

    kind: ElementKind
    name: str
    parent: "DraftElement | None"
    file: str
    line: int
    description: str = ""
    technology: str = ""
    url: str = ""
    group: str = ""
    tags: list[str] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    key: str = ""
    in_enterprise: bool = False
    external: bool = False

    @property
    def ref(self) -> str:
        return f"{self.parent.ref}.{self.name}" if self.parent else self.name

    @property
    def all_tags(self) -> set[str]:
        """The explicit tags and the ones that every element of its kind has."""
        return {"Element", DEFAULT_TAGS.get(self.kind, "Element"), *self.tags}

    @property
    def canonical_name(self) -> str:
        """The name that `!element "Container://A.B"` uses; names lose their dots and slashes there."""
        names = [element.name.replace(".", "").replace("/", "") for element in self.upwards()]
        return f"{_CANONICAL[self.kind]}://{'.'.join(reversed(names))}"

    def upwards(self) -> Iterator["DraftElement"]:
        """Yield the element itself, then its parents."""
        element: DraftElement | None = self
        while element:
            yield element
            element = element.parent


@dataclass(eq=False, slots=True)
class DraftRelationship:
    """A declared relationship that is still being read."""

    source: DraftElement
    target: DraftElement
    file: str
    line: int
    description: str = ""
    technology: str = ""
    url: str = ""
    tags: list[str] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)

    @property
    def all_tags(self) -> set[str]:
        return {"Relationship", *self.tags}

    @property
    def canonical_name(self) -> str:
        """The name that `!relationship "Relationship://…"` uses."""
        ends = f"Relationship://{self.source.canonical_name} -> {self.target.canonical_name}"
        return f"{ends} ({self.description})" if self.description else ends


@dataclass(eq=False, slots=True)
class DraftGroup:
    """A group: its whole name and, as `!elements` needs them, its elements with those of the groups inside it."""

    name: str
    outer: "DraftGroup | None" = None
    elements: list[DraftElement] = field(default_factory=list)

    def add(self, element: DraftElement) -> None:
        group: DraftGroup | None = self
        while group:
            group.elements.append(element)
            group = group.outer


Named = DraftElement | DraftRelationship | DraftGroup


class Draft:
    """One workspace while it is read, with its register of identifiers (they ignore case)."""

    def __init__(self) -> None:
        self.name = ""
        self.properties: dict[str, str] = {}
        self.elements: dict[str, DraftElement] = {}
        self.relationships: list[DraftRelationship] = []
        self.decision_folders: list[tuple[Line, str, DraftElement | None]] = []
        self.decisions: list[Decision] = []
        self.hierarchical = False
        self.implied = True
        self.enterprise = False
        self.not_modelled: set[str] = set()
        self._named: dict[str, Named] = {}
        self._canonical: dict[str, Named] = {}
        self._seen_elements = 0
        self._seen_relationships = 0
        self._related: set[tuple[str, str, str]] = set()
        self._uses: set[tuple[DraftElement, DraftElement]] = set()
        self._implying: set[tuple[DraftElement, DraftElement]] = set()

    def relate(self, relationship: DraftRelationship) -> bool:
        """Add the relationship unless the model has it already, with those that it implies while that is on."""
        source, target = relationship.source, relationship.target
        ends = (source.ref, target.ref, relationship.description)
        if ends in self._related:
            return False
        self._related.add(ends)
        self.relationships.append(relationship)
        (self._implying if self.implied else self._uses).add((source, target))
        return True

    def imply(self, source: DraftElement, target: DraftElement) -> None:
        """Note that one uses the other by a relationship that nobody declared."""
        self._uses.add((source, target))

    def register(self, identifier: str, item: Named, scope: DraftElement | None = None) -> bool:
        """Give the item an identifier below its parent's (a group below its scope's); say no when another has it."""
        if isinstance(item, DraftElement):
            scope = item.parent
        if self.hierarchical and scope is not None and identifier and not isinstance(item, DraftRelationship):
            identifier = f"{scope.key}.{identifier}"
        return self.register_as(identifier, item)

    def register_as(self, identifier: str, item: Named) -> bool:
        """Give the item this whole identifier; say no when another has it."""
        if isinstance(item, DraftElement):
            # An element without an identifier still is a scope: its parts are found from inside it.
            if not item.key or ("#" in item.key and identifier):
                item.key = identifier or f"#{len(self.elements)}"
            identifier = identifier or item.key
        return not identifier or self._named.setdefault(identifier.lower(), item) is item

    def find(self, identifier: str, scope: DraftElement | None) -> Named | None:
        """Return what the identifier names, looked for from the scope outwards when identifiers are hierarchical."""
        identifier = identifier.lower()
        if self.hierarchical and scope is not None:
            for element in scope.upwards():
                found = self._named.get(f"{element.key.lower()}.{identifier}")
                if found is not None:
                    return found
        return self._named.get(identifier)

    def find_canonical(self, name: str) -> Named | None:
        """Return the element or relationship with this canonical name (`Container://A.B`)."""
        # Those that are new since the last question: each name is made once.
        new: tuple[DraftElement | DraftRelationship, ...] = (
            *islice(self.elements.values(), self._seen_elements, None),
            *islice(self.relationships, self._seen_relationships, None),
        )
        self._seen_elements, self._seen_relationships = len(self.elements), len(self.relationships)
        for item in new:
            self._canonical.setdefault(item.canonical_name, item)
        return self._canonical.get(name)

    def uses(self) -> Set[tuple[DraftElement, DraftElement]]:
        """Return who uses whom, the implied relationships included (between the parents of both ends)."""
        for source, target in self._implying:
            pairs = ((above, below) for above in source.upwards() for below in target.upwards())
            self._uses.update(pair for pair in pairs if pair == (source, target) or not related_by_blood(*pair))
        self._implying = set()
        return self._uses


def related_by_blood(one: DraftElement, other: DraftElement) -> bool:
    """Say whether one of the two contains the other, or both are the same."""
    return one in other.upwards() or other in one.upwards()
