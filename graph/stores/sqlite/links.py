"""Wiki links in the embedded store."""

from collections.abc import Iterable, Sequence

from graph.stores.port import Link, TargetKind
from graph.stores.rows import link_of
from graph.stores.sqlite.base import Part, as_list

_SELECT = (
    "SELECT l.id, m.id, l.raw, (SELECT json_group_array(key ORDER BY position) FROM link_keys WHERE link_n = l.n), "
    "l.target_kind, l.target "
    "FROM links l JOIN memories m ON m.n = l.memory_n "
)


class Links(Part):
    """Reads and writes of links."""

    def links_from(self, memories: Sequence[str]) -> tuple[Link, ...]:
        """Return the links in these memories, in the order in which they stand there."""
        return self._links(
            "WHERE m.id IN (SELECT value FROM json_each(?)) AND l.scope_n IN (SELECT value FROM json_each(?))",
            as_list(memories),
            self._visible_json,
        )

    def links_to(self, targets: Sequence[str]) -> tuple[Link, ...]:
        """Return the links of live memories that lead to these ids."""
        return self._links(
            "WHERE l.target IN (SELECT value FROM json_each(?)) AND m.state = 'live' "
            "AND l.scope_n IN (SELECT value FROM json_each(?))",
            as_list(targets),
            self._visible_json,
        )

    def links_naming(self, keys: Iterable[str]) -> tuple[Link, ...]:
        """Return the exact scope's links that may name any of these keys, attached or not."""
        return self._links(
            "WHERE l.n IN (SELECT link_n FROM link_keys WHERE scope_n = ? AND key IN (SELECT value FROM json_each(?)))",
            self._scope_n,
            as_list(keys),
        )

    def pending_links(self) -> tuple[Link, ...]:
        """Return the exact scope's links of live memories that lead nowhere."""
        return self._links("WHERE l.scope_n = ? AND l.target = '' AND m.state = 'live'", self._scope_n)

    def put_links(self, memory: str, links: Sequence[Link]) -> None:
        """Replace the memory's links."""
        number = self._number(memory)
        self._db.execute("DELETE FROM link_keys WHERE link_n IN (SELECT n FROM links WHERE memory_n = ?)", (number,))
        self._db.execute("DELETE FROM links WHERE memory_n = ?", (number,))
        for link in links:
            self._add_link(number, link)

    def attach(self, link: str, kind: TargetKind | None, target: str) -> None:
        """Lead a link to a target, or make it pending again."""
        self._db.execute(
            "UPDATE links SET target_kind = ?, target = ? WHERE id = ? AND scope_n = ?",
            (kind, target, link, self._scope_n),
        )

    def _add_link(self, number: int, link: Link) -> None:
        self._db.execute(
            "INSERT INTO links(id, scope_n, memory_n, raw, target_kind, target) VALUES(?,?,?,?,?,?)",
            (link.id, self._scope_n, number, link.raw, link.target_kind, link.target),
        )
        row = self._db.last_insert_rowid()
        self._db.executemany(
            "INSERT OR IGNORE INTO link_keys VALUES(?, ?, ?, ?)",
            [(self._scope_n, key, row, position) for position, key in enumerate(link.keys)],
        )

    def _links(self, where: str, *parameters: str | int) -> tuple[Link, ...]:
        rows = self._db.execute(f"{_SELECT}{where} ORDER BY l.id", parameters)
        return tuple(map(link_of, rows))
