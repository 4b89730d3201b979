"""Vectors that are missing: made batch by batch, each batch kept as it is made."""

from collections.abc import Callable

from graph.indexing import by_id, embed_all, search_text
from graph.memories import Memory
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ReadUnit, WriteUnit
from graph.views import Progress

_BATCH = 32


def back_fill(
    parts: Parts, scope: Scope, *, limit: int | None, progress: Callable[[Progress], None] | None
) -> Progress:
    """Embed what is missing in the visible scopes; another process may do the same at once without harm."""
    done, left = 0, _left(parts, scope)
    for one in scope.visible if left else ():
        last = ""
        while limit is None or done < limit:
            last, made = _batch(parts, one, last, _BATCH if limit is None else min(_BATCH, limit - done))
            if not last:
                break
            done += made
            if progress is not None:
                progress(Progress(done=done, left=_left(parts, scope)))
    return Progress(done=done, left=_left(parts, scope) if left else 0)


def _batch(parts: Parts, scope: Scope, after: str, size: int) -> tuple[str, int]:
    """Embed the next memories after an id; return the last one's id, empty when there was none, and how many."""
    embedder = parts.embedder
    assert embedder is not None

    def missing(unit: ReadUnit) -> list[tuple[Memory, str]]:
        records = unit.memories(unit.without_vectors(embedder.identity, after=after, limit=size))
        elements = by_id(unit.elements()) if records else {}
        return [(m, search_text(m, elements)) for m in map(parts.codec.open_memory, records)]

    batch = parts.store.read(scope, missing)
    if not batch:
        return "", 0
    embeddings = embed_all(parts, embedder, batch)

    def keep(unit: WriteUnit) -> int:
        # What changed meanwhile is not kept, and waits for the next run.
        return sum(unit.put_vectors(name, embedding) for name, embedding in embeddings.items())

    return batch[-1][0].id, parts.store.write(scope, keep)


def _left(parts: Parts, scope: Scope) -> int:
    if parts.embedder is None:
        return 0
    model = parts.embedder.identity
    state = parts.store.read(scope, lambda unit: unit.embedded(model))
    return state.pending
