"""C4 models: Structurizr DSL files, the sources of their elements, and decision records."""

from graph.c4.finding import find_models
from graph.c4.reading import read_model

__all__ = ["find_models", "read_model"]
