"""C4 diagrams in PlantUML or Mermaid: their macros, the languages around them, and the one model that they show."""

from graph.c4.diagrams.files import DIAGRAM_ENDINGS, is_diagram, main_diagrams, read_diagrams

__all__ = ["DIAGRAM_ENDINGS", "is_diagram", "main_diagrams", "read_diagrams"]
