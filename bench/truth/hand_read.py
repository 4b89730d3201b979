"""Statements about repositories in other languages, whose truth a person read out of both commits."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.truth.plain_git import PlainGit
from bench.truth.statements import Statement

_FILE = Path(__file__).parent / "hand_read.jsonl"

Row = Mapping[str, object]


def hand_read() -> Mapping[str, Sequence[Row]]:
    """Return the rows of the file by repository."""
    rows: dict[str, list[Row]] = defaultdict(list)
    for line in _FILE.read_text("utf-8").splitlines():
        row = json.loads(line)
        rows[row["repository"]].append(row)
    return rows


def read_by_hand(git: PlainGit, rows: Sequence[Row]) -> list[Statement]:
    """Return a repository's rows as statements."""
    return [_statement(git, row) for row in rows]


def _statement(git: PlainGit, row: Row) -> Statement:
    text, source = str(row["statement"]), row["source"]
    assert isinstance(source, list)
    assert isinstance(row["truth"], bool)
    return Statement(
        repository=str(row["repository"]),
        early=git.point(str(row["early"])),
        late=git.point(str(row["late"])),
        group="hand-read, cites code" if "`" in text else "hand-read, cites none",
        kind="hand-read",
        path="",
        name="",
        said=(),
        text=text,
        truth=row["truth"],
        source=tuple(source),
        why=str(row["why"]),
    )
