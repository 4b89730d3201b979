"""Archetypes: the user's own keywords, with what they bring along."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graph.elements import ElementKind

RELATIONSHIP = "->"
GROUP = "group"
ELEMENT_KEYWORDS: Mapping[str, ElementKind] = {
    "person": ElementKind.PERSON,
    "softwaresystem": ElementKind.SYSTEM,
    "container": ElementKind.CONTAINER,
    "component": ElementKind.COMPONENT,
    "element": ElementKind.CUSTOM,
}
DEPLOYMENT_KEYWORDS = frozenset(
    ("deploymentenvironment", "deploymentgroup", "deploymentnode", "infrastructurenode", "instanceof")
) | frozenset(("softwaresysteminstance", "containerinstance", "healthcheck"))
_KEYWORDS = frozenset(ELEMENT_KEYWORDS) | DEPLOYMENT_KEYWORDS | {GROUP}


@dataclass(slots=True)
class Archetype:
    """What an element or relationship has before its own words; `keyword` is the built-in word it stands for."""

    keyword: str
    description: str = ""
    technology: str = ""
    tags: list[str] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)


class Archetypes:
    """The archetypes of a workspace, by name without case; a built-in keyword may have one of its own."""

    def __init__(self) -> None:
        self._known: dict[str, Archetype] = {}

    def get(self, word: str) -> Archetype | None:
        """Return what the word stands for: an archetype, or a built-in keyword; None when it is neither."""
        name = word.lower()
        if name.startswith("--") and name.endswith("->"):
            name = f"->{name[2:-2]}"
        if name in self._known:
            return self._known[name]
        return Archetype(name) if name in _KEYWORDS or name == RELATIONSHIP else None

    def define(self, name: str, word: str) -> Archetype | None:
        """Add an archetype that extends what the word stands for; None when the word stands for nothing."""
        base = self.get(word)
        if base is None:
            return None
        # Properties are not handed down from one archetype to another; the official parser does not do it either.
        new = Archetype(base.keyword, base.description, base.technology, list(base.tags))
        name = name.lower() or base.keyword
        self._known[f"->{name}" if base.keyword == RELATIONSHIP and name != RELATIONSHIP else name] = new
        return new
