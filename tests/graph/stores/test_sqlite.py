"""What only the embedded store promises: several processes on one file, sudden death, versions and foreign files."""

import random
import subprocess
import sys
import threading
from pathlib import Path
from queue import SimpleQueue

import apsw
import pytest

from graph.errors import StoreBusy, StoreMismatch
from graph.memories import Draft, EventKind
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore, schema
from tests.graph.stores.writer import SCOPE, open_graph

ROOT = Path(__file__).parents[3]


def start_writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.graph.stores.writer", str(path), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_write_200_each_while_a_third_reads_each_at_once(tmp_path: Path) -> None:
    path = tmp_path / "archmem.db"
    writers = [start_writer(path, name, 200) for name in ("one", "two")]
    acknowledged: SimpleQueue[str | None] = SimpleQueue()

    def listen(writer: subprocess.Popen[str]) -> None:
        assert writer.stdout is not None
        for line in writer.stdout:
            acknowledged.put(line.strip())
        acknowledged.put(None)

    threads = [threading.Thread(target=listen, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    graph = open_graph(path)
    seen: list[str] = []
    ended = 0
    while ended < 2:
        name = acknowledged.get()
        if name is None:
            ended += 1
            continue
        memory = graph.memory(SCOPE, name)
        assert memory.id in {hit.id for hit in graph.recall(SCOPE, memory.title).hits}
        seen.append(name)
    for writer, thread in zip(writers, threads, strict=True):
        thread.join()
        _, complaint = writer.communicate()
        assert (writer.returncode, complaint) == (0, "")
    assert len(set(seen)) == 400
    kept = graph.memories(SCOPE, limit=1_000)
    assert {memory.id for memory in kept} == set(seen)
    assert_whole(graph, 400)
    graph.close()


def test_every_acknowledged_memory_survives_50_sudden_deaths_whole(tmp_path: Path) -> None:
    path = tmp_path / "archmem.db"
    moments = random.Random(7)
    acknowledged: list[str] = []
    for n in range(50):
        writer = start_writer(path, f"run{n}", 10_000)
        assert writer.stdout is not None
        acknowledged.append(writer.stdout.readline().strip())
        timer = threading.Timer(moments.uniform(0, 0.1), writer.kill)
        timer.start()
        # A half line is no acknowledgement.
        acknowledged.extend(line.strip() for line in writer.stdout if line.endswith("\n"))
        timer.join()
        writer.wait()
        assert writer.returncode == -9
        assert writer.stderr is not None
        writer.stdout.close()
        writer.stderr.close()
    graph = open_graph(path)
    kept = {memory.id for memory in graph.memories(SCOPE, limit=100_000)}
    assert set(acknowledged) <= kept
    assert len(acknowledged) > 50
    assert len(kept) - len(acknowledged) <= 50
    assert_whole(graph, len(kept))
    graph.close()
    with apsw.Connection(str(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").get == "ok"
    connection.close()


def assert_whole(graph: MemoryGraph, count: int) -> None:
    """Insist that no memory is half there: each has its event, its words, and its links as far as targets exist."""
    memories = graph.memories(SCOPE, limit=100_000)
    titles = {memory.title: memory.id for memory in memories}
    assert len(memories) == count
    for memory in memories:
        assert [event.kind for event in graph.history(SCOPE, memory.id)] == [EventKind.CREATED]
        assert len(memory.links) == 2
        for link in memory.links:
            assert link.target == titles.get(link.raw, "")
    stats = graph._parts.store.read(SCOPE, lambda unit: unit.term_stats(("process", "wrote")))
    assert set(stats.holding.values()) == {count}


def test_a_lock_held_too_long_is_a_clear_error_and_writes_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "archmem.db", busy_ms=50)
    other = apsw.Connection(str(store.path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match=r"more than 0\.05 s"):
        store.write(SCOPE, lambda unit: unit.scope)
    assert store.read(SCOPE, lambda unit: unit.scope) == SCOPE
    other.execute("ROLLBACK")
    assert store.write(SCOPE, lambda unit: unit.scope) == SCOPE
    other.close()
    store.close()


def test_a_store_that_a_newer_version_wrote_says_restart(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "archmem.db")
    other = apsw.Connection(str(store.path))
    other.execute("UPDATE meta SET version = 9, min_writer = 9")
    with pytest.raises(StoreMismatch, match="needs schema 9") as caught:
        store.write(SCOPE, lambda unit: unit.scope)
    assert "restart" in caught.value.next_step
    assert store.read(SCOPE, lambda unit: unit.scope) == SCOPE
    other.execute("UPDATE meta SET min_reader = 9")
    with pytest.raises(StoreMismatch):
        store.read(SCOPE, lambda unit: unit.scope)
    other.close()
    store.close()


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be read as one" * 20, None])
def test_a_foreign_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "theirs.db"
    if content is None:
        other = apsw.Connection(str(path))
        other.execute("CREATE TABLE theirs(x)")
        other.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreMismatch):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_folder_in_place_of_a_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StoreMismatch, match="cannot be opened"):
        SqliteStore(tmp_path)


def test_an_older_store_is_backed_up_and_migrated_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "archmem.db"
    with monkeypatch.context() as past:
        past.setattr(schema, "VERSION", 1)
        past.setattr(schema, "MIN_READER", 1)
        past.setattr(schema, "MIN_WRITER", 1)
        past.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        open_graph(path).close()
    present = open_graph(tmp_path / "present.db")
    for n in range(3):
        present.remember(SCOPE, Draft(content=f"The gateway has fact {n}"), actor="test")
    present.close()
    _copy_what_fits(tmp_path / "present.db", path)
    graph = open_graph(path)
    backups = list(tmp_path.glob("archmem.db.v1-*.bak"))
    assert len(backups) == 1
    old = apsw.Connection(str(backups[0]))
    assert old.execute("SELECT version FROM meta").get == 1
    assert old.execute("SELECT count(*) FROM memories").get == 3
    old.close()
    new = apsw.Connection(str(path))
    assert new.execute("SELECT version, min_reader, min_writer FROM meta").get == (
        schema.VERSION,
        schema.MIN_READER,
        schema.MIN_WRITER,
    )
    new.close()
    assert len(graph.recall(SCOPE, "gateway facts").hits) == 3
    graph.remember(SCOPE, Draft(content="The gateway has another fact"), actor="test")
    assert len(graph.recall(SCOPE, "gateway facts").hits) == 4
    graph.close()


def _copy_what_fits(present: Path, former: Path) -> None:
    """Copy every row into a store of an older version, without the columns that it did not have."""
    db = apsw.Connection(str(former))
    db.execute("ATTACH ? AS present", (str(present),))
    for (table,) in db.execute(
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'meta'"
    ).fetchall():
        columns = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({table})"))
        db.execute(f"INSERT OR REPLACE INTO main.{table}({columns}) SELECT {columns} FROM present.{table}")
    db.close()


def test_a_store_from_before_sessions_declared_work_takes_it_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "archmem.db"
    with monkeypatch.context() as past:
        past.setattr(schema, "VERSION", 3)
        past.setattr(schema, "MIN_WRITER", 3)
        past.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:3])
        open_graph(path).close()
    present = open_graph(tmp_path / "present.db")
    kept = present.remember(SCOPE, Draft(content="The gateway has a fact"), actor="test").memory
    present.cite(SCOPE, "old", [kept.id])
    present.close()
    _copy_what_fits(tmp_path / "present.db", path)
    graph = open_graph(path)
    assert graph.sessions(SCOPE) == graph.sessions(SCOPE, finished=True) == ()
    assert graph.recall(SCOPE, "gateway fact", explain=True).hits[0].factors.citations > 1  # type: ignore[union-attr]
    made = graph.start_session(SCOPE, "Gateway", agent="test")
    assert made.served == (kept.id,)
    assert [one.id for one in graph.sessions(SCOPE)] == [made.session]
    graph.close()


def test_six_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "archmem.db"
    writers = [start_writer(path, f"w{n}", 2) for n in range(6)]
    for writer in writers:
        _, complaint = writer.communicate()
        assert (writer.returncode, complaint) == (0, "")
    store = SqliteStore(path)
    assert len(store.read(SCOPE, lambda unit: unit.unpinned())) == 12
    store.close()


def test_threads_share_a_store(tmp_path: Path) -> None:
    graph = open_graph(tmp_path / "archmem.db")
    graph.add_project("local", SCOPE.project, "Shop")

    def work(n: int) -> None:
        scope = Scope(project=f"p{n % 2}")
        for i in range(10):
            graph.remember(scope, Draft(content=f"thread {n} fact {i}"), actor="t")
            assert graph.recall(scope, f"thread {n} fact {i}").answered

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(len(graph.memories(Scope(project=p), limit=1_000)) for p in ("p0", "p1")) == 80
    graph.close()
