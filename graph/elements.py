"""The documented architecture: elements, relationships, decisions, and how a name finds one."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum

from pydantic import Field

from graph.errors import Ambiguous, Fault, Unknown
from graph.frozen import Frozen
from graph.naming import folded


class ElementKind(StrEnum):
    """A level of the C4 model; `custom` is an element outside its levels."""

    PERSON = "person"
    SYSTEM = "system"
    CONTAINER = "container"
    COMPONENT = "component"
    CODE = "code"
    CUSTOM = "custom"


class Element(Frozen):
    """One element of the model; `ref` is its dotted canonical name, `source` the paths and globs that implement it."""

    ref: str
    kind: ElementKind
    name: str
    parent: str = ""
    description: str = ""
    technology: str = ""
    tags: tuple[str, ...] = ()
    url: str = ""
    properties: Mapping[str, str] = Field(default_factory=dict)
    owners: tuple[str, ...] = ()
    group: str = ""
    external: bool = False
    source: tuple[str, ...] = ()
    symbol: str = ""
    identity: str = ""
    file: str = ""
    line: int = 0


class Relationship(Frozen):
    """One element uses another; both ends are refs."""

    source: str
    target: str
    description: str = ""
    technology: str = ""
    tags: tuple[str, ...] = ()
    file: str = ""
    line: int = 0


class Decision(Frozen):
    """An architecture decision record: `ref` is its short name (`ADR-17`), `about` the refs it is attached to."""

    ref: str
    title: str
    status: str = ""
    date: str = ""
    content: str = ""
    about: tuple[str, ...] = ()
    file: str = ""


class ArchitectureModel(Frozen):
    """What the model files say, in the order of definition; `warnings` are what was left out and why."""

    name: str = ""
    elements: tuple[Element, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    decisions: tuple[Decision, ...] = ()
    files: tuple[str, ...] = ()
    warnings: tuple[Fault, ...] = ()


def find_element(elements: Iterable[Element], name: str) -> Element:
    """Return the element with this ref or unique name; raise Unknown with near names, or Ambiguous with candidates.

    An exact ref wins, then a folded ref, then a name or the trailing part of a ref (`API.Checkout`), then the model's
    own identifier.
    """
    known = tuple(elements)
    wanted = folded(name)
    for found in (
        [e for e in known if e.ref == name],
        [e for e in known if folded(e.ref) == wanted],
        [e for e in known if folded(e.name) == wanted or folded(e.ref).endswith(f".{wanted}")],
        [e for e in known if e.identity and e.identity.casefold() == name.casefold()],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(
                f"{name!r} names {len(found)} elements",
                id=name,
                next_step="give the whole ref of one of the candidates",
                candidates=sorted(e.ref for e in found),
            )
    raise Unknown(
        f"there is no element {name!r} in the model",
        id=name,
        next_step="give one of the refs that `archmem model show` lists, or import the model again",
        candidates=near_names(name, known),
    )


def near_names(name: str, elements: Iterable[Element], count: int = 5) -> tuple[str, ...]:
    """Return the refs whose ref or name looks like this one, nearest first."""
    spelled: dict[str, str] = {}
    for element in elements:
        spelled.setdefault(folded(element.ref), element.ref)
        spelled.setdefault(folded(element.name), element.ref)
    near = get_close_matches(folded(name), spelled, n=count * 2, cutoff=0.5)
    return tuple(dict.fromkeys(spelled[key] for key in near))[:count]


def ancestors(element: Element, by_ref: Mapping[str, Element]) -> tuple[Element, ...]:
    """Return the element's container, system and so on, nearest first."""
    found: list[Element] = []
    while element.parent and element.parent in by_ref and len(found) < len(by_ref):
        element = by_ref[element.parent]
        found.append(element)
    return tuple(found)
