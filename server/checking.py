"""The drift check as CI runs it: gated, with what the change under check does to what the team remembers.

Nothing that opens a store is imported before one is needed: hooks run a check without any.
"""

from collections.abc import Callable, Collection, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from drift import (
    BASELINE_FILE,
    ChangeReport,
    Checked,
    FailOn,
    KnownFindings,
    MemoryNote,
    Repository,
    check_drift,
    judge_report,
    known_of,
    parse_known,
    read_known,
    read_project,
    results_of,
    touched_elements,
    undecided_of,
    write_known,
)
from graph.drift_report import DriftReport
from graph.elements import ArchitectureModel
from graph.errors import ArchmemError, CannotDecide
from graph.policy import KIND_WEIGHTS
from graph.project_file import ProjectFile
from server.kept_findings import check_from_kept, kept_findings
from server.memory_sources import Memories, NamedBy, memories_of
from server.settings import Settings, drift_policy
from server.workplace import Workplace

if TYPE_CHECKING:
    from graph.views import MemoryView, Progress
    from server.answers import KnownDrift

_WHOLE = 1_000

Told = Callable[["Progress"], None] | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What a check is asked: `base` in place of every baseline, the commit that the change starts `change_from`.

    None leaves `min_score` and `fail_on` to archmem.toml. `server` is the address of one that has the memories.
    """

    base: str = ""
    change_from: str = ""
    target: str = "HEAD"
    staged: bool = False
    min_score: float | None = None
    fail_on: FailOn | None = None
    server: str = ""


def check(
    workplace: Workplace, settings: Settings, named_by: NamedBy, asked: Asked, *, progress: Told = None
) -> Checked:
    """Check the model at the target; raise CannotDecide when `new` is asked for and the merge base is not known."""
    repository = workplace.required()
    target = repository.staged_tree() if asked.staged else repository.resolve_target(asked.target)[0]
    tree = repository.tree(target)
    with memories_of(workplace, settings, named_by, tree) as (memories, why), kept_findings(repository.root) as kept:
        run = _Check(repository, asked, target, memories, kept, progress)
        known, notices = read_known(tree), [why] if why else []
        start, said = run.start()
        report = run.at(target, base=asked.base)
        change = run.change(start, report) if start else None
        notices += said
        found = KnownFindings(findings=known, from_file=True) if known is not None else None
        if found is None and asked.change_from and start and start.report:
            found = KnownFindings(findings=known_of(results_of(start.report)), from_file=False)
        policy = drift_policy(run.file)
        fail_on = asked.fail_on or policy.fail_on or ("new" if known is not None else "none")
        if fail_on == "new" and found is None and asked.change_from:
            raise CannotDecide(
                f"what is new since {asked.change_from} cannot be told: {'; '.join(notices)}",
                id=asked.change_from,
                next_step=f"fetch its history, or commit {BASELINE_FILE} (`archmem drift baseline`)",
            )
        return judge_report(
            report,
            min_score=policy.min_score if asked.min_score is None else asked.min_score,
            fail_on=fail_on,
            known=found,
            titles={one.id: one.name for one in memories.live()} if memories and report.claims else {},
            change=change,
            notices=notices,
        )


def write_baseline(workplace: Workplace, *, prune: bool = False) -> "KnownDrift":
    """Write HEAD's findings into the baseline file; with `prune` only take out what no longer occurs.

    What is known of an element that cannot be checked, as in a shallow clone, stays.
    """
    repository = workplace.required()
    head = repository.head()
    file, model = read_project(repository, head)
    report = check_from_kept(
        model, repository, baselines={}, at=datetime.now(UTC), target=head, policy=drift_policy(file)
    )
    path = workplace.root / BASELINE_FILE
    former = parse_known(path.read_bytes()) if path.is_file() else frozenset()
    found = known_of(results_of(report))
    occurring = found | undecided_of(former, report)
    kept = former & occurring if prune else occurring
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_known(kept), encoding="utf-8", newline="\n")
    from server.answers import KnownDrift

    return KnownDrift(
        file=BASELINE_FILE,
        known=len(kept),
        added=tuple(sorted(map(str, kept - former))),
        removed=tuple(sorted(map(str, former - kept))),
    )


@dataclass(frozen=True, slots=True)
class _Start:
    """The merge base, its report, and the memories that were doubtful there; None where that could not be told."""

    commit: str
    report: DriftReport | None
    doubtful: frozenset[str] | None


class _Check:
    """The runs of one check: at the target, and at the merge base where a change is looked at."""

    def __init__(
        self,
        repository: Repository,
        asked: Asked,
        target: str,
        memories: Memories | None,
        found: MutableMapping[str, str],
        progress: Told,
    ) -> None:
        self._repository = repository
        self._asked = asked
        self._target = target
        self._memories = memories
        self._found = found
        self._progress = progress
        self._runs = 0
        self._most_runs = 1 + bool(asked.change_from or asked.base) + bool(asked.base)
        self._at = datetime.now(UTC)
        self._models: dict[str, tuple[ProjectFile, ArchitectureModel]] = {}

    @property
    def file(self) -> ProjectFile:
        """The project file of the target."""
        return self._project(self._target)[0]

    def at(self, target: str, *, base: str = "") -> DriftReport:
        """Return the report of a commit or tree."""
        file, model = self._project(target)
        asked = self._memories.asked() if self._memories else {"baselines": {}}
        done, self._runs = self._runs, self._runs + 1
        return check_drift(
            model,
            self._repository,
            **asked,
            found=self._found,
            at=self._at,
            base=base,
            target=target,
            policy=drift_policy(file),
            progress=lambda step, steps: self._tell(done, step, steps),
        )

    def start(self) -> tuple[_Start | None, list[str]]:
        """Return where the change starts; None without a change or where that is not known, and what is not told."""
        named = self._asked.change_from or self._asked.base
        if not named:
            return None, []
        repository = self._repository
        tip = repository.head() if self._asked.staged else self._target
        if not repository.resolve_target(tip)[1]:
            return None, [f"what changed since {named} is told of a commit or --staged, not of another tree"]
        merge_base = repository.merge_base(repository.resolve(named), tip)
        if not merge_base:
            hint = ": this is a shallow clone" if repository.is_shallow else ""
            return None, [f"no commit is known that {named} and the target share{hint}"]
        notices, report, doubtful = [], None, None
        try:
            report = self.at(merge_base)
            doubtful = self._memories.doubtful(report) if self._memories else None
        except ArchmemError as error:
            notices.append(f"the merge base {merge_base[:12]} could not be checked: {error.what}")
        if self._memories:
            try:
                self._memories.take_over(self._project(self._target)[1])
            except ArchmemError as error:
                notices.append(f"memories of renamed elements may be missing: {error.what}")
        return _Start(merge_base, report, doubtful), notices

    def change(self, start: _Start, report: DriftReport) -> ChangeReport:
        """Return what the change does."""
        after = self.at(self._target) if self._asked.base else report
        file, model = self._project(self._target)
        touched = touched_elements(model, self._repository, start.commit, self._target, drift_policy(file))
        return ChangeReport(
            base=start.commit,
            touched=touched,
            score_before=start.report.score if start.report else None,
            score_after=after.score,
            memories=self._notes(self._memories, touched, start, after) if self._memories else None,
            origin=self._memories.origin if self._memories else "",
        )

    def _notes(
        self, memories: Memories, touched: Collection[str], start: _Start, after: DriftReport
    ) -> tuple[MemoryNote, ...]:
        """Return the memories about what is touched, and those that the change makes stale, which come first."""
        doubtful = memories.doubtful(after)
        stale = frozenset[str]() if start.doubtful is None else doubtful - start.doubtful
        shown = [one for one in memories.live() if one.id in stale or set(touched) & set(one.elements)]
        shown.sort(key=lambda one: (one.id not in stale, -KIND_WEIGHTS[one.kind], one.id))
        return tuple(
            MemoryNote(
                id=one.id,
                name=one.name,
                kind=one.kind,
                elements=one.elements,
                content=one.content,
                verify=one.id in doubtful,
                stale=one.id in stale,
                link=self._link(one),
            )
            for one in shown
        )

    def _link(self, one: "MemoryView") -> str:
        if not self._asked.server:
            return ""
        return f"{self._asked.server.rstrip('/')}/api/memories/{quote(one.id)}?project={quote(one.project, safe='')}"

    def _project(self, target: str) -> tuple[ProjectFile, ArchitectureModel]:
        if target not in self._models:
            self._models[target] = read_project(self._repository, target)
        return self._models[target]

    def _tell(self, runs: int, step: int, steps: int) -> None:
        if self._progress is not None:
            from graph.views import Progress

            done = runs * _WHOLE + _WHOLE * step // steps
            self._progress(Progress(done=done, left=max(0, self._most_runs * _WHOLE - done)))
