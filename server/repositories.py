"""The repositories that a server reads by itself: which it may, and how each is brought up to date and opened."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from drift import Repository, RepositoryAddress, Way, clone_of, fetch_clone, parse_address
from graph.errors import ArchmemError, Fault, InvalidInput, Unavailable, Unknown
from graph.memories import Checkout
from graph.memory_graph import MemoryGraph
from graph.scopes import Project, Scope
from server.settings import Settings


def set_repository(
    graph: MemoryGraph, settings: Settings, scope: Scope, repository: str, branch: str = "", *, trusted: bool
) -> Project:
    """Keep which repository a server checks for the scope's project; none for an empty one.

    Raise InvalidInput for an address that is not used, or for a folder that nobody `trusted` may name.
    """
    if repository.strip():
        address = parse_address(repository, branch)
        _refuse_branch(address, branch)
        if not (trusted and _is_own(settings)):
            _refuse_folder(address, settings)
        repository = address.text
    return graph.set_repository(scope.organisation, scope.project, repository.strip(), branch)


def required(project: Project) -> str:
    """Return the project's repository; raise Unknown where it names none."""
    if not project.repository:
        raise Unknown(
            f"project {project.id!r} names no repository that a server checks",
            id=project.id,
            next_step="name one by `archmem project repository`",
        )
    return project.repository


@contextmanager
def opened(
    project: Project, settings: Settings, *, fetch: bool = False, go_on: Callable[[], None] = lambda: None
) -> Iterator[Repository]:
    """Give the project's repository, fetched before or as it was fetched last; `go_on` ends the work by raising.

    Raise Unknown without a repository or where none lies, Unavailable when it cannot be had.
    """
    required(project)
    address = parse_address(project.repository, project.branch)
    if not _is_own(settings):
        _refuse_folder(address, settings)
    with Repository.open(_place(address, project.branch, settings, fetch=fetch, go_on=go_on)) as repository:
        if address.way is Way.PATH and address.folder and repository.root.resolve() != address.folder.resolve():
            raise Unknown(
                f"{address.text} is not the top folder of a repository", id=address.text, next_step="name that folder"
            )
        with repository.asking(go_on):
            yield repository


def checkout_of(graph: MemoryGraph, settings: Settings, scope: Scope) -> Checkout | None:
    """Return the commit of which the last run told, with its blobs: what who confirms without a checkout was told of.

    It is the repository's HEAD, as fetched last, when that run was of a commit elsewhere; None without a repository.
    """
    if not scope.project:
        return None
    try:
        with opened(graph.project(scope.organisation, scope.project), settings) as repository:
            checked = graph.checked_head(scope)
            commit = checked if repository.has_commit(checked) else repository.head()
            return Checkout(commit=commit, blobs=dict(repository.tree(commit).blobs()))
    except ArchmemError:
        return None


def _place(
    address: RepositoryAddress, branch: str, settings: Settings, *, fetch: bool, go_on: Callable[[], None]
) -> Path:
    if address.way is Way.PATH:
        return Path(address.text)
    if fetch:
        return fetch_clone(settings.clones, address, branch, seconds=settings.fetch_timeout, go_on=go_on)
    clone = clone_of(settings.clones, address, branch)
    if not clone.is_dir():
        raise Unavailable(
            f"{address.text} is not cloned here yet",
            id=address.text,
            next_step="start a drift run on the server, or wait for the next one",
        )
    return clone


def _is_own(settings: Settings) -> bool:
    """Say whether the store is a file of this machine: who wrote into it could read that machine's files anyway."""
    return isinstance(settings.store, Path)


def _refuse_branch(address: RepositoryAddress, branch: str) -> None:
    if branch and address.way is Way.PATH:
        fault = Fault(where="branch", what="a folder is read at its HEAD")
        step = f"leave the branch out, or name file://{address.text}, which is cloned"
        raise InvalidInput("the repository cannot be used", id=address.text, faults=[fault], next_step=step)


def _refuse_folder(address: RepositoryAddress, settings: Settings) -> None:
    if address.folder is None:
        return
    folder = address.folder.resolve()
    if not any(folder.is_relative_to(one.resolve()) for one in settings.repositories):
        fault = Fault(where="repository", what="lies in no folder that this server may read repositories from")
        raise InvalidInput(
            "the repository cannot be used",
            id=address.text,
            faults=[fault],
            next_step="list its folder in the server's ARCHMEM_REPOSITORIES, or give an address to clone",
        )
