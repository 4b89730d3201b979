"""The tasks with their right elements, and the check that no task uses a word of the element that it means."""

import json
from pathlib import Path

from graph.c4 import read_model
from graph.elements import ArchitectureModel, Element
from graph.frozen import Frozen
from graph.project_file import parse_project_file
from graph.terms import analyse
from graph.trees import FolderTree

BOOKSHOP = Path(__file__).parents[2] / "c4-samples" / "bookshop"


class Task(Frozen):
    """What somebody is about to do, and the elements (by ref) that are right."""

    task: str
    right: tuple[str, ...]


class Asked(Frozen):
    """The tasks about one model; archmem's own sample names no repository."""

    name: str
    repository: str = ""
    commit: str = ""
    path: str
    tasks: tuple[Task, ...]


def tasks_of(file: str) -> tuple[Asked, ...]:
    """Return the tasks of a file beside this one."""
    written = json.loads((Path(__file__).parent / file).read_text(encoding="utf-8"))
    return tuple(Asked.model_validate(one) for one in written["models"])


def model_of(asked: Asked, folder: Path | None) -> ArchitectureModel | None:
    """Return the model of the tasks: the sample, or the copy of another team's below the folder; None without one.

    Copies are looked for as `owner/name/path`, and as `owner__name__path` with dashes for its slashes.
    """
    if not asked.repository:
        settings = parse_project_file((BOOKSHOP / "archmem.toml").read_bytes(), "archmem.toml")
        return read_model(FolderTree(BOOKSHOP), (asked.path,), mapping=settings.sources)
    owner, name = asked.repository.split("/")[1:]
    flat = f"{owner}__{name}__{asked.path.replace('/', '-')}"
    partly = f"{owner}__{name}__{asked.path.rpartition('/')[0].replace('/', '-')}/{asked.path.rpartition('/')[2]}"
    for place in (f"{owner}/{name}/{asked.path}", flat, partly):
        for found in sorted(folder.rglob(place)) if folder else ():
            return read_model(FolderTree(found.parent), (found.name,))
    return None


def shared_words(task: Task, elements: dict[str, Element]) -> tuple[str, ...]:
    """Return the stems of the task's content words that a right element's own text holds."""
    own: set[str] = set()
    for ref in task.right:
        one = elements[ref]
        told = (one.ref, one.name, one.description, one.technology, one.group, one.symbol, one.url, *one.tags)
        own.update(analyse("\n".join((*told, *one.source))))
    return tuple(word for word in analyse(task.task) if word in own)
