"""Whence a check has its memories: a store that was named, or the export that is committed; read, never written.

They are copied into a temporary store, in which the check may stamp and flag as a recorded run does.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from graph.drift_report import DriftReport
from graph.elements import ArchitectureModel
from graph.errors import Unknown
from graph.policy import RankingPolicy
from graph.ranking import is_flagged
from graph.scopes import Scope
from graph.trees import FileTree
from server.settings import Settings
from server.workplace import Workplace

if TYPE_CHECKING:
    from graph.memory_graph import MemoryGraph
    from graph.views import MemoryView

EXPORT_FILE = ".archmem/memories.jsonl"

NamedBy = Literal["option", "variable", "nobody"]
"""Who named the store: the default store of whoever runs a check is never opened."""

_PAGE = 500
_NONE = f"no memories were looked at: give --store, or commit what `archmem export {EXPORT_FILE}` writes"


@dataclass(frozen=True, slots=True)
class Memories:
    """A copy of the project's memories, and in words whence it is."""

    graph: "MemoryGraph"
    scope: Scope
    origin: str
    ranking: RankingPolicy

    def asked(self) -> dict[str, Any]:
        """Return what they ask of a drift check."""
        graph, scope = self.graph, self.scope
        return {"baselines": graph.baselines(scope), "anchors": graph.anchors(scope), "claims": graph.claims(scope)}

    def live(self) -> "tuple[MemoryView, ...]":
        """Return every live memory."""
        found: list[MemoryView] = []
        while page := self.graph.memories(self.scope, after=found[-1].id if found else "", limit=_PAGE):
            found.extend(page)
        return tuple(found)

    def take_over(self, model: ArchitectureModel) -> None:
        """Take a model over, so that memories follow the elements that it renames."""
        self.graph.import_model(self.scope, model)

    def doubtful(self, report: DriftReport) -> frozenset[str]:
        """Record a run in the copy, and return which memories (by id) are doubtful then."""
        # Without its moment a run clears what it finds unchanged, even after one of a later commit.
        self.graph.record_drift(self.scope, report.model_copy(update={"head_at": None}))
        return frozenset(one.id for one in self.live() if is_flagged(one.drifted_at, one.evidence, self.ranking))


@contextmanager
def memories_of(
    workplace: Workplace, settings: Settings, named_by: NamedBy, tree: FileTree
) -> Iterator[tuple[Memories | None, str]]:
    """Give the memories, or None and why there are none.

    A store of --store must be there and know the project; one of ARCHMEM_STORE gives way to the committed export where
    it does not. Raise InvalidInput for an export that cannot be read.
    """
    content, origin, why = b"", "", _NONE
    try:
        if named_by != "nobody":
            content, origin = _exported(workplace, settings), "from the store"
    except Unknown as error:
        if named_by == "option":
            raise
        why = f"no memories were looked at: {error.what} (ARCHMEM_STORE)"
    if not origin and EXPORT_FILE in tree.paths():
        content, origin = tree.read(EXPORT_FILE), f"from {EXPORT_FILE}"
    if not origin:
        yield None, why
        return
    from server.bootstrap import open_graph
    from server.projects import find_project

    with tempfile.TemporaryDirectory() as folder:
        copy = Settings(store=Path(folder, "memories.db"), embedder="none", graph=settings.graph)
        with closing(open_graph(copy, None)) as graph:
            made = graph.import_export(lambda: BytesIO(content), EXPORT_FILE)
            project = made.project
            if project is None:
                project = find_project(graph, made.organisation, workplace).id
            scope = Scope(organisation=made.organisation, project=project)
            yield Memories(graph=graph, scope=scope, origin=origin, ranking=settings.graph.ranking), ""


def _exported(workplace: Workplace, settings: Settings) -> bytes:
    """Return the project's part of the named store; raise Unknown where it has none."""
    if isinstance(settings.store, Path) and not settings.store.is_file():
        step = "give the file or the address of a store by --store"
        raise Unknown(f"there is no store at {settings.store}", id=str(settings.store), next_step=step)
    from server.bootstrap import open_graph
    from server.projects import find_project, named_project

    with closing(open_graph(settings, None)) as graph:
        if settings.project is None:
            project = find_project(graph, settings.organisation, workplace)
            scope = Scope(organisation=settings.organisation, project=project.id)
        else:
            scope = named_project(graph, settings.organisation, settings.project)
        lines: list[bytes] = []
        graph.export(scope, lines.append, vectors=False)
    return b"".join(lines)
