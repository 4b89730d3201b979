"""The drift check of a checkout, recorded in the store, and accepted."""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from drift import ACCEPTED_FILE, Repository, accept, read_project
from graph.claims import Baseline
from graph.drift_report import DriftReport
from graph.errors import ArchmemError, Conflict
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.answers import Accepted, Ran, record, record_accepted
from server.bootstrap import new_id, now
from server.kept_findings import check_from_kept
from server.projects import refuse_foreign
from server.settings import drift_policy
from server.workplace import Workplace

_LEASE = "drift-run"
_LEASE_SECONDS = 60
_RENEWED_AFTER = 20.0  # seconds


def run(graph: MemoryGraph, scope: Scope, workplace: Workplace) -> Ran:
    """Check HEAD with the store's baselines and anchors, and record it; raise Conflict while another run is on."""
    repository = workplace.required()
    refuse_foreign(graph, scope, workplace)
    return run_at(graph, scope, repository, repository.head(), asked_of(graph, scope))


def asked_of(graph: MemoryGraph, scope: Scope) -> dict[str, Any]:
    """Return what the store asks of a run: nothing new is found at the same commit while it stays the same."""
    return {"baselines": graph.baselines(scope), "anchors": graph.anchors(scope), "claims": graph.claims(scope)}


def run_at(graph: MemoryGraph, scope: Scope, repository: Repository, head: str, asked: dict[str, Any]) -> Ran:
    """Check a commit for what was asked, and record it; raise Conflict while another run is on."""
    with _alone(graph, scope):
        file, model = read_project(repository, head)
        last = graph.drift_runs(scope, 1)
        report = check_from_kept(
            model,
            repository,
            **asked,
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


def accept_unrecorded(workplace: Workplace, refs: Collection[str] | None) -> Accepted:
    """Write the accepted file alone: no store knows the project."""
    content, gained = accept_in_file(workplace, refs)
    return Accepted(refs=tuple(one.anchor.element for one in gained), recorded=(), file=ACCEPTED_FILE, content=content)


def accept_everywhere(
    graph: MemoryGraph, scope: Scope, workplace: Workplace, refs: Collection[str] | None, actor: str
) -> Accepted:
    """Write the accepted file, and record what it gained for the elements that the store knows."""
    refuse_foreign(graph, scope, workplace)
    content, gained = accept_in_file(workplace, refs)
    return record_accepted(graph, scope, gained, content, ACCEPTED_FILE, actor)


@contextmanager
def _alone(graph: MemoryGraph, scope: Scope) -> Iterator[None]:
    holder = new_id()
    if not graph.lease(scope, _LEASE, holder, _LEASE_SECONDS):
        raise Conflict(
            "another drift run of this project is on",
            id=scope.project,
            next_step=f"try again when it is done; a run that died gives way after {_LEASE_SECONDS} seconds",
        )
    done = threading.Event()
    renewing = threading.Thread(target=_renew, args=(graph, scope, holder, done), daemon=True)
    renewing.start()
    try:
        yield
    finally:
        done.set()
        renewing.join()
        graph.release(scope, _LEASE, holder)


def _renew(graph: MemoryGraph, scope: Scope, holder: str, done: threading.Event) -> None:
    """Keep the lease until it is done: a run takes as long as it takes, and one that died gives way soon."""
    while not done.wait(_RENEWED_AFTER):
        try:
            graph.lease(scope, _LEASE, holder, _LEASE_SECONDS)
        except ArchmemError:
            continue  # a store that is busy now is asked again
