"""The wiring: the only place that chooses a store, an embedder, a clock and ids."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import uuid_utils

from graph.embedders import Embedder
from graph.errors import Unavailable
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.stores.sqlite.store import SqliteStore
from graph.stores.transfer import Store
from server.settings import PROVIDER_URLS, Settings

_HURRIED_MS = 100
_INSTALL = "install archmem[local] for recall by meaning"


def bootstrap(settings: Settings) -> MemoryGraph:
    """Return the memory graph that the settings describe; close it when done."""
    return open_graph(settings, choose_embedder(settings))


def open_graph(settings: Settings, embedder: Embedder | None, store: Store | None = None) -> MemoryGraph:
    """Return the memory graph with this embedder, and this store when it is open already; close it when done."""
    store = store or open_store(settings)
    return MemoryGraph(Parts(store=store, clock=now, ids=new_id, embedder=embedder, policy=settings.graph))


@contextmanager
def in_a_hurry(graph: MemoryGraph, settings: Settings) -> Iterator[MemoryGraph]:
    """Give the graph to somebody who waits for no other writer: StoreBusy comes soon; a server's store is as it is."""
    if not isinstance(settings.store, Path):
        yield graph
        return
    hurried = open_graph(settings, None, SqliteStore(settings.store, busy_ms=_HURRIED_MS))
    try:
        yield hurried
    finally:
        hurried.close()


def open_store(settings: Settings) -> Store:
    """Return the store; raise Unavailable when its driver is not installed, or its server does not answer."""
    if isinstance(settings.store, Path):
        return SqliteStore(settings.store)
    if find_spec("neo4j") is None:
        step = "install archmem[neo4j]"
        raise Unavailable("the driver of Neo4j is not installed", id=settings.store, next_step=step)
    from graph.stores.neo4j import Address, Neo4jStore

    return Neo4jStore(
        Address(
            settings.store,
            user=settings.neo4j_user,
            password=settings.neo4j_password.get_secret_value(),
            database=settings.neo4j_database,
        )
    )


def store_version(store: Store) -> str:
    """Return which server and driver the store runs on; empty for a file."""
    if isinstance(store, SqliteStore):
        return ""
    from graph.stores.neo4j import Neo4jStore, driver_version

    return f"{store.version}, driver {driver_version()}" if isinstance(store, Neo4jStore) else ""


def choose_embedder(settings: Settings) -> Embedder | None:
    """Return the embedder; None for words alone. Raise Unavailable when the one asked for is not installed."""
    match settings.embedder:
        case "none":
            return None
        case "sentence-transformers":
            return _sentence_transformers(settings)
        case "openai" | "ollama":
            return _remote(settings)
    from graph.embedders.local import LocalEmbedder, available

    if available():
        return LocalEmbedder()
    if settings.embedder == "local":
        raise Unavailable("the local embedder is not installed", id="local", next_step=_INSTALL)
    return None


def _sentence_transformers(settings: Settings) -> Embedder:
    from graph.embedders.sentence_transformers import SentenceTransformersEmbedder, available

    if not available():
        step = "install archmem[sentence-transformers]"
        raise Unavailable("sentence-transformers is not installed", id=settings.embedder, next_step=step)
    return SentenceTransformersEmbedder(settings.embedder_model, dimensions=settings.embedder_dimensions)


def _remote(settings: Settings) -> Embedder:
    from graph.embedders.dialects import Ollama, OpenAI
    from graph.embedders.remote import RemoteEmbedder

    return RemoteEmbedder(
        OpenAI() if settings.embedder == "openai" else Ollama(),
        settings.embedder_model,
        settings.embedder_url or PROVIDER_URLS[settings.embedder],
        key=settings.embedder_key.get_secret_value(),
        dimensions=settings.embedder_dimensions,
        timeout=settings.embedder_timeout,
    )


def require_embedder(settings: Settings) -> None:
    """Raise Unavailable when there is no embedder."""
    if choose_embedder(settings) is None:
        raise Unavailable("there is no embedder", id=settings.embedder, next_step=_INSTALL)


def words_alone(settings: Settings) -> str:
    """Return the notice that recall goes by words alone; empty when there is an embedder."""
    if settings.embedder == "none":
        return "words alone: the embedder is switched off (ARCHMEM_EMBEDDER=none)"
    if settings.embedder != "auto":
        return ""
    from graph.embedders.local import available

    return "" if available() else f"words alone: {_INSTALL}"


def now() -> datetime:
    """Return the present moment, aware and in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a new UUIDv7."""
    return str(uuid_utils.uuid7())
