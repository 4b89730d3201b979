"""Which elements that are new to a model may be some that left it: a guess with its reasons, for people to decide."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

from graph.elements import Element, Relationship
from graph.naming import folded

T = TypeVar("T")
_ENOUGH = 2
_ALIKE = 0.6
_MOST = 3
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Guess:
    """An element that left, one that is new, how much speaks for their being the same, and what."""

    old: str
    new: str
    points: int
    reasons: tuple[str, ...]


class Around:
    """What lies around each element of a model: the names of its parts, and what it has to do with.

    `known_as` gives the refs that a former model's elements have in the present one.
    """

    def __init__(
        self, elements: Iterable[Element], relationships: Iterable[Relationship], known_as: Mapping[str, str]
    ) -> None:
        self.parts: dict[str, set[str]] = {}
        self.others: dict[str, set[tuple[str, str]]] = {}
        self._known_as = known_as
        for one in elements:
            if one.parent:
                self.parts.setdefault(one.parent, set()).add(folded(one.name))
        for known in relationships:
            self.others.setdefault(known.source, set()).add(("to", self.called(known.target)))
            self.others.setdefault(known.target, set()).add(("from", self.called(known.source)))

    def called(self, ref: str) -> str:
        """Return what the present model calls an element."""
        return self._known_as.get(ref, ref)


def guesses(gone: Sequence[Element], new: Sequence[Element], before: Around, now: Around) -> tuple[Guess, ...]:
    """Return the likely pairs, outer elements first, then the likeliest; few for each element that is gone."""
    found: list[Guess] = []
    for old in gone:
        made = [guess for one in new if (guess := _guess(old, one, before, now)) is not None]
        made.sort(key=lambda guess: (-guess.points, guess.new))
        found += made[:_MOST]
    return tuple(sorted(found, key=lambda guess: (guess.old.count("."), -guess.points, guess.old, guess.new)))


def _guess(old: Element, new: Element, before: Around, now: Around) -> Guess | None:
    told = [*_of_sources(old, new)]
    if old.kind is not new.kind and not told:
        return None
    if old.description and old.description == new.description:
        told.append((1, "same description"))
    told += _shared("parts of the same name", before.parts.get(old.ref), now.parts.get(new.ref))
    told += _shared("relationships with the same elements", before.others.get(old.ref), now.others.get(new.ref))
    told += _of_names(old, new, is_beside=before.called(old.parent) == new.parent, is_told=bool(told))
    points = sum(point for point, _ in told)
    reasons = tuple(reason for _, reason in sorted(told, key=lambda one: -one[0]))
    return Guess(old.ref, new.ref, points, reasons) if points >= _ENOUGH else None


def _of_sources(old: Element, new: Element) -> list[tuple[int, str]]:
    shared = [path for path in old.source if path in new.source]
    if not shared:
        return []
    listed = ", ".join(shared[:_SHOWN]) + (", …" if len(shared) > _SHOWN else "")
    return [(3, f"same source {listed}") if len(shared) == len(old.source) else (2, f"shares the source {listed}")]


def _of_names(old: Element, new: Element, *, is_beside: bool, is_told: bool) -> list[tuple[int, str]]:
    one, other = folded(old.name), folded(new.name)
    if one == other:
        return [(2, "same name elsewhere" if not is_beside else "same name")]
    if not (is_beside or is_told):
        return []
    likeness = SequenceMatcher(None, one, other)
    is_alike = likeness.real_quick_ratio() >= _ALIKE and likeness.quick_ratio() >= _ALIKE and likeness.ratio() >= _ALIKE
    return [(2 if is_beside else 1, "similar name")] if is_alike or one in other or other in one else []


def _shared(what: str, before: Set[T] | None, now: Set[T] | None) -> list[tuple[int, str]]:
    """Return a reason where at least half of what either has is shared; a single one says less."""
    if not before or not now:
        return []
    shared, everything = len(before & now), len(before | now)
    if 2 * shared < everything:
        return []
    return [(2 if shared > 1 else 1, f"{shared} of {everything} {what}")]
