"""The drift check of a checkout: alone (as CI runs it), recorded in the store, and accepted."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from drift import ACCEPTED_FILE, accept, check_drift, read_project
from graph.claims import Baseline
from graph.drift_report import DriftReport
from graph.errors import Conflict
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.answers import Accepted, Ran, record
from server.bootstrap import new_id, now
from server.projects import refuse_foreign
from server.settings import drift_policy
from server.workplace import Workplace

_LEASE = "drift-run"
_LEASE_SECONDS = 600


def check(workplace: Workplace, *, base: str = "", target: str = "HEAD") -> tuple[DriftReport, float | None]:
    """Check the model at the target without any store; return the report and the least score that the project asks."""
    repository = workplace.required()
    oid, _ = repository.resolve_target(target)
    file, model = read_project(repository, oid)
    policy = drift_policy(file)
    report = check_drift(model, repository, baselines={}, at=now(), base=base, target=target, policy=policy)
    return report, policy.min_score


def run(graph: MemoryGraph, scope: Scope, workplace: Workplace) -> Ran:
    """Check HEAD with the store's baselines and anchors, and record it; raise Conflict while another run is on."""
    repository = workplace.required()
    refuse_foreign(graph, scope, workplace)
    head = repository.head()
    file, model = read_project(repository, head)
    with _alone(graph, scope):
        last = graph.drift_runs(scope, 1)
        report = check_drift(
            model,
            repository,
            baselines=graph.baselines(scope),
            anchors=graph.anchors(scope),
            claims=graph.claims(scope),
            at=now(),
            target=head,
            seen=(last[0].report.head, last[0].report.at) if last else None,
            policy=drift_policy(file),
        )
        return record(graph, scope, report)


def unknown_elements(graph: MemoryGraph, scope: Scope, report: DriftReport) -> tuple[str, ...]:
    """Return the refs that the report has and the stored model lacks: it is of another commit."""
    known = {one.element.ref for one in graph.elements(scope) if not one.retired}
    return tuple(one.ref for one in report.elements if one.ref not in known)


def accept_in_file(workplace: Workplace, refs: Collection[str] | None) -> tuple[str, tuple[Baseline, ...]]:
    """Write the accepted file for elements (for None: all that have code) as HEAD has them; return what it gained."""
    repository = workplace.required()
    head = repository.head()
    _, model = read_project(repository, head)
    path = workplace.root / ACCEPTED_FILE
    existing = path.read_bytes() if path.is_file() else None
    content, gained = accept(repository, model, refs, at=now(), commit=head, existing=existing)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="\n")
    return content, gained


def accept_everywhere(
    graph: MemoryGraph, scope: Scope, workplace: Workplace, refs: Collection[str] | None, actor: str
) -> Accepted:
    """Write the accepted file, and record what it gained for the elements that the store knows."""
    refuse_foreign(graph, scope, workplace)
    content, gained = accept_in_file(workplace, refs)
    known = {one.element.ref for one in graph.elements(scope) if not one.retired}
    baselines = {one.anchor.element: one for one in gained if one.anchor.element in known}
    recorded = graph.accept_drift(scope, baselines, actor=actor) if baselines else ()
    return Accepted(
        refs=tuple(one.anchor.element for one in gained), recorded=recorded, file=ACCEPTED_FILE, content=content
    )


@contextmanager
def _alone(graph: MemoryGraph, scope: Scope) -> Iterator[None]:
    holder = new_id()
    if not graph.lease(scope, _LEASE, holder, _LEASE_SECONDS):
        raise Conflict(
            "another drift run of this project is on",
            id=scope.project,
            next_step=f"try again when it is done; a run that died gives way after {_LEASE_SECONDS // 60} minutes",
        )
    try:
        yield
    finally:
        graph.release(scope, _LEASE, holder)
