"""The drift check: the documented model against the repository, by tree and blob."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from datetime import datetime
from posixpath import basename

from drift.acceptance import read_accepted
from drift.anchors import Anchors
from drift.attributes import not_written_here
from drift.baselines import Base, accepted_bases, later
from drift.changes import Change, Commit, changes_of_blobs
from drift.coverage import Coverage, covered_sorted
from drift.definitions import Known, ReadVersion, find_definitions, name_of, sources_of
from drift.dependencies import find_dependencies
from drift.evidence import check_claims
from drift.history import Clock, History
from drift.new_code import find_new_code
from drift.policy import DriftPolicy
from drift.project import read_old_version
from drift.repository import Repository
from drift.scores import band_of, score_of
from drift.significance import Significance
from drift.steps import Steps
from drift.verdicts import Compared, Facts, finding, judge, may_have_lost_its_source, unmapped
from graph.claims import Anchor, AskedClaim, Baseline
from graph.drift_report import DriftReport, Finding, NewCode, Reason, Verdict
from graph.elements import ArchitectureModel, Element
from graph.errors import ArchmemError, Fault
from graph.frozen import as_utc
from graph.paths import matcher


def check_drift(
    model: ArchitectureModel,
    repository: Repository,
    *,
    baselines: Mapping[str, Baseline],
    at: datetime,
    anchors: Sequence[Anchor] = (),
    claims: Sequence[AskedClaim] = (),
    base: str = "",
    target: str = "HEAD",
    seen: tuple[str, datetime] | None = None,
    policy: DriftPolicy | None = None,
    ignore: Sequence[str] = (),
    read_version: ReadVersion | None = None,
    found: MutableMapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> DriftReport:
    """Compare the model's sources with the repository and return the report.

    `target` is a revision or the id of a tree; `base` overrides every baseline; `seen` is the previous run's head and
    moment; `read_version` reads older versions of a model that `archmem.toml` does not lead to; `found` is what earlier
    runs found and what this one adds; `progress` is told how many elements and anchors were looked at, and of how many.
    Raise InvalidInput for an unknown revision, CannotDecide for a repository without commits.
    """
    remotes = repository.remotes()
    reader = read_version or (lambda tree: read_old_version(tree, remotes))
    run = _Run(model, repository, target, as_utc(at), seen, policy or DriftPolicy(), tuple(ignore), found)
    if found is not None and read_version is None:
        run.known = Known(found, repr((remotes, run.policy.model_versions, sorted(run.policy.code_suffixes))))
    bases = run.bases(baselines, repository.resolve(base) if base else "", reader)
    run.restore_sources(bases, reader)
    steps = Steps(len(run.elements) + len(anchors), progress)
    findings = tuple(steps.told(run.finding(element, bases)) for element in run.elements.values())
    new = run.new_code()
    score = score_of(findings, len(new))
    comparer = Anchors(repository, run.elements, run.coverage, run.facts)
    dependencies = find_dependencies(model, run.elements, run.coverage, run.skip, run.policy, found)
    return DriftReport(
        score=score,
        band=band_of(score, run.policy),
        base=repository.resolve(base) if base else "",
        head=run.target,
        head_at=run.head_at,
        at=run.at,
        elements=findings,
        new=new,
        anchors=tuple(steps.told(comparer.find(anchor)) for anchor in anchors),
        claims=check_claims(
            repository,
            claims,
            run.target,
            sources={ref: element.source for ref, element in run.elements.items()},
            policy=run.policy,
            history=run.history,
        ),
        dependencies=dependencies.findings,
        warnings=(*run.warnings, *dependencies.warnings),
    )


class _Run:
    """What one run reads once: the target's tree, its history, the differences by base."""

    def __init__(
        self,
        model: ArchitectureModel,
        repository: Repository,
        target: str,
        at: datetime,
        seen: tuple[str, datetime] | None,
        policy: DriftPolicy,
        ignore: tuple[str, ...],
        found: MutableMapping[str, str] | None,
    ) -> None:
        self.model, self.repository, self.policy, self.at = model, repository, policy, at
        self.elements = {element.ref: element for element in model.elements}
        self.warnings: list[Fault] = []
        self.known: Known | None = None
        self.target, self.is_commit = repository.resolve_target(target)
        self.tree = repository.tree(self.target)
        self.coverage = Coverage(self.tree)
        self.head_at = repository.committed_at(self.target) if self.is_commit else None
        self.history = History(repository, self.target) if self.is_commit else self._history_below_tree()
        self._diffs: dict[str, tuple[tuple[Change, ...], list[str]]] = {}
        self._homes: set[str] = set()
        self.skip = self._skip((*policy.ignore, *ignore))
        self.facts = Facts(
            history=self.history,
            clock=self._clock(seen),
            significance=Significance(repository.read_blob, found),
            skip=self.skip,
            share_sample=0 if repository.is_partial else policy.share_sample,
            head_at=self.head_at or at,
        )

    def bases(self, stored: Mapping[str, Baseline], base: str, read_version: ReadVersion) -> dict[str, Base]:
        """Return what each element that has a source, or may have lost it, is compared with."""
        mapped = {
            ref: element
            for ref, element in self.elements.items()
            if unmapped(element) is Reason.NONE or may_have_lost_its_source(element)
        }
        if base:
            return dict.fromkeys(mapped, Base(commit=base))
        found = accepted_bases(later(stored, read_accepted(self.tree)), mapped, self.repository)
        rest = {ref: element for ref, element in mapped.items() if ref not in found}
        if not rest:
            return found
        definitions = find_definitions(
            self.model,
            self.tree,
            self.history,
            read_version,
            refs=rest,
            policy=self.policy,
            known=self.known,
        )
        if self.known is not None and self.is_commit:
            self.known.keep(self.target, rest, definitions)
        self.warnings.extend(definitions.warnings)
        unknown = Reason.SHALLOW_CLONE if self.repository.is_shallow else Reason.UNKNOWN_BASELINE
        for ref in rest:
            since = definitions.since.get(ref, "")
            found[ref] = Base(commit=since, reason=Reason.NONE if since else unknown)
        return found

    def restore_sources(self, bases: Mapping[str, Base], read_version: ReadVersion) -> None:
        """Give elements without a source the one that the same words had at the base.

        A reader that keeps only paths which exist drops a source together with its code; that is no unmapped element.
        """
        then: dict[str, dict[str, tuple[str, ...]]] = {}
        for ref, base in bases.items():
            element = self.elements[ref]
            if not base.commit or element.source:
                continue
            if base.commit not in then:
                then[base.commit] = self._sources_at(base.commit, read_version)
            if source := then[base.commit].get(name_of(element)):
                self.elements[ref] = element.model_copy(update={"source": source})

    def finding(self, element: Element, bases: Mapping[str, Base]) -> Finding:
        """Return the verdict on one element."""
        reason = unmapped(element)
        if reason is not Reason.NONE:
            return finding(element, Verdict.UNMAPPED, reason)
        base = bases[element.ref]
        now = self.coverage.blobs(element.source)
        compared = self._compared(element, base, now)
        if not now and (compared is None or not compared.before):
            return self._finding_without_code(element, base)
        if compared is None:
            return finding(element, Verdict.UNVERIFIED, base.reason)
        self._homes.update(compared.renames.values())
        return judge(element, compared, self.facts)

    def new_code(self) -> tuple[NewCode, ...]:
        """Return the code that no element covers; what an element's code moved to is not new."""
        covered = set(self._homes)
        for element in self.elements.values():
            covered.update(self.coverage.paths(element.source))
        return find_new_code(self.tree.paths(), covered, self.skip, self.policy)

    def _sources_at(self, commit: str, read_version: ReadVersion) -> dict[str, tuple[str, ...]]:
        known = self.known.sources(commit) if self.known is not None else None
        if known is not None:
            return known
        try:
            found = sources_of(read_version(self.repository.tree(commit)))
        except ArchmemError:
            return {}
        if self.known is not None:
            self.known.keep_sources(commit, found)
        return found

    def _compared(self, element: Element, base: Base, now: dict[str, str]) -> Compared | None:
        if base.commit:
            return self._compared_with_commit(element, base.commit, now)
        if base.blobs is not None:
            changes = changes_of_blobs(base.blobs, self.tree.blobs(), now)
            return Compared("", None, changes, frozenset(base.blobs), now)
        return None

    def _compared_with_commit(self, element: Element, base: str, now: dict[str, str]) -> Compared:
        changes, paths = self._diff(base)
        covered = set(covered_sorted(self.coverage.patterns(element.source), paths))
        touching = tuple(change for change in changes if change.old in covered or change.new in covered)
        arrived = {change.new for change in touching if change.old not in covered}
        before = (now.keys() - arrived - {change.new for change in touching if change.renamed}) | {
            change.old for change in touching if change.old in covered
        }
        return Compared(base, self.history.depth(base), touching, frozenset(before), now)

    def _finding_without_code(self, element: Element, base: Base) -> Finding:
        """Return the verdict where neither the base nor the target has code: look back for when it went."""
        gone = self._last_removal(element)
        if gone is not None:
            before = self.history.commit(gone + 1)
            if before is not None:
                compared = self._compared_with_commit(element, before.oid, {})
                self._homes.update(compared.renames.values())
                return judge(element, compared, self.facts)
        if self.history.truncated:
            return finding(element, Verdict.UNVERIFIED, Reason.SHALLOW_CLONE)
        twin = self.coverage.case_twin(element.source)
        note = f"the repository spells it {twin!r}" if twin else ""
        return finding(element, Verdict.MISSING, Reason.NEVER_EXISTED, base=base.commit, note=note)

    def _last_removal(self, element: Element) -> int | None:
        once = covered_sorted(self.coverage.patterns(element.source), sorted(self.history.all_paths()))
        positions = [
            touch.position for path in once for touch in self.history.touches(path) if touch.change.new != path
        ]
        return min(positions, default=None)

    def _diff(self, base: str) -> tuple[tuple[Change, ...], list[str]]:
        if base not in self._diffs:
            changes, unpaired = self.repository.diff(base, self.target, self.policy.rename_limit)
            if unpaired:
                what = f"{unpaired} since {base[:12]}: some renames were not looked for"
                self.warnings.append(Fault(where="renames", what=what))
            self._diffs[base] = changes, sorted({path for change in changes for path in change.paths})
        return self._diffs[base]

    def _history_below_tree(self) -> History:
        """Return the history of HEAD with the target, which is no commit yet, on top of it."""
        if self.repository.is_empty():
            entries = self.tree.entries
            added = tuple(Change("", path, "", entry.oid, "", entry.mode) for path, entry in entries.items())
            return History(self.repository, "", Commit(self.target, (), int(self.at.timestamp()), "", added))
        head = self.repository.head()
        changes, _ = self.repository.diff(head, self.target, self.policy.rename_limit)
        top = Commit(self.target, (head,), int(self.at.timestamp()), "", changes)
        return History(self.repository, head, top)

    def _clock(self, seen: tuple[str, datetime] | None) -> Clock:
        if seen is None or not self.repository.has_commit(seen[0]):
            if seen is not None:
                what = f"the previous run's head {seen[0][:12]} is gone: changes have their commits' times"
                self.warnings.append(Fault(where="seen", what=what))
            return Clock(self.at)
        return Clock(self.at, self.history.depth(self.repository.resolve(seen[0])), as_utc(seen[1]))

    def _skip(self, ignore: tuple[str, ...]) -> Callable[[str], bool]:
        ignored = matcher(ignore) if ignore else lambda _path: False
        foreign = not_written_here(self.tree)
        locks = self.policy.lock_files
        return lambda path: basename(path).lower() in locks or foreign(path) or ignored(path)
