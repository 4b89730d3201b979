"""What waits for a look in the embedded store: doubted, ignored, unreviewed, alike; proposals and dismissals."""

from itertools import groupby

from graph.memories import Evidence
from graph.reviews import Dismissal, Proposal
from graph.stores.port import Drifted, Ignored
from graph.stores.rows import as_moment, dismissal_of, to_micros
from graph.stores.sqlite.base import Part


class Reviews(Part):
    """Reads and writes of what people decide."""

    def drifted(self) -> tuple[Drifted, ...]:
        """Return the live memories whose element drifted, or whose claims changed or went, by id."""
        rows = self._db.execute(
            "SELECT id, drifted_at, evidence FROM memories WHERE scope_n = ? AND state = 'live' "
            "AND (drifted_at IS NOT NULL OR evidence IN ('changed', 'gone')) ORDER BY id",
            (self._scope_n,),
        )
        return tuple(Drifted(name, as_moment(at), Evidence(evidence)) for name, at, evidence in rows)

    def ignored(self, sessions: int) -> tuple[Ignored, ...]:
        """Return the live memories that so many reporting sessions were served and none of any project cited, by id."""
        rows = self._db.execute(
            "SELECT m.id, count(*), count(x.id) AS reported FROM memories m JOIN served v ON v.memory_n = m.n "
            "LEFT JOIN sessions x ON x.scope_n = v.scope_n AND x.id = v.session AND v.at <= x.reported_at "
            "WHERE m.scope_n = ? AND m.state = 'live' AND NOT EXISTS (SELECT 1 FROM cited c WHERE c.memory_n = m.n) "
            "GROUP BY m.n HAVING reported >= ? ORDER BY m.id",
            (self._scope_n, sessions),
        )
        return tuple(Ignored(*row) for row in rows)

    def unreviewed(self) -> tuple[str, ...]:
        """Return the live memories that a machine captured and nobody has looked at, by id."""
        rows = self._db.execute(
            "SELECT id FROM memories WHERE scope_n = ? AND state = 'live' AND unreviewed ORDER BY id", (self._scope_n,)
        )
        return tuple(row[0] for row in rows)

    def twins(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of live memories with equal normalised text, each by id."""
        rows = self._db.execute(
            "SELECT content_key, id FROM memories WHERE scope_n = ?1 AND state = 'live' AND content_key IN "
            "(SELECT content_key FROM memories INDEXED BY live_content WHERE scope_n = ?1 AND state = 'live' "
            "GROUP BY content_key HAVING count(*) > 1) ORDER BY 1, 2",
            (self._scope_n,),
        )
        groups = (tuple(row[1] for row in group) for _, group in groupby(rows, key=lambda row: row[0]))
        return tuple(sorted(groups))

    def proposals(self) -> tuple[Proposal, ...]:
        """Return the proposals that nobody has decided on, by id."""
        rows = self._db.execute(
            "SELECT body FROM proposals WHERE scope_n = ? AND is_open ORDER BY id", (self._scope_n,)
        )
        return tuple(Proposal.model_validate_json(row[0]) for row in rows)

    def proposal(self, name: str) -> Proposal | None:
        """Return a proposal of the exact scope, decided or not."""
        row = self._db.execute("SELECT body FROM proposals WHERE scope_n = ? AND id = ?", (self._scope_n, name)).get
        return None if row is None else Proposal.model_validate_json(row)

    def put_proposal(self, proposal: Proposal) -> None:
        """Add a proposal or change it, by its id."""
        self._db.execute(
            "INSERT INTO proposals(id, scope_n, is_open, body) VALUES(?,?,?,?) ON CONFLICT(id) DO UPDATE SET "
            "is_open = excluded.is_open, body = excluded.body WHERE proposals.scope_n = excluded.scope_n",
            (proposal.id, self._scope_n, not proposal.outcome, proposal.model_dump_json(exclude_defaults=True)),
        )

    def dismissals(self) -> tuple[Dismissal, ...]:
        """Return what was dismissed, by reason and subject."""
        rows = self._db.execute(
            "SELECT why, subject, cause, at, actor FROM dismissals WHERE scope_n = ? ORDER BY why, subject",
            (self._scope_n,),
        )
        return tuple(map(dismissal_of, rows))

    def dismiss(self, dismissal: Dismissal) -> None:
        """Keep a dismissal in place of an earlier one of the same entry."""
        values = (dismissal.why, dismissal.subject, dismissal.cause, to_micros(dismissal.at), dismissal.by)
        self._db.execute("INSERT OR REPLACE INTO dismissals VALUES(?,?,?,?,?,?)", (self._scope_n, *values))
