"""What the façade's workers share: store, embedder, clock, ids, policy, codec."""

from dataclasses import dataclass, field

from graph.codec import Codec
from graph.embedders import Embedder
from graph.policy import GraphPolicy
from graph.scopes import Clock, Ids
from graph.stores.transfer import Store


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one memory graph; without an embedder everything works by words alone."""

    store: Store
    clock: Clock
    ids: Ids
    embedder: Embedder | None = None
    policy: GraphPolicy = field(default_factory=GraphPolicy)
    codec: Codec = field(default_factory=Codec)
