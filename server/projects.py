"""From a workplace to the project in the store: found, registered, or taken over from a former identity."""

from collections.abc import Sequence

from graph.errors import CannotDecide, Conflict, Unknown
from graph.memory_graph import MemoryGraph
from graph.scopes import Project, Scope
from server.workplace import Workplace, identities_of


def find_project(graph: MemoryGraph, organisation: str, workplace: Workplace) -> Project:
    """Return the workplace's project; raise Unknown with the known ones."""
    identities = identities_of(workplace)
    former = _former(graph, organisation, identities)
    return graph.project(organisation, former.id if former else identities[0])


def register_project(graph: MemoryGraph, organisation: str, workplace: Workplace) -> tuple[Project, bool]:
    """Return the workplace's project, made when there is none, and whether it is new.

    A project that was known by its root commit takes on the origin, and one without an explicit id takes that on;
    what it was known by stays an alias.
    """
    identities = identities_of(workplace)
    former = _former(graph, organisation, identities)
    is_new = former is None and _known(graph, organisation, identities[0]) is None
    # A known project keeps its name unless the file says another: clones lie in folders of different names.
    name = workplace.name if is_new else workplace.file.project.name
    return graph.add_project(organisation, identities[0], name, (former.id,) if former else ()), is_new


def named_project(graph: MemoryGraph, organisation: str, name: str) -> Scope:
    """Return the scope of the project of this id or identity, or of the whole organisation for the empty name."""
    if not name:
        return Scope(organisation=organisation)
    return Scope(organisation=organisation, project=graph.project(organisation, name).id)


def is_of(project: str, graph: MemoryGraph, organisation: str, workplace: Workplace) -> bool:
    """Say whether the workplace is a checkout of this project (by its id)."""
    try:
        return find_project(graph, organisation, workplace).id == project
    except (Unknown, CannotDecide):
        return False


def refuse_foreign(graph: MemoryGraph, scope: Scope, workplace: Workplace) -> None:
    """Raise Conflict when the workplace is a checkout of another registered project than the scope's."""
    try:
        own = find_project(graph, scope.organisation, workplace).id
    except (Unknown, CannotDecide):
        return
    if own != scope.project:
        raise Conflict(
            f"this is a checkout of project {own!r}, not of {scope.project!r}",
            id=own,
            next_step="work in a checkout of that project, or leave --project out",
        )


def _former(graph: MemoryGraph, organisation: str, identities: Sequence[str]) -> Project | None:
    """Return the project that lost its deciding identity to a better one; None when the better one is known.

    A project that has an explicit id already is another project of the same repository, and forks share a root commit:
    neither is taken over.
    """
    if _known(graph, organisation, identities[0]):
        return None
    for name in identities[1:]:
        known = _known(graph, organisation, name)
        if known is not None and set(known.identities) <= set(identities[1:]):
            return known
    return None


def _known(graph: MemoryGraph, organisation: str, identity: str) -> Project | None:
    try:
        return graph.project(organisation, identity)
    except Unknown:
        return None
