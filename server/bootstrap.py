"""The wiring: the only place that chooses a store, an embedder, a clock and ids."""

from datetime import UTC, datetime

import uuid_utils

from graph.embedders import Embedder
from graph.errors import Unavailable
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.stores.sqlite.store import SqliteStore
from server.settings import Settings

_INSTALL = "install archmem[local] for recall by meaning"


def bootstrap(settings: Settings) -> MemoryGraph:
    """Return the memory graph that the settings describe; close it when done."""
    embedder = choose_embedder(settings)
    return MemoryGraph(
        Parts(store=SqliteStore(settings.store), clock=now, ids=new_id, embedder=embedder, policy=settings.graph)
    )


def choose_embedder(settings: Settings) -> Embedder | None:
    """Return the embedder; None for words alone. Raise Unavailable when the one asked for is not installed."""
    if settings.embedder == "none":
        return None
    from graph.embedders.local import LocalEmbedder, available

    if available():
        return LocalEmbedder()
    if settings.embedder == "local":
        raise Unavailable("the local embedder is not installed", id="local", next_step=_INSTALL)
    return None


def require_embedder(settings: Settings) -> None:
    """Raise Unavailable when there is no embedder."""
    if choose_embedder(settings) is None:
        raise Unavailable("there is no embedder", id=settings.embedder, next_step=_INSTALL)


def words_alone(settings: Settings) -> str:
    """Return the notice that recall goes by words alone; empty when there is an embedder."""
    if settings.embedder == "none":
        return "words alone: the embedder is switched off (ARCHMEM_EMBEDDER=none)"
    from graph.embedders.local import available

    return "" if available() else f"words alone: {_INSTALL}"


def now() -> datetime:
    """Return the present moment, aware and in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a new UUIDv7."""
    return str(uuid_utils.uuid7())
