"""The macros of C4-PlantUML, which Mermaid took over: what each declares, and in which order its arguments come."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from graph.elements import ElementKind


class Role(Enum):
    """What a macro is for."""

    ELEMENT = auto()
    BOUNDARY = auto()
    BOUNDARY_END = auto()
    NODE = auto()
    RELATIONSHIP = auto()
    PROPERTY = auto()
    LOOKS = auto()


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro; `kind` is None for a boundary that is no element, `both` and `back` say where an arrow points."""

    role: Role
    parameters: tuple[str, ...] = ()
    kind: ElementKind | None = None
    external: bool = False
    indexed: bool = False
    both: bool = False
    back: bool = False


_ELEMENT = re.compile(r"(?:(Person)|(System|Container|Component)(?:Db|Queue)?)(_Ext)?")
_BOUNDARY = re.compile(r"(?:(Enterprise|System|Container)_)?Boundary")
_NODE = re.compile(r"(?:Deployment_)?Node(?:_[LR])?")
_RELATIONSHIP = re.compile(r"(Bi)?Rel(Index)?(_Back)?(?:_(?:Neighbor|D|Down|U|Up|L|Left|R|Right))?")
_PROPERTY = re.compile(r"AddProperty|SetPropertyHeader|WithoutPropertyHeader")
_LOOKS = re.compile(
    r"Lay_\w+|(?:LAYOUT|SHOW|HIDE|SET)_\w+|Add\w*Tag|Update\w+|SetDefaultLegendEntries|increment|setIndex|SetIndex"
)
_OF_CONTEXT = ("alias", "label", "descr", "sprite", "tags", "link", "type")
_OF_PART = ("alias", "label", "techn", "descr", "sprite", "tags", "link")
_OF_LEVEL = ("alias", "label", "tags", "link", "descr")
_OF_BOUNDARY = ("alias", "label", "type", "tags", "link", "descr")
_OF_RELATIONSHIP = ("from", "to", "label", "techn", "descr", "sprite", "tags", "link")


@lru_cache(maxsize=1_024)
def find_macro(name: str) -> Macro | None:
    """Return the macro of this name; None for any other word."""
    if match := _ELEMENT.fullmatch(name):
        return _element(ElementKind((match[1] or match[2]).lower()), external=bool(match[3]))
    if match := _BOUNDARY.fullmatch(name):
        return Macro(Role.BOUNDARY, _OF_LEVEL if match[1] else _OF_BOUNDARY, kind_of_boundary(match[1] or ""))
    if name == "Rel_":  # what the others are made of; its last argument is an arrow
        return Macro(Role.RELATIONSHIP, _OF_RELATIONSHIP[:3])
    if match := _RELATIONSHIP.fullmatch(name):
        parameters = ("index",) * bool(match[2]) + _OF_RELATIONSHIP
        return Macro(Role.RELATIONSHIP, parameters, indexed=bool(match[2]), both=bool(match[1]), back=bool(match[3]))
    if _NODE.fullmatch(name):
        return Macro(Role.NODE, _OF_BOUNDARY)
    if _PROPERTY.fullmatch(name):
        return Macro(Role.PROPERTY)
    if name == "Boundary_End":
        return Macro(Role.BOUNDARY_END)
    return Macro(Role.LOOKS) if _LOOKS.fullmatch(name) else None


def _element(kind: ElementKind, *, external: bool) -> Macro:
    in_context = kind in (ElementKind.PERSON, ElementKind.SYSTEM)
    return Macro(Role.ELEMENT, _OF_CONTEXT if in_context else _OF_PART, kind, external)


def kind_of_boundary(of: str) -> ElementKind | None:
    """Return the element that a boundary of this type is: a system, a container, or none but a group of others."""
    return {
        "system": ElementKind.SYSTEM,
        "software system": ElementKind.SYSTEM,
        "softwaresystem": ElementKind.SYSTEM,
        "container": ElementKind.CONTAINER,
    }.get(of.strip().lower())
