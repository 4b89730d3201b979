"""Drift runs, accepted baselines and anchors in Neo4j; a snapshot is kept once per element and state."""

import json
from collections.abc import Sequence

from graph.attempts import ATTEMPTS, Attempt
from graph.claims import Anchor, Baseline
from graph.drift_report import DriftReport
from graph.stores.neo4j.base import Part
from graph.stores.port import MemoryAnchor, StoredRun
from graph.stores.rows import from_micros, to_micros

_ANCHORS = "MATCH (m:Memory)-[a:ANCHORED]->(s:Snapshot) WHERE m.scope_n = $scope AND m.state = 'live'"


class Drift(Part):
    """Reads and writes of what drift left behind."""

    def last_run(self) -> StoredRun | None:
        """Return the newest run."""
        return next(iter(self.runs(1)), None)

    def last_head(self) -> str:
        """Return the commit of the newest run; empty without one."""
        row = self._tx.one(
            "MATCH (r:DriftRun {scope_n: $scope}) RETURN r.head, r.n AS n ORDER BY n DESC LIMIT 1", scope=self._scope_n
        )
        return "" if row is None else str(row[0])

    def runs(self, limit: int, *, before: str = "", skip: int = 0) -> tuple[StoredRun, ...]:
        """Return the newest runs first, those before a run (by id) alone where one is given."""
        rows = self._tx.rows(
            "OPTIONAL MATCH (b:DriftRun {id: $before}) WHERE b.scope_n = $scope "
            "MATCH (r:DriftRun {scope_n: $scope}) WHERE $before = '' OR r.n < b.n "
            "RETURN r.id, r.body, r.n AS n ORDER BY n DESC SKIP $skip LIMIT $limit",
            scope=self._scope_n,
            before=before,
            skip=skip,
            limit=limit,
        )
        return tuple(StoredRun(id=name, report=DriftReport.model_validate_json(body)) for name, body, _ in rows)

    def run(self, name: str) -> StoredRun | None:
        """Return one run."""
        row = self._tx.one(
            "MATCH (r:DriftRun {id: $id}) WHERE r.scope_n = $scope RETURN r.body", id=name, scope=self._scope_n
        )
        return None if row is None else StoredRun(id=name, report=DriftReport.model_validate_json(row[0]))

    def put_run(self, run: StoredRun) -> None:
        """Keep a run, with what it found."""
        self._tx.run(
            "CREATE (r:DriftRun) SET r = $kept "
            "FOREACH (new IN $new | CREATE (r)-[:FOUND]->(:Finding {path: new[0], files: new[1]})) "
            "WITH r UNWIND $found AS f MATCH (e:Element {live_ref: f[0]}) CREATE (r)-[:FOUND {verdict: f[1]}]->(e)",
            kept={
                "id": run.id,
                "n": self.take_numbers(),
                "scope_n": self._scope_n,
                "at": to_micros(run.report.at),
                "head": run.report.head,
                "score": run.report.score,
                "body": run.report.model_dump_json(exclude={"anchors"}),
            },
            new=[[one.path, one.files] for one in run.report.new],
            found=[[self.at(one.ref), one.verdict.value] for one in run.report.elements],
        )

    def thin_run(self, run: StoredRun) -> None:
        """Keep this report of a run in place of the whole one."""
        body = run.report.model_dump_json(exclude={"anchors"})
        self._tx.run(
            "MATCH (r:DriftRun {id: $id}) WHERE r.scope_n = $scope SET r.body = $body",
            id=run.id,
            scope=self._scope_n,
            body=body,
        )

    def attempts(self) -> tuple[Attempt, ...]:
        """Return the kept attempts at runs, newest first."""
        row = self._tx.one("MATCH (s:Scope {n: $scope}) RETURN s.attempts", scope=self._scope_n)
        return ATTEMPTS.validate_json((row and row[0]) or "[]")

    def put_attempts(self, attempts: Sequence[Attempt]) -> None:
        """Keep these attempts at runs, newest first, in place of all earlier ones."""
        body = ATTEMPTS.dump_json(tuple(attempts)).decode()
        self._tx.run("MATCH (s:Scope {n: $scope}) SET s.attempts = $body", scope=self._scope_n, body=body)

    def baselines(self) -> dict[str, Baseline]:
        """Return the accepted baseline of each element, by element id."""
        rows = self._tx.rows(
            "MATCH (:Scope {n: $scope})-[a:ACCEPTED]->(s:Snapshot) RETURN a.element, a.at, s.commit, s.body",
            scope=self._scope_n,
        )
        return {
            element: Baseline(
                anchor=Anchor(element=element, commit=commit, blobs=json.loads(body)), accepted_at=from_micros(at)
            )
            for element, at, commit, body in rows
        }

    def accept(self, element: str, baseline: Baseline, actor: str) -> None:
        """Record an element's accepted baseline in place of an earlier one."""
        anchor = baseline.anchor.model_copy(update={"element": element})
        self._keep_snapshots([anchor])
        self._tx.run(
            "MATCH (x:Scope {n: $scope}), (s:Snapshot {at: $snapshot}) "
            "OPTIONAL MATCH (x)-[former:ACCEPTED {element: $element}]->() DELETE former "
            "WITH DISTINCT x, s CREATE (x)-[:ACCEPTED {element: $element, at: $at, actor: $actor}]->(s)",
            scope=self._scope_n,
            snapshot=self._snapshot_at(anchor),
            element=element,
            at=to_micros(baseline.accepted_at),
            actor=actor,
        )

    def anchors(self, memories: Sequence[str] | None = None) -> tuple[MemoryAnchor, ...]:
        """Return the anchors of the exact scope's live memories, or of these alone."""
        chosen = "" if memories is None else " AND m.id IN $memories"
        rows = self._tx.rows(
            f"{_ANCHORS}{chosen} RETURN m.id AS id, a.element AS element, s.commit, s.body ORDER BY id, element",
            scope=self._scope_n,
            memories=list(memories or ()),
        )
        return tuple(
            MemoryAnchor(
                memory=memory, element=element, anchor=Anchor(element=element, commit=commit, blobs=json.loads(body))
            )
            for memory, element, commit, body in rows
        )

    def anchor_states(self) -> dict[tuple[str, str], str]:
        """Return `Anchor.state` of each anchor of the exact scope's live memories, by memory and element."""
        rows = self._tx.rows(f"{_ANCHORS} RETURN m.id, a.element, s.state", scope=self._scope_n)
        return {(memory, element): state for memory, element, state in rows}

    def put_anchors(self, memory: str, anchors: Sequence[Anchor]) -> None:
        """Record the states in which a memory's pins were known to hold (by element id), in place of earlier ones."""
        by_element = {anchor.element: self._snapshot_at(anchor) for anchor in anchors}
        self._keep_snapshots(anchors)
        self._tx.run(
            "MATCH (m:Memory {id: $memory}) WHERE m.scope_n IN $visible "
            "OPTIONAL MATCH (m)-[former:ANCHORED]->() DELETE former "
            "WITH DISTINCT m UNWIND $anchors AS a MATCH (s:Snapshot {at: a[1]}) "
            "CREATE (m)-[:ANCHORED {element: a[0]}]->(s)",
            memory=memory,
            visible=self._visible,
            anchors=[[element, snapshot] for element, snapshot in by_element.items()],
        )

    def _keep_snapshots(self, anchors: Sequence[Anchor]) -> None:
        # Two checkouts of one commit may say different things (another source, an error): neither rewrites the other.
        self._tx.run(
            "UNWIND $snapshots AS kept MERGE (s:Snapshot {at: kept.at}) ON CREATE SET s += kept",
            snapshots=[
                {
                    "at": self._snapshot_at(anchor),
                    "scope_n": self._scope_n,
                    "element": anchor.element,
                    "state": anchor.state,
                    "commit": anchor.commit,
                    "body": json.dumps(dict(sorted(anchor.blobs.items()))),
                }
                for anchor in anchors
            ],
        )

    def _snapshot_at(self, anchor: Anchor) -> str:
        return self.at(anchor.element, anchor.state)
