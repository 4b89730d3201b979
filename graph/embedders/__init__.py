"""Embedders: texts become unit vectors; having none is a store without vectors, said by `None`."""

from collections.abc import Sequence
from typing import Protocol

from graph.vectors import Vector


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    @property
    def identity(self) -> str:
        """`provider:model:dimensions`, kept with each vector; may ask the model, and raise Unavailable."""

    @property
    def name(self) -> str:
        """The identity, or as much of it as is known without asking the model."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector a text, in order; raise Unavailable when the model cannot be had."""
