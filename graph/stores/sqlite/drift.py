"""Drift runs, accepted baselines and anchors in the embedded store; a snapshot is kept once per element and commit."""

import json
from collections.abc import Mapping, Sequence

from graph.claims import Anchor, Baseline
from graph.drift_report import DriftReport
from graph.stores.port import MemoryAnchor, StoredRun
from graph.stores.sqlite.base import Part
from graph.stores.sqlite.connection import from_micros, to_micros


class Drift(Part):
    """Reads and writes of what drift left behind."""

    def last_run(self) -> StoredRun | None:
        """Return the newest run."""
        return next(iter(self.runs(1)), None)

    def runs(self, limit: int) -> tuple[StoredRun, ...]:
        """Return the newest runs first."""
        rows = self._db.execute(
            "SELECT id, body FROM runs WHERE scope_n = ? ORDER BY n DESC LIMIT ?", (self._scope_n, limit)
        )
        return tuple(StoredRun(id=name, report=DriftReport.model_validate_json(body)) for name, body in rows)

    def put_run(self, run: StoredRun) -> None:
        """Keep a run."""
        self._db.execute(
            "INSERT INTO runs(id, scope_n, at, head, score, body) VALUES(?,?,?,?,?,?)",
            (
                run.id,
                self._scope_n,
                to_micros(run.report.at),
                run.report.head,
                run.report.score,
                run.report.model_dump_json(exclude={"anchors"}),
            ),
        )

    def baselines(self) -> dict[str, Baseline]:
        """Return the accepted baseline of each element, by element id."""
        rows = self._db.execute(
            "SELECT a.element, a.at, s.git_commit, s.body FROM accepted a JOIN snapshots s ON s.n = a.snapshot_n "
            "WHERE a.scope_n = ?",
            (self._scope_n,),
        )
        return {
            element: Baseline(
                anchor=Anchor(element=element, commit=commit, blobs=json.loads(body)), accepted_at=from_micros(at)
            )
            for element, at, commit, body in rows
        }

    def accept(self, element: str, baseline: Baseline, actor: str) -> None:
        """Record an element's accepted baseline in place of an earlier one."""
        snapshot = self._snapshot(element, baseline.anchor.commit, baseline.anchor.blobs)
        self._db.execute(
            "INSERT OR REPLACE INTO accepted VALUES(?,?,?,?,?)",
            (self._scope_n, element, snapshot, to_micros(baseline.accepted_at), actor),
        )

    def anchors(self) -> tuple[MemoryAnchor, ...]:
        """Return the anchors of the exact scope's live memories."""
        rows = self._db.execute(
            "SELECT m.id, a.element, s.git_commit, s.body FROM anchors a JOIN memories m ON m.n = a.memory_n "
            "JOIN snapshots s ON s.n = a.snapshot_n WHERE m.scope_n = ? AND m.state = 'live' ORDER BY m.id, a.element",
            (self._scope_n,),
        )
        return tuple(
            MemoryAnchor(
                memory=memory, element=element, anchor=Anchor(element=element, commit=commit, blobs=json.loads(body))
            )
            for memory, element, commit, body in rows
        )

    def put_anchors(self, memory: str, anchors: Sequence[Anchor]) -> None:
        """Record the states in which a memory's pins were known to hold (by element id), in place of earlier ones."""
        number = self._number(memory)
        self._db.execute("DELETE FROM anchors WHERE memory_n = ?", (number,))
        for anchor in anchors:
            snapshot = self._snapshot(anchor.element, anchor.commit, anchor.blobs)
            self._db.execute("INSERT OR REPLACE INTO anchors VALUES(?,?,?)", (number, anchor.element, snapshot))

    def _snapshot(self, element: str, commit: str, blobs: Mapping[str, str]) -> int:
        # The same commit may come first without blobs (a client's word) and later with them (a checkout).
        self._db.execute(
            "INSERT INTO snapshots(scope_n, element, git_commit, body) VALUES(?,?,?,?) "
            "ON CONFLICT(scope_n, element, git_commit) DO UPDATE SET body = excluded.body WHERE excluded.body <> '{}'",
            (self._scope_n, element, commit, json.dumps(dict(sorted(blobs.items())))),
        )
        return int(
            self._db.execute(
                "SELECT n FROM snapshots WHERE scope_n = ? AND element = ? AND git_commit = ?",
                (self._scope_n, element, commit),
            ).get
        )
