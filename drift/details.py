"""What a memory mentions of a definition: whether all of it still is as it was."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from drift.literals import Value
from drift.symbols import Definition
from drift.syntax import squeezed

_SHORTEST_QUOTE = 4
_GIVEN = re.compile(r"[\w.$]+\s*=[^=]")


def misses(details: Sequence[str], old: Definition, new: Definition) -> str:
    """Return what the new definition lacks of the details that the old one bore out, in words; empty for nothing."""
    lost = [word for word in details if word in old.words and word not in new.words]
    lost += [*lost_quotes(details, old.text, new.text), *_others(details, old, new)]
    lost += [one for one in details if squeezed(one) in old.returned - new.returned]
    if lost:
        return f"{listed(lost)} no longer in it"
    if swapped := _swapped(details, old, new):
        return f"{swapped[0]} no longer before {swapped[1]}"
    # Who names all that it calls, and more than one, leaves nothing out.
    if len(old.called) > 1 and old.called <= set(details) and (more := new.called - old.called):
        return f"{listed(sorted(more))} called in it too"
    return ""


def _others(details: Iterable[str], old: Definition, new: Definition) -> list[str]:
    """Return the `NAME=value` of a memory that a parameter, keyword or key had then, and none has now."""
    found = []
    for one in details:
        name, equals, value = (part.strip() for part in one.partition("="))
        if equals and any_is(old.given.get(name, ()), value) and not any_is(new.given.get(name, ()), value):
            found.append(one)
        if any_is(old.values, one) and not any_is(new.values, one):
            found.append(one)
    return found


def _swapped(details: Iterable[str], old: Definition, new: Definition) -> tuple[str, str] | None:
    """Return the first two names that stood in the order in which the memory has them, and stand in the other now."""
    then, now = _first_places(old), _first_places(new)
    named = [one for one in dict.fromkeys(details) if one in then and one in now]
    return next(
        (pair for pair in pairwise(named) if then[pair[0]] < then[pair[1]] and now[pair[0]] > now[pair[1]]), None
    )


def _first_places(definition: Definition) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, token in enumerate(definition.tokens):
        places.setdefault(token, place)
    return places


def any_is(values: Iterable[Value], wanted: str) -> bool:
    """Say whether one of the values is the claimed one, or is computed from it."""
    return any(value.is_like(wanted) or value.holds(wanted) for value in values)


def lost_quotes(details: Iterable[str], old: str, new: str) -> list[str]:
    """Return what a memory quotes, more than a word, that stood in one text and does not in the other."""
    # A type may come between a name and its value: those are compared as values.
    quoted = {one: squeezed(one) for one in details if not (one.isidentifier() or one.isdigit() or _GIVEN.match(one))}
    return [one for one, plain in quoted.items() if len(plain) >= _SHORTEST_QUOTE and plain in old and plain not in new]


def joined(*parts: str) -> str:
    """Return the parts that there are, as one phrase."""
    return ", ".join(part for part in parts if part)


def listed(words: Iterable[str]) -> str:
    """Return the first words, and how many more there are."""
    shown = list(dict.fromkeys(short(word) for word in words))
    return ", ".join(shown[:3]) + (f" and {len(shown) - 3} more" if len(shown) > 3 else "")


def short(text: str) -> str:
    """Return a text that is short enough to be said."""
    return text if len(text) <= 60 else f"{text[:59]}…"
