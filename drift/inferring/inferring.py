"""Infer a first model from what a tree tracks: deployables by their manifests, components by their folders."""

from dataclasses import dataclass

from drift.inferring.sketch import Sketch
from drift.inferring.sketching import Sketching
from drift.inferring.units import Units, is_workshop
from drift.manifests.reading import ManifestFiles
from drift.policy import DriftPolicy
from drift.product import is_code, product_files
from drift.trees import GitTree
from graph.errors import Fault


@dataclass(frozen=True, slots=True)
class Inferred:
    """The sketch of a model, and the manifests that were left out."""

    sketch: Sketch
    warnings: tuple[Fault, ...]


def infer_model(tree: GitTree, name: str, policy: DriftPolicy | None = None) -> Inferred:
    """Return a first model of the system that a tree builds."""
    policy = policy or DriftPolicy()
    name = " ".join(name.split()) or "System"
    paths = [path for path in product_files(tree, policy) if not is_workshop(path)]
    code = [path for path in paths if is_code(path, policy)]
    files = ManifestFiles(tree)
    units = Units(files, paths, code)
    return Inferred(Sketching(name, units, code, tree).draw(), tuple(files.warnings))
