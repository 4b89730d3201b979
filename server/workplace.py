"""Where somebody works: the repository around a folder, its project file, and what tells the project from others."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import lexists, normpath, relpath
from pathlib import Path

from drift import Repository
from graph.errors import ArchmemError, CannotDecide, InvalidInput, Unavailable, Unknown
from graph.memories import Checkout
from graph.project_file import FILE_NAME, ProjectFile, parse_project_file

_NEXT = f"work in a git checkout (or give one by -C), set `id` under [project] in {FILE_NAME}, or give --project"


@dataclass(frozen=True, slots=True)
class Workplace:
    """A folder, the repository around it (`missing` says why there is none), and the project file at its root."""

    folder: Path
    root: Path
    file: ProjectFile
    repository: Repository | None = None
    missing: ArchmemError | None = None

    @property
    def name(self) -> str:
        """What people call the project: never an identity."""
        origin = self.repository.origin() if self.repository else ""
        return self.file.project.name or origin.rpartition("/")[2] or self.root.name

    def required(self) -> Repository:
        """Return the repository; raise what kept it from being opened."""
        if self.repository is None:
            raise self.missing or Unknown("there is no git repository", id=str(self.root), next_step=_NEXT)
        return self.repository

    def path_of(self, path: str) -> str:
        """Return a path as the repository names it, where it is meant from this folder; else as it is.

        It is meant from here when a file is there, or when it is absolute or starts with a dot; one outside the
        repository starts with `../`.
        """
        root, named = self.root.resolve(), Path(normpath(self.folder.resolve() / path))
        is_meant = lexists(named) or Path(path).is_absolute() or path.startswith(("./", "../"))
        if not named.is_relative_to(root):
            named = named.resolve()  # the same folder may have another name
        return Path(relpath(named, root)).as_posix() if is_meant else path

    def remotes(self) -> tuple[str, ...]:
        """Return what the remotes name, none without a repository."""
        return self.repository.remotes() if self.repository else ()

    def checkout(self) -> Checkout | None:
        """Return the commit that is checked out with its blobs; None without a repository or a commit."""
        if self.repository is None or self.repository.is_empty():
            return None
        commit = self.repository.head()
        return Checkout(commit=commit, blobs=dict(self.repository.tree(commit).blobs()))


@contextmanager
def workplace_at(folder: Path) -> Iterator[Workplace]:
    """Give the workplace around a folder, with or without git, and close its repository at the end."""
    if not folder.is_dir():
        raise InvalidInput(f"{folder} is not a folder", id=str(folder), next_step="give an existing folder by -C")
    repository, missing = None, None
    try:
        repository = Repository.open(folder)
    except (Unknown, Unavailable) as error:
        missing = error
    try:
        root = repository.root if repository else folder.resolve()
        file = _read_file(root)
        yield Workplace(folder=folder, root=root, file=file, repository=repository, missing=missing)
    finally:
        if repository is not None:
            repository.close()


def identities_of(workplace: Workplace) -> tuple[str, ...]:
    """Return what the project is known by, the deciding identity first: explicit id, origin, else the root commit.

    Raise Unknown or CannotDecide with the next step when nothing tells it from others. A root commit is an identity
    only where there is no origin: forks share it.
    """
    explicit = workplace.file.project.id
    if explicit:
        return (explicit, *_of_repository(workplace.repository))
    found = _of_repository(workplace.repository)
    if found:
        return found
    if workplace.repository is not None:
        raise CannotDecide(
            "nothing tells this repository from others: it has no origin and no known first commit",
            id=str(workplace.root),
            next_step=f"commit something, or set `id` under [project] in {FILE_NAME}",
        )
    missing = workplace.missing
    if isinstance(missing, Unavailable):
        raise missing
    raise Unknown(
        f"{workplace.root} lies in no git repository, so its project is not known",
        id=str(workplace.root),
        next_step=_NEXT,
    )


def _of_repository(repository: Repository | None) -> tuple[str, ...]:
    if repository is None:
        return ()
    names = (repository.origin(), f"root:{root}" if (root := repository.root_commit()) else "")
    return tuple(name for name in names if name)


def _read_file(root: Path) -> ProjectFile:
    path = root / FILE_NAME
    return parse_project_file(path.read_bytes(), FILE_NAME) if path.is_file() else ProjectFile()
