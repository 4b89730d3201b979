"""What a first model of a committed checkout holds."""

import json
from collections.abc import Mapping

from drift import Repository
from drift.inferring import Container, Inferred, infer_model, write_dsl
from graph.c4 import read_model
from graph.elements import ArchitectureModel
from tests.drift.conftest import Checkout
from tests.graph.c4.files import Files

WEB = '{"name": "web", "dependencies": {"next": "15"}}'
FASTAPI = '[project]\nname = "api"\ndependencies = ["fastapi>=0.1"]\n'


def inferred(checkout: Checkout, files: Mapping[str, str | bytes], name: str = "Shop") -> Inferred:
    checkout.commit(files)
    with Repository.open(checkout.root) as repository:
        return infer_model(repository.tree(repository.head()), name)


def npm(name: str, *dependencies: str) -> str:
    return json.dumps({"name": f"@shop/{name}", "dependencies": dict.fromkeys(dependencies, "*")})


def containers(found: Inferred) -> dict[str, tuple[str, ...]]:
    return {container.name: container.source for container in found.sketch.containers}


def one(found: Inferred, name: str) -> Container:
    return next(container for container in found.sketch.containers if container.name == name)


def uses(found: Inferred) -> set[tuple[str, str]]:
    return {(use.source.partition(":")[2], use.target.partition(":")[2]) for use in found.sketch.uses}


def reread(found: Inferred, paths: Mapping[str, str | bytes]) -> ArchitectureModel:
    return read_model(Files({**paths, "w.dsl": write_dsl(found.sketch)}), ["w.dsl"])
