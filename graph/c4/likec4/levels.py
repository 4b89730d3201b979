"""The C4 level of an element: LikeC4 lets every team name its own kinds, so the level has to be inferred."""

import re

from graph.elements import ElementKind

_WORDS = {
    ElementKind.PERSON: "actor person user human people role persona customer stakeholder",
    ElementKind.SYSTEM: "system softwaresystem externalsystem saas",
    ElementKind.CONTAINER: (
        "container service microservice app application webapp webapplication mobile mobileapp spa website site "
        "frontend backend ui web cli api gateway server worker job cron daemon process function lambda "
        "database db store datastore storage queue topic stream bus broker cache bucket "
    ),
    ElementKind.COMPONENT: (
        "component module library lib package class interface controller handler adapter plugin provider repository"
    ),
}
_LEVEL = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_OUTSIDE = frozenset(("external", "ext", "thirdparty", "externalsystem"))
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_BELOW = {
    None: ElementKind.SYSTEM,
    ElementKind.PERSON: ElementKind.CONTAINER,
    ElementKind.SYSTEM: ElementKind.CONTAINER,
    ElementKind.CONTAINER: ElementKind.COMPONENT,
    ElementKind.COMPONENT: ElementKind.COMPONENT,
}
_ORDER = (ElementKind.PERSON, ElementKind.SYSTEM, ElementKind.CONTAINER, ElementKind.COMPONENT)


def level_of(kind: str, parent: ElementKind | None) -> ElementKind:
    """Return the C4 level of an element of this kind, in a parent of this level.

    The kind's name decides: as a whole (`softwareSystem`), else by its last word that means a level (`logicalComponent`
    is a component, `externalSystem` a system, `dataStore` a container). A name that means none is as deep as it
    stands: a system at the top, a container in a system, a component below that. And whatever its name, an element
    lies deeper than the one it is part of: a `database` in a `service` is a component. A person stays a person.
    """
    named = _named(kind)
    below = _BELOW[parent]
    if named is None:
        return below
    if named is ElementKind.PERSON or parent is None:
        return named
    return max(named, below, key=_ORDER.index)


def is_outside(kind: str) -> bool:
    """Say whether the kind's name tells that somebody else builds its elements (`external`, `externalSystem`)."""
    return not _OUTSIDE.isdisjoint((kind.lower(), *_parts(kind)))


def _named(kind: str) -> ElementKind | None:
    whole = re.sub(r"[-_]", "", kind).lower()
    return next((_LEVEL[word] for word in (whole, *reversed(_parts(kind))) if word in _LEVEL), None)


def _parts(kind: str) -> list[str]:
    return [part.lower() for part in _PART.findall(kind)]
