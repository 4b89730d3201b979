"""What every store keeps alike: moments as whole microseconds, and how the columns of a row become what they mean.

`strings` in a row are a sequence, or a JSON list where a column holds one text.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from graph.codec import Record
from graph.elements import Decision, Element
from graph.memories import Evidence, Kind, State
from graph.ranking import Facts
from graph.reviews import Dismissal, Why
from graph.scopes import Project, Scope
from graph.sessions import Session, Work
from graph.stores.port import Keys, Link, StoredDecision, StoredElement

Row = Sequence[Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Return whole microseconds since 1970, UTC."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    """Return the aware UTC moment."""
    return _EPOCH + value * _MICROSECOND


def as_micros(moment: datetime | None) -> int | None:
    """Return whole microseconds since 1970 of a moment that there may be."""
    return None if moment is None else to_micros(moment)


def as_moment(value: int | None) -> datetime | None:
    """Return the moment that there may be."""
    return None if value is None else from_micros(value)


def strings(value: str | Iterable[str]) -> tuple[str, ...]:
    """Return the strings of a column."""
    return tuple(json.loads(value) if isinstance(value, str) else value)


def record_of(row: Row) -> Record:
    """Return a memory: id, organisation, project, kind, state, version, created at, by, confirmed at, by, …"""
    return Record(
        id=row[0],
        scope=Scope(organisation=row[1], project=row[2]),
        kind=Kind(row[3]),
        state=State(row[4]),
        version=row[5],
        created_at=from_micros(row[6]),
        created_by=row[7],
        confirmed_at=from_micros(row[8]),
        confirmed_by=row[9],
        superseded_by=row[10],
        drifted_at=as_moment(row[11]),
        evidence=Evidence(row[12]),
        body=row[13],
        elements=tuple(sorted(strings(row[14]))),
        unreviewed=bool(row[15]),
    )


def keys_of(row: Row) -> Keys:
    """Return what a memory is found by: title, content, search, terms, symbols, aliases."""
    return Keys(
        title=row[0],
        content=row[1],
        search=row[2],
        terms=strings(row[3]),
        symbols=strings(row[4]),
        aliases=tuple(sorted(strings(row[5]))),
    )


def facts_of(row: Row) -> Facts:
    """Return what ranking needs: id, kind, terms, symbols, confirmed, drifted, evidence, elements, cited, reported."""
    return Facts(
        id=row[0],
        kind=Kind(row[1]),
        terms=_set_of(row[2]),
        symbols=_set_of(row[3]),
        confirmed_at=from_micros(row[4]),
        drifted_at=as_moment(row[5]),
        evidence=Evidence(row[6]),
        elements=tuple(sorted(strings(row[7]))),
        cited_by=row[8],
        reported_to=row[9],
    )


def element_of(row: Row) -> StoredElement:
    """Return an element: id, body, retired at, verdict, drifted at."""
    return StoredElement(
        id=row[0],
        element=_element(row[1]),
        retired_at=as_moment(row[2]),
        verdict=row[3],
        drifted_at=as_moment(row[4]),
    )


def decision_of(row: Row) -> StoredDecision:
    """Return a decision: id, body, retired at."""
    return StoredDecision(id=row[0], decision=Decision.model_validate_json(row[1]), retired_at=as_moment(row[2]))


def link_of(row: Row) -> Link:
    """Return a link: id, memory, raw, keys, target kind, target."""
    return Link(id=row[0], memory=row[1], raw=row[2], keys=strings(row[3]), target_kind=row[4], target=row[5])


def project_of(row: Row) -> Project:
    """Return a project: organisation, id, name, created at, version, identities, repository, branch."""
    return Project(
        organisation=row[0],
        id=row[1],
        name=row[2],
        created_at=from_micros(row[3]),
        version=row[4],
        identities=tuple(sorted(strings(row[5]))),
        repository=row[6],
        branch=row[7],
    )


def session_of(row: Row) -> Session:
    """Return a session: id, seen at, reported at, work (empty when it declared none)."""
    return Session(
        id=row[0],
        seen_at=from_micros(row[1]),
        reported_at=as_moment(row[2]),
        work=Work.model_validate_json(row[3]) if row[3] else None,
    )


def dismissal_of(row: Row) -> Dismissal:
    """Return a dismissal: why, subject, cause, at, by."""
    return Dismissal(why=Why(row[0]), subject=row[1], cause=row[2], at=from_micros(row[3]), by=row[4])


def work_body(session: Session) -> str:
    """Return a session's work as a column holds it."""
    return session.work.model_dump_json(exclude_defaults=True) if session.work else ""


def is_open(session: Session) -> bool:
    """Say whether a session has declared work that is neither finished nor given up."""
    return session.work is not None and session.work.finished_at is None and session.work.given_up_at is None


@lru_cache(maxsize=16_384)
def _set_of(text: str) -> frozenset[str]:
    return frozenset(json.loads(text))


@lru_cache(maxsize=16_384)
def _element(body: str) -> Element:
    return Element.model_validate_json(body)
