"""What is wrong or doubtful about a checkout's model, told without a store."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from drift import find_dead_sources
from graph.checking import refuse_faulty
from graph.elements import ArchitectureModel, find_element
from graph.errors import Ambiguous, Unknown
from graph.linting import doubtful_names
from graph.project_file import FILE_NAME
from server.modelling import checkout_files, read_checkout
from server.work_tree import WorkTree
from server.workplace import Workplace

WarnedOf = Literal["reading", "source", "name"]


class Warned(BaseModel):
    """One finding: `reading` for what a reader left out or guessed, `source` for paths without files, `name`."""

    file: str
    line: int = Field(description="0 where the finding is about the whole file.")
    kind: WarnedOf
    what: str


class Lint(BaseModel):
    """What was read, and every finding by file and line."""

    files: tuple[str, ...]
    elements: int
    relationships: int
    warnings: tuple[Warned, ...]


def lint(workplace: Workplace, files: Sequence[str] = ()) -> Lint:
    """Return every finding about the given files, else about the project's model; nothing is written.

    Raise Unknown when there is no model, UnreadableModel or InvalidInput with every fault of one that nobody could
    take over.
    """
    model = read_checkout(workplace, checkout_files(workplace, files))
    refuse_faulty(model)
    found = [
        *(_warned(fault.where, "reading", fault.what) for fault in model.warnings),
        *_dead_sources(workplace, model),
        *(_warned(fault.where, "name", fault.what) for fault in doubtful_names(model.elements)),
    ]
    return Lint(
        files=model.files,
        elements=len(model.elements),
        relationships=len(model.relationships),
        warnings=tuple(sorted(found, key=lambda one: (one.file, one.line))),
    )


def _warned(where: str, kind: WarnedOf, what: str) -> Warned:
    file, _, line = where.rpartition(":")
    if not line.isdigit():
        file, line = where, "0"
    return Warned(file=file, line=int(line), kind=kind, what=what)


def _dead_sources(workplace: Workplace, model: ArchitectureModel) -> Iterator[Warned]:
    places = {element.ref: f"{element.file}:{element.line}" for element in model.elements}
    places |= _mapped(workplace, model)
    paths = WorkTree(workplace.root).paths()
    for dead in find_dead_sources(model.elements, paths, workplace.repository):
        yield _warned(places[dead.ref], "source", dead.what)


def _mapped(workplace: Workplace, model: ArchitectureModel) -> dict[str, str]:
    """Return where the project file names each element whose source it sets."""
    if not workplace.file.sources:
        return {}
    lines = (workplace.root / FILE_NAME).read_text("utf-8-sig").splitlines()
    found: dict[str, str] = {}
    for name in workplace.file.sources:
        try:
            ref = find_element(model.elements, name).ref
        except (Unknown, Ambiguous):
            continue  # the reader has told it
        line = next((number for number, line in enumerate(lines, start=1) if name in line), 1)
        found[ref] = f"{FILE_NAME}:{line}"
    return found
