"""C4 diagrams in PlantUML or Mermaid: their macros, the languages around them, and the one model that they show."""

from graph.c4.diagrams.files import ENDINGS, is_diagram, main_diagrams, read_diagrams

__all__ = ["ENDINGS", "is_diagram", "main_diagrams", "read_diagrams"]
