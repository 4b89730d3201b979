"""A first model from the repository itself."""

from drift.inferring.dsl import write_dsl
from drift.inferring.inferring import Inferred, infer_model
from drift.inferring.sketch import Component, Container, Outside, Sketch, Use

__all__ = ["Component", "Container", "Inferred", "Outside", "Sketch", "Use", "infer_model", "write_dsl"]
