"""Pins: from what a writer or an asker names to elements of the model."""

from collections.abc import Iterable, Sequence

from graph.elements import Element, find_element, near_names
from graph.errors import Ambiguous, Unknown
from graph.naming import folded
from graph.paths import clean_path, matcher, plain_path, specificity
from graph.stores.port import StoredElement


def find_pin(stored: Sequence[StoredElement], name: str) -> tuple[StoredElement, ...]:
    """Return what a ref, a unique name, or a path of the repository stands for; raise Unknown or Ambiguous.

    A path stands for the element whose source covers it most narrowly; equally narrow ones all count. A word without
    `/` or `.` (`Makefile`) is a path only where no element has this name and a source spells how it begins.
    """
    active = [one for one in stored if one.retired_at is None]
    elements = [one.element for one in active]
    try:
        found = find_element(elements, name)
    except (Unknown, Ambiguous) as failure:
        covering: tuple[Element, ...] = ()
        if "/" in name or "." in name:
            covering = elements_at(elements, name)
        elif isinstance(failure, Unknown):
            # A source that covers everything would cover each misspelled name as well.
            covering = elements_at((e for e in elements if _spells(e, name)), name)
        if not covering:
            _say_where_it_was(stored, name, failure)
            raise
        refs = {element.ref for element in covering}
        return tuple(one for one in active if one.element.ref in refs)
    return tuple(one for one in active if one.element.ref == found.ref)


def elements_at(elements: Iterable[Element], path: str) -> tuple[Element, ...]:
    """Return the elements whose source covers the path most narrowly; none covers what is outside the repository."""
    wanted = plain_path(path)
    if wanted is None:
        return ()
    narrowness: dict[str, int] = {}
    found: dict[str, Element] = {}
    for element in elements:
        fits = [specificity(pattern) for pattern in element.source if matcher((pattern,))(wanted)]
        if fits:
            narrowness[element.ref], found[element.ref] = max(fits), element
    best = max(narrowness.values(), default=0)
    return tuple(found[ref] for ref, narrow in narrowness.items() if narrow == best)


def _spells(element: Element, word: str) -> bool:
    patterns = map(clean_path, element.source)
    return any(pattern and pattern[0] == word[:1] and matcher((pattern,))(word) for pattern in patterns)


def _say_where_it_was(stored: Sequence[StoredElement], name: str, failure: Exception) -> None:
    retired = [one.element for one in stored if one.retired_at is not None]
    if isinstance(failure, Unknown) and any(folded(name) in (folded(e.ref), folded(e.name)) for e in retired):
        raise Unknown(
            f"element {name!r} left the model",
            id=name,
            next_step="pin to an element of the present model",
            candidates=near_names(name, (one.element for one in stored if one.retired_at is None)),
        ) from failure
