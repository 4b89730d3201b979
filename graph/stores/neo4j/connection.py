"""Talking to the server: the driver, managed transactions, versions and migrations; the only place that knows it."""

import logging
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import neo4j
from neo4j import GraphDatabase, ManagedTransaction, NotificationMinimumSeverity
from neo4j.exceptions import (
    ConfigurationError,
    ConnectionAcquisitionTimeoutError,
    ConstraintError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from graph.errors import ArchmemError, Conflict, StoreBusy, StoreMismatch, Unavailable
from graph.stores.neo4j import schema
from graph.stores.rows import Row

T = TypeVar("T")

# What is tried again is told when it fails for good; the driver would tell each time, on stderr.
logging.getLogger("neo4j").setLevel(logging.ERROR)

RETRY_SECONDS = 30.0
"""How long a transaction is tried again when the server is away or another one holds what it needs."""

_SECURITY = "Neo.ClientError.Security."
_NO_DATABASE = ("Neo.ClientError.Database.DatabaseNotFound", "Neo.ClientError.General.DatabaseNotFound")
_BUSY = ("DeadlockDetected", "LockClientStopped", "LockAcquisitionTimeout")
_NAMED_WRONG = "check ARCHMEM_STORE (or --store), and whether the server runs and listens there"


def driver_version() -> str:
    """Return the version of the official driver that the store uses."""
    return neo4j.__version__


class Address(NamedTuple):
    """Where a store is and who opens it; the server's default database when none is named."""

    url: str
    user: str = "neo4j"
    password: str = ""
    database: str = ""

    def __repr__(self) -> str:
        return f"Address({self.url!r}, user={self.user!r}, database={self.database!r})"

    @property
    def shown(self) -> str:
        """The address as errors name it."""
        return f"{self.url}/{self.database}" if self.database else self.url


class Meta(NamedTuple):
    """What the database says of itself: the oldest schemas that may read and write, and the change sequence."""

    min_reader: int = 0
    min_writer: int = 0
    last: int | None = None
    before: int = 0


class Transaction:
    """A transaction, one statement at a time."""

    def __init__(self, managed: ManagedTransaction | neo4j.Transaction) -> None:
        self._managed = managed

    def rows(self, statement: str, **parameters: Any) -> list[Row]:
        """Return the rows of a statement."""
        return [record.values() for record in self._managed.run(statement, parameters)]

    def each(self, statement: str, **parameters: Any) -> Iterator[Row]:
        """Yield the rows of a statement while they come."""
        return (record.values() for record in self._managed.run(statement, parameters))

    def one(self, statement: str, **parameters: Any) -> Row | None:
        """Return the first row of a statement; None without any."""
        return next(iter(self.rows(statement, **parameters)), None)

    def run(self, statement: str, **parameters: Any) -> None:
        """Run a statement that answers nothing."""
        self._managed.run(statement, parameters).consume()


class Server:
    """A database behind the driver's pool; what this process has written, its next transaction sees."""

    def __init__(self, address: Address, retry_seconds: float = RETRY_SECONDS) -> None:
        self.address = address
        try:
            self._driver = GraphDatabase.driver(
                address.url,
                auth=(address.user, address.password),
                connection_timeout=10.0,
                connection_acquisition_timeout=20.0,
                max_transaction_retry_time=retry_seconds,
                notifications_min_severity=NotificationMinimumSeverity.OFF,
                telemetry_disabled=True,
            )
        except (ConfigurationError, ValueError, OSError) as error:
            raise _unreachable(error, address) from error
        self._bookmarks = GraphDatabase.bookmark_manager()
        try:
            # Without a retry: what is wrong from the beginning is told at once.
            self.define("RETURN 1")
            _prepare(self)
        except BaseException:
            self._driver.close()
            raise

    @property
    def _of_session(self) -> dict[str, Any]:
        return {"bookmark_manager": self._bookmarks, "database": self.address.database or None}

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a managed read transaction."""

        def whole() -> T:
            with self._driver.session(**self._of_session) as session:
                return session.execute_read(lambda managed: work(Transaction(managed)))

        return self._guarded(whole)

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a managed write transaction, again when it lost to another; nothing stays when it raises."""

        def whole() -> T:
            with self._driver.session(**self._of_session) as session:
                return session.execute_write(lambda managed: work(Transaction(managed)))

        return self._guarded(whole)

    def once(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction that is not tried again: what it has done outside could not be undone."""

        def whole() -> T:
            with self._driver.session(**self._of_session) as session, session.begin_transaction() as begun:
                result = work(Transaction(begun))
                begun.commit()
                return result

        return self._guarded(whole)

    def define(self, statement: str) -> None:
        """Run one statement by itself, once: those of the schema stand in no transaction with data."""

        def whole() -> None:
            with self._driver.session(**self._of_session) as session:
                session.run(statement).consume()

        self._guarded(whole)

    def version(self) -> str:
        """Return the server's name, version and edition."""
        rows = self.read(
            lambda tx: tx.rows("CALL dbms.components() YIELD name, versions, edition RETURN name, versions[0], edition")
        )
        name, version, edition = rows[0]
        return f"{name} {version} {edition}"

    def close(self) -> None:
        """Close every connection."""
        self._driver.close()

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (DriverError, Neo4jError) as error:
            told = _told(error, self.address)
            if told is None:
                raise
            raise told from error


def require(meta: Meta, address: Address, *, writing: bool) -> None:
    """Raise StoreMismatch when the database needs another version of archmem."""
    if meta.last is None:
        raise StoreMismatch(
            "the database holds no store of archmem any more",
            id=address.shown,
            next_step="start this process again, or give another database by ARCHMEM_NEO4J_DATABASE",
        )
    least = meta.min_writer if writing else meta.min_reader
    if least > schema.VERSION:
        raise StoreMismatch(
            f"the store was upgraded: it needs schema {least}, this process knows {schema.VERSION}",
            id=address.shown,
            next_step="restart this process with the current version of archmem",
        )


def _prepare(server: Server) -> None:
    """Bring the database to the current schema: fill an empty one, migrate an older one, refuse a foreign one."""
    found = server.read(lambda tx: tx.one("OPTIONAL MATCH (a:Archmem) RETURN max(a.version), EXISTS { MATCH () }"))
    version, is_used = found or (None, False)
    if version is None and is_used:
        raise StoreMismatch(
            "the database holds other data than archmem's; it was left as it is",
            id=server.address.shown,
            next_step="give a database of its own by ARCHMEM_NEO4J_DATABASE, or an empty one",
        )
    version = version or 0
    if version >= schema.VERSION:
        return
    for statements in schema.MIGRATIONS[version:]:
        for statement in statements:
            server.define(statement)
    server.define("CALL db.awaitIndexes(300)")
    server.write(_record_version)


def _record_version(tx: Transaction) -> None:
    tx.run(
        "MERGE (a:Archmem {one: 1}) ON CREATE SET a.id = randomUUID(), a.scopes = 0, a.last = 0, a.before = 0 "
        "SET a.version = $version, a.min_reader = $reader, a.min_writer = $writer",
        version=schema.VERSION,
        reader=schema.MIN_READER,
        writer=schema.MIN_WRITER,
    )


def _told(error: DriverError | Neo4jError, address: Address) -> ArchmemError | None:
    """Return what is wrong with the server or the address; None for an error that is archmem's own."""
    code = (error.code or "") if isinstance(error, Neo4jError) else ""
    if code.startswith(_SECURITY):
        return _refused(code.removeprefix(_SECURITY), address)
    if code in _NO_DATABASE:
        return StoreMismatch(
            f"the server has no database {address.database!r}",
            id=address.shown,
            next_step="correct ARCHMEM_NEO4J_DATABASE, or unset it for the server's default database",
        )
    match error:
        case IncompleteCommit():
            return Unavailable(
                "the connection broke while the change was committed: it may have been kept",
                id=address.shown,
                next_step="look whether it is there before it is made again",
            )
        case ServiceUnavailable() | SessionExpired() | ConnectionAcquisitionTimeoutError() | ConfigurationError():
            return _unreachable(error, address)
        case ConstraintError():
            return Conflict(
                "another change was faster", id=address.shown, next_step="read what is stored now, and try again"
            )
    return _refusal(code, address) if isinstance(error, Neo4jError) else None


def _refusal(code: str, address: Address) -> ArchmemError:
    """Return what a server's own error means; none of them leaves anything written."""
    name = code.rpartition(".")[2]
    if name in _BUSY:
        what = "other transactions held what this one needs; nothing was written"
        return StoreBusy(what, id=address.shown, next_step="try again")
    if "Memory" in name:
        return Unavailable(
            "this is more than the server's memory takes in one transaction; nothing was written",
            id=address.shown,
            next_step="raise the server's heap or db.memory.transaction.max; `archmem migrate` goes by small batches",
        )
    if name.startswith("TransactionTimedOut"):
        return Unavailable(
            "the server ended the transaction after its longest time; nothing was written",
            id=address.shown,
            next_step="raise db.transaction.timeout on the server, or set it to 0",
        )
    return Unavailable(
        f"the server refused what archmem asked: {code}; nothing was written",
        id=address.shown,
        next_step="look into the server's logs; it must be writable and of a version that archmem knows",
    )


def _refused(why: str, address: Address) -> Unavailable:
    what, next_step = {
        "CredentialsExpired": (
            f"the password of {address.user!r} has expired",
            "change it, in cypher-shell for example, and give the new one by ARCHMEM_NEO4J_PASSWORD",
        ),
        "AuthenticationRateLimit": (
            f"the server refuses {address.user!r} after too many wrong passwords",
            "wait a little, then give the right one by ARCHMEM_NEO4J_PASSWORD",
        ),
        "Forbidden": (
            f"{address.user!r} may not do this in the database",
            "give the user the right to read, write and define its schema",
        ),
    }.get(
        why,
        (f"the server refused {address.user!r}", "correct ARCHMEM_NEO4J_USER and ARCHMEM_NEO4J_PASSWORD"),
    )
    return Unavailable(f"{what}; nothing was written", id=address.shown, next_step=next_step)


def _unreachable(error: Exception, address: Address) -> Unavailable:
    return Unavailable(f"Neo4j does not answer at {address.url}: {error}", id=address.shown, next_step=_NAMED_WRONG)
