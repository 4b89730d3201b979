"""What a broken file or a full disk becomes: an error with its next step, and nothing that was kept is lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from graph.errors import ArchmemError, StoreMismatch, Unavailable
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.stores.sqlite import SqliteStore, schema
from tests.graph.stores.writer import SCOPE, open_graph

PAGE = 4096
LONG = " ".join(f"word{n}" for n in range(2_000))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with twenty facts, closed."""
    path = tmp_path / "archmem.db"
    graph = open_graph(path)
    for n in range(20):
        remember(graph, f"fact {n} about the gateway")
    graph.close()
    return path


def remember(graph: MemoryGraph, content: str) -> str:
    return graph.remember(SCOPE, Draft(content=content), actor="a").memory.id


def use(path: Path) -> None:
    """Open the store, read everything and write."""
    graph = open_graph(path)
    try:
        graph.memories(SCOPE, limit=1_000)
        remember(graph, "one more")
    finally:
        graph.close()


def kept(path: Path) -> set[str]:
    """Return the contents of the memories, from a file that must be sound."""
    with apsw.Connection(str(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").get == "ok"
    connection.close()
    graph = open_graph(path)
    contents = {memory.content for memory in graph.memories(SCOPE, limit=1_000)}
    graph.close()
    return contents


def refused(work: Callable[[], object], kind: type[ArchmemError], what: str) -> ArchmemError:
    with pytest.raises(kind, match=what) as caught:
        work()
    assert caught.value.next_step
    assert caught.value.id
    return caught.value


def overwrite(path: Path, start: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(content)


def test_every_connection_writes_to_the_disk_before_it_acknowledges(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "archmem.db")
    with store._connections.writing() as one, store._connections.reading() as other:
        for connection in (one, other):
            assert connection.execute("PRAGMA journal_mode").get == "wal"
            assert connection.execute("PRAGMA synchronous").get == 2  # FULL
    store.close()


@pytest.mark.parametrize("size", [100, 512, PAGE, PAGE + 1, 10 * PAGE, -PAGE])
def test_a_file_that_was_cut_short_is_damaged_and_left_as_it_is(path: Path, size: int) -> None:
    content = path.read_bytes()[:size]
    path.write_bytes(content)
    error = refused(lambda: use(path), StoreMismatch, "damaged")
    assert "backup" in error.next_step
    assert path.read_bytes() == content


@pytest.mark.parametrize("start", [100, PAGE, 5 * PAGE], ids=["schema", "first table", "some table"])
def test_a_file_with_foreign_bytes_in_it_is_damaged_and_left_as_it_is(path: Path, start: int) -> None:
    for place in range(start, path.stat().st_size, PAGE):
        overwrite(path, place, b"\xa5" * 64)
    content = path.read_bytes()
    refused(lambda: use(path), StoreMismatch, "damaged")
    assert path.read_bytes() == content


def test_a_memory_that_is_no_text_any_more_is_damage_too(path: Path) -> None:
    content = path.read_bytes()
    for place in range(len(content)):
        if content.startswith(b"fact 7 about", place):
            overwrite(path, place, b"\xff")
    refused(lambda: use(path), StoreMismatch, "damaged")


def test_a_file_whose_head_is_foreign_is_no_store(path: Path) -> None:
    overwrite(path, 0, b"SQLite format 4\0")
    error = refused(lambda: use(path), StoreMismatch, "not a store")
    assert "--store" in error.next_step


@pytest.mark.parametrize("below", ["file/archmem.db", "file/much/deeper/archmem.db"])
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("in the way")
    error = refused(lambda: SqliteStore(tmp_path / below), Unavailable, "folder .* cannot be made")
    assert "--store" in error.next_step
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_is_told_and_what_was_kept_stays(path: Path) -> None:
    graph = open_graph(path)
    store = graph._parts.store
    assert isinstance(store, SqliteStore)
    with store._connections._borrowed() as connection:
        pages = connection.execute("PRAGMA page_count").get
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    error = refused(lambda: remember(graph, LONG), Unavailable, "disk is full; nothing was written")
    assert "make room" in error.next_step
    assert len(graph.memories(SCOPE, limit=1_000)) == 20
    # The connection that met the full disk is gone with its bound: as if room had been made.
    remember(graph, LONG)
    graph.close()
    assert len(kept(path)) == 21


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Let the system refuse, for a while, to make any file longer."""
    resource = pytest.importorskip("resource", reason="only POSIX bounds the size of files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_write_that_the_disk_fails_half_way_leaves_nothing_of_itself(path: Path) -> None:
    graph = open_graph(path)
    remember(graph, "acknowledged before the disk failed")
    with no_file_beyond(48 * 1024):
        refused(lambda: remember(graph, LONG), Unavailable, "disk failed: .*; nothing was written")
        graph.close()
    contents = kept(path)
    assert len(contents) == 21
    assert "acknowledged before the disk failed" in contents


def test_without_a_whole_backup_nothing_is_migrated(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        newer.setattr(schema, "VERSION", schema.VERSION + 1)
        newer.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, ("CREATE TABLE extra(x)",)))
        with no_file_beyond(10 * PAGE):
            refused(lambda: SqliteStore(path), Unavailable, "disk failed")
    assert list(path.parent.glob("*.bak")) == []
    assert len(kept(path)) == 20
