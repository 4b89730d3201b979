"""What waits for a look in Neo4j: doubted, ignored, unreviewed, alike; proposals and dismissals."""

from collections.abc import Sequence

from graph.memories import Evidence
from graph.reviews import Dismissal, Proposal
from graph.stores.neo4j.base import Part
from graph.stores.port import Drifted, Ignored
from graph.stores.rows import as_moment, dismissal_of, to_micros

_LIVE = "MATCH (m:Memory) WHERE m.scope_n = $scope AND m.state = 'live'"


class Reviews(Part):
    """Reads and writes of what people decide."""

    def drifted(self) -> tuple[Drifted, ...]:
        """Return the live memories whose element drifted, or whose claims changed or went, by id."""
        rows = self._tx.rows(
            f"{_LIVE} AND (m.drifted_at IS NOT NULL OR m.evidence IN ['changed', 'gone']) "
            "RETURN m.id AS id, m.drifted_at, m.evidence ORDER BY id",
            scope=self._scope_n,
        )
        return tuple(Drifted(name, as_moment(at), Evidence(evidence)) for name, at, evidence in rows)

    def ignored(self, sessions: int) -> tuple[Ignored, ...]:
        """Return the live memories that so many reporting sessions were served and none of any project cited, by id."""
        rows = self._tx.rows(
            f"{_LIVE} AND NOT EXISTS {{ (m)<-[:CITED]-() }} MATCH (m)<-[v:SERVED]-(x:Session) "
            "WITH m.id AS id, count(v) AS served, sum(CASE WHEN v.at <= x.reported_at THEN 1 ELSE 0 END) AS reported "
            "WHERE reported >= $sessions RETURN id, served, reported ORDER BY id",
            scope=self._scope_n,
            sessions=sessions,
        )
        return tuple(Ignored(*row) for row in rows)

    def unreviewed(self) -> tuple[str, ...]:
        """Return the live memories that a machine captured and nobody has looked at, by id."""
        rows = self._tx.rows(f"{_LIVE} AND m.unreviewed RETURN m.id AS id ORDER BY id", scope=self._scope_n)
        return tuple(row[0] for row in rows)

    def twins(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of live memories with equal normalised text, each by id."""
        rows = self._tx.rows(
            f"{_LIVE} WITH m.content_key AS key, m.id AS id ORDER BY id WITH key, collect(id) AS ids "
            "WHERE size(ids) > 1 RETURN ids",
            scope=self._scope_n,
        )
        return tuple(sorted(tuple(row[0]) for row in rows))

    def proposals(self) -> tuple[Proposal, ...]:
        """Return the proposals that nobody has decided on, by id."""
        rows = self._tx.rows(
            "MATCH (p:Proposal {scope_n: $scope}) WHERE p.is_open RETURN p.body, p.id AS id ORDER BY id",
            scope=self._scope_n,
        )
        return tuple(Proposal.model_validate_json(row[0]) for row in rows)

    def proposal(self, name: str) -> Proposal | None:
        """Return a proposal of the exact scope, decided or not."""
        row = self._tx.one(
            "MATCH (p:Proposal {id: $id}) WHERE p.scope_n = $scope RETURN p.body", id=name, scope=self._scope_n
        )
        return None if row is None else Proposal.model_validate_json(row[0])

    def put_proposal(self, proposal: Proposal) -> None:
        """Add a proposal or change it, by its id."""
        self._put_proposals([proposal])

    def dismissals(self) -> tuple[Dismissal, ...]:
        """Return what was dismissed, by reason and subject."""
        rows = self._tx.rows(
            "MATCH (x:Dismissal {scope_n: $scope}) RETURN x.why AS why, x.subject AS subject, x.cause, "
            "x.dismissed_at, x.actor ORDER BY why, subject",
            scope=self._scope_n,
        )
        return tuple(map(dismissal_of, rows))

    def dismiss(self, dismissal: Dismissal) -> None:
        """Keep a dismissal in place of an earlier one of the same entry."""
        self._put_dismissals([dismissal])

    def _put_proposals(self, proposals: Sequence[Proposal]) -> None:
        self._tx.run(
            "UNWIND $proposals AS kept MERGE (p:Proposal {id: kept.id}) ON CREATE SET p.scope_n = kept.scope_n "
            "WITH p, kept WHERE p.scope_n = kept.scope_n SET p += kept",
            proposals=[
                {
                    "id": one.id,
                    "scope_n": self._scope_n,
                    "is_open": not one.outcome,
                    "body": one.model_dump_json(exclude_defaults=True),
                }
                for one in proposals
            ],
        )

    def _put_dismissals(self, dismissals: Sequence[Dismissal]) -> None:
        self._tx.run(
            "UNWIND $dismissals AS kept MERGE (x:Dismissal {at: kept.at}) SET x += kept",
            dismissals=[
                {
                    "at": self.at(one.why, one.subject),
                    "scope_n": self._scope_n,
                    "why": one.why.value,
                    "subject": one.subject,
                    "cause": one.cause,
                    "dismissed_at": to_micros(one.at),
                    "actor": one.by,
                }
                for one in dismissals
            ],
        )
