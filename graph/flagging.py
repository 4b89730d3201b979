"""What a drift run means for memories: elements are stamped, memories flagged and cleared, anchors deciding."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from graph.changing import Writer, mark
from graph.claims import Anchor, Baseline
from graph.codec import Record
from graph.drift_report import BROKEN, ClaimFinding, DriftReport, Finding, is_drift
from graph.errors import Unknown
from graph.memories import EventKind, Evidence, State
from graph.parts import Parts
from graph.ranking import is_flagged
from graph.scopes import Scope
from graph.stores.port import ReadUnit, StoredElement, StoredRun, WriteUnit
from graph.views import Stamped

_ANALYSER = "archmem/drift"
_PAGE = 500
_NOTED = 3
_SEVERITY = (Evidence.NONE, Evidence.INTACT, Evidence.UNCHECKED, Evidence.CHANGED, Evidence.GONE)
_WHOLE_RUNS = 50
"""How many runs are kept whole; of older ones the score and the verdicts stay."""


def anchors(parts: Parts, scope: Scope) -> tuple[Anchor, ...]:
    """Return the distinct anchors of live memories, their elements as refs."""

    def work(unit: ReadUnit) -> tuple[Anchor, ...]:
        refs = {one.id: one.element.ref for one in unit.elements()}
        found = {
            (one.element, one.anchor.state): one.anchor.model_copy(update={"element": refs[one.element]})
            for one in unit.anchors()
            if one.element in refs
        }
        return tuple(found.values())

    return parts.store.read(scope, work)


def baselines(parts: Parts, scope: Scope) -> dict[str, Baseline]:
    """Return the accepted baselines by ref."""

    def work(unit: ReadUnit) -> dict[str, Baseline]:
        refs = {one.id: one.element.ref for one in unit.elements() if one.retired_at is None}
        return {
            refs[name]: found.model_copy(update={"anchor": found.anchor.model_copy(update={"element": refs[name]})})
            for name, found in unit.baselines().items()
            if name in refs
        }

    return parts.store.read(scope, work)


def accept(parts: Parts, scope: Scope, accepted: Mapping[str, Baseline], *, actor: str) -> tuple[str, ...]:
    """Accept elements as they are; memories keep their flags."""

    def work(unit: WriteUnit) -> tuple[str, ...]:
        ids = {one.element.ref: one.id for one in unit.elements() if one.retired_at is None}
        for ref, baseline in accepted.items():
            if ref not in ids:
                raise Unknown(
                    f"there is no element {ref!r} in the stored model", id=ref, next_step="import the model first"
                )
            unit.accept(ids[ref], baseline, actor)
        return tuple(sorted(accepted))

    return parts.store.write(scope, work)


def runs(parts: Parts, scope: Scope, limit: int, before: str) -> tuple[StoredRun, ...]:
    """Return the newest runs first."""
    return parts.store.read(scope, lambda unit: unit.runs(limit, before=before))


def run(parts: Parts, scope: Scope, name: str) -> StoredRun:
    """Return one run; raise Unknown."""
    found = parts.store.read(scope, lambda unit: unit.run(name))
    if found is None:
        raise Unknown(f"there is no drift run {name!r}", id=name, next_step="list the runs")
    return found


def record(parts: Parts, scope: Scope, report: DriftReport) -> Stamped:
    """Keep a run, stamp elements, flag and clear memories, all in one transaction."""
    return parts.store.write(scope, lambda unit: _record(parts, unit, report))


def _record(parts: Parts, unit: WriteUnit, report: DriftReport) -> Stamped:
    last = unit.last_run()
    # A client's clock may run ahead; nothing lands after the moment at which it is recorded.
    report = report.model_copy(update={"at": min(report.at, parts.clock())})
    live = tuple(_live(unit))
    found = _found(report, live)
    # What is intact or unchecked and needs no word would fill the store with every run.
    telling = tuple(_plain(one) for findings in found.values() for one in findings if _tells(one))
    run = StoredRun(id=parts.ids(), report=report.model_copy(update={"claims": telling}))
    unit.put_run(run)
    for old in unit.runs(1, skip=_WHOLE_RUNS):
        unit.thin_run(StoredRun(id=old.id, report=old.report.thinned()))
    stamped = _stamp_elements(unit, report)
    judge = _Judge(unit, report)
    # An older commit than the last run's may still have what moved since: it can flag, but not clear.
    may_clear = last is None or not _is_older(report, last.report)
    flagged, cleared = [], []
    for record in live:
        now = _Ground(judge.stamp(record), evidence_of(found.get(record.id, ()), record.evidence))
        before = _Ground(record.drifted_at, record.evidence)
        if not may_clear:
            now = now.worse(before)
        if now == before:
            continue
        was, is_now = (is_flagged(one.drifted_at, one.evidence, parts.policy.ranking) for one in (before, now))
        if was and not is_now and not may_clear:
            continue
        kind = _kind(before, now, was, is_now)
        _keep_ground(parts, unit, record, now, kind, _note(report, found.get(record.id, ())))
        if is_now and not was:
            flagged.append(record.id)
        elif was and not is_now:
            cleared.append(record.id)
    return Stamped(run=run.id, stamped=tuple(stamped), flagged=tuple(flagged), cleared=tuple(cleared))


class _Ground(NamedTuple):
    """What is known of the ground under a memory."""

    drifted_at: datetime | None
    evidence: Evidence

    def worse(self, other: "_Ground") -> "_Ground":
        worst = max(self.evidence, other.evidence, key=_SEVERITY.index)
        return _Ground(self.drifted_at or other.drifted_at, worst)


def evidence_of(findings: Collection[ClaimFinding], known: Evidence = Evidence.NONE) -> Evidence:
    """Return what a memory's findings come to: the worst that was found; intact when one claim at least is."""
    found = {one.evidence for one in findings}
    order = (Evidence.GONE, Evidence.CHANGED, Evidence.INTACT, Evidence.UNCHECKED)
    return next((one for one in order if one in found), known)


