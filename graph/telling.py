"""One memory in full, in any state, as agents read it."""

from graph.finding import find_visible, last_findings, show
from graph.memories import State
from graph.parts import Parts
from graph.quoting import HEADER, quote_memory
from graph.scopes import Scope
from graph.stores.port import ReadUnit

_LEFT = {
    State.PROPOSED: "proposed, and not yet taken over by a person",
    State.SUPERSEDED: "superseded by {by}, so it holds no longer",
    State.ARCHIVED: "archived, so it is no longer recalled",
}


def tell(parts: Parts, scope: Scope, name: str) -> str:
    """Return a memory (by id, title or alias) quoted with its origin and warnings; raise Unknown or Ambiguous."""

    def work(unit: ReadUnit) -> str:
        view = show(parts, unit, (find_visible(parts, unit, name),))[0]
        findings, claims = last_findings(unit)
        quoted = quote_memory(view, parts.clock(), findings, parts.policy.ranking, claims=claims.get(view.id, ()))
        left = _LEFT.get(view.state, "").format(by=view.superseded_by)
        return "\n".join([HEADER, quoted, f"(id {view.id}{f'; {left}' if left else ''})"])

    return parts.store.read(scope, work)
