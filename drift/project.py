"""Read what a commit says about itself: its `archmem.toml` and its architecture model."""

from collections.abc import Sequence

from drift.repository import Repository
from graph.c4 import find_models, read_model
from graph.elements import ArchitectureModel
from graph.errors import Unknown
from graph.project_file import FILE_NAME, ProjectFile, parse_project_file
from graph.trees import FileTree


def read_project(repository: Repository, commit: str) -> tuple[ProjectFile, ArchitectureModel]:
    """Return the project file and the model at a commit or tree.

    Raise InvalidInput for a faulty project file, UnreadableModel for a model that cannot be read, Unknown when there
    is none.
    """
    tree = repository.tree(commit)
    project = project_file_of(tree)
    files = _model_files(tree, project)
    if not files:
        raise Unknown(
            f"there is no architecture model in {commit}",
            id=commit,
            next_step=f"commit a model, and name it under [model] files in {FILE_NAME} if it is not found",
        )
    return project, _read(tree, project, files, repository.remotes())


def project_file_of(tree: FileTree) -> ProjectFile:
    """Return the project file of a tree; its defaults when there is none."""
    return parse_project_file(tree.read(FILE_NAME)) if FILE_NAME in tree.paths() else ProjectFile()


def read_old_version(tree: FileTree, remotes: Sequence[str] = ()) -> ArchitectureModel:
    """Return the model of an older tree; an empty one where the project had none yet."""
    project = project_file_of(tree)
    present = set(tree.paths())
    files = [file for file in _model_files(tree, project) if file in present]
    return _read(tree, project, files, remotes) if files else ArchitectureModel()


def _model_files(tree: FileTree, project: ProjectFile) -> Sequence[str]:
    return project.model.files or find_models(tree)


def _read(tree: FileTree, project: ProjectFile, files: Sequence[str], remotes: Sequence[str]) -> ArchitectureModel:
    return read_model(tree, files, mapping=project.sources, remotes=remotes, decisions=project.model.decisions)
