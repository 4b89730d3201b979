"""Opening the file: pragmas, transactions, versions and migrations; the only place that knows apsw's moods."""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import apsw

from graph.errors import ArchmemError, StoreBusy, StoreMismatch, Unavailable
from graph.stores.sqlite import schema

BUSY_MS = 30_000
"""How long a transaction waits for another process before it gives up."""

_ELSEWHERE = "check the path and its permissions (of -wal and -shm beside it too), or give another one by --store"


def sqlite_version() -> str:
    """Return the version of the SQLite that the store runs on."""
    return apsw.sqlite_lib_version()


class Connections:
    """A pool of connections to one store file, each used by one transaction at a time."""

    def __init__(self, path: Path, busy_ms: int = BUSY_MS) -> None:
        self.path = path
        self._busy_ms = busy_ms
        self._idle: deque[apsw.Connection] = deque()
        self._lock = threading.Lock()
        self._closed = False
        _make_folder(path)
        with self._guarded(), self._borrowed() as connection:
            _prepare(connection, path, busy_ms)

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Give a connection inside one read transaction: one consistent view, no write lock."""
        with self._guarded(), self._borrowed() as connection:
            connection.execute("BEGIN")
            try:
                _require(connection, writing=False, path=self.path)
                yield connection
            finally:
                # SQLite ends the transaction itself when the disk fails it.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """Give a connection inside one write transaction that commits at the end, or leaves nothing."""
        with self._guarded(), self._borrowed() as connection:
            # The lock is taken before the first read: a read that becomes a write later fails at once in WAL.
            connection.execute("BEGIN IMMEDIATE")
            try:
                _require(connection, writing=True, path=self.path)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close every idle connection; those in use close when they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = list(self._idle), deque()
        for connection in idle:
            connection.close()

    @contextmanager
    def _borrowed(self) -> Iterator[apsw.Connection]:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or _open(self.path, self._busy_ms)
        is_sound = True
        try:
            yield connection
        except apsw.Error:
            is_sound = False
            raise
        finally:
            with self._lock:
                keep = is_sound and not self._closed
                if keep:
                    self._idle.append(connection)
            if not keep:
                connection.close()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (apsw.BusyError, apsw.ProtocolError) as error:
            raise StoreBusy(
                f"another process held the store for more than {self._busy_ms / 1000:g} s; nothing was written",
                id=str(self.path),
                next_step="try again; if it stays so, end the process that holds the file",
            ) from error
        except (apsw.Error, UnicodeDecodeError) as error:
            told = _told(error, self.path)
            if told is None:
                raise
            raise told from error


def _open(path: Path, busy_ms: int) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(busy_ms)
    connection.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536")
    return connection


def _prepare(connection: apsw.Connection, path: Path, busy_ms: int) -> None:
    """Bring the file to the current schema: create it, migrate it after a backup, or refuse it."""
    application = connection.execute("PRAGMA application_id").get
    if application != schema.APPLICATION_ID and connection.execute("SELECT count(*) FROM sqlite_schema").get:
        raise _not_ours(path)
    _enter_wal(connection, busy_ms)
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = _version(connection)
        if found < schema.VERSION:
            _migrate(connection, path, found)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _migrate(connection: apsw.Connection, path: Path, found: int) -> None:
    if found:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        backup = path.with_name(f"{path.name}.v{found}-{stamp}.bak")
        # A second connection, since VACUUM INTO cannot run inside the migration's own transaction.
        source = _open(path, BUSY_MS)
        try:
            source.execute("VACUUM INTO ?", (str(backup),))
        except BaseException:
            backup.unlink(missing_ok=True)
            raise
        finally:
            source.close()
    for statements in schema.MIGRATIONS[found:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(
        "INSERT OR REPLACE INTO meta VALUES(1, ?, ?, ?)", (schema.VERSION, schema.MIN_READER, schema.MIN_WRITER)
    )


def _enter_wal(connection: apsw.Connection, busy_ms: int) -> None:
    # Changing the journal mode ignores the busy timeout, and two processes may open a new file at once.
    deadline = time.monotonic() + busy_ms / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _version(connection: apsw.Connection) -> int:
    if not connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'").get:
        return 0
    return int(connection.execute("SELECT version FROM meta").get)


def _require(connection: apsw.Connection, *, writing: bool, path: Path) -> None:
    column = "min_writer" if writing else "min_reader"
    least = connection.execute(f"SELECT {column} FROM meta").get
    if least is None or least > schema.VERSION:
        raise StoreMismatch(
            f"the store was upgraded: it needs schema {least}, this process knows {schema.VERSION}",
            id=str(path),
            next_step="restart this process with the current version of archmem",
        )


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(
            f"the store's folder {path.parent} cannot be made: {error.strerror}", id=str(path), next_step=_ELSEWHERE
        ) from error


def _told(error: apsw.Error | UnicodeDecodeError, path: Path) -> ArchmemError | None:
    """Return what is wrong with the file or its disk; None for an error that is archmem's own."""
    match error:
        case apsw.NotADBError():
            return _not_ours(path)
        case apsw.CorruptError() | UnicodeDecodeError():  # what was written was UTF-8
            return StoreMismatch(
                "the store file is damaged; nothing was written",
                id=str(path),
                next_step="put a backup in its place, or move it away (its -wal and -shm too) and run `archmem init`",
            )
        case apsw.CantOpenError() | apsw.PermissionsError():
            return StoreMismatch("the store file cannot be opened", id=str(path), next_step=_ELSEWHERE)
        case apsw.ReadOnlyError():
            what, next_step = "the store cannot be written to: it is read-only", _ELSEWHERE
        case apsw.FullError():
            what, next_step = "the disk is full; nothing was written", f"make room on the disk of {path.parent}"
        case apsw.IOError():
            what, next_step = f"the disk failed: {error}; nothing was written", "check the disk, then try again"
        case apsw.NoMemError():
            what, next_step = "the memory of this machine is used up; nothing was written", "end other programs"
        case _:
            return None
    return Unavailable(what, id=str(path), next_step=next_step)


def _not_ours(path: Path) -> StoreMismatch:
    return StoreMismatch(
        "the file is not a store of archmem; it was left as it is",
        id=str(path),
        next_step="give another path by --store",
    )
