"""How the columns of a stored row become the entry of its kind."""

import json
from collections.abc import Callable, Mapping
from typing import get_args

from graph.claims import Anchor
from graph.codec import EventRecord
from graph.drift_report import DriftReport
from graph.elements import Relationship
from graph.reviews import Proposal
from graph.scopes import Scope
from graph.stores.port import Gap, StoredRun
from graph.stores.rows import (
    Row,
    decision_of,
    dismissal_of,
    element_of,
    from_micros,
    keys_of,
    link_of,
    project_of,
    record_of,
    session_of,
    strings,
)
from graph.stores.transfer import (
    AcceptedEntry,
    AnchorEntry,
    CitedEntry,
    DecisionEntry,
    DismissalEntry,
    ElementEntry,
    Entry,
    EntryKind,
    EventEntry,
    GapEntry,
    LinkEntry,
    MemoryEntry,
    ProjectEntry,
    ProposalEntry,
    RelationshipsEntry,
    ReplyEntry,
    RunEntry,
    ServedEntry,
    SessionEntry,
    SnapshotEntry,
    VectorsEntry,
)

_KEYS = 6


def _relationships(scope: Scope, row: Row) -> Entry:
    return RelationshipsEntry(scope=scope, relationships=tuple(map(Relationship.model_validate_json, strings(row[0]))))


def _memory(_: Scope, row: Row) -> Entry:
    return MemoryEntry(record=record_of(row[:-_KEYS]), keys=keys_of(row[-_KEYS:]))


def _vectors(scope: Scope, row: Row) -> Entry:
    return VectorsEntry(scope=scope, memory=row[0], model=row[1], key=row[2], search=row[3], content=row[4])


def _snapshot(scope: Scope, row: Row) -> Entry:
    return SnapshotEntry(scope=scope, anchor=Anchor(element=row[0], commit=row[1], blobs=json.loads(row[2])))


def _accepted(scope: Scope, row: Row) -> Entry:
    return AcceptedEntry(scope=scope, element=row[0], state=row[1], at=from_micros(row[2]), actor=row[3])


def _reply(scope: Scope, row: Row) -> Entry:
    return ReplyEntry(scope=scope, key=row[0], request=row[1], reply=row[2], at=from_micros(row[3]))


def _run(scope: Scope, row: Row) -> Entry:
    return RunEntry(scope=scope, run=StoredRun(id=row[0], report=DriftReport.model_validate_json(row[1])))


MAKERS: Mapping[EntryKind, Callable[[Scope, Row], Entry]] = {
    "project": lambda _, row: ProjectEntry(project=project_of(row)),
    "element": lambda scope, row: ElementEntry(scope=scope, stored=element_of(row)),
    "relationships": _relationships,
    "decision": lambda scope, row: DecisionEntry(scope=scope, stored=decision_of(row)),
    "memory": _memory,
    "vectors": _vectors,
    "link": lambda scope, row: LinkEntry(scope=scope, link=link_of(row)),
    "snapshot": _snapshot,
    "anchor": lambda scope, row: AnchorEntry(scope=scope, memory=row[0], element=row[1], state=row[2]),
    "accepted": _accepted,
    "event": lambda _, row: EventEntry(event=EventRecord.model_validate_json(row[0])),
    "reply": _reply,
    "session": lambda scope, row: SessionEntry.of(scope, session_of(row)),
    "served": lambda scope, row: ServedEntry(scope=scope, session=row[0], memory=row[1], at=from_micros(row[2])),
    "cited": lambda scope, row: CitedEntry(scope=scope, session=row[0], memory=row[1], at=from_micros(row[2])),
    "proposal": lambda scope, row: ProposalEntry(scope=scope, proposal=Proposal.model_validate_json(row[0])),
    "dismissal": lambda scope, row: DismissalEntry(scope=scope, dismissal=dismissal_of(row)),
    "gap": lambda scope, row: GapEntry(scope=scope, gap=Gap.model_validate_json(row[0])),
    "run": _run,
}
"""For each kind what makes an entry of its scope and its columns."""

assert tuple(MAKERS) == get_args(EntryKind)
