"""Exports and imports as files: a file is written whole or not at all, and standard input is kept until it is read."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from typing import IO

from graph.errors import InvalidInput, Unavailable
from graph.memory_graph import MemoryGraph
from graph.migrating import migrate
from graph.scopes import Scope
from graph.views import Exported, Imported, Migrated, Progress
from server.bootstrap import open_store
from server.settings import Settings

Told = Callable[[Progress], None] | None


def export_to(graph: MemoryGraph, scope: Scope, file: str, *, whole: bool, vectors: bool, progress: Told) -> Exported:
    """Write an export to a file, which stays as it was when that fails."""
    try:
        with _replaced(Path(file)) as stream:
            return graph.export(scope, stream.write, whole=whole, vectors=vectors, progress=progress)
    except OSError as error:
        step = "give a place that can be written to and has room, or - for standard output"
        raise Unavailable(f"{file} cannot be written: {error.strerror}", id=file, next_step=step) from error


def import_from(graph: MemoryGraph, file: str, *, progress: Told) -> Imported:
    """Take a file in."""
    try:
        return graph.import_export(partial(_lines, Path(file)), file, progress=progress)
    except OSError as error:
        step = "give a file that can be read, or - for standard input"
        raise InvalidInput(f"{file} cannot be read: {error.strerror}", id=file, next_step=step) from error


def import_stream(graph: MemoryGraph, stream: IO[bytes], name: str, *, progress: Told) -> Imported:
    """Take in what a stream holds, which is read to its end first: a file is read twice."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "export.jsonl")
        with kept.open("wb") as copy:
            copyfileobj(stream, copy)
        return graph.import_export(partial(_lines, kept), name, progress=progress)


def migrate_between(source: Settings, target: Settings, *, progress: Told) -> Migrated:
    """Copy everything of one store into another; raise InvalidInput for no store or the same one."""
    if isinstance(source.store, Path) and not source.store.is_file():
        step = "give the file or the address of a store with --from"
        raise InvalidInput(f"there is no store at {source.store}", id=str(source.store), next_step=step)
    with closing(open_store(source)) as one, closing(open_store(target)) as other:
        return migrate(one, other, progress=progress)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        yield from stream


@contextmanager
def _replaced(path: Path) -> Iterator[IO[bytes]]:
    """Give a stream whose content takes the file's place at the end; a device or a pipe is written at once."""
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    path = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
