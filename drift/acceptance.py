"""`.archmem/accepted.json`: which state of each element a person accepted, committed and reviewed like code."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError

from drift.coverage import Coverage
from drift.repository import Repository
from drift.verdicts import unmapped
from graph.claims import Anchor, Baseline, RecordedId
from graph.drift_report import Reason
from graph.elements import ArchitectureModel, find_element
from graph.errors import Fault, InvalidInput
from graph.frozen import Frozen, Moment, as_utc
from graph.trees import FileTree

ACCEPTED_FILE = ".archmem/accepted.json"


class _Entry(Frozen):
    commit: RecordedId
    at: Moment
    blobs: Mapping[str, RecordedId] = Field(default_factory=dict)


_FILE = TypeAdapter(dict[str, _Entry])


def read_accepted(tree: FileTree) -> dict[str, Baseline]:
    """Return the accepted state by element ref; raise InvalidInput with every fault of the file."""
    return parse_accepted(tree.read(ACCEPTED_FILE)) if ACCEPTED_FILE in tree.paths() else {}


def parse_accepted(content: bytes) -> dict[str, Baseline]:
    """Return what the content of the file says; raise InvalidInput with every fault."""
    try:
        entries = _FILE.validate_json(content)
    except ValidationError as error:
        faults = [
            Fault(where=f"{ACCEPTED_FILE} {'.'.join(map(str, fault['loc']))}".strip(), what=fault["msg"])
            for fault in error.errors()
        ]
        raise InvalidInput(
            f"{ACCEPTED_FILE} has {len(faults)} fault(s)",
            id=ACCEPTED_FILE,
            faults=faults,
            next_step="correct them, or delete the entries and run `archmem drift accept`",
        ) from error
    return {
        ref: Baseline(anchor=Anchor(element=ref, commit=entry.commit, blobs=entry.blobs), accepted_at=entry.at)
        for ref, entry in entries.items()
    }


def write_accepted(baselines: Collection[Baseline]) -> str:
    """Return the content of the file: one element an entry, in a stable order."""
    entries: dict[str, Any] = {
        baseline.anchor.element: {
            "at": baseline.accepted_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "blobs": dict(baseline.anchor.blobs),
            "commit": baseline.anchor.commit,
        }
        for baseline in baselines
    }
    return json.dumps(entries, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def accept(
    repository: Repository,
    model: ArchitectureModel,
    refs: Collection[str] | None,
    *,
    at: datetime,
    commit: str = "HEAD",
    existing: bytes | None = None,
) -> tuple[str, tuple[Baseline, ...]]:
    """Return the new content of the accepted file, and the baselines that it gained.

    `refs` of None accepts every element that has code; `existing` is the file as it stands, by default the commit's.
    Raise Unknown for a ref that is not in the model, InvalidInput for elements without code.
    """
    oid = repository.resolve(commit)
    tree = repository.tree(oid)
    coverage = Coverage(tree)
    known = read_accepted(tree) if existing is None else parse_accepted(existing)
    chosen = model.elements if refs is None else [find_element(model.elements, ref) for ref in refs]
    gained: list[Baseline] = []
    faults: list[Fault] = []
    for element in chosen:
        blobs = {} if unmapped(element) is not Reason.NONE else coverage.blobs(element.source)
        if blobs:
            anchor = Anchor(element=element.ref, commit=oid, blobs=blobs)
            gained.append(Baseline(anchor=anchor, accepted_at=as_utc(at).replace(microsecond=0)))
        elif refs is not None:
            faults.append(Fault(where=element.ref, what="no tracked file to accept"))
    if faults:
        raise InvalidInput(
            f"{len(faults)} element(s) have no code at {oid[:12]}",
            id=faults[0].where,
            faults=faults,
            next_step="repair their source in the model first",
        )
    if refs is None:
        present = {element.ref for element in model.elements}
        known = {ref: baseline for ref, baseline in known.items() if ref in present}
    known.update({baseline.anchor.element: baseline for baseline in gained})
    return write_accepted(list(known.values())), tuple(gained)
