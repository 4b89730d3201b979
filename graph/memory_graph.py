"""The façade: everything that doors do with memories, one method each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from graph import (
    attempting,
    back_filling,
    claiming,
    coverage,
    exporting,
    flagging,
    importing,
    modelling,
    noting,
    recalling,
    remembering,
    renaming,
    upkeep,
)
from graph.attempts import Attempt
from graph.claims import Anchor, AskedClaim, Baseline
from graph.drift_report import DriftReport
from graph.elements import ArchitectureModel
from graph.errors import ArchmemError
from graph.memories import Checkout, Draft, State
from graph.scopes import Project, Scope
from graph.stores.port import StoredRun
from graph.views import (
    Coverage,
    ElementsRenamed,
    ElementView,
    Exported,
    HistoryEntry,
    Imported,
    MemoryView,
    ModelChange,
    ModelDifference,
    Progress,
    Recall,
    Remembered,
    Stamped,
)
from graph.work_graph import WorkGraph

_NO_RENAMES: Mapping[str, str] = MappingProxyType({})


class MemoryGraph(WorkGraph):
    """Memories pinned to an architecture model, in one store."""

    @property
    def embedder(self) -> str:
        """The embedder's name, without asking it; empty without one."""
        return self._parts.embedder.name if self._parts.embedder else ""

    def close(self) -> None:
        """Release the store."""
        self._parts.store.close()

    # Projects
    def project(self, organisation: str, identity: str) -> Project:
        """Return the project with this id or identity; raise Unknown with the known ones."""
        return upkeep.project(self._parts, organisation, identity)

    def projects(self, organisation: str) -> tuple[Project, ...]:
        """Return the organisation's projects."""
        return self._parts.store.projects(organisation)

    def add_project(self, organisation: str, identity: str, name: str, aliases: Sequence[str] = ()) -> Project:
        """Return the project that the identity or an alias leads to, made when there is none; keep all as aliases."""
        return upkeep.add_project(self._parts, organisation, identity, name, aliases)

    def set_repository(self, organisation: str, identity: str, repository: str, branch: str = "") -> Project:
        """Keep which repository a server checks for a project by itself (none for an empty one), and its branch."""
        return upkeep.set_repository(self._parts, organisation, identity, repository, branch)

    # Memories
    def remember(
        self,
        scope: Scope,
        draft: Draft,
        *,
        actor: str,
        checkout: Checkout | None = None,
        supersedes: str = "",
        version: int | None = None,
        key: str = "",
        session: str = "",
    ) -> Remembered:
        """Store a fact, or confirm the memory that holds it already; acknowledged after commit.

        `supersedes` names (title or id) the live memory to replace, whose title, kind and pins stay where the draft
        leaves them unset; with a `version`, only if it is still at that one. A `key` makes a retry harmless. Raises
        InvalidInput, Unknown, Ambiguous, DuplicateTitle, VersionConflict.
        """
        return remembering.remember(
            self._parts,
            scope,
            draft,
            actor=actor,
            checkout=checkout,
            supersedes=supersedes,
            version=version,
            key=key,
            session=session,
        )

    def remember_all(
        self,
        scope: Scope,
        drafts: Iterable[Draft],
        *,
        actor: str,
        checkout: Checkout | None = None,
        session: str = "",
    ) -> Iterator[Remembered | ArchmemError]:
        """Store many facts, each as remember does; yield in their order what became of each, or why it was refused.

        Each batch is kept as it is made, so what was yielded is acknowledged.
        """
        return remembering.remember_all(self._parts, scope, drafts, actor=actor, checkout=checkout, session=session)

    def supersede(
        self,
        scope: Scope,
        name: str,
        draft: Draft,
        *,
        actor: str,
        checkout: Checkout | None = None,
        version: int | None = None,
        key: str = "",
        session: str = "",
    ) -> Remembered:
        """Replace a live memory by a newer one: it leaves recall and stays in history."""
        return self.remember(
            scope,
            draft,
            actor=actor,
            checkout=checkout,
            supersedes=name,
            version=version,
            key=key,
            session=session,
        )

    def recall(
        self,
        scope: Scope,
        question: str = "",
        *,
        elements: Sequence[str] = (),
        paths: Sequence[str] = (),
        limit: int | None = None,
        budget: int | None = None,
        explain: bool = False,
    ) -> Recall:
        """Answer a question, or tell what is known about a place; writes nothing.

        A place is `elements` (refs, unique names, or paths that some element covers) or `paths` of the repository,
        which need not be covered: then the project and the organisation answer.
        """
        return recalling.recall(
            self._parts, scope, question, elements=elements, paths=paths, limit=limit, budget=budget, explain=explain
        )

    def note_recall(self, scope: Scope, recall: Recall, *, session: str = "") -> None:
        """Record a session's impressions, or the gap of a question without an answer; gives way to a busy store."""
        noting.note(self._parts, scope, recall, session=session)

    def memory(self, scope: Scope, name: str) -> MemoryView:
        """Return one memory by id, title or alias, in any state; raise Unknown or Ambiguous."""
        return upkeep.memory(self._parts, scope, name)

    def memories(
        self, scope: Scope, *, states: Sequence[State] = (State.LIVE,), after: str = "", limit: int = 100
    ) -> tuple[MemoryView, ...]:
        """Return the scope's memories by id, after the given one."""
        return upkeep.memories(self._parts, scope, states=states, after=after, limit=limit)

    def confirm(
        self,
        scope: Scope,
        name: str,
        *,
        actor: str,
        checkout: Checkout | None = None,
        version: int | None = None,
        session: str = "",
    ) -> MemoryView:
        """Say that it still holds: resets freshness, clears the drift flag, anchors it anew."""
        return upkeep.confirm(
            self._parts, scope, name, actor=actor, checkout=checkout, version=version, session=session
        )

    def archive(
        self, scope: Scope, name: str, *, actor: str, reason: str = "", version: int | None = None
    ) -> MemoryView:
        """Take it out of recall; it stays in history."""
        return upkeep.archive(self._parts, scope, name, actor=actor, reason=reason, version=version)

    def rename(self, scope: Scope, name: str, title: str, *, actor: str, version: int | None = None) -> MemoryView:
        """Give it another title; the old one stays as an alias, so no link breaks."""
        return upkeep.rename(self._parts, scope, name, title, actor=actor, version=version)

    def history(self, scope: Scope, name: str) -> tuple[HistoryEntry, ...]:
        """Return its events, oldest first; `name` may be a superseded or archived memory."""
        return upkeep.history(self._parts, scope, name)

    def cite(self, scope: Scope, session: str, names: Sequence[str]) -> tuple[str, ...]:
        """Record what a session relied on (none is an answer too); return the names of no memory, or of several."""
        return upkeep.cite(self._parts, scope, session, names)

    def back_fill(
        self, scope: Scope, *, limit: int | None = None, progress: Callable[[Progress], None] | None = None
    ) -> Progress:
        """Make the vectors that are missing; resumable, since each batch is kept as it is made."""
        return back_filling.back_fill(self._parts, scope, limit=limit, progress=progress)

    # Model
    def compare_model(
        self, scope: Scope, model: ArchitectureModel, *, renames: Mapping[str, str] = _NO_RENAMES
    ) -> ModelDifference:
        """Return what an import of the model would do; nothing is written."""
        return modelling.compare_model(self._parts, scope, model, renames=renames)

    def import_model(
        self,
        scope: Scope,
        model: ArchitectureModel,
        *,
        renames: Mapping[str, str] = _NO_RENAMES,
        expected: ModelDifference | None = None,
    ) -> ModelChange:
        """Take the model over: identities stay, removed elements are retired and keep their memories.

        `renames` (old refs to new ones) says what no rule can know. Raises InvalidInput with every fault of the model,
        Conflict when an empty one would retire all that is stored, or when it would do something else than `expected`.
        """
        return modelling.import_model(self._parts, scope, model, renames=renames, expected=expected)

    def rename_element(self, scope: Scope, old: str, new: str, *, actor: str) -> ElementsRenamed:
        """Say that an element (a ref or unique name) is called `new`, a whole ref, now; parts and memories come along.

        Raises Unknown, Ambiguous, Conflict when both are in the stored model.
        """
        return renaming.rename_element(self._parts, scope, old, new, actor=actor)

    def elements(self, scope: Scope) -> tuple[ElementView, ...]:
        """Return the stored elements, retired ones too."""
        return modelling.elements(self._parts, scope)

    def model(self, scope: Scope) -> ArchitectureModel:
        """Return the stored model without what was retired."""
        return modelling.model(self._parts, scope)

    # Drift
    def anchors(self, scope: Scope) -> tuple[Anchor, ...]:
        """Return the distinct anchors (by ref) of live memories, for the analyser."""
        return flagging.anchors(self._parts, scope)

    def claims(self, scope: Scope) -> tuple[AskedClaim, ...]:
        """Return the claims of live memories, given or found in their code spans, for the analyser."""
        return claiming.claims(self._parts, scope)

    def baselines(self, scope: Scope) -> Mapping[str, Baseline]:
        """Return the accepted baselines by ref."""
        return flagging.baselines(self._parts, scope)

    def accept_drift(self, scope: Scope, baselines: Mapping[str, Baseline], *, actor: str) -> tuple[str, ...]:
        """Accept elements (by ref) as they are; clears no memory's flag. Returns the refs."""
        return flagging.accept(self._parts, scope, baselines, actor=actor)

    def record_drift(self, scope: Scope, report: DriftReport) -> Stamped:
        """Keep a run; stamp what drifted or went missing, flag and clear memories."""
        return flagging.record(self._parts, scope, report)

    def drift_runs(self, scope: Scope, limit: int = 20, *, before: str = "") -> tuple[StoredRun, ...]:
        """Return the newest runs first, those before a run (by id) alone where one is given.

        The latest are whole, of older ones the score and the verdicts are kept.
        """
        return flagging.runs(self._parts, scope, limit, before)

    def drift_run(self, scope: Scope, name: str) -> StoredRun:
        """Return one run by its id; raise Unknown."""
        return flagging.run(self._parts, scope, name)

    def checked_head(self, scope: Scope) -> str:
        """Return the commit of the newest run; empty without one."""
        return self._parts.store.read(scope, lambda unit: unit.last_head())

    def begin_attempt(
        self, scope: Scope, by: str, due: Callable[[datetime | None], bool] | None = None
    ) -> Attempt | None:
        """Keep that a drift run is attempted; None when it is not `due` after the schedule's last one."""
        return attempting.begin(self._parts, scope, by, due)

    def end_attempt(self, scope: Scope, ended: Attempt) -> Attempt:
        """Keep what became of an attempt."""
        return attempting.end(self._parts, scope, ended)

    def attempts(self, scope: Scope) -> tuple[Attempt, ...]:
        """Return the latest attempts at drift runs, newest first."""
        return attempting.attempts(self._parts, scope)

    def attempt(self, scope: Scope, name: str) -> Attempt:
        """Return one of the latest attempts by its id; raise Unknown."""
        return attempting.attempt(self._parts, scope, name)

    def lease(self, scope: Scope, name: str, holder: str, seconds: int) -> bool:
        """Take or renew a named lease; False while another holds it."""
        return upkeep.lease(self._parts, scope, name, holder, seconds)

    def release(self, scope: Scope, name: str, holder: str) -> None:
        """Give a lease back."""
        self._parts.store.write(scope, lambda unit: unit.release(name, holder))

    # Knowledge map
    def coverage(self, scope: Scope) -> Coverage:
        """Return the knowledge map in numbers."""
        return coverage.coverage(self._parts, scope)

    # Everything, elsewhere
    def export(
        self,
        scope: Scope,
        write: Callable[[bytes], object],
        *,
        whole: bool = False,
        vectors: bool = True,
        progress: Callable[[Progress], None] | None = None,
    ) -> Exported:
        """Write all that the exact scope has in the store, or the `whole` organisation, as JSON lines."""
        return exporting.export(self._parts, scope, write, whole=whole, vectors=vectors, progress=progress)

    def import_export(
        self, lines: Callable[[], Iterable[bytes]], name: str, *, progress: Callable[[Progress], None] | None = None
    ) -> Imported:
        """Take in what was exported, all of it or nothing; what is known already stays as it is.

        `lines` gives the file's lines (each with its line feed) each time it is called, `name` is what it is called in
        faults. Raises InvalidInput with every fault of the file, Conflict with all that stands in its way.
        """
        return importing.import_export(self._parts, lines, name, progress=progress)
