"""How a memory is found: its search text, its vectors, its look-up keys."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from graph.codec import Codec
from graph.dedup import normalised
from graph.elements import Element
from graph.embedders import Embedder
from graph.errors import Unavailable
from graph.memories import Memory
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import Embedding, Keys, StoredElement, WriteUnit
from graph.terms import analyse, code_names, symbol_keys, title_key


def search_text(memory: Memory, elements: Mapping[str, Element]) -> str:
    """Return "elements, sorted by ref · kind · title: content · when to use", which the search vector is made of.

    Without elements the kind is left out: alone in front of the content it costs recall (docs/benchmarks.md).
    """
    refs = ", ".join(sorted(elements[name].ref for name in memory.elements if name in elements))
    told = f"{memory.title}: {memory.content}" if memory.title else memory.content
    return " · ".join(part for part in (refs, memory.kind.value if refs else "", told, memory.when_to_use) if part)


def make_keys(codec: Codec, memory: Memory, elements: Mapping[str, Element]) -> Keys:
    """Return everything that the memory is looked up by."""
    scope = memory.scope
    pinned = [elements[name] for name in memory.elements if name in elements]
    claims = [str(claim) for claim in memory.claims]
    names = [name for element in pinned for name in (element.ref, element.name)]
    written = (memory.title, *memory.aliases, memory.content, memory.when_to_use, memory.why, memory.how_to_apply)
    code = (*code_names(memory.content), *names, *claims, *_claimed(memory))

    def hidden(keys: Iterable[str]) -> tuple[str, ...]:
        return tuple(codec.key(scope, key) for key in keys)

    return Keys(
        title=codec.key(scope, title_key(memory.title)) if memory.title else "",
        aliases=hidden(title_key(alias) for alias in memory.aliases),
        content=codec.key(scope, digest(normalised(memory.content))),
        search=text_key(codec, scope, search_text(memory, elements)),
        terms=hidden(sorted(analyse("\n".join((*written, *names, *claims))))),
        symbols=hidden(symbol_keys((memory.title, *memory.aliases, *names), code)),
    )


def reindex(codec: Codec, unit: WriteUnit, ids: Sequence[str]) -> None:
    """Renew the keys of memories pinned to renamed elements; old vectors serve until a back-fill makes new ones."""
    known = by_id(unit.elements())
    for record in unit.memories(unit.pinned(ids)) if ids else ():
        if record.scope == unit.scope:
            unit.reindex(record.id, make_keys(codec, codec.open_memory(record), known))


def digest(text: str) -> str:
    """Return a short fixed-length name of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def text_key(codec: Codec, scope: Scope, search: str) -> str:
    """Return the key that tells whether a vector was made of this search text."""
    return codec.key(scope, digest(search))


def embed(parts: Parts, memories: Sequence[tuple[Memory, Mapping[str, Element]]]) -> dict[str, Embedding]:
    """Return the vectors of memories (with the elements by id), made outside every transaction; none when they fail."""
    if parts.embedder is None:
        return {}
    try:
        return embed_all(parts, parts.embedder, [(memory, search_text(memory, known)) for memory, known in memories])
    except Unavailable:
        # The fact is worth more than its vector, which a job makes later.
        return {}


def embed_all(parts: Parts, embedder: Embedder, searches: Sequence[tuple[Memory, str]]) -> dict[str, Embedding]:
    """Return the vectors of memories with their search texts, by id, each text embedded once; raise Unavailable."""
    texts = list(dict.fromkeys(text for memory, search in searches for text in (search, memory.content)))
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    return {
        memory.id: Embedding(
            model=embedder.identity,
            key=text_key(parts.codec, memory.scope, search),
            search=vectors[search],
            content=vectors[memory.content],
        )
        for memory, search in searches
    }


def by_id(stored: Iterable[StoredElement]) -> dict[str, Element]:
    """Return the elements by id, retired ones too: a memory keeps its pin."""
    return {one.id: one.element for one in stored}


def _claimed(memory: Memory) -> tuple[str, ...]:
    return tuple(name for claim in memory.claims for name in (claim.path, claim.symbol) if name)
