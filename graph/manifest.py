"""The manifest: the titles of everything that is remembered here, page by page."""

from heapq import merge
from itertools import islice

from graph.codec import Record
from graph.errors import Fault, InvalidInput
from graph.finding import show
from graph.memories import State
from graph.parts import Parts
from graph.quoting import is_verify, name_of
from graph.scopes import Scope
from graph.stores.port import ReadUnit
from graph.work_views import Manifest, ManifestLine

MOST_LISTED = 500


def manifest(parts: Parts, scope: Scope, *, after: str, limit: int) -> Manifest:
    """Return a page of the live memories of the project and its organisation, by id."""
    if not 1 <= limit <= MOST_LISTED:
        fault = Fault(where="limit", what=f"is not between 1 and {MOST_LISTED}")
        raise InvalidInput("the manifest cannot be listed", next_step="give another limit", faults=[fault])

    def listed(unit: ReadUnit) -> tuple[Record, ...]:
        return unit.listed((State.LIVE,), after=after, limit=limit + 1)

    def work(unit: ReadUnit) -> Manifest:
        organisation = unit.organisation()
        both = merge(listed(unit), listed(organisation) if organisation else (), key=lambda one: one.id)
        records = list(islice(both, limit + 1))
        views = show(parts, unit, map(parts.codec.open_memory, records[:limit]))
        lines = tuple(
            ManifestLine(
                id=one.id,
                title=name_of(one),
                kind=one.kind,
                elements=one.elements,
                verify=is_verify(one, parts.policy.ranking),
            )
            for one in views
        )
        return Manifest(
            total=unit.term_stats(()).memories, memories=lines, next=lines[-1].id if len(records) > limit else ""
        )

    return parts.store.read(scope, work)
