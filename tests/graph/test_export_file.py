"""The export file: what one is, and that no other passes for one."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.errors import InvalidInput
from graph.export_file import Header, Seal, line_of, read_entries
from graph.exporting import export
from graph.parts import Parts
from graph.reviews import Proposal, ProposalKind
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.stores.transfer import (
    AcceptedEntry,
    AnchorEntry,
    CitedEntry,
    Entry,
    LinkEntry,
    MemoryEntry,
    ProposalEntry,
    VectorsEntry,
)
from tests.graph.conftest import Clock, new_id
from tests.graph.stores.filled import fill
from tests.graph.stores.samples import HERE, MODEL, NOW, THERE, WIDE, keys, record

GOLDEN = Path(__file__).with_name("export-1.jsonl")


def exported(store: SqliteStore) -> bytes:
    lines: list[bytes] = []
    export(Parts(store, Clock(), new_id), WIDE, lines.append, whole=True, vectors=True, progress=None)
    return b"".join(lines)


def refused(content: bytes) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        list(read_entries(content.splitlines(keepends=True), "some.jsonl"))
    assert all(fault.where.startswith("some.jsonl:") for fault in caught.value.faults)
    assert caught.value.faults
    return caught.value


def sealed(*entries: Entry, **header: object) -> bytes:
    """Return a well-sealed file of these entries."""
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.kind] = counts.get(entry.kind, 0) + 1
    whole = {"organisation": "local", "project": None, "vectors": True, "counts": counts, **header}
    lines = [line_of(Header.model_validate(whole)), *map(line_of, entries)]
    seal = Seal()
    for line in lines:
        seal.add(line)
    return b"".join((*lines, seal.end()))


def test_the_format_is_a_promise(tmp_path: Path) -> None:
    """What format 1 looks like, to the byte; whoever changes a stored value gives the format a new version."""
    store = SqliteStore(tmp_path / "archmem.db")
    fill(store)
    assert exported(store) == GOLDEN.read_bytes()
    store.close()


def test_every_line_is_an_object_that_says_its_kind() -> None:
    first, *entries, last = map(json.loads, GOLDEN.read_text(encoding="utf-8").split("\n")[:-1])
    assert (first["format"], first["version"]) == ("archmem export", 1)
    assert sum(first["counts"].values()) == len(entries) == last["lines"] - 1
    assert {kind: sum(one["kind"] == kind for one in entries) for kind in first["counts"]} == first["counts"]
    assert not {"n", "seq", "scope_n", "rowid"} & {key for one in entries for key in one}


@settings(max_examples=300, deadline=None)
@given(at=st.integers(0, GOLDEN.stat().st_size - 1), to=st.integers(0, 255))
def test_any_change_of_one_byte_is_refused(at: int, to: int) -> None:
    content = bytearray(GOLDEN.read_bytes())
    if content[at] != to:
        content[at] = to
        refused(bytes(content))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, GOLDEN.stat().st_size - 1))
def test_a_file_that_is_cut_short_anywhere_is_refused(length: int) -> None:
    refused(GOLDEN.read_bytes()[:length])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_line_that_is_lost_doubled_or_elsewhere_is_refused(data: st.DataObject) -> None:
    lines = GOLDEN.read_bytes().splitlines(keepends=True)
    places = st.integers(0, len(lines) - 1)
    at, to = data.draw(places), data.draw(places)
    refused(b"".join(lines[:at] + lines[at + 1 :]))
    refused(b"".join([*lines[: at + 1], *lines[at:]]))
    if at != to:
        lines[at], lines[to] = lines[to], lines[at]
        refused(b"".join(lines))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_other_bytes_are_refused(content: bytes) -> None:
    refused(content)
    refused(GOLDEN.read_bytes() + content) if content else None


@pytest.mark.parametrize("content", [b"", b"\n", b"[" * 100_000, b"{}\n", b'{"format": "another"}\n', b"\xff\xfe\n"])
def test_a_foreign_file_is_told_by_its_first_line(content: bytes) -> None:
    assert [fault.where for fault in refused(content).faults] == ["some.jsonl:1"]


def test_a_newer_format_is_told_before_anything_else() -> None:
    error = refused(b'{"format":"archmem export","version":2,"news":[]}\n{"kind":"news"}\n')
    assert [fault.what for fault in error.faults] == ["is of format 2; this archmem knows formats up to 1"]
    assert "upgrade" in error.next_step
    assert refused(
        b'{"format":"archmem export","version":0,"organisation":"o","project":"","vectors":true,"counts":{}}'
    )
    assert len(refused(b'{"format":"archmem export","version":1,"project":7}').faults) > 1


def test_every_fault_is_told_by_its_line() -> None:
    lines = GOLDEN.read_bytes().splitlines(keepends=True)
    lines[3], lines[5] = b'{"kind":"element"}\n', b"{\n"
    lines[7] = b'{"kind":"end","lines":7,"sha256":""}\n'
    told = [(fault.where, fault.what) for fault in refused(b"".join(lines)).faults]
    assert {where for where, _ in told} == {f"some.jsonl:{n}" for n in (4, 6, 8, len(lines))}
    assert sum(where == "some.jsonl:4" for where, _ in told) == 2
    assert told[-1] == (
        f"some.jsonl:{len(lines)}",
        "does not seal the lines above: some were changed, lost or added",
    )
    assert refused(b"".join(lines[:-1])).faults[-1].where == f"some.jsonl:{len(lines) - 1}"


FLOATS = bytes(8)
MEMORY = MemoryEntry(record=record("m1"), keys=keys())
GONE = MemoryEntry(record=record("m2", state="archived"), keys=keys())


def vectors(memory: str, scope: Scope = HERE, content: bytes = FLOATS) -> VectorsEntry:
    return VectorsEntry(scope=scope, memory=memory, model=MODEL, key="s", search=FLOATS, content=content)


def cited(memory: str, scope: Scope) -> CitedEntry:
    return CitedEntry(scope=scope, session="s", memory=memory, at=NOW)


def link(memory: str) -> LinkEntry:
    return LinkEntry.model_validate({"scope": HERE, "link": {"id": "l", "memory": memory, "raw": "[[x]]", "keys": ()}})


def proposed(memory: str) -> ProposalEntry:
    made = Proposal(id="p", kind=ProposalKind.ARCHIVE, memory=memory, at=NOW, by="a", body="sealed")
    return ProposalEntry(scope=HERE, proposal=made)


SENSELESS: tuple[tuple[Entry, Callable[[Entry], bytes]], ...] = (
    (vectors("m1"), lambda entry: sealed(entry, MEMORY)),
    (vectors("m1", THERE), lambda entry: sealed(MEMORY, entry)),
    (vectors("m2"), lambda entry: sealed(GONE, entry)),
    (vectors("m1", content=bytes(4)), lambda entry: sealed(MEMORY, entry)),
    (link("m3"), lambda entry: sealed(MEMORY, entry)),
    (proposed("m3"), lambda entry: sealed(MEMORY, entry)),
    (cited("m1", THERE), lambda entry: sealed(MEMORY, entry)),
    (cited("m1", WIDE), lambda entry: sealed(MEMORY, entry)),
    (AnchorEntry(scope=HERE, memory="m1", element="e", state="x"), lambda entry: sealed(MEMORY, entry)),
    (AcceptedEntry(scope=HERE, element="e", state="x", at=NOW, actor="a"), lambda entry: sealed(entry)),
    (MEMORY, lambda entry: sealed(entry, project="there")),
    (MEMORY, lambda entry: sealed(entry, organisation="other")),
)


@pytest.mark.parametrize(("entry", "file"), SENSELESS, ids=range(len(SENSELESS)))
def test_a_sealed_file_whose_entries_make_no_sense_is_refused(entry: Entry, file: Callable[[Entry], bytes]) -> None:
    assert len(refused(file(entry)).faults) == 1


def test_counts_that_are_wrong_are_told() -> None:
    assert "counts" in refused(sealed(MEMORY, counts={"memory": 2})).faults[0].what
    assert list(read_entries(sealed(MEMORY).splitlines(keepends=True), "x")) == [(2, MEMORY)]
