"""What a drift run means for memories: elements are stamped, memories flagged and cleared, anchors deciding."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from graph.changing import Writer, change
from graph.claims import Anchor, Baseline
from graph.drift_report import AnchorFinding, DriftReport, Finding, Reason, Verdict
from graph.errors import Unknown
from graph.memories import EventKind, Memory, State
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import ReadUnit, StoredElement, StoredRun, WriteUnit
from graph.views import Stamped

_ANALYSER = Writer(actor="archmem/drift")
_PAGE = 500


def anchors(parts: Parts, scope: Scope) -> tuple[Anchor, ...]:
    """Return the distinct anchors of live memories, their elements as refs."""

    def work(unit: ReadUnit) -> tuple[Anchor, ...]:
        refs = {one.id: one.element.ref for one in unit.elements()}
        found = {
            (one.element, one.anchor.commit): one.anchor.model_copy(update={"element": refs[one.element]})
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


def runs(parts: Parts, scope: Scope, limit: int) -> tuple[StoredRun, ...]:
    """Return the newest runs first."""
    return parts.store.read(scope, lambda unit: unit.runs(limit))


def record(parts: Parts, scope: Scope, report: DriftReport) -> Stamped:
    """Keep a run, stamp elements, flag and clear memories, all in one transaction."""
    return parts.store.write(scope, lambda unit: _record(parts, unit, report))


def _record(parts: Parts, unit: WriteUnit, report: DriftReport) -> Stamped:
    run = StoredRun(id=parts.ids(), report=report)
    unit.put_run(run)
    stamped = _stamp_elements(unit, report)
    elements = {one.id: one for one in unit.elements()}
    told = _Anchored(unit, report, elements)
    flagged, cleared = [], []
    for memory in _live(parts, unit):
        stamp = told.stamp(memory)
        if stamp == memory.drifted_at:
            continue
        changed = memory.model_copy(update={"drifted_at": stamp})
        kind = EventKind.DRIFTED if stamp else EventKind.DRIFT_CLEARED
        change(parts, unit, changed, kind, _ANALYSER, note=f"as of {report.head}")
        if stamp is None:
            cleared.append(memory.id)
        elif memory.drifted_at is None:
            flagged.append(memory.id)
    return Stamped(run=run.id, stamped=tuple(stamped), flagged=tuple(flagged), cleared=tuple(cleared))


def _stamp_elements(unit: WriteUnit, report: DriftReport) -> list[str]:
    """Keep each element's verdict, and the moment its last significant change landed; return the refs stamped anew."""
    findings = {finding.ref: finding for finding in report.elements}
    stamped = []
    for one in unit.elements():
        finding = findings.get(one.element.ref)
        if finding is None or one.retired_at is not None:
            continue
        landed = _landed(finding, report.at) or one.drifted_at
        if landed != one.drifted_at:
            stamped.append(one.element.ref)
        if (landed, finding.verdict.value) != (one.drifted_at, one.verdict):
            unit.put_element(one.model_copy(update={"verdict": finding.verdict.value, "drifted_at": landed}))
    return stamped


def _landed(finding: Finding, at: datetime) -> datetime | None:
    """Return when an element's last significant change landed; a path that never existed is no drift."""
    if finding.verdict is Verdict.DRIFTED:
        return min(finding.landed_at or finding.last_change_at or at, at)
    if finding.verdict is Verdict.MISSING and finding.reason is not Reason.NEVER_EXISTED:
        return min(finding.landed_at or finding.removed_at or at, at)
    return None


class _Anchored:
    """Whether a memory is suspect: by the anchor of each pin where there is one, else by the element's stamp."""

    def __init__(self, unit: ReadUnit, report: DriftReport, elements: Mapping[str, StoredElement]) -> None:
        self._report = report
        self._elements = elements
        self._commits = {(one.memory, one.element): one.anchor.commit for one in unit.anchors()}
        self._found: dict[tuple[str, str], AnchorFinding] = {
            (one.anchor.element, one.anchor.commit): one for one in report.anchors
        }

    def stamp(self, memory: Memory) -> datetime | None:
        """Return the latest stamp of the memory's suspect pins; None when no pin is suspect."""
        stamps = [self._pin_stamp(memory, name) for name in memory.elements]
        return max((stamp for stamp in stamps if stamp is not None), default=None)

    def _pin_stamp(self, memory: Memory, name: str) -> datetime | None:
        one = self._elements.get(name)
        if one is None:
            return None
        anchored = self._found.get((one.element.ref, self._commits.get((memory.id, name), "")))
        if anchored is not None and anchored.differs is not None:
            return (
                min(anchored.landed_at or one.drifted_at or self._report.at, self._report.at)
                if anchored.differs
                else None
            )
        if one.drifted_at is not None and memory.confirmed_at < one.drifted_at:
            return one.drifted_at
        return None


def _live(parts: Parts, unit: ReadUnit) -> Sequence[Memory]:
    found: list[Memory] = []
    after = ""
    while page := unit.listed((State.LIVE,), after=after, limit=_PAGE):
        found.extend(parts.codec.open_memory(one) for one in page if one.elements)
        after = page[-1].id
    return found
