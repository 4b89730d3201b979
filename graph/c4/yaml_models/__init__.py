"""Models in YAML: archyl.yaml by its schema and as teams bend it, and pacta's architecture.yml."""

from graph.c4.yaml_models.archyl import is_archyl, main_archyl, read_archyl
from graph.c4.yaml_models.pacta import is_pacta, main_pacta, read_pacta

__all__ = ["is_archyl", "is_pacta", "main_archyl", "main_pacta", "read_archyl", "read_pacta"]
