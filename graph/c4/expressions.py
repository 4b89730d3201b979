"""The expressions of `!elements` and `!relationships`: which items of the draft they choose, as the official parser."""

import re
from collections.abc import Callable, Iterable

from graph.c4.draft import Draft, DraftElement, DraftGroup, DraftRelationship, Named
from graph.elements import ElementKind

Item = DraftElement | DraftRelationship
_ARROW = "->"
_DEEPEST = 8
_TYPES = {
    "person": ElementKind.PERSON,
    "softwaresystem": ElementKind.SYSTEM,
    "container": ElementKind.CONTAINER,
    "component": ElementKind.COMPONENT,
    "custom": ElementKind.CUSTOM,
}
# Words about elements ignore case, those about relationships and properties do not; nothing else can be negated.
_OF_ELEMENTS = re.compile(r"element\.(?:(?:parent|type|group)==|(?:tag|technology)[=!]=).*", re.IGNORECASE | re.DOTALL)
_OF_RELATIONSHIPS = re.compile(r"relationship\.(?:(?:source|destination)==|tag[=!]=).*", re.DOTALL)
_OF_PROPERTIES = re.compile(r"(element|relationship)\.properties\[(.*?)\].*?==(.*)")


def choose(draft: Draft, expression: str, scope: DraftElement | None) -> list[Item] | None:
    """Return the items that the expression chooses, in order of definition; None when it names what is not there.

    Of deployment nothing is modelled, so it is never chosen.
    """
    chosen = _Expressions(draft, scope).choose(expression)
    if chosen is None:
        return None
    items: list[Item] = [*draft.elements.values(), *draft.relationships]
    return [item for item in items if item in chosen]


class _Expressions:
    """Evaluates expressions inside one block; an identifier is looked for from there outwards."""

    def __init__(self, draft: Draft, scope: DraftElement | None) -> None:
        self._draft = draft
        self._scope = scope
        self._depth = 0

    def choose(self, expression: str) -> set[Item] | None:
        """Return what two expressions joined by ` && ` or ` || `, or a single one, choose."""
        for operator, joined in ((" && ", set.intersection), (" || ", set.union)):
            if operator in expression:
                one, other = (self._one(part) for part in expression.split(operator)[:2])
                return None if one is None or other is None else joined(one, other)
        return self._one(expression)

    def _one(self, expression: str) -> set[Item] | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            return None
        chosen = self._evaluated(expression)
        self._depth -= 1
        return chosen

    def _evaluated(self, expression: str) -> set[Item] | None:
        for prefix in ("element==", "element!=", "relationship=="):
            if expression.startswith(prefix):
                rest = expression.removeprefix(prefix)
                rest = "*->*" if rest == "*" and prefix == "relationship==" else rest
                chosen = self._one(rest) if _is_expression(rest) else _members(self._found(rest))
                return self._others(chosen) if prefix == "element!=" else chosen
        if _ARROW in expression:
            is_coupling = expression.startswith(_ARROW) or expression.endswith(_ARROW)
            return self._coupled(expression) if is_coupling else self._between(expression)
        if _OF_ELEMENTS.fullmatch(expression):
            return self._elements_with(expression)
        if _OF_RELATIONSHIPS.fullmatch(expression):
            return self._relationships_with(expression)
        if match := _OF_PROPERTIES.fullmatch(expression):
            items = self._draft.elements.values() if match[1] == "element" else self._draft.relationships
            return {item for item in items if item.properties.get(match[2]) == match[3]}
        found = self._found(expression)
        return set() if isinstance(found, DraftRelationship) else _members(found) or set()

    def _found(self, identifier: str) -> Named | None:
        return self._draft.find(identifier, self._scope)

    def _others(self, chosen: set[Item] | None) -> set[Item] | None:
        everything: set[Item] = set(self._draft.elements.values())
        return None if chosen is None else everything - chosen

    def _elements_with(self, expression: str) -> set[Item] | None:
        subject, is_wanted, value = _parts(expression.lower(), expression)
        elements = self._draft.elements.values()
        match subject:
            case "element.parent":
                parent = self._found(value)
                return None if parent is None else {element for element in elements if element.parent is parent}
            case "element.type":
                return {element for element in elements if element.kind is _TYPES.get(value.lower())}
            case "element.group":
                return {element for element in elements if element.group == value}
            case "element.technology":
                technical = (ElementKind.CONTAINER, ElementKind.COMPONENT)
                with_one = (element for element in elements if element.kind in technical)
                return _matching(with_one, lambda item: item.technology == value, is_wanted)
        return _matching(elements, _has_tags(value), is_wanted)

    def _relationships_with(self, expression: str) -> set[Item] | None:
        subject, is_wanted, value = _parts(expression, expression)
        relationships = self._draft.relationships
        if subject == "relationship.tag":
            return _matching(relationships, _has_tags(value), is_wanted)
        ends = self.choose(value) if _is_expression(value) else _members(self._found(value))
        if ends is None:
            return None
        of_source = subject == "relationship.source"
        return {known for known in relationships if (known.source if of_source else known.target) in ends}

    def _between(self, expression: str) -> set[Item] | None:
        """Return the relationships of `a->b`; either end may be `*`."""
        ends = [end.strip() for end in expression.split(_ARROW)[:2]]
        chosen: set[Item] = set(self._draft.relationships)
        for subject, end in zip(("source", "destination"), ends, strict=True):
            if end != "*":
                these = self._relationships_with(f"relationship.{subject}=={end}")
                if these is None:
                    return None
                chosen &= these
        return chosen

    def _coupled(self, expression: str) -> set[Item] | None:
        """Return the elements of `->a`, `a->` or `->a->`, and what uses them or is used by them."""
        name = expression.removeprefix(_ARROW).removesuffix(_ARROW).strip()
        inner = self.choose(name) if _is_expression(name) else _members(self._found(name))
        if not inner:
            return None
        chosen: set[Item] = {item for item in inner if isinstance(item, DraftElement)}
        for source, target in self._draft.uses():
            if expression.startswith(_ARROW) and target in inner:
                chosen.add(source)
            if expression.endswith(_ARROW) and source in inner:
                chosen.add(target)
        return chosen


def _is_expression(text: str) -> bool:
    if _ARROW in text or text.lower().startswith(("element==", "element!=", "relationship==")):
        return True
    return any(form.fullmatch(text) for form in (_OF_ELEMENTS, _OF_RELATIONSHIPS, _OF_PROPERTIES))


def _members(found: Named | None) -> set[Item] | None:
    if isinstance(found, DraftGroup):
        return set(found.elements)
    return None if found is None else {found}


def _parts(folded: str, expression: str) -> tuple[str, bool, str]:
    """Return the subject of a comparison, whether it asks for equality, and its value."""
    start = min(index for index in (folded.find("=="), folded.find("!=")) if index >= 0)
    return folded[:start], expression[start] == "=", expression[start + 2 :]


def _has_tags(value: str) -> Callable[[Item], bool]:
    tags = {tag.strip() for tag in value.split(",")}
    return lambda item: tags <= item.all_tags


def _matching(items: Iterable[Item], test: Callable[[Item], bool], is_wanted: bool) -> set[Item]:
    return {item for item in items if test(item) is is_wanted}
