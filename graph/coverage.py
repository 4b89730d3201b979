"""The knowledge map in numbers: one cell an element, and the gaps worth filling."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from graph.elements import ElementKind, Relationship
from graph.memories import Kind, State
from graph.parts import Parts
from graph.ranking import Facts, freshness, is_flagged
from graph.scopes import Scope
from graph.stores.port import Gap, ReadUnit, StoredElement
from graph.views import Cell, Coverage, GapView

_COUNTED = frozenset({ElementKind.SYSTEM, ElementKind.CONTAINER, ElementKind.COMPONENT, ElementKind.CODE})
_PAGE = 500
_SHOWN_QUESTIONS = 20
_READ_QUESTIONS = 1_000


def coverage(parts: Parts, scope: Scope) -> Coverage:
    """Return the knowledge map of the exact scope; documented means a live memory pinned to the element itself."""
    return parts.store.read(scope, lambda unit: _coverage(parts, unit))


def _coverage(parts: Parts, unit: ReadUnit) -> Coverage:
    elements = [one for one in unit.elements() if one.retired_at is None]
    pinned: dict[str, list[Facts]] = {}
    project_wide = 0
    for facts in _live(unit):
        project_wide += not facts.elements
        for name in facts.elements:
            pinned.setdefault(name, []).append(facts)
    now = parts.clock()
    cells = tuple(_cell(parts, one, pinned.get(one.id, ()), now) for one in elements)
    counted = [cell for cell in cells if cell.counted]
    documented = sum(cell.documented for cell in counted)
    questions = unit.gaps(_READ_QUESTIONS)
    told = [parts.codec.open(unit.scope, "gap", "question", 1, one.question) for one in questions[:_SHOWN_QUESTIONS]]
    return Coverage(
        headline=f"{documented} of {len(counted)} elements documented",
        documented=documented,
        counted=len(counted),
        outcomes_only=sum(cell.outcomes_only for cell in counted),
        share=round(100 * documented / len(counted), 2) if counted else 100.0,
        project_wide=project_wide,
        cells=cells,
        gaps=_gaps(cells, elements, unit.relationships(), questions, _commits(unit)),
        unanswered=tuple(dict.fromkeys(told)),
    )


def _cell(parts: Parts, one: StoredElement, facts: Sequence[Facts], now: datetime) -> Cell:
    policy = parts.policy.ranking
    kinds = Counter(f.kind for f in facts)
    is_counted = one.element.kind in _COUNTED and not one.element.external
    return Cell(
        ref=one.element.ref,
        kind=one.element.kind.value,
        name=one.element.name,
        parent=one.element.parent,
        counted=is_counted,
        documented=bool(facts) and not _is_outcomes_only(facts),
        outcomes_only=_is_outcomes_only(facts),
        memories=len(facts),
        by_kind={kind.value: count for kind, count in sorted(kinds.items())},
        pitfalls=kinds[Kind.PITFALL],
        freshness=round(max((freshness(f.confirmed_at, now, policy) for f in facts), default=0.0), 4),
        flagged=sum(is_flagged(f.drifted_at, f.evidence, policy) for f in facts),
        verdict=one.verdict,
        drifted_at=one.drifted_at,
    )


def _is_outcomes_only(facts: Sequence[Facts]) -> bool:
    return bool(facts) and all(f.kind is Kind.SESSION_OUTCOME for f in facts)


def _gaps(
    cells: Iterable[Cell],
    elements: Sequence[StoredElement],
    relationships: Iterable[Relationship],
    questions: Iterable[Gap],
    commits: Mapping[str, int],
) -> tuple[GapView, ...]:
    """Return the undocumented elements, most wanted first: asked about, then depended on, then changed."""
    dependants = Counter(target for target, _ in {(r.target, r.source) for r in relationships})
    asked = Counter(ref for gap in questions for ref in gap.elements)
    order = {one.element.ref: place for place, one in enumerate(elements)}
    gaps = [
        GapView(ref=c.ref, commits=commits.get(c.ref, 0), dependants=dependants[c.ref], asked=asked[c.ref])
        for c in cells
        if c.counted and not c.documented
    ]
    return tuple(sorted(gaps, key=lambda gap: (-gap.asked, -gap.dependants, -gap.commits, order[gap.ref])))


def _commits(unit: ReadUnit) -> dict[str, int]:
    run = unit.last_run()
    return {finding.ref: finding.commits for finding in run.report.elements} if run else {}


def _live(unit: ReadUnit) -> Iterable[Facts]:
    after = ""
    while page := unit.listed((State.LIVE,), after=after, limit=_PAGE):
        yield from unit.facts([one.id for one in page])
        after = page[-1].id
