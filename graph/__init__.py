"""Memories pinned to an architecture model: elements, memories, links; remember, recall, coverage."""
