"""The knowledge map in numbers: one cell an element, and the gaps worth filling."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from graph.describing import present
from graph.elements import ElementKind, Relationship
from graph.memories import Kind
from graph.parts import Parts
from graph.ranking import freshness, is_flagged
from graph.scopes import Scope
from graph.stores.port import Asked, Gap, ReadUnit, StoredElement, Tally
from graph.terms import analyse, question_keys
from graph.views import Cell, Coverage, GapView

_COUNTED = frozenset({ElementKind.SYSTEM, ElementKind.CONTAINER, ElementKind.COMPONENT, ElementKind.CODE})
_SHOWN_QUESTIONS = 20
_READ_QUESTIONS = 1_000


def coverage(parts: Parts, scope: Scope) -> Coverage:
    """Return the knowledge map of the exact scope; documented means a live memory pinned to the element itself."""
    return parts.store.read(scope, lambda unit: _coverage(parts, unit))


def _coverage(parts: Parts, unit: ReadUnit) -> Coverage:
    elements = present(unit)
    about: dict[str, list[Tally]] = {}
    for tally in unit.tallies():
        about.setdefault(tally.element, []).append(tally)
    now = parts.clock()
    cells = tuple(_cell(parts, one, about.get(one.id, ()), now) for one in elements)
    counted = [cell for cell in cells if cell.counted]
    documented = sum(cell.documented for cell in counted)
    questions = unit.gaps(_READ_QUESTIONS)
    return Coverage(
        headline=f"{documented} of {len(counted)} elements documented",
        documented=documented,
        counted=len(counted),
        outcomes_only=sum(cell.outcomes_only for cell in counted),
        share=round(100 * documented / len(counted), 2) if counted else None,
        project_wide=sum(tally.memories for tally in about.get("", ())),
        cells=cells,
        gaps=_gaps(cells, elements, unit.relationships(), questions, _commits(unit)),
        unanswered=_unanswered(parts, unit, questions),
    )


def _cell(parts: Parts, one: StoredElement, tallies: Sequence[Tally], now: datetime) -> Cell:
    policy = parts.policy.ranking
    kinds: Counter[Kind] = Counter()
    for tally in tallies:
        kinds[tally.kind] += tally.memories
    has_outcomes_only = set(kinds) == {Kind.SESSION_OUTCOME}
    return Cell(
        ref=one.element.ref,
        kind=one.element.kind.value,
        name=one.element.name,
        parent=one.element.parent,
        counted=one.element.kind in _COUNTED and not one.element.external,
        documented=bool(kinds) and not has_outcomes_only,
        outcomes_only=has_outcomes_only,
        memories=kinds.total(),
        by_kind={kind.value: count for kind, count in sorted(kinds.items())},
        pitfalls=kinds[Kind.PITFALL],
        freshness=round(max((freshness(t.confirmed_at, now, policy) for t in tallies), default=0.0), 4),
        flagged=sum(t.memories for t in tallies if is_flagged(t.drifted_at, t.evidence, policy)),
        verdict=one.verdict,
        drifted_at=one.drifted_at,
    )


def _unanswered(parts: Parts, unit: ReadUnit, gaps: Sequence[Gap]) -> tuple[str, ...]:
    """Return the newest questions, each once, that nothing written since answers by its words."""
    asked: dict[str, Gap] = {}
    for gap in gaps:
        asked.setdefault(parts.codec.open(unit.scope, "gap", "question", 1, gap.question), gap)
    # As many are looked at as are shown: a list that grows shorter is what answering should do.
    newest = list(asked.items())[:_SHOWN_QUESTIONS]
    return tuple(question for question, gap in newest if not _is_answered(parts, unit, question, gap.id))


def _is_answered(parts: Parts, unit: ReadUnit, question: str, since: str) -> bool:
    """Say whether a memory written later is relevant by words alone: no embedder is asked for a report."""
    asked = Asked(
        terms=tuple(parts.codec.key(unit.scope, term) for term in analyse(question)),
        keys=frozenset(parts.codec.key(unit.scope, key) for key in question_keys(question)),
        policy=parts.policy.ranking,
        now=parts.clock(),
    )
    return any(name > since for name in unit.nominate(asked).ids)  # ids are UUIDv7: the greater is the later


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
