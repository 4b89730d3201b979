"""A tree of files in memory, and the model that one workspace in it gives."""

import textwrap
from collections.abc import Collection, Mapping, Sequence

from graph.c4 import read_model
from graph.elements import ArchitectureModel, Element
from graph.errors import Unknown


class Files:
    """A tree that is a dictionary."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self._files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}

    def paths(self) -> Collection[str]:
        return list(self._files)

    def read(self, path: str) -> bytes:
        if path not in self._files:
            raise Unknown(f"there is no file {path!r}", id=path, next_step="check the path")
        return self._files[path]


def workspace(model: str) -> str:
    """Wrap the lines of a model in a workspace."""
    return f"workspace {{\n    model {{\n{textwrap.dedent(model).strip(chr(10))}\n    }}\n}}\n"


def read(
    model: str,
    files: Mapping[str, str | bytes] | None = None,
    *,
    mapping: Mapping[str, Sequence[str]] | None = None,
    remotes: Sequence[str] = (),
) -> ArchitectureModel:
    """Read `docs/workspace.dsl` with this model, beside the other files."""
    tree = Files({"docs/workspace.dsl": workspace(model), **(files or {})})
    return read_model(tree, ["docs/workspace.dsl"], mapping=mapping or {}, remotes=remotes)


def element(model: ArchitectureModel, ref: str) -> Element:
    """Return the element with this ref."""
    return next(e for e in model.elements if e.ref == ref)


def warned(model: ArchitectureModel) -> list[str]:
    """Return the warnings as `file:line what`."""
    return [f"{warning.where} {warning.what}" for warning in model.warnings]


def diagram(body: str) -> str:
    """Wrap the lines of a C4-PlantUML diagram between its start and its end: the first of them is line 2."""
    return f"@startuml\n{textwrap.dedent(body).strip(chr(10))}\n@enduml\n"


def read_diagram(body: str, files: Mapping[str, str | bytes] | None = None) -> ArchitectureModel:
    """Read `docs/shop.puml` with this diagram, beside the other files."""
    return read_model(Files({"docs/shop.puml": diagram(body), **(files or {})}), ["docs/shop.puml"])


def refs(model: ArchitectureModel) -> list[str]:
    """Return the refs of the elements in their order."""
    return [one.ref for one in model.elements]


def arrows(model: ArchitectureModel) -> list[str]:
    """Return the relationships as `source -> target: description [technology]`."""
    return [
        f"{one.source} -> {one.target}: {one.description}" + (f" [{one.technology}]" if one.technology else "")
        for one in model.relationships
    ]
