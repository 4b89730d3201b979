"""Vectors that are missing: made batch by batch, each batch kept as it is made."""

from collections.abc import Callable

from graph.indexing import by_id, embed_all, search_text
from graph.memories import Memory
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ReadUnit
from graph.views import Progress

_BATCH = 32


def back_fill(
    parts: Parts, scope: Scope, *, limit: int | None, progress: Callable[[Progress], None] | None
) -> Progress:
    """Embed what is missing in the visible scopes; another process may do the same at once without harm."""
    done, left = 0, _left(parts, scope)
    for one in scope.visible if left else ():
        after = ""
        while limit is None or done < limit:
            batch = _batch(parts, one, after, _BATCH if limit is None else min(_BATCH, limit - done))
            if not batch:
                break
            done += sum(batch.values())
            # What changed meanwhile is missing still, so it is looked for again.
            after = max(batch) if all(batch.values()) else after
            if progress is not None:
                progress(Progress(done=done, left=_left(parts, scope)))
    return Progress(done=done, left=_left(parts, scope) if left else 0)


def _batch(parts: Parts, scope: Scope, after: str, size: int) -> dict[str, bool]:
    """Embed the next memories after an id; return whether each kept its vectors, none of a text that has changed."""
    embedder = parts.embedder
    assert embedder is not None

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


def _left(parts: Parts, scope: Scope) -> int:
    if parts.embedder is None:
        return 0
    model = parts.embedder.identity
    state = parts.store.read(scope, lambda unit: unit.embedded(model))
    return state.pending
