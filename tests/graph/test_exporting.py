"""Exporting and importing, over real stores and through the façade."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.errors import Conflict, InvalidInput
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.views import Exported, Imported, Progress
from tests.graph.conftest import MODEL, OTHER, SHOP, WIDE, Clock, draft, found, new_id, write
from tests.graph.stores.filled import fill


@pytest.fixture
def empty(tmp_path: Path, clock: Clock) -> Iterator[MemoryGraph]:
    made = MemoryGraph(Parts(SqliteStore(tmp_path / "empty.db"), clock, new_id))
    yield made
    made.close()


@pytest.fixture
def full(graph: MemoryGraph, clock: Clock) -> MemoryGraph:
    """A graph that has been used: by people, in two projects and in the organisation."""
    for scope in (SHOP, OTHER):
        graph.add_project("local", scope.project, "", (f"git/{scope.project}",))
    write(graph, "Reviews take two people", WIDE, title="Reviews")
    write(graph, "The gateway strips headers", title="Header limit", elements=("Shop.API",))
    write(graph, "Prices wait for [[Reviews]] and [[Header limit]] and [[Nobody]]", claims=("src/a.py::f",))
    graph.remember(SHOP, draft("Keyed"), actor="a", key="k1")
    clock.pass_days(1)
    graph.supersede(SHOP, "Header limit", draft("The gateway keeps headers"), actor="b")
    graph.archive(SHOP, write(graph, "Forget me").id, actor="b", reason="gone")
    write(graph, "Another project's prices", OTHER)
    graph.note_recall(SHOP, graph.recall(SHOP, "gateway"), session="s1")
    graph.note_recall(SHOP, graph.recall(SHOP, "unheard of"), session="s1")
    graph.cite(SHOP, "s1", ("Header limit", "Reviews"))
    return graph


def exported(graph: MemoryGraph, scope: Scope = WIDE, *, whole: bool = True, vectors: bool = True) -> list[bytes]:
    lines: list[bytes] = []
    graph.export(scope, lines.append, whole=whole, vectors=vectors)
    return lines


def imported(graph: MemoryGraph, lines: list[bytes]) -> Imported:
    return graph.import_export(lambda: lines, "some.jsonl")


def test_an_export_that_is_imported_and_exported_again_is_the_same(full: MemoryGraph, empty: MemoryGraph) -> None:
    lines = exported(full)
    made = imported(empty, lines)
    assert sum(made.new.values()) == len(lines) - 2
    assert made.known == {}
    assert exported(empty) == lines
    again = imported(empty, lines)
    assert (again.new, again.known) == ({}, made.new)
    assert exported(empty) == lines


def test_what_was_imported_is_used_as_before(full: MemoryGraph, empty: MemoryGraph) -> None:
    imported(empty, exported(full))
    for question in ("gateway headers", "prices", "reviews"):
        ours, theirs = (graph.recall(SHOP, question, explain=True) for graph in (full, empty))
        assert ours == theirs
        assert ours.hits
    assert empty.history(SHOP, "Header limit") == full.history(SHOP, "Header limit")
    assert empty.memories(SHOP) == full.memories(SHOP)
    assert empty.coverage(SHOP) == full.coverage(SHOP)
    assert empty.project("local", f"git/{SHOP.project}").id == SHOP.project
    assert not empty.import_model(SHOP, MODEL).added
    assert empty.remember(SHOP, draft("Keyed"), actor="a", key="k1").replayed
    assert empty.remember(SHOP, draft("The gateway keeps headers", elements=("API",)), actor="c").deduplicated
    empty.confirm(SHOP, "Header limit", actor="c")


def test_one_project_is_exported_alone(full: MemoryGraph, empty: MemoryGraph) -> None:
    for scope in (SHOP, WIDE):
        lines = exported(full, scope, whole=False)
        imported(empty, lines)
        assert exported(empty, scope, whole=False) == lines
    assert [project.id for project in empty.projects("local")] == [SHOP.project]
    # What sessions of the project made of the organisation's memories comes with the whole.
    assert imported(empty, exported(full)).new["cited"] == 1
    assert exported(empty) == exported(full)


def test_a_newer_export_adds_what_is_new(full: MemoryGraph, empty: MemoryGraph) -> None:
    imported(empty, exported(full))
    write(full, "Learned since")
    assert imported(empty, exported(full)).new == {"memory": 1, "event": 1}
    assert exported(empty) == exported(full)


def test_vectors_can_be_left_out(tmp_path: Path, empty: MemoryGraph) -> None:
    store = SqliteStore(tmp_path / "filled.db")
    fill(store)
    full = MemoryGraph(Parts(store, Clock(), new_id))
    lines = exported(full, vectors=False)
    assert not any(b'"kind":"vectors"' in line for line in lines)
    done = imported(empty, lines)
    assert "vectors" not in done.new
    assert not done.vectors
    assert exported(empty, vectors=False) == lines
    full.close()


def test_everything_that_stands_in_the_way_is_named_and_nothing_is_written(
    full: MemoryGraph, empty: MemoryGraph
) -> None:
    lines = exported(full)
    empty.add_project("local", "mine", "Mine", (f"git/{SHOP.project}",))
    empty.import_model(SHOP, MODEL)
    write(empty, "Mine", title="Header limit")
    before = exported(empty)
    with pytest.raises(Conflict) as caught:
        imported(empty, lines)
    told = {fault.where: fault.what for fault in caught.value.faults}
    mine = empty.memory(SHOP, "Header limit").id
    assert sum(what.endswith("has its ref already") for what in told.values()) == len(MODEL.elements)
    assert f"project local {SHOP.project}: mine has its identity already" in told.values()
    assert f"relationships of '{SHOP.project}': the store holds something else" not in told.values()
    assert sum(what.endswith(f"{mine} has its title already") for what in told.values()) == 1
    for where in told:
        assert b'"kind":' in lines[int(where.rpartition(":")[2]) - 1]
    assert exported(empty) == before


def test_a_change_on_either_side_is_a_conflict(full: MemoryGraph, empty: MemoryGraph) -> None:
    lines = exported(full)
    imported(empty, lines)
    one = empty.memory(SHOP, "Header limit")
    empty.confirm(SHOP, one.id, actor="here")
    before = exported(empty)
    with pytest.raises(Conflict) as caught:
        imported(empty, lines)
    assert [fault.what for fault in caught.value.faults] == [f"memory {one.id}: the store holds something else"]
    assert exported(empty) == before


def test_a_file_that_is_faulty_or_changes_while_it_is_read_leaves_nothing(
    full: MemoryGraph, empty: MemoryGraph
) -> None:
    lines = exported(full)
    nothing = exported(empty)
    with pytest.raises(InvalidInput):
        imported(empty, lines[:-1])
    passes = iter((lines, lines, lines[:-1]))
    with pytest.raises(InvalidInput):
        empty.import_export(lambda: next(passes), "some.jsonl")
    assert exported(empty) == nothing


def test_a_process_that_runs_meanwhile_recalls_what_was_imported(full: MemoryGraph, tmp_path: Path) -> None:
    running, other = (MemoryGraph(Parts(SqliteStore(tmp_path / "new.db"), Clock(), new_id)) for _ in range(2))
    write(running, "A gateway of our own")
    assert found(running, "gateway") == ["A gateway of our own"]
    imported(other, exported(full))
    assert {"A gateway of our own", "The gateway keeps headers"} < set(found(running, "gateway"))
    for graph in (running, other):
        graph.close()


def test_progress_is_told_to_the_end(full: MemoryGraph, empty: MemoryGraph) -> None:
    seen: list[Progress] = []
    lines: list[bytes] = []
    done: Exported = full.export(WIDE, lines.append, whole=True, progress=seen.append)
    count = sum(done.counts.values())
    assert [one.done for one in seen] == list(range(1, count + 1))
    assert {one.done + one.left for one in seen} == {count}
    seen.clear()
    empty.import_export(lambda: lines, "x", progress=seen.append)
    told = [one.done for one in seen]
    # Read one by one, taken in batch by batch.
    assert told[:count] == list(range(1, count + 1))
    assert told == sorted(set(told))
    assert told[-1] == 2 * count
    assert {one.done + one.left for one in seen} == {2 * count}


def test_an_export_holds_no_more_than_a_few_entries_at_once(graph: MemoryGraph) -> None:
    for n in range(20):
        write(graph, f"{n} " + "x" * 19_000)
    exported(graph)
    sizes: list[int] = []
    tracemalloc.start()
    graph.export(WIDE, lambda line: sizes.append(len(line)), whole=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(sizes) > 40 * 19_000
    assert peak < 10 * 19_000
