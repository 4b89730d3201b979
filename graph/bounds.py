"""The bounds of free input: every fault of a request is named, not only the first."""

from collections.abc import Iterable, Iterator, Sequence

from graph.errors import Fault, InvalidInput
from graph.naming import is_unicode

LONGEST_NAME = 200
MOST_NAMED = 50


def refuse(what: str, *faults: Iterable[Fault]) -> None:
    """Raise InvalidInput with all the faults, if there are any."""
    found = [fault for each in faults for fault in each]
    if found:
        raise InvalidInput(what, next_step="correct each field named above", faults=found)


def text_faults(where: str, text: str, longest: int) -> Iterator[Fault]:
    """Yield what is wrong with a text that must be there."""
    if not text.strip():
        yield Fault(where=where, what="is empty")
    if len(text) > longest:
        yield too_long(where, longest)
    if not is_unicode(text):
        yield Fault(where=where, what="is no Unicode text")


def texts_faults(where: str, texts: Sequence[str], longest: int) -> Iterator[Fault]:
    """Yield what is wrong with several texts."""
    yield from count_faults(where, texts)
    for number, text in enumerate(texts):
        yield from text_faults(f"{where}.{number}", text, longest)


def count_faults(where: str, names: Sequence[str]) -> Iterator[Fault]:
    """Yield the fault of too many names."""
    if len(names) > MOST_NAMED:
        yield Fault(where=where, what=f"are more than {MOST_NAMED}")


def too_long(where: str, longest: int) -> Fault:
    """Return the fault of a text beyond its bound."""
    return Fault(where=where, what=f"is longer than {longest} characters")