def _found(report: DriftReport, live: Collection[Record]) -> dict[str, tuple[ClaimFinding, ...]]:
    """Return the findings by live memory; those made for an older confirmation say nothing any more."""
    confirmed = {one.id: one.confirmed_at for one in live}
    found: dict[str, list[ClaimFinding]] = {}
    for one in report.claims:
        since = confirmed.get(one.asked.memory)
        if since is not None and since <= one.asked.confirmed_at:
            found.setdefault(one.asked.memory, []).append(one)
    return {memory: tuple(findings) for memory, findings in found.items()}


def _tells(finding: ClaimFinding) -> bool:
    return finding.evidence in BROKEN or (finding.evidence is Evidence.INTACT and bool(finding.said))


def _plain(finding: ClaimFinding) -> ClaimFinding:
    asked = finding.asked.model_copy(update={"details": (), "elements": ()})
    return finding.model_copy(update={"asked": asked})


def _note(report: DriftReport, findings: Collection[ClaimFinding]) -> str:
    broken = [f"{one.asked.claim}, {one.said or one.evidence}" for one in findings if one.evidence in BROKEN]
    return "; ".join((f"as of {report.head}", *broken[:_NOTED]))


def _kind(before: _Ground, now: _Ground, was: bool, is_now: bool) -> EventKind:
    if is_now or (now.drifted_at is not None and before.drifted_at is None):
        return EventKind.DRIFTED
    gave_way = now.drifted_at is None and before.drifted_at is not None
    return EventKind.DRIFT_CLEARED if was or gave_way else EventKind.CHECKED


def _is_older(report: DriftReport, last: DriftReport) -> bool:
    return report.head_at is not None and last.head_at is not None and report.head_at < last.head_at


def _keep_ground(parts: Parts, unit: WriteUnit, record: Record, ground: _Ground, kind: EventKind, note: str) -> None:
    stands = parts.codec.open_memory(record).model_copy(update=ground._asdict())
    mark(parts, unit, stands, kind, Writer(actor=_ANALYSER), note=note)


def _stamp_elements(unit: WriteUnit, report: DriftReport) -> list[str]:
    """Keep each element's verdict, and the moment its last significant change landed; return the refs stamped anew."""
    findings = {finding.ref: finding for finding in report.elements}
    stamped = []
    for one in unit.elements():
        finding = findings.get(one.element.ref)
        if finding is None or one.retired_at is not None:
            continue
        landed = _landed(finding, one, report.at) or one.drifted_at
        if landed != one.drifted_at:
            stamped.append(one.element.ref)
        if (landed, finding.verdict.value) != (one.drifted_at, one.verdict):
            unit.put_element(one.model_copy(update={"verdict": finding.verdict.value, "drifted_at": landed}))
    return stamped


def _landed(finding: Finding, one: StoredElement, at: datetime) -> datetime | None:
    """Return when an element's last significant change landed; a path that never existed is no drift."""
    if not is_drift(finding):
        return None
    told = finding.landed_at or finding.removed_at or finding.last_change_at
    if told is None and one.verdict == finding.verdict.value:
        # The same drift as before, of which nobody can say when it landed: not anew with each run.
        return one.drifted_at
    return min(told or at, at)


class _Judge:
    """Whether a memory is suspect: by the anchor of each pin where there is one, else by the element's stamp."""

    def __init__(self, unit: ReadUnit, report: DriftReport) -> None:
        self._at = report.at
        self._elements = {one.id: one for one in unit.elements()}
        self._states = unit.anchor_states()
        self._found = {(one.anchor.element, one.anchor.state): one for one in report.anchors}

    def stamp(self, record: Record) -> datetime | None:
        """Return the latest stamp of the memory's suspect pins; None when no pin is suspect."""
        stamps = [self._pin_stamp(record, name) for name in record.elements]
        return max((stamp for stamp in stamps if stamp is not None), default=None)

    def _pin_stamp(self, record: Record, name: str) -> datetime | None:
        one = self._elements.get(name)
        if one is None:
            return None
        anchored = self._found.get((one.element.ref, self._states.get((record.id, name), "")))
        if anchored is not None and anchored.differs is not None:
            if not anchored.differs:
                return None
            return min(anchored.landed_at or record.drifted_at or one.drifted_at or self._at, self._at)
        if one.drifted_at is not None and record.confirmed_at < one.drifted_at:
            return one.drifted_at
        return None


def _live(unit: ReadUnit) -> Iterator[Record]:
    after = ""
    while page := unit.listed((State.LIVE,), after=after, limit=_PAGE):
        yield from page
        after = page[-1].id
