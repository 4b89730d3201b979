"""Which elements use which in the code, held against the relationships of the model; nothing is executed."""

from drift.dependencies.finding import find_dependencies

__all__ = ["find_dependencies"]
