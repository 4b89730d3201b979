"""Vectors that are missing, of memories and of elements: made batch by batch, each batch kept as it is made."""

from collections.abc import Callable, Iterator

from graph.describing import embed_elements, present, without_vector
from graph.embedders import Embedder
from graph.indexing import by_id, embed_all, search_text
from graph.memories import Memory
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ReadUnit, StoredElement
from graph.views import Progress

_BATCH = 32


def back_fill(
    parts: Parts, scope: Scope, *, limit: int | None, progress: Callable[[Progress], None] | None
) -> Progress:
    """Embed what is missing in the visible scopes; another process may do the same at once without harm."""
    if parts.embedder is None:
        return Progress(done=0, left=0)
    done = 0
    for made in _batches(parts, parts.embedder, scope, limit):
        done += made
        if progress is not None:
            progress(Progress(done=done, left=_left(parts, parts.embedder, scope)))
    return Progress(done=done, left=_left(parts, parts.embedder, scope))


def _batches(parts: Parts, embedder: Embedder, scope: Scope, limit: int | None) -> Iterator[int]:
    """Make batches while something is missing, up to the limit; yield how many vectors each kept."""
    done = 0

    def room() -> int:
        return _BATCH if limit is None else min(_BATCH, limit - done)

    for one in scope.visible:
        after = ""
        while room() > 0 and (batch := _memories(parts, embedder, one, after, room())):
            # What changed meanwhile is missing still, so it is looked for again.
            after = max(batch) if all(batch.values()) else after
            done += (kept := sum(batch.values()))
            yield kept
        while room() > 0 and (made := _elements(parts, embedder, one, room())):
            done += made
            yield made


def _memories(parts: Parts, embedder: Embedder, scope: Scope, after: str, size: int) -> dict[str, bool]:
    """Embed the next memories after an id; return whether each kept its vectors, none of a text that has changed."""

    def missing(unit: ReadUnit) -> list[tuple[Memory, str]]:
        records = unit.memories(unit.without_vectors(embedder.identity, after=after, limit=size))
        elements = by_id(unit.elements()) if records else {}
        return [(m, search_text(m, elements)) for m in map(parts.codec.open_memory, records)]

    batch = parts.store.read(scope, missing)
    embeddings = embed_all(parts, embedder, batch) if batch else {}
    if not embeddings:
        return {}
    return parts.store.write(
        scope, lambda unit: {name: unit.put_vectors(name, embedding) for name, embedding in embeddings.items()}
    )


def _elements(parts: Parts, embedder: Embedder, scope: Scope, size: int) -> int:
    """Embed the next elements; one whose text changed meanwhile has a vector of the older one, and is missing still."""
    batch = parts.store.read(scope, lambda unit: _missing_elements(parts, embedder, unit))[:size]
    if not batch:
        return 0
    made = embed_elements(parts, scope, embedder, batch)
    parts.store.write(scope, lambda unit: unit.put_element_vectors(embedder.identity, made))
    return len(made)


def _missing_elements(parts: Parts, embedder: Embedder, unit: ReadUnit) -> list[StoredElement]:
    return without_vector(parts, unit.scope, present(unit), unit.element_vectors(embedder.identity))


def _left(parts: Parts, embedder: Embedder, scope: Scope) -> int:
    def count(unit: ReadUnit) -> int:
        units = [one for one in (unit, unit.organisation()) if one is not None]
        elements = sum(len(_missing_elements(parts, embedder, one)) for one in units)
        return unit.embedded(embedder.identity).pending + elements

    return parts.store.read(scope, count)
