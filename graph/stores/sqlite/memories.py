"""Memories in the embedded store: by id, by name, by content; and their indexes, kept in the same transaction."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import apsw

from graph.codec import Record
from graph.errors import DuplicateTitle, Unknown, VersionConflict
from graph.memories import Evidence, Kind, State
from graph.stores.port import Keys, Named, Tally
from graph.stores.rows import as_micros, as_moment, from_micros, record_of, to_micros
from graph.stores.sqlite.base import Part, as_list

MEMORY_COLUMNS = (
    "m.id, s.organisation, s.project, m.kind, m.state, m.version, m.created_at, m.created_by, m.confirmed_at, "
    "m.confirmed_by, m.superseded_by, m.drifted_at, m.evidence, m.body, "
    "(SELECT json_group_array(element ORDER BY element) FROM about WHERE memory_n = m.n), m.unreviewed"
)
_FROM = "FROM memories m JOIN scopes s ON s.n = m.scope_n"


# Recall reads the same few memories again and again.
_record_of = lru_cache(maxsize=4_096)(record_of)


class Memories(Part):
    """Reads and writes of memories."""

    def memories(self, ids: Sequence[str]) -> tuple[Record, ...]:
        """Return the visible memories with these ids, in their order; unknown ids are left out."""
        rows = self._db.execute(
            f"SELECT {MEMORY_COLUMNS} {_FROM} WHERE m.id IN (SELECT value FROM json_each(?)) "
            "AND m.scope_n IN (SELECT value FROM json_each(?))",
            (as_list(ids), self._visible_json),
        )
        found = {record.id: record for record in map(_record_of, rows)}
        return tuple(found[name] for name in ids if name in found)

    def listed(self, states: Sequence[State], *, after: str, limit: int) -> tuple[Record, ...]:
        """Return the exact scope's memories in these states by id, those after the given id."""
        rows = self._db.execute(
            f"SELECT {MEMORY_COLUMNS} {_FROM} WHERE m.scope_n = ? AND m.state IN (SELECT value FROM json_each(?)) "
            "AND m.id > ? ORDER BY m.id LIMIT ?",
            (self._scope_n, as_list(states), after, limit),
        )
        return tuple(map(_record_of, rows))

    def named(self, key: str) -> tuple[Named, ...]:
        """Return what a title's or alias's key leads to in the exact scope."""
        rows = self._db.execute(
            "SELECT m.id, m.state, n.by_alias, m.superseded_by FROM names n JOIN memories m ON m.n = n.memory_n "
            "WHERE n.scope_n = ? AND n.key = ? ORDER BY m.id",
            (self._scope_n, key),
        )
        return tuple(
            Named(memory=name, state=State(state), by_alias=bool(by_alias), superseded_by=successor)
            for name, state, by_alias, successor in rows
        )

    def same_content(self, key: str) -> tuple[str, ...]:
        """Return the exact scope's live memories whose normalised text has this key."""
        # Left to itself, SQLite walks the whole scope in the order asked for.
        rows = self._db.execute(
            "SELECT id FROM memories INDEXED BY live_content "
            "WHERE scope_n = ? AND content_key = ? AND state = 'live' ORDER BY id",
            (self._scope_n, key),
        )
        return tuple(row[0] for row in rows)

    def pinned(self, elements: Sequence[str]) -> tuple[str, ...]:
        """Return the visible live memories pinned to any of these elements."""
        rows = self._db.execute(
            "SELECT DISTINCT m.id FROM about a JOIN memories m ON m.n = a.memory_n "
            "WHERE a.element IN (SELECT value FROM json_each(?)) AND m.state = 'live' "
            "AND m.scope_n IN (SELECT value FROM json_each(?)) ORDER BY m.id",
            (as_list(elements), self._visible_json),
        )
        return tuple(row[0] for row in rows)

    def pin_counts(self) -> dict[str, int]:
        """Return how many visible live memories are pinned to each element that has any."""
        rows = self._db.execute(
            "SELECT a.element, count(*) FROM about a JOIN memories m ON m.n = a.memory_n "
            "WHERE m.state = 'live' AND m.scope_n IN (SELECT value FROM json_each(?)) GROUP BY a.element",
            (self._visible_json,),
        )
        return dict(rows)

    def unpinned(self) -> tuple[str, ...]:
        """Return the visible live memories that are about the whole project or organisation."""
        rows = self._db.execute(
            "SELECT m.id FROM memories m WHERE m.scope_n IN (SELECT value FROM json_each(?)) AND m.state = 'live' "
            "AND NOT EXISTS (SELECT 1 FROM about a WHERE a.memory_n = m.n) ORDER BY m.id",
            (self._visible_json,),
        )
        return tuple(row[0] for row in rows)

    def tallies(self) -> tuple[Tally, ...]:
        """Count the exact scope's live memories by element, kind, evidence and whether they drifted."""
        rows = self._db.execute(
            "SELECT coalesce(a.element, ''), m.kind, m.evidence, max(m.drifted_at), max(m.confirmed_at), count(*) "
            "FROM memories m LEFT JOIN about a ON a.memory_n = m.n WHERE m.scope_n = ? AND m.state = 'live' "
            "GROUP BY a.element, m.kind, m.evidence, m.drifted_at IS NULL ORDER BY 1, 2, 3, 4",
            (self._scope_n,),
        )
        return tuple(
            Tally(
                element=element,
                kind=Kind(kind),
                evidence=Evidence(evidence),
                drifted_at=as_moment(drifted),
                confirmed_at=from_micros(confirmed),
                memories=count,
            )
            for element, kind, evidence, drifted, confirmed, count in rows
        )

    def put(self, record: Record, keys: Keys) -> None:
        """Add a memory (version 1) or change it (version one above what is stored); raise VersionConflict otherwise."""
        stored = self._db.execute("SELECT version FROM memories WHERE id = ?", (record.id,)).get
        if record.version != (stored or 0) + 1:
            raise VersionConflict(
                f"memory {record.id} is at version {stored or 0}, the change was made for {record.version - 1}",
                id=record.id,
                next_step="read the memory again and repeat the change",
            )
        try:
            if stored is None:
                self._insert(record, keys)
            else:
                self._unindex(record.id)
                self._db.execute(
                    "UPDATE memories SET kind=?, state=?, version=?, confirmed_at=?, confirmed_by=?, superseded_by=?, "
                    "drifted_at=?, evidence=?, unreviewed=?, body=?, title_key=?, content_key=?, search_key=?, "
                    "terms=?, symbols=? WHERE id = ?",
                    (*_changing(record, keys), record.id),
                )
        except apsw.ConstraintError as error:
            raise DuplicateTitle(
                "a live memory of this scope has this title",
                id=record.id,
                next_step="supersede it, or choose another title",
            ) from error
        self._index(record, keys)

    def put_unindexed(self, record: Record) -> None:
        """Change a memory whose words, names, pins and state stay, so that no index is touched."""
        self._db.execute(
            "UPDATE memories SET version = ?, confirmed_at = ?, confirmed_by = ?, drifted_at = ?, evidence = ?, "
            "unreviewed = ?, body = ? WHERE id = ? AND scope_n = ? AND version = ?",
            (
                record.version,
                to_micros(record.confirmed_at),
                record.confirmed_by,
                as_micros(record.drifted_at),
                record.evidence,
                record.unreviewed,
                record.body,
                record.id,
                self._scope_n,
                record.version - 1,
            ),
        )
        if not self._db.changes():
            raise VersionConflict(
                f"memory {record.id} was changed meanwhile",
                id=record.id,
                next_step="read the memory again and repeat the change",
            )

    def reindex(self, memory: str, keys: Keys) -> None:
        """Renew what a memory is found by without a new version: its own words are unchanged."""
        record = self.memories((memory,))[0]
        self._unindex(memory)
        self._db.execute(
            "UPDATE memories SET search_key = ?, terms = ?, symbols = ? WHERE id = ?",
            (keys.search, json.dumps(keys.terms), json.dumps(keys.symbols), memory),
        )
        self._index(record, keys)

    def _insert(self, record: Record, keys: Keys) -> None:
        self._db.execute(
            "INSERT INTO memories(id, scope_n, created_at, created_by, kind, state, version, confirmed_at, "
            "confirmed_by, superseded_by, drifted_at, evidence, unreviewed, body, title_key, content_key, search_key, "
            "terms, symbols) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (record.id, self._scope_n, to_micros(record.created_at), record.created_by, *_changing(record, keys)),
        )

    def _index(self, record: Record, keys: Keys) -> None:
        number = self._number(record.id)
        if not number:
            raise Unknown(f"memory {record.id} is not in this scope", id=record.id, next_step="use its own project")
        names = dict.fromkeys(keys.aliases, 1) | ({keys.title: 0} if keys.title else {})
        self._db.executemany(
            "INSERT INTO names VALUES(?, ?, ?, ?)",
            [(self._scope_n, key, number, alias) for key, alias in names.items()],
        )
        self._db.executemany("INSERT INTO about VALUES(?, ?)", [(number, element) for element in set(record.elements)])
        if record.state is State.LIVE:
            rows = [(self._scope_n, term, number) for term in keys.terms]
            self._db.executemany("INSERT OR IGNORE INTO postings VALUES(?, ?, ?)", rows)
            rows = [(self._scope_n, symbol, number) for symbol in keys.symbols]
            self._db.executemany("INSERT OR IGNORE INTO symbols VALUES(?, ?, ?)", rows)
        else:
            self.vectors_changed = True
            self._db.execute(
                "UPDATE vectors SET data = NULL, seq = (SELECT last FROM vector_sequence) + 1 + (space = 'content') "
                "WHERE memory_n = ? AND data IS NOT NULL",
                (number,),
            )
            self._db.execute("UPDATE vector_sequence SET last = last + 2")

    def _unindex(self, memory: str) -> None:
        number, scope_n, terms, symbols = next(
            self._db.execute("SELECT n, scope_n, terms, symbols FROM memories WHERE id = ?", (memory,))
        )
        self._db.execute("DELETE FROM names WHERE memory_n = ?", (number,))
        self._db.execute("DELETE FROM about WHERE memory_n = ?", (number,))
        for table, column, kept in (("postings", "term", terms), ("symbols", "key", symbols)):
            self._db.executemany(
                f"DELETE FROM {table} WHERE scope_n = ? AND {column} = ? AND memory_n = ?",
                [(scope_n, value, number) for value in json.loads(kept)],
            )


def _changing(record: Record, keys: Keys) -> tuple[Any, ...]:
    return (
        record.kind,
        record.state,
        record.version,
        to_micros(record.confirmed_at),
        record.confirmed_by,
        record.superseded_by,
        as_micros(record.drifted_at),
        record.evidence,
        record.unreviewed,
        record.body,
        keys.title,
        keys.content,
        keys.search,
        json.dumps(keys.terms),
        json.dumps(keys.symbols),
    )
