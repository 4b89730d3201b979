"""The expressions of `!elements` and `!relationships`: which items of the draft they choose."""

import re
from collections.abc import Callable, Iterable

from graph.c4.draft import Draft, DraftElement, DraftGroup, DraftRelationship, Named
from graph.elements import ElementKind

Item = DraftElement | DraftRelationship
_TYPES = {
    "person": ElementKind.PERSON,
    "softwaresystem": ElementKind.SYSTEM,
    "container": ElementKind.CONTAINER,
    "component": ElementKind.COMPONENT,
    "custom": ElementKind.CUSTOM,
}
_COMPARISON = re.compile(r"(element|relationship)(?:\.(\w+)(?:\[(.*?)\])?)?\s*(==|!=)\s*(.*)", re.IGNORECASE)


def choose(draft: Draft, expression: str, scope: DraftElement | None) -> list[Item] | None:
    """Return the items that the expression chooses, in order of definition; None when it cannot be understood.

    Of deployment nothing is modelled, so it is never chosen.
    """
    chosen = _evaluate(draft, expression.strip(), scope, depth=8)
    if chosen is None:
        return None
    items: list[Item] = [*draft.elements.values(), *draft.relationships]
    return [item for item in items if item in chosen]


def _evaluate(draft: Draft, expression: str, scope: DraftElement | None, depth: int) -> set[Item] | None:
    if depth == 0 or not expression:
        return None
    for operator, joined in (("&&", set.intersection), ("||", set.union)):
        if f" {operator} " in expression:
            parts = [_evaluate(draft, part.strip(), scope, depth - 1) for part in expression.split(f" {operator} ")]
            return None if any(part is None for part in parts) else joined(*(part or set() for part in parts))
    comparison = _COMPARISON.fullmatch(expression)
    if comparison:
        return _compare(draft, comparison, scope, depth)
    if expression.startswith("->") or expression.endswith("->"):
        return _coupled(draft, expression, scope, depth)
    if "->" in expression:
        source, target = (end.strip() for end in expression.split("->", 1))
        return _between(draft, _elements(draft, source, scope, depth), _elements(draft, target, scope, depth))
    return _members(draft.find(expression, scope))


def _members(found: Named | None) -> set[Item] | None:
    if isinstance(found, DraftGroup):
        return set(found.elements)
    return None if found is None else {found}


def _elements(draft: Draft, expression: str, scope: DraftElement | None, depth: int) -> set[Item] | None:
    if expression == "*":
        return set(draft.elements.values())
    return _evaluate(draft, expression, scope, depth - 1)


def _between(draft: Draft, sources: set[Item] | None, targets: set[Item] | None) -> set[Item] | None:
    if sources is None or targets is None:
        return None
    return {known for known in draft.relationships if known.source in sources and known.target in targets}


def _coupled(draft: Draft, expression: str, scope: DraftElement | None, depth: int) -> set[Item] | None:
    inner = _evaluate(draft, expression.removeprefix("->").removesuffix("->").strip(), scope, depth - 1)
    if inner is None:
        return None
    chosen = set(inner)
    for source, target in draft.uses():
        if expression.startswith("->") and target in inner:
            chosen.add(source)
        if expression.endswith("->") and source in inner:
            chosen.add(target)
    return chosen


def _compare(draft: Draft, comparison: re.Match[str], scope: DraftElement | None, depth: int) -> set[Item] | None:
    subject, field, key, operator, value = comparison.groups()
    of_elements = subject.lower() == "element"
    everything: set[Item] = set(draft.elements.values()) if of_elements else set(draft.relationships)
    if field is None:
        chosen = everything if value == "*" else _evaluate(draft, value, scope, depth - 1)
        if chosen is None:
            return None
        return chosen if operator == "==" else everything - chosen
    if not of_elements and field.lower() in ("source", "destination"):
        ends, all_elements = _elements(draft, value, scope, depth), set(draft.elements.values())
        return _between(draft, *((ends, {*all_elements}) if field.lower() == "source" else ({*all_elements}, ends)))
    test = _test(draft, field.lower(), key or "", value, scope)
    if test is None:
        return None
    # Only containers and components take part in a comparison of technologies.
    if field.lower() == "technology":
        everything = {item for item in everything if _has_technology(item)}
    return _matching(everything, test, wanted=operator == "==")


def _matching(items: Iterable[Item], test: Callable[[Item], bool], wanted: bool) -> set[Item]:
    return {item for item in items if test(item) is wanted}


def _has_technology(item: Item) -> bool:
    return not isinstance(item, DraftElement) or item.kind in (ElementKind.CONTAINER, ElementKind.COMPONENT)


def _test(draft: Draft, field: str, key: str, value: str, scope: DraftElement | None) -> Callable[[Item], bool] | None:
    if field == "tag":
        tags = {tag.strip() for tag in value.split(",")}
        return lambda item: tags <= item.all_tags
    if field == "technology":
        return lambda item: item.technology == value
    if field == "properties":
        return lambda item: item.properties.get(key) == value
    if field == "type":
        return lambda item: isinstance(item, DraftElement) and item.kind is _TYPES.get(value.lower())
    if field == "group":
        return lambda item: isinstance(item, DraftElement) and item.group == value
    if field == "parent":
        parent = draft.find(value, scope)
        return None if parent is None else lambda item: isinstance(item, DraftElement) and item.parent is parent
    return None
