"""What is doubtful about a model that can be taken over: names by which nobody finds one element."""

from collections.abc import Callable, Iterator, Sequence

from graph.elements import Element
from graph.errors import Fault
from graph.naming import folded

_SHOWN = 5


def doubtful_names(elements: Sequence[Element]) -> tuple[Fault, ...]:
    """Return a finding for each ref, identifier and name that several elements share, at the second of them."""
    return (*_twins(elements), *_same_identities(elements), *_same_names(elements))


def _twins(elements: Sequence[Element]) -> Iterator[Fault]:
    for first, second, *_ in _groups(elements, lambda one: folded(one.ref)):
        what = f"{second.ref!r} differs from {first.ref!r} ({_where(first)}) by case, spaces, `-` or `_` alone"
        yield Fault(where=_where(second), what=what)


def _same_identities(elements: Sequence[Element]) -> Iterator[Fault]:
    for first, second, *_ in _groups(elements, lambda one: one.identity.casefold()):
        of = f"{first.ref!r} ({_where(first)})"
        yield Fault(
            where=_where(second), what=f"the identifier {second.identity!r} is also that of {of}, so it tells neither"
        )


def _same_names(elements: Sequence[Element]) -> Iterator[Fault]:
    for group in _groups(elements, lambda one: folded(one.name)):
        if len({folded(one.ref) for one in group}) < len(group):
            continue  # told already, as twins
        refs = ", ".join(one.ref for one in group[:_SHOWN]) + (", …" if len(group) > _SHOWN else "")
        what = f"the name {group[0].name!r} means {len(group)} elements, so only a whole ref finds one: {refs}"
        yield Fault(where=_where(group[1]), what=what)


def _groups(elements: Sequence[Element], key: Callable[[Element], str]) -> Iterator[list[Element]]:
    """Yield the elements that share a key, where there are several."""
    found: dict[str, list[Element]] = {}
    for element in elements:
        if shared := key(element):
            found.setdefault(shared, []).append(element)
    yield from (group for group in found.values() if len(group) > 1)


def _where(element: Element) -> str:
    return f"{element.file}:{element.line}"
