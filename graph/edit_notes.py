"""What is worth knowing before an edit: each element's pitfalls and what must be verified, ready to be told."""

from collections.abc import Mapping, Sequence

from graph.describing import present
from graph.elements import ancestors
from graph.finding import last_findings, show
from graph.memories import Kind
from graph.parts import Parts
from graph.quoting import quote_memory
from graph.ranking import Facts, is_flagged
from graph.scopes import Scope
from graph.stores.port import ReadUnit
from graph.work_views import EditNotes, NotedElement


def edit_notes(parts: Parts, scope: Scope) -> EditNotes:
    """Return them for all elements at once; see WorkGraph.edit_notes."""
    return parts.store.read(scope, lambda unit: _noted(parts, unit))


def _noted(parts: Parts, unit: ReadUnit) -> EditNotes:
    policy = parts.policy.ranking
    active = {one.element.ref: one for one in present(unit)}
    by_ref = {ref: one.element for ref, one in active.items()}
    about: dict[str, list[Facts]] = {}
    for facts in unit.facts(unit.pinned([one.id for one in active.values()])):
        is_pitfall, verify = facts.kind is Kind.PITFALL, is_flagged(facts.drifted_at, facts.evidence, policy)
        if is_pitfall or (verify and facts.kind is not Kind.SESSION_OUTCOME):
            for element in facts.elements:
                about.setdefault(element, []).append(facts)
    for known in about.values():
        known.sort(key=lambda one: (one.kind is not Kind.PITFALL, -one.confirmed_at.timestamp(), one.id))
    noted = []
    for ref, one in active.items():
        own = [facts.id for facts in about.get(one.id, ())]
        # What contains the element speaks of more than this place: its pitfalls alone are told here.
        above = [active[element.ref].id for element in ancestors(one.element, by_ref)]
        own += [facts.id for name in above for facts in about.get(name, ()) if facts.kind is Kind.PITFALL]
        noted.append(NotedElement(ref=ref, source=one.element.source, notes=tuple(dict.fromkeys(own))))
    wanted = dict.fromkeys(note for one in noted for note in one.notes)
    return EditNotes(elements=tuple(noted), texts=_texts(parts, unit, tuple(wanted)))


def _texts(parts: Parts, unit: ReadUnit, wanted: Sequence[str]) -> Mapping[str, str]:
    findings, claims = last_findings(unit)
    views = show(parts, unit, map(parts.codec.open_memory, unit.memories(wanted)))
    now, policy = parts.clock(), parts.policy.ranking
    return {one.id: quote_memory(one, now, findings, policy, claims=claims.get(one.id, ())) for one in views}
