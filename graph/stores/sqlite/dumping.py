"""What the embedded store keeps, as entries: for each kind where its keys stand, and how one of them is read.

Keys are listed first and rows read one by one, so that no sort ever holds more than keys.
"""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apsw

from graph.scopes import Scope
from graph.stores.entries import MAKERS
from graph.stores.sqlite.memories import MEMORY_COLUMNS
from graph.stores.transfer import Entry, EntryKind

Key = tuple[str, ...]

_SCOPE = "SELECT s.organisation, s.project"


class _Source(NamedTuple):
    """Where a kind's entries stand.

    `keys` lists them in a scope (of all `:scopes` that are dumped); `row` reads one by its key, `:one` or `:one` and
    `:two`: organisation and project first, then the columns that `MAKERS` take.
    """

    keys: str
    row: str


def _mark(table: str) -> _Source:
    return _Source(
        f"SELECT x.session, m.id FROM {table} x JOIN memories m ON m.n = x.memory_n WHERE x.scope_n = :scope "
        "AND m.scope_n IN (SELECT value FROM json_each(:scopes)) ORDER BY x.session, m.id",
        f"{_SCOPE}, x.session, m.id, x.at FROM memories m JOIN {table} x ON x.memory_n = m.n AND x.scope_n = :scope "
        "AND x.session = :one JOIN scopes s ON s.n = x.scope_n WHERE m.id = :two",
    )


def _by_id(table: str, order: str, columns: str) -> _Source:
    return _Source(
        f"SELECT id FROM {table} WHERE scope_n = :scope ORDER BY {order}",
        f"{_SCOPE}, {columns} FROM {table} x JOIN scopes s ON s.n = x.scope_n WHERE x.id = :one",
    )


_SOURCES: dict[EntryKind, _Source] = {
    "project": _Source(
        "SELECT p.organisation, p.id FROM projects p JOIN scopes s ON s.organisation = p.organisation "
        "AND s.project = p.id WHERE s.n = :scope",
        "SELECT organisation, id, organisation, id, name, created_at, version, "
        "(SELECT json_group_array(identity ORDER BY identity) FROM identities i "
        "WHERE i.organisation = p.organisation AND i.project = p.id), repository, branch "
        "FROM projects p WHERE organisation = :one AND id = :two",
    ),
    "element": _by_id("elements", "id", "x.id, x.body, x.retired_at, x.verdict, x.drifted_at"),
    "relationships": _Source(
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM relationships WHERE scope_n = :scope)",
        f"{_SCOPE}, json_group_array(r.body ORDER BY r.rowid) "
        "FROM relationships r JOIN scopes s ON s.n = r.scope_n WHERE r.scope_n = :scope GROUP BY r.scope_n",
    ),
    "decision": _by_id("decisions", "id", "x.id, x.body, x.retired_at"),
    "memory": _Source(
        "SELECT id FROM memories WHERE scope_n = :scope ORDER BY id",
        f"{_SCOPE}, {MEMORY_COLUMNS}, m.title_key, m.content_key, m.search_key, m.terms, "
        "m.symbols, (SELECT json_group_array(key ORDER BY key) FROM names WHERE memory_n = m.n AND by_alias) "
        "FROM memories m JOIN scopes s ON s.n = m.scope_n WHERE m.id = :one",
    ),
    "vectors": _Source(
        "SELECT m.id FROM vectors v JOIN memories m ON m.n = v.memory_n "
        "WHERE v.scope_n = :scope AND v.space = 'search' AND v.data IS NOT NULL ORDER BY m.id",
        f"{_SCOPE}, m.id, v.model, v.search_key, v.data, c.data FROM memories m "
        "JOIN vectors v ON v.memory_n = m.n AND v.space = 'search' AND v.data IS NOT NULL "
        "JOIN vectors c ON c.memory_n = m.n AND c.space = 'content' JOIN scopes s ON s.n = m.scope_n WHERE m.id = :one",
    ),
    "link": _Source(
        "SELECT l.id FROM links l JOIN memories m ON m.n = l.memory_n WHERE l.scope_n = :scope ORDER BY m.id, l.id",
        f"{_SCOPE}, l.id, m.id, l.raw, (SELECT json_group_array(key ORDER BY position) "
        "FROM link_keys WHERE link_n = l.n), l.target_kind, l.target FROM links l "
        "JOIN memories m ON m.n = l.memory_n JOIN scopes s ON s.n = l.scope_n WHERE l.id = :one",
    ),
    "snapshot": _Source(
        "SELECT element, state FROM snapshots WHERE n IN (SELECT a.snapshot_n FROM anchors a JOIN memories m "
        "ON m.n = a.memory_n WHERE m.scope_n = :scope UNION SELECT snapshot_n FROM accepted WHERE scope_n = :scope) "
        "ORDER BY element, state",
        f"{_SCOPE}, x.element, x.git_commit, x.body FROM snapshots x "
        "JOIN scopes s ON s.n = x.scope_n WHERE x.scope_n = :scope AND x.element = :one AND x.state = :two",
    ),
    "anchor": _Source(
        "SELECT m.id, a.element FROM anchors a JOIN memories m ON m.n = a.memory_n WHERE m.scope_n = :scope "
        "ORDER BY m.id, a.element",
        f"{_SCOPE}, m.id, a.element, x.state FROM memories m JOIN anchors a "
        "ON a.memory_n = m.n AND a.element = :two JOIN snapshots x ON x.n = a.snapshot_n "
        "JOIN scopes s ON s.n = m.scope_n WHERE m.id = :one",
    ),
    "accepted": _Source(
        "SELECT element FROM accepted WHERE scope_n = :scope ORDER BY element",
        f"{_SCOPE}, a.element, x.state, a.at, a.actor FROM accepted a "
        "JOIN snapshots x ON x.n = a.snapshot_n JOIN scopes s ON s.n = a.scope_n "
        "WHERE a.scope_n = :scope AND a.element = :one",
    ),
    "event": _by_id("events", "n", "x.body"),
    "reply": _Source(
        "SELECT key FROM replies WHERE scope_n = :scope ORDER BY key",
        f"{_SCOPE}, x.key, x.request, x.reply, x.at FROM replies x "
        "JOIN scopes s ON s.n = x.scope_n WHERE x.scope_n = :scope AND x.key = :one",
    ),
    "session": _Source(
        "SELECT id FROM sessions WHERE scope_n = :scope ORDER BY id",
        f"{_SCOPE}, x.id, x.seen_at, x.reported_at, x.work FROM sessions x "
        "JOIN scopes s ON s.n = x.scope_n WHERE x.scope_n = :scope AND x.id = :one",
    ),
    "served": _mark("served"),
    "cited": _mark("cited"),
    "proposal": _by_id("proposals", "id", "x.body"),
    "dismissal": _Source(
        "SELECT why, subject FROM dismissals WHERE scope_n = :scope ORDER BY why, subject",
        f"{_SCOPE}, x.why, x.subject, x.cause, x.at, x.actor FROM dismissals x JOIN scopes s ON s.n = x.scope_n "
        "WHERE x.scope_n = :scope AND x.why = :one AND x.subject = :two",
    ),
    "gap": _by_id("gaps", "n", "x.body"),
    "run": _by_id("runs", "n", "x.id, x.body"),
}
assert tuple(_SOURCES) == tuple(MAKERS)


