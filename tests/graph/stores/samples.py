"""Small records for the contract: what a store keeps, made by hand."""

from datetime import UTC, datetime
from typing import Any

import numpy as np

from graph.codec import Codec, Record
from graph.memories import Kind, Memory, State
from graph.policy import RankingPolicy
from graph.scopes import Scope
from graph.stores.port import Asked, Embedding, GraphStore, Keys
from graph.vectors import Vector

HERE = Scope(project="here")
THERE = Scope(project="there")
WIDE = Scope()
NOW = datetime(2026, 6, 1, 12, 30, 15, 123456, tzinfo=UTC)
MODEL = "test:model:3"
CODEC = Codec()
ANY_RELEVANCE = RankingPolicy(min_relevance=0.01)


def record(name: str, scope: Scope = HERE, **others: object) -> Record:
    whole = {"kind": Kind.NOTE, "content": f"content of {name}", "created_at": NOW, "created_by": "a"}
    confirmed = {"confirmed_at": NOW, "confirmed_by": "a"}
    return CODEC.seal_memory(Memory.model_validate({"id": name, "scope": scope, **whole, **confirmed, **others}))


def keys(
    title: str = "",
    terms: tuple[str, ...] = (),
    symbols: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    content: str = "",
    search: str = "s",
) -> Keys:
    return Keys(title=title, aliases=aliases, content=content, search=search, terms=terms, symbols=symbols)


def put(store: GraphStore, one: Record, found_by: Keys | None = None) -> None:
    store.write(one.scope, lambda unit: unit.put(one, found_by or keys()))


def vector(*values: float) -> Vector:
    array = np.array(values, dtype=np.float32)
    return array / np.float32(np.linalg.norm(array))


def put_vectors(
    store: GraphStore, name: str, search: Vector, content: Vector | None = None, model: str = MODEL
) -> None:
    store.write(HERE, lambda unit: unit.put_vectors(name, embedding(search, content, model)))


def embedding(search: Vector, content: Vector | None = None, model: str = MODEL, key: str = "s") -> Embedding:
    return Embedding(model=model, key=key, search=search, content=search if content is None else content)


def supersede(store: GraphStore, name: str) -> None:
    gone = record(name, state=State.SUPERSEDED, superseded_by="z", version=2)
    put(store, gone)


def asking(terms: tuple[str, ...] = (), **others: Any) -> Asked:
    """Ask for these terms or keys, or with a vector; whatever has any relevance is wanted."""
    return Asked(terms, **{"keys": frozenset(), "policy": ANY_RELEVANCE, "now": NOW, "model": MODEL, **others})


def nominated(store: GraphStore, asked: Asked, scope: Scope = HERE) -> list[str]:
    return sorted(store.read(scope, lambda unit: unit.nominate(asked)).ids)


def nearest(store: GraphStore, asked: Vector, limit: int | None = None, scope: Scope = HERE) -> list[str]:
    return nominated(store, asking(vector=asked, limit=limit), scope)
