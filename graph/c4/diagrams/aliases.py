"""Makes one model of what several diagrams declare: an alias means the same element in all of them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from graph.c4.diagrams.reading import Arrow, Declaration, Diagram
from graph.c4.draft import Draft, DraftElement, DraftRelationship, related_by_blood
from graph.c4.findings import Findings
from graph.elements import ElementKind
from graph.naming import folded

_DEPTH = {
    None: 0,
    ElementKind.PERSON: 1,
    ElementKind.SYSTEM: 1,
    ElementKind.CONTAINER: 2,
    ElementKind.COMPONENT: 3,
}
_AT_DEPTH = {0: None, 1: ElementKind.SYSTEM, 2: ElementKind.CONTAINER}
_WORD = re.compile(r"\w+")
_MOST_MEANINGS = 20  # of one alias
_SAY_LITTLE = frozenset(("system", "service", "application", "app", "platform"))


@dataclass(eq=False, slots=True)
class _Meaning:
    """What an alias means on one level: its name, and the element in each place where it is drawn."""

    name: str
    places: dict[DraftElement | None, DraftElement] = field(default_factory=dict)


class DiagramModel:
    """One model of several diagrams.

    An alias is one element, unless its level, the boundary around it or most words of its name differ: people copy
    aliases such as `c1`, and each system has a `db`. A boundary is the element of its alias; without one it is what
    C4 puts around its members: around systems and people alone a group, around containers alone a system. An element
    that is drawn outside any boundary is the only one of its name inside one. It is external when all diagrams say so.
    """

    def __init__(self, diagrams: Sequence[Diagram], findings: Findings) -> None:
        self._diagrams = diagrams
        self._findings = findings
        self._declarations = [one for diagram in diagrams for one in diagram.declarations]
        self._anywhere = {one.alias: one for one in reversed(self._declarations)}
        self._meanings: dict[tuple[str, ElementKind], list[_Meaning]] = {}
        self._first: dict[DraftElement, Declaration] = {}
        self._same: dict[DraftElement, DraftElement] = {}
        self._draft = Draft()

    def draft(self) -> Draft:
        """Return the model; what was left out or read with a guess is in the findings."""
        self._set_kinds()
        for declaration in self._declarations:
            if declaration.kind is not None:
                self._place(declaration, declaration.kind)
        self._name_apart()
        self._identify()
        for diagram in self._diagrams:
            in_diagram = {one.alias: one for one in reversed(diagram.declarations)}
            for arrow in diagram.arrows:
                self._relate(arrow, diagram, in_diagram)
        return self._draft

    # -- what a boundary is ---------------------------------------------------------------------------------------

    def _set_kinds(self) -> None:
        elements: dict[str, list[Declaration]] = {}
        for one in self._declarations:
            if not one.is_boundary and one.kind in (ElementKind.SYSTEM, ElementKind.CONTAINER):
                elements.setdefault(one.alias, []).append(one)
        depths: dict[tuple[str, str], int] = {}
        for diagram in self._diagrams:
            related = {end for arrow in diagram.arrows for end in (arrow.source, arrow.target)}
            held: dict[Declaration, set[int]] = {}
            # What stands in a boundary is declared after it.
            for one in reversed(diagram.declarations):
                members = held.pop(one, set())
                namesakes = elements.get(one.alias, [])[:_MOST_MEANINGS] if one.is_boundary else []
                kinds = {known.kind for known in namesakes if _alike(known.name, one.name)}
                depth = _DEPTH[one.kind]
                if one.is_boundary and kinds:
                    depth = depth if _AT_DEPTH[depth] in kinds else min(map(_DEPTH.__getitem__, kinds))
                elif one.is_boundary and members and max(members) <= depth and one.alias not in related:
                    depth = min(members) - 1
                if one.is_boundary:
                    depths[one.alias, one.name] = max(depth, depths.get((one.alias, one.name), 0))
                if one.outer is not None:
                    held.setdefault(one.outer, set()).update({depth} if depth else members)
        for one in self._declarations:
            if one.is_boundary:
                one.kind = _AT_DEPTH[depths[one.alias, one.name]]

    # -- what an alias is -----------------------------------------------------------------------------------------

    def _place(self, declaration: Declaration, kind: ElementKind) -> None:
        parent, group = _surroundings(declaration, kind)
        meanings = self._meanings.setdefault((declaration.alias, kind), [])
        known = meanings[:_MOST_MEANINGS]
        meaning = next((meaning for meaning in known if _alike(declaration.name, meaning.name)), None)
        if meaning is None:
            meaning = _Meaning(declaration.name)
            meanings.append(meaning)
        places = meaning.places
        element = places.get(parent) or (next(iter(places.values()), None) if parent is None else None)
        if element is None and None in places:
            element = places[parent] = places.pop(None)
            element.parent = parent
        elif element is None:
            element = DraftElement(kind, declaration.name, parent, declaration.line.file, declaration.line.number)
            element.external = True
            places[parent] = element
            self._first[element] = declaration
            self._tell_of_another(declaration)
        declaration.element = element
        self._fill(element, declaration, group)

    def _tell_of_another(self, declaration: Declaration) -> None:
        other = self._anywhere[declaration.alias]
        if other.element is not None:
            what = f"{declaration.alias!r} is {other.name!r} at {other.line.where}; each was read as its own"
            self._findings.warn(declaration.line.where, what)

    def _fill(self, element: DraftElement, declaration: Declaration, group: str) -> None:
        first = self._first[element]
        if first.is_boundary and not declaration.is_boundary:
            self._first[element] = declaration
            element.name, element.file, element.line = declaration.name, declaration.line.file, declaration.line.number
        elif not declaration.is_boundary and declaration.name != first.name:
            what = f"{first.alias!r} is {first.name!r} at {first.line.where}; {declaration.name!r} was left out"
            self._findings.warn(declaration.line.where, what)
        element.description = element.description or declaration.description
        element.technology = element.technology or declaration.technology
        element.url = element.url or declaration.url
        element.group = element.group or group
        element.external &= declaration.macro.external
        element.tags += [tag for tag in declaration.tags if tag not in element.tags]
        element.properties = {**declaration.properties, **element.properties}

    # -- names ----------------------------------------------------------------------------------------------------

    def _name_apart(self) -> None:
        """Give each element a ref of its own, its parent's first; what has the same name in the same place is one."""
        inside: dict[tuple[ElementKind, str], list[DraftElement]] = {}
        for element in sorted(self._first, key=lambda one: (_DEPTH[one.kind], one.parent is None)):
            if element.parent:
                element.parent = self._same.get(element.parent, element.parent)
            namesakes = inside.setdefault((element.kind, element.name), [])
            known = self._draft.elements.get(element.ref)
            if not element.parent and len(namesakes) == 1:
                self._merge(element, namesakes[0])
            elif known and known.kind is element.kind:
                self._merge(element, known)
            else:
                while element.ref in self._draft.elements:
                    element.name = f"{element.name} ({element.kind.value})"
                self._draft.elements[element.ref] = element
                if element.parent:
                    namesakes.append(element)
        self._draft.elements = {one.ref: one for one in self._first if one not in self._same}

    def _merge(self, element: DraftElement, known: DraftElement) -> None:
        """Take two elements of one name for one."""
        self._same[element] = known
        alias = self._first[element].alias
        if alias != self._first[known].alias:
            what = f"{alias!r} has the name of {known.ref!r} ({known.file}:{known.line}); both were read as one"
            self._findings.warn(f"{element.file}:{element.line}", what)
        known.description = known.description or element.description
        known.technology = known.technology or element.technology
        known.url = known.url or element.url
        known.external &= element.external
        known.tags += [tag for tag in element.tags if tag not in known.tags]
        known.properties = {**element.properties, **known.properties}

    def _identify(self) -> None:
        """Make the alias the identifier, unless it has several meanings: then it would pass from one to another."""
        elements = self._draft.elements.values()
        meanings = Counter((self._first[one].alias, one.kind) for one in elements)
        for one in elements:
            alias = self._first[one].alias
            one.key = alias if meanings[alias, one.kind] == 1 else ""

    # -- relationships --------------------------------------------------------------------------------------------

    def _relate(self, arrow: Arrow, diagram: Diagram, in_diagram: Mapping[str, Declaration]) -> None:
        where = arrow.line.where
        ends: list[DraftElement] = []
        for alias in (arrow.source, arrow.target):
            declaration = in_diagram.get(alias) or self._anywhere.get(alias)
            if declaration is not None and declaration.element is not None:
                ends.append(self._same.get(declaration.element, declaration.element))
            elif alias not in diagram.left_out:
                what = "is a group of elements" if declaration else "is no element"
                self._findings.warn(where, f"{alias[:60]!r} {what}; the relationship was left out")
        if len(ends) < 2:
            return
        source, target = ends
        if source is not target and related_by_blood(source, target):
            self._findings.warn(where, "a relationship between an element and its own part was left out")
            return
        relationship = DraftRelationship(
            source,
            target,
            arrow.line.file,
            arrow.line.number,
            description=arrow.description,
            technology=arrow.technology,
            url=arrow.url,
            tags=arrow.tags,
            properties=dict(arrow.properties),
        )
        self._draft.relate(relationship)  # one that another diagram shows too is no news


@lru_cache(maxsize=4_096)
def _words(name: str) -> frozenset[str]:
    """Return the words of a name by which it is known, without those that say little where others say more."""
    words = frozenset(_WORD.findall(folded(name))) or frozenset((name,))
    return words - _SAY_LITTLE or words


def _alike(name: str, other: str) -> bool:
    """Say whether two names share more than half the words of the shorter one."""
    words, others = _words(name), _words(other)
    return 2 * len(words & others) > min(len(words), len(others))


def _surroundings(declaration: Declaration, kind: ElementKind) -> tuple[DraftElement | None, str]:
    """Return the element that the declaration lies in by the levels of C4, and the groups on the way to it."""
    groups: list[str] = []
    parent: DraftElement | None = None
    for boundary in _outwards(declaration):
        if boundary.element is not None and _DEPTH[boundary.kind] < _DEPTH[kind]:
            parent = boundary.element
            break
        groups.append(boundary.name)
    return parent, "/".join(reversed(groups))


def _outwards(declaration: Declaration) -> Iterator[Declaration]:
    boundary = declaration.outer
    while boundary is not None:
        yield boundary
        boundary = boundary.outer