class Dump:
    """Everything that these scopes (by row number) hold, as of the connection's transaction."""

    def __init__(self, connection: apsw.Connection, scopes: Sequence[int]) -> None:
        self._db = connection
        self._scopes = scopes
        self._scopes_json = json.dumps(list(scopes))

    def counts(self) -> dict[EntryKind, int]:
        """Return how many entries there are of each kind that there is."""
        counts = {kind: sum(1 for _ in self._keys(kind)) for kind in _SOURCES}
        return {kind: count for kind, count in counts.items() if count}

    def entries(self, kind: EntryKind) -> Iterator[Entry]:
        """Yield a kind's entries, by scope."""
        for scope_n, key in self._keys(kind):
            entry = entry_of(self._db, kind, scope_n, key)
            assert entry is not None
            yield entry

    def _keys(self, kind: EntryKind) -> Iterator[tuple[int, Key]]:
        for scope_n in self._scopes:
            for row in self._db.execute(_SOURCES[kind].keys, {"scope": scope_n, "scopes": self._scopes_json}):
                yield scope_n, row


def scopes_of(connection: apsw.Connection, scope: Scope, whole: bool) -> tuple[int, ...]:
    """Return the row numbers of the scope, or of all of its organisation, which comes first."""
    rows = connection.execute(
        "SELECT n FROM scopes WHERE organisation = ? AND (project = ? OR ?) ORDER BY project",
        (scope.organisation, scope.project, whole),
    )
    return tuple(row[0] for row in rows)


def entry_of(connection: apsw.Connection, kind: EntryKind, scope_n: int, key: Key) -> Entry | None:
    """Return what the store holds under an entry's key."""
    source = _SOURCES[kind]
    named = {"scope": scope_n, **dict(zip(("one", "two"), key, strict=False))}
    row = next(connection.execute(source.row, named), None)
    return None if row is None else MAKERS[kind](Scope(organisation=row[0], project=row[1]), row[2:])
