"""The architecture model from a checkout's files into the store; and `archmem init`."""

from collections.abc import Sequence

from graph.c4 import find_models, read_model
from graph.checking import refuse_faulty
from graph.elements import ArchitectureModel
from graph.errors import Unknown
from graph.memory_graph import MemoryGraph
from graph.project_file import FILE_NAME, parse_project_file, quoted
from graph.scopes import Scope
from graph.views import ModelChange
from server.answers import Initialised
from server.projects import refuse_foreign, register_project
from server.settings import Settings
from server.work_tree import WorkTree
from server.workplace import Workplace, identities_of

FIRST_MODEL = "that of `archmem model infer`"


def model_files(workplace: Workplace) -> tuple[str, ...]:
    """Return the model files: those that the project file names, else those that are found on disk."""
    return workplace.file.model.files or find_models(WorkTree(workplace.root))


def read_checkout(workplace: Workplace, files: Sequence[str]) -> ArchitectureModel:
    """Return the model that the files, as they stand on disk, describe; an empty one for no files."""
    if not files:
        return ArchitectureModel()
    file = workplace.file
    return read_model(
        WorkTree(workplace.root),
        files,
        mapping=file.sources,
        remotes=workplace.remotes(),
        decisions=file.model.decisions,
    )


def checkout_files(workplace: Workplace, files: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the given files as the repository names them, else the project's; raise Unknown when there is none."""
    found = tuple(workplace.path_of(file) for file in files) or model_files(workplace)
    if not found:
        raise Unknown(
            f"no model file is named in {FILE_NAME}, and none is found in {workplace.root}",
            id=str(workplace.root),
            next_step=f"write a C4 model, or take {FIRST_MODEL}, or name its files",
        )
    return found


def read_for_import(
    graph: MemoryGraph, scope: Scope, workplace: Workplace, files: Sequence[str] = ()
) -> ArchitectureModel:
    """Return the model as it stands on disk: the given files, else the project's; raise Unknown when there is none.

    Raise Conflict when the checkout is another project's than the scope's.
    """
    refuse_foreign(graph, scope, workplace)
    return read_checkout(workplace, checkout_files(workplace, files))


def initialise(graph: MemoryGraph, settings: Settings, workplace: Workplace) -> Initialised:
    """Write `archmem.toml` where there is none, register the project and import its model.

    A second run changes nothing. The model is read before anything is written: one that cannot be read, or has
    faults, leaves nothing behind.
    """
    identities_of(workplace)
    models = model_files(workplace)
    is_written = not (workplace.root / FILE_NAME).exists()
    content = project_file(workplace.name, models)
    if is_written:
        parse_project_file(content.encode())
    model = read_checkout(workplace, models)
    refuse_faulty(model)
    project, is_new = register_project(graph, settings.organisation, workplace)
    scope = Scope(organisation=project.organisation, project=project.id)
    change = graph.import_model(scope, model) if models else ModelChange(elements=0)
    if is_written:
        (workplace.root / FILE_NAME).write_text(content, encoding="utf-8", newline="\n")
    return Initialised(
        project=project,
        is_new=is_new,
        file="written" if is_written else "kept",
        models=models,
        change=change,
        next_steps=_next_steps(model, is_written=is_written),
    )


def project_file(name: str, models: Sequence[str]) -> str:
    """Return a first `archmem.toml`."""
    files = ", ".join(map(quoted, models))
    return f"[project]\nname = {quoted(name)}\n\n[model]\nfiles = [{files}]\n"


def _next_steps(model: ArchitectureModel, *, is_written: bool) -> tuple[str, ...]:
    steps = [f"commit {FILE_NAME}"] if is_written else []
    if not model.elements:
        steps.append(
            f"write a C4 model, or take {FIRST_MODEL}; name it under [model] files in {FILE_NAME}; run init again"
        )
    elif not any(element.source for element in model.elements):
        steps.append(f"archmem model map  (or say under [sources] in {FILE_NAME} which paths implement an element)")
    example = next((element.ref for element in model.elements if element.source), "")
    pin = f" --element {example}" if example else ""
    return (
        *steps,
        f'archmem remember "…"{pin} --kind pitfall',
        'archmem recall "…"',
        "archmem drift run",
    )
