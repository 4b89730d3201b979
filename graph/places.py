"""Places: where a question is asked, and how far from there the elements are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graph.elements import ancestors
from graph.pinning import elements_at, find_pin
from graph.ranking import Facts
from graph.stores.port import StoredElement


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question is asked: steps from there by element id; project-wide memories come after the system."""

    is_asked: bool = False
    refs: tuple[str, ...] = ()
    distance: Mapping[str, int] = field(default_factory=dict)
    beyond: int = 0

    def covers(self, facts: Facts) -> bool:
        """Say whether the place's answers may come from there: what is pinned elsewhere is left out."""
        return not self.is_asked or not facts.elements or any(e in self.distance for e in facts.elements)

    def of(self, facts: Facts) -> int:
        """Return the steps from the place to the nearest pin; 0 when no place is asked about."""
        return min((self.distance[e] for e in facts.elements if e in self.distance), default=self.beyond)


def find_place(
    stored: Sequence[StoredElement], names: Sequence[str], paths: Sequence[str]
) -> tuple[Place, tuple[str, ...]]:
    """Return the place of these elements and paths, and the paths that no element covers; raise Unknown, Ambiguous."""
    active = {one.element.ref: one for one in stored if one.retired_at is None}
    by_ref = {ref: one.element for ref, one in active.items()}
    asked = [one for name in names for one in find_pin(stored, name)]
    uncovered = []
    for path in paths:
        covering = elements_at(by_ref.values(), path)
        asked.extend(active[element.ref] for element in covering)
        if not covering:
            uncovered.append(path)
    distance: dict[str, int] = {}
    for one in asked:
        for steps, element in enumerate((one.element, *ancestors(one.element, by_ref))):
            name = active[element.ref].id
            distance[name] = min(steps, distance.get(name, steps))
        for steps, below in _descendants(one, stored):
            distance[below] = min(steps, distance.get(below, steps))
    place = Place(
        is_asked=True,
        refs=tuple(sorted({one.element.ref for one in asked})),
        distance=distance,
        beyond=max(distance.values(), default=0) + 1,
    )
    return place, tuple(uncovered)


def _descendants(one: StoredElement, stored: Sequence[StoredElement]) -> Iterable[tuple[int, str]]:
    below: dict[str, list[StoredElement]] = {}
    for other in stored:
        if other.retired_at is None:
            below.setdefault(other.element.parent, []).append(other)
    level, seen, steps = [one], {one.id}, 0
    while level:
        steps += 1
        level = [child for parent in level for child in below.get(parent.element.ref, ()) if child.id not in seen]
        seen.update(child.id for child in level)
        yield from ((steps, child.id) for child in level)
