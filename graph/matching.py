"""Which stored element each element of a new model is: it keeps that one's id, and so its memories."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TypeVar

from graph.elements import Element, near_names
from graph.errors import Conflict, Unknown
from graph.stores.port import StoredElement

T = TypeVar("T")
_NOTHING_TOLD: Mapping[str, str] = MappingProxyType({})
_NOT_YET = datetime.max.replace(tzinfo=UTC)


def match(
    elements: Sequence[Element], stored: Sequence[StoredElement], told: Mapping[str, str] = _NOTHING_TOLD
) -> dict[str, StoredElement]:
    """Return the stored element of each ref: by its own identifier, by name below a matched parent, or by ref.

    Where the model says who an element is, a ref that passed to another element does not carry memories over. `told`
    (old refs to new ones) comes before all of it.
    """
    active = [one for one in stored if one.retired_at is None]
    found = _told(elements, stored, told)

    def add(now: Callable[[Element], Hashable], then: Callable[[Element], Hashable]) -> bool:
        """Match what alone has a key with what alone had it; say whether there was any."""
        taken = {one.id for one in found.values()}
        former = _unique((then(one.element), one) for one in active if one.id not in taken)
        present = _unique((now(element), element) for element in elements if element.ref not in found)
        pairs = {element.ref: former[key] for key, element in present.items() if key in former}
        found.update(pairs)
        return bool(pairs)

    def below_parent(element: Element) -> Hashable:
        parent = found.get(element.parent)
        return (parent.element.ref, element.name, element.kind) if parent else None

    add(_identity, _identity)
    while add(below_parent, lambda former: (former.parent, former.name, former.kind)):
        pass  # each round reaches one level further down
    taken = {one.id for one in found.values()}
    namesakes = _by_ref(one for one in stored if one.id not in taken)
    for element in elements:
        fitting = (one for one in namesakes.get(element.ref, ()) if _may_be(one.element, element))
        if element.ref not in found and (known := next(fitting, None)):
            found[element.ref] = known
    return found


def _told(
    elements: Sequence[Element], stored: Sequence[StoredElement], told: Mapping[str, str]
) -> dict[str, StoredElement]:
    """Return what somebody said; raise Unknown, with near names, or Conflict where it cannot be so."""
    refs = {element.ref for element in elements}
    by_ref = _by_ref(stored)
    found: dict[str, StoredElement] = {}
    for old, new in told.items():
        if old not in by_ref:
            raise Unknown(
                f"there is no element {old!r} in the stored model",
                id=old,
                next_step="give the whole ref of an element that `archmem model show` lists",
                candidates=near_names(old, (one.element for one in stored)),
            )
        if new not in refs:
            raise Unknown(
                f"there is no element {new!r} in the model to be taken over",
                id=new,
                next_step="give the whole ref of one of its elements",
                candidates=near_names(new, elements),
            )
        taken = by_ref.get(new, [by_ref[old][0]])[0]
        if new in found or (taken.retired_at is None and taken.element.ref != old):
            raise Conflict(
                f"{new!r} is another element of the stored model already",
                id=new,
                next_step=f"take the model over without saying so, then run `archmem model rename {old!r} {new!r}`",
            )
        found[new] = by_ref[old][0]
    return found


def _identity(element: Element) -> Hashable:
    return (element.identity.casefold(), element.kind) if element.identity else None


def _may_be(former: Element, element: Element) -> bool:
    """Say whether an element of the same ref is the same: another kind is, unless its identifier is another too."""
    identities = {one.identity.casefold() for one in (former, element) if one.identity}
    return former.kind is element.kind or len(identities) < 2


def _by_ref(stored: Iterable[StoredElement]) -> dict[str, list[StoredElement]]:
    """Return the elements of each ref: the active one first, then the last to leave."""
    found: dict[str, list[StoredElement]] = {}
    for one in sorted(stored, key=lambda one: (one.retired_at or _NOT_YET, one.id), reverse=True):
        found.setdefault(one.element.ref, []).append(one)
    return found


def _unique(pairs: Iterable[tuple[Hashable, T]]) -> dict[Hashable, T]:
    found: dict[Hashable, list[T]] = {}
    for key, value in pairs:
        if key is not None:
            found.setdefault(key, []).append(value)
    return {key: values[0] for key, values in found.items() if len(values) == 1}
