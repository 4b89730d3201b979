"""What stands in a LikeC4 file, before names are resolved."""

import json
from dataclasses import dataclass, field


@dataclass(slots=True)
class Properties:
    """What a kind, an element, a relationship or an extension says of itself: texts, tags, links, metadata.

    Tags, links and values are the keys of dictionaries: in order, each once.
    """

    texts: dict[str, str] = field(default_factory=dict)
    tags: dict[str, None] = field(default_factory=dict)
    links: dict[str, None] = field(default_factory=dict)
    metadata: dict[str, dict[str, None]] = field(default_factory=dict)

    @property
    def urls(self) -> list[str]:
        """The links without their titles."""
        return [link.split(" ", 1)[0] for link in self.links]

    @property
    def values(self) -> dict[str, str]:
        """The metadata, and the links where they are more than a URL; several values are a list in JSON."""
        several = {"links": self.links} if len(self.links) > 1 or list(self.links) != self.urls else {}
        return {key: _joined(list(values)) for key, values in {**several, **self.metadata}.items() if values}

    def merge(self, other: "Properties") -> None:
        """Add the other's tags, links and metadata."""
        self.tags |= other.tags
        self.links |= other.links
        for key, values in other.metadata.items():
            self.metadata[key] = self.metadata.get(key, {}) | values


@dataclass(slots=True)
class ElementNode:
    """`name = kind 'title' { … }` or `kind name 'title' { … }`."""

    kind: str
    name: str
    line: int
    properties: Properties = field(default_factory=Properties)
    members: list["Member"] = field(default_factory=list)


@dataclass(slots=True)
class RelationNode:
    """`source -> target 'title' { … }`; without a source the enclosing element is it.

    `both` (`<->`) means the other direction too; one that `extends` adds to another.
    """

    source: str
    target: str
    kind: str
    line: int
    properties: Properties = field(default_factory=Properties)
    both: bool = False
    extends: bool = False


@dataclass(slots=True)
class ExtensionNode:
    """`extend a.b { … }`."""

    target: str
    line: int
    properties: Properties = field(default_factory=Properties)
    members: list["Member"] = field(default_factory=list)


Member = ElementNode | RelationNode | ExtensionNode


@dataclass(slots=True)
class FileNode:
    """One file: its model blocks, the kinds that it specifies, and what it imports from other projects by name."""

    path: str
    models: list[list[Member]] = field(default_factory=list)
    element_kinds: dict[str, Properties] = field(default_factory=dict)
    relation_kinds: dict[str, Properties] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    has_specification: bool = False


def _joined(values: list[str]) -> str:
    return values[0] if len(values) == 1 else json.dumps(values, ensure_ascii=False)
