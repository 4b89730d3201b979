"""Drift runs, accepted baselines and anchors in the embedded store; a snapshot is kept once per element and commit."""

import json
from collections.abc import Sequence

from graph.attempts import ATTEMPTS, Attempt
from graph.claims import Anchor, Baseline
from graph.drift_report import DriftReport
from graph.stores.port import MemoryAnchor, StoredRun
from graph.stores.rows import from_micros, to_micros
from graph.stores.sqlite.base import Part, as_list


class Drift(Part):
    """Reads and writes of what drift left behind."""

    def last_run(self) -> StoredRun | None:
        """Return the newest run."""
        return next(iter(self.runs(1)), None)

    def last_head(self) -> str:
        """Return the commit of the newest run; empty without one."""
        head = self._db.execute("SELECT head FROM runs WHERE scope_n = ? ORDER BY n DESC LIMIT 1", (self._scope_n,)).get
        return str(head or "")

    def runs(self, limit: int, *, before: str = "", skip: int = 0) -> tuple[StoredRun, ...]:
        """Return the newest runs first, those before a run (by id) alone where one is given."""
        rows = self._db.execute(
            "SELECT id, body FROM runs WHERE scope_n = ?1 AND (?2 = '' OR n < "
            "(SELECT n FROM runs WHERE id = ?2 AND scope_n = ?1)) ORDER BY n DESC LIMIT ?3 OFFSET ?4",
            (self._scope_n, before, limit, skip),
        )
        return tuple(StoredRun(id=name, report=DriftReport.model_validate_json(body)) for name, body in rows)

    def run(self, name: str) -> StoredRun | None:
        """Return one run."""
        body = self._db.execute("SELECT body FROM runs WHERE scope_n = ? AND id = ?", (self._scope_n, name)).get
        return None if body is None else StoredRun(id=name, report=DriftReport.model_validate_json(body))

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

    def thin_run(self, run: StoredRun) -> None:
        """Keep this report of a run in place of the whole one."""
        body = run.report.model_dump_json(exclude={"anchors"})
        self._db.execute("UPDATE runs SET body = ? WHERE scope_n = ? AND id = ?", (body, self._scope_n, run.id))

    def attempts(self) -> tuple[Attempt, ...]:
        """Return the kept attempts at runs, newest first."""
        body = self._db.execute("SELECT body FROM attempts WHERE scope_n = ?", (self._scope_n,)).get
        return ATTEMPTS.validate_json(body or "[]")

    def put_attempts(self, attempts: Sequence[Attempt]) -> None:
        """Keep these attempts at runs, newest first, in place of all earlier ones."""
        body = ATTEMPTS.dump_json(tuple(attempts)).decode()
        self._db.execute("INSERT OR REPLACE INTO attempts VALUES(?,?)", (self._scope_n, body))

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
        snapshot = self._snapshot(baseline.anchor.model_copy(update={"element": element}))
        self._db.execute(
            "INSERT OR REPLACE INTO accepted VALUES(?,?,?,?,?)",
            (self._scope_n, element, snapshot, to_micros(baseline.accepted_at), actor),
        )

    def anchors(self, memories: Sequence[str] | None = None) -> tuple[MemoryAnchor, ...]:
        """Return the anchors of the exact scope's live memories, or of these alone."""
        chosen = "" if memories is None else "AND m.id IN (SELECT value FROM json_each(?)) "
        rows = self._db.execute(
            "SELECT m.id, a.element, s.git_commit, s.body FROM anchors a JOIN memories m ON m.n = a.memory_n "
            f"JOIN snapshots s ON s.n = a.snapshot_n WHERE m.scope_n = ? AND m.state = 'live' {chosen}"
            "ORDER BY m.id, a.element",
            (self._scope_n,) if memories is None else (self._scope_n, as_list(memories)),
        )
        return tuple(
            MemoryAnchor(
                memory=memory, element=element, anchor=Anchor(element=element, commit=commit, blobs=json.loads(body))
            )
            for memory, element, commit, body in rows
        )

    def anchor_states(self) -> dict[tuple[str, str], str]:
        """Return `Anchor.state` of each anchor of the exact scope's live memories, by memory and element."""
        rows = self._db.execute(
            "SELECT m.id, a.element, s.state FROM anchors a JOIN memories m ON m.n = a.memory_n "
            "JOIN snapshots s ON s.n = a.snapshot_n WHERE m.scope_n = ? AND m.state = 'live'",
            (self._scope_n,),
        )
        return {(memory, element): state for memory, element, state in rows}

    def put_anchors(self, memory: str, anchors: Sequence[Anchor]) -> None:
        """Record the states in which a memory's pins were known to hold (by element id), in place of earlier ones."""
        number = self._number(memory)
        self._db.execute("DELETE FROM anchors WHERE memory_n = ?", (number,))
        for anchor in anchors:
            snapshot = self._snapshot(anchor)
            self._db.execute("INSERT OR REPLACE INTO anchors VALUES(?,?,?)", (number, anchor.element, snapshot))

    def _snapshot(self, anchor: Anchor) -> int:
        # Two checkouts of one commit may say different things (another source, an error): neither rewrites the other.
        key = (self._scope_n, anchor.element, anchor.state)
        self._db.execute(
            "INSERT OR IGNORE INTO snapshots(scope_n, element, state, git_commit, body) VALUES(?,?,?,?,?)",
            (*key, anchor.commit, json.dumps(dict(sorted(anchor.blobs.items())))),
        )
        return int(self._db.execute("SELECT n FROM snapshots WHERE scope_n = ? AND element = ? AND state = ?", key).get)
