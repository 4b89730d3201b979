"""LikeC4: projects of files that together are one model."""

from graph.c4.likec4.projects import ENDINGS, is_likec4, main_likec4
from graph.c4.likec4.reading import read_likec4

__all__ = ["ENDINGS", "is_likec4", "main_likec4", "read_likec4"]
