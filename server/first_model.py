"""What a checkout says by itself: a first model of it, and the paths of a model's elements without source."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from drift import GitTree, Repository
from drift.inferring import Sketch, infer_model, write_dsl
from drift.mapping import Proposal, propose_sources
from graph.elements import find_element
from graph.errors import ArchmemError, Conflict, Fault, InvalidInput, Unknown
from graph.project_file import FILE_NAME, add_sources
from server.modelling import model_files, read_checkout
from server.settings import drift_policy
from server.workplace import Workplace


class InferredModel(BaseModel):
    """A first model as Structurizr DSL and in its parts; `file` is where it was written, empty for nowhere."""

    file: str
    dsl: str
    sketch: Sketch
    warnings: tuple[Fault, ...]


class MappedSources(BaseModel):
    """Where elements without source probably are; `written` are the refs that the project file has now."""

    proposals: tuple[Proposal, ...]
    doubtful: tuple[Proposal, ...] = Field(description="Below the least confidence: never written.")
    written: tuple[str, ...] = ()
    file: str
    warnings: tuple[Fault, ...] = ()


def infer(
    workplace: Workplace, *, name: str = "", target: str = "HEAD", output: str = "", overwrite: bool = False
) -> InferredModel:
    """Infer a model from what git tracks at the target, and write it to `output` where one is given.

    Raise Conflict, before anything is read, when the file exists and is not to be overwritten.
    """
    repository = workplace.required()
    path = workplace.folder / output if output else None
    if path is not None and path.exists() and not overwrite:
        raise Conflict(f"{output} exists", id=output, next_step="give another file, or --force to overwrite it")
    inferred = infer_model(_tree(repository, target), name or workplace.name, drift_policy(workplace.file))
    dsl = write_dsl(inferred.sketch, (f"inferred from {target}: each element says from which files", "check the names"))
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dsl, encoding="utf-8", newline="\n")
        except OSError as error:
            raise InvalidInput(
                f"{output} cannot be written: {error.strerror}", id=output, next_step="give another file"
            ) from error
    return InferredModel(file=output, dsl=dsl, sketch=inferred.sketch, warnings=inferred.warnings)


def propose(workplace: Workplace, min_confidence: float) -> MappedSources:
    """Return where the elements without source probably are, held against what git tracks at HEAD.

    Elements that `[sources]` names are left alone, an empty list too: somebody decided.
    """
    repository = workplace.required()
    files = model_files(workplace)
    if not files:
        raise Unknown(
            f"no model file is named in {FILE_NAME}, and none is found in {workplace.root}",
            id=str(workplace.root),
            next_step="name the model's files under [model], or start with `archmem model infer`",
        )
    model = read_checkout(workplace, files)
    decided = set()
    for mapped in workplace.file.sources:
        try:
            decided.add(find_element(model.elements, mapped).ref)
        except ArchmemError:  # the reader warned of it
            continue
    policy = drift_policy(workplace.file)
    found = propose_sources(model, _tree(repository, "HEAD"), mapped=decided, policy=policy)
    sure = tuple(one for one in found if one.confidence >= min_confidence)
    doubtful = tuple(one for one in found if one.confidence < min_confidence)
    return MappedSources(proposals=sure, doubtful=doubtful, file=FILE_NAME, warnings=model.warnings)


def write_sources(workplace: Workplace, proposals: Sequence[Proposal]) -> tuple[str, ...]:
    """Add the proposals to the project file's `[sources]`, the rest of it byte for byte; return their refs."""
    path = workplace.root / FILE_NAME
    content = path.read_bytes() if path.is_file() else b""
    if proposals:
        path.write_bytes(add_sources(content, {one.ref: one.source for one in proposals}))
    return tuple(one.ref for one in proposals)


def _tree(repository: Repository, target: str) -> GitTree:
    oid, _ = repository.resolve_target(target)
    return repository.tree(oid)
