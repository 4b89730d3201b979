"""Embedders: texts become unit vectors; having none is a store without vectors, said by `None`."""

from collections.abc import Sequence
from typing import Protocol

from graph.vectors import Vector


class Embedder(Protocol):
    """Turns texts into vectors of unit length; `identity` is `provider:model:dimensions`, kept with each vector."""

    @property
    def identity(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector a text, in order; raise Unavailable when the model cannot be had."""
