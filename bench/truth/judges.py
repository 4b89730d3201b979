"""Four judges of the same memories: age, paths, the element's stamp, evidence."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.truth.plain_git import PlainGit
from bench.truth.statements import Statement
from drift import Coverage, Repository, check_drift
from drift.evidence import check_claims
from graph.claiming import asked_claims
from graph.claims import Anchor
from graph.drift_report import ClaimFinding
from graph.elements import ArchitectureModel, Element, ElementKind
from graph.flagging import evidence_of
from graph.memories import Kind, Memory
from graph.policy import RankingPolicy
from graph.ranking import is_flagged
from graph.scopes import Scope

_PATH = re.compile(r"`([\w./-]+/[\w.-]+\.\w+)(?:::[^`]*)?`")
JUDGES = ("path", "stamp", "evidence")


@dataclass(frozen=True)
class Judged:
    """A statement and who of the judges doubts it; `said` is what evidence found. Age is judged by `statement.days`."""

    statement: Statement
    doubted: Mapping[str, bool]
    said: str = ""

    def doubts(self, judge: str, days: float) -> bool:
        """Say whether a judge raises an alert; `age` does so for what is older than so many days."""
        return self.statement.days > days if judge == "age" else self.doubted[judge]


def judge(folder: Path, statements: Sequence[Statement]) -> list[Judged]:
    """Let every judge look at a repository's statements."""
    by_late: dict[str, list[Statement]] = defaultdict(list)
    for one in statements:
        by_late[one.late.oid].append(one)
    found: list[Judged] = []
    with PlainGit(folder) as git, Repository.open(folder) as repository:
        for late, asked in by_late.items():
            stamped = _stamps(repository, late, asked)
            claimed = _claims(repository, late, asked)
            for one in asked:
                stamp, findings = stamped[_ref(one), one.early.oid], claimed[one.id]
                doubted = {"path": _misses_a_path(git, one), "stamp": stamp, "evidence": _flags(one, stamp, findings)}
                found.append(Judged(one, doubted, "; ".join(map(_told, findings))))
    return found


def _ref(one: Statement) -> str:
    return one.source[0].removesuffix(".py").replace("/", ".")


def _misses_a_path(git: PlainGit, one: Statement) -> bool:
    """Doubt a memory that names a file which is not there; one that names none, when its element has no file left."""
    now = git.tree(one.late.oid)
    named = _PATH.findall(one.text)
    if named:
        return any(path not in now for path in named)
    folders = tuple(pattern.removesuffix("**") for pattern in one.source if pattern.endswith("/**"))
    then = [path for path in git.tree(one.early.oid) if path in one.source or path.startswith(folders)]
    return not any(path in now for path in then)


def _stamps(repository: Repository, late: str, asked: Sequence[Statement]) -> dict[tuple[str, str], bool]:
    """Say of each element and early commit whether the element's source differs significantly at the late one."""
    elements = {
        _ref(one): Element(ref=_ref(one), kind=ElementKind.COMPONENT, name=_ref(one), source=one.source)
        for one in asked
    }
    coverages = {one.early.oid: Coverage(repository.tree(one.early.oid)) for one in asked}
    anchors = {
        (_ref(one), one.early.oid): Anchor(
            element=_ref(one), commit=one.early.oid, blobs=coverages[one.early.oid].blobs(one.source)
        )
        for one in asked
    }
    report = check_drift(
        ArchitectureModel(name="truth", elements=tuple(elements.values())),
        repository,
        baselines={},
        at=datetime.fromtimestamp(asked[0].late.time, UTC),
        anchors=tuple(anchors.values()),
        base=late,
        target=late,
    )
    # What cannot be told is doubted.
    return {(one.anchor.element, one.anchor.commit): one.differs is not False for one in report.anchors}


def _claims(repository: Repository, late: str, asked: Sequence[Statement]) -> dict[str, list[ClaimFinding]]:
    """Ask about the claims that archmem itself finds in the texts, as it does for a memory pinned to the element."""
    claims = [claim for one in asked for claim in asked_claims(_memory(one), {_ref(one): _ref(one)}, one.early.oid)]
    found: dict[str, list[ClaimFinding]] = defaultdict(list)
    for finding in check_claims(repository, claims, late, sources={_ref(one): one.source for one in asked}):
        found[finding.asked.memory].append(finding)
    return found


def _memory(one: Statement) -> Memory:
    written = datetime.fromtimestamp(one.early.time, UTC)
    return Memory(
        id=one.id,
        scope=Scope(organisation="bench", project="truth"),
        kind=Kind.NOTE,
        content=one.text,
        elements=(_ref(one),),
        created_at=written,
        created_by="bench",
        confirmed_at=written,
        confirmed_by="bench",
    )


def _flags(one: Statement, stamp: bool, findings: Sequence[ClaimFinding]) -> bool:
    """Say whether recall would say VERIFY: by the claims when they decide, else by the element's stamp."""
    drifted_at = datetime.fromtimestamp(one.late.time, UTC) if stamp else None
    return is_flagged(drifted_at, evidence_of(findings), RankingPolicy())


def _told(finding: ClaimFinding) -> str:
    return f"{finding.asked.claim} {finding.evidence}{f' ({finding.said})' if finding.said else ''}"
