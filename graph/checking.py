"""What makes a model unfit to be taken over; every fault is found before anything is written."""

from collections import Counter
from collections.abc import Iterator, Sequence

from graph.elements import ArchitectureModel
from graph.errors import Fault, InvalidInput
from graph.paths import MOST_ALTERNATIVES, is_matchable


def refuse_faulty(model: ArchitectureModel) -> None:
    """Raise InvalidInput with every fault of the model."""
    refs = [(one.ref, f"{one.file}:{one.line}" if one.file else one.name) for one in model.elements]
    decisions = [(one.ref, one.file or one.title) for one in model.decisions]
    found = (
        *_names("elements", refs),
        *_elements(model),
        *_rings(model),
        *_relationships(model),
        *_names("decisions", decisions),
    )
    faults = tuple(dict.fromkeys(found))
    if faults:
        raise InvalidInput(
            f"the model cannot be taken over: {len(faults)} fault{'s' if len(faults) > 1 else ''}",
            id=model.name,
            faults=faults,
            next_step="correct what is named above and import the model again; nothing was changed",
        )


def _names(what: str, named: Sequence[tuple[str, str]]) -> Iterator[Fault]:
    """Yield the faults of refs, each with the place that tells whose it is."""
    counts = Counter(ref for ref, _ in named if ref.strip())
    yield from (Fault(where=place or what, what="has no ref") for ref, place in named if not ref.strip())
    yield from (Fault(where=ref, what=f"is the ref of {n} {what}") for ref, n in counts.items() if n > 1)


def _elements(model: ArchitectureModel) -> Iterator[Fault]:
    refs = {element.ref for element in model.elements}
    for one in model.elements:
        if one.parent and one.parent not in refs:
            yield Fault(where=one.ref, what=f"lies in {one.parent!r}, which is not in the model")
        for pattern in one.source:
            if not is_matchable(pattern):
                yield Fault(where=one.ref, what=f"{pattern!r} stands for more than {MOST_ALTERNATIVES} patterns")


def _rings(model: ArchitectureModel) -> Iterator[Fault]:
    """Yield each ring of parents once."""
    parents = {element.ref: element.parent for element in model.elements if element.ref}
    settled: set[str] = set()
    for ref in parents:
        way: dict[str, None] = {}
        while ref in parents and ref not in settled and ref not in way:
            way[ref] = None
            ref = parents[ref]
        if ref in way:
            refs = list(way)
            ring = [*refs[refs.index(ref) :], ref]
            yield Fault(where=ref, what=f"lies in itself: {' in '.join(ring)}")
        settled.update(way)


def _relationships(model: ArchitectureModel) -> Iterator[Fault]:
    refs = {element.ref for element in model.elements}
    for one in model.relationships:
        if one.source not in refs:
            yield Fault(where=one.source, what=f"uses {one.target!r}, but is not in the model")
        if one.target not in refs:
            yield Fault(where=one.source, what=f"uses {one.target!r}, which is not in the model")
