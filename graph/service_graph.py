"""The façade's part for whoever runs the service: who may ask, and what servers do in the background."""

from graph.parts import Parts


class ServiceGraph:
    """What the people who run a store do with it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
