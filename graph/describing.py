"""How an element is found: the words that the model says of it, the text of its vector, and what is missing there."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from graph.elements import Element, ElementKind
from graph.embedders import Embedder
from graph.indexing import text_key
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ElementVector, ReadUnit, StoredElement
from graph.terms import analyse, symbol_key, title_key


def element_text(element: Element) -> str:
    """Return "name: description", which the element's vector is made of; more than that blurs it (ADR 22)."""
    return f"{element.name}: {element.description}" if element.description else element.name


def element_terms(element: Element) -> frozenset[str]:
    """Return the terms of all that the model says: ref, name, description, technology, group, tags, source, symbol."""
    one = element
    told = (one.ref, one.name, one.description, one.technology, one.group, one.symbol, *one.tags, *one.source)
    return _terms_of("\n".join(told))


def element_keys(element: Element) -> frozenset[str]:
    """Return the keys of its ref and name, by which a question names it for certain."""
    return _keys_of(element.ref, element.name)


def is_outside(element: Element) -> bool:
    """Say whether nothing of it is in the repository: a person, or a system of others."""
    return element.external or element.kind is ElementKind.PERSON


def present(unit: ReadUnit) -> tuple[StoredElement, ...]:
    """Return the elements that are in the model."""
    return tuple(one for one in unit.elements() if one.retired_at is None)


def without_vector(
    parts: Parts, scope: Scope, elements: Sequence[StoredElement], known: Mapping[str, ElementVector]
) -> list[StoredElement]:
    """Return the elements that have no vector of their present text."""

    def is_current(one: StoredElement) -> bool:
        kept = known.get(one.id)
        return kept is not None and kept.key == text_key(parts.codec, scope, element_text(one.element))

    return [one for one in elements if not is_current(one)]


def embed_elements(
    parts: Parts, scope: Scope, embedder: Embedder, elements: Sequence[StoredElement]
) -> dict[str, ElementVector]:
    """Return the vectors of elements by id, made outside every transaction; raise Unavailable."""
    texts = [element_text(one.element) for one in elements]
    keys = [text_key(parts.codec, scope, text) for text in texts]
    vectors = embedder.embed(texts) if texts else []
    made = map(ElementVector, keys, vectors)
    return dict(zip((one.id for one in elements), made, strict=True))


@lru_cache(maxsize=16_384)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(analyse(text))


@lru_cache(maxsize=16_384)
def _keys_of(*names: str) -> frozenset[str]:
    return frozenset(key(name) for name in names for key in (title_key, symbol_key))
