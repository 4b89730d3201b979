"""What every part of a unit shares: the transaction, the scope's numbers, and the change sequence."""

import hashlib
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graph.scopes import Scope
from graph.stores.holdings import Holdings
from graph.stores.matrix import Matrices
from graph.stores.neo4j.connection import Meta, Transaction

_LONGEST_KEY = 500
_SETTLED_AFTER = 2.0  # seconds


class NoScope(Exception):
    """A write meets a scope that is not there yet; it is made by itself, so that no other write waits for this one."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope_at(scope))
        self.scope = scope


class Settling:
    """Up to which number of the sequence every change is sure to be seen.

    A reader may see a commit half-way: its number already, its nodes not yet. Only the last one can be, since the
    next waits for its end; so its changes are read again until it has been there for a while.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = -1
        self._since = 0.0

    def settled(self, last: int, before: int, now: float) -> int:
        """Return the last number when it is old enough, else that of the commit before it."""
        with self._lock:
            if last != self._last:
                self._last, self._since = last, now
            return last if now - self._since >= _SETTLED_AFTER else before


@dataclass(frozen=True, slots=True)
class Shared:
    """What the units of a store share: vectors, what is held of memories, and what of it is settled."""

    matrices: Matrices[tuple[int, str]] = field(default_factory=Matrices)
    holdings: Holdings = field(default_factory=Holdings)
    settling: Settling = field(default_factory=Settling)


class Ground:
    """One transaction's own: the sequence as it was at the beginning, and what it changed."""

    def __init__(self, tx: Transaction, shared: Shared, meta: Meta, *, writing: bool) -> None:
        self.tx = tx
        self.shared = shared
        self.last = meta.last or 0
        # A write may meet a commit half-way too, but it proves nothing about others: it reads that one again.
        self.settled = meta.before if writing else shared.settling.settled(self.last, meta.before, time.monotonic())
        self.changed: set[str] = set()
        self.embedded: set[str] = set()

    def touch(self, memories: Iterable[str], *, vectors: bool = False) -> None:
        """Note that something changed of these memories that other processes hold."""
        ids = set(memories)
        self.changed |= ids
        if vectors:
            self.embedded |= ids

    def number(self) -> None:
        """Give every change its number, as the last thing: the sequence stays locked until the commit.

        So numbers are committed in their order, and other scopes' writers wait for that alone.
        """
        if self.changed:
            self.tx.run(
                "MATCH (a:Archmem {one: 1}) SET a.locked = true "
                "SET a.before = a.last, a.last = a.last + $count WITH a.last - $count AS start "
                "UNWIND $changed AS change MATCH (m:Memory {id: change[0]}) SET m.seq = start + change[1] "
                "SET m.content_seq = CASE WHEN change[2] THEN m.seq ELSE m.content_seq END",
                count=len(self.changed),
                changed=[[name, place, name in self.embedded] for place, name in enumerate(sorted(self.changed), 1)],
            )


class Part:
    """One unit of work's ground: a transaction, bound to a scope."""

    def __init__(self, ground: Ground, scope: Scope, numbers: dict[Scope, int]) -> None:
        self._ground = ground
        self._tx = ground.tx
        self._scope = scope
        self._numbers = numbers
        self._scope_n = numbers.get(scope, 0)
        self._visible = [n for n in (numbers.get(one) for one in scope.visible) if n]

    @property
    def scope(self) -> Scope:
        return self._scope

    def at(self, *names: str) -> str:
        """Return the key of something in the exact scope."""
        return key_at(self._scope_n, *names)

    def take_numbers(self, count: int = 1) -> int:
        """Return the first of the scope's next numbers, which order what is put; the scope is locked."""
        row = self._tx.one(
            "MATCH (s:Scope {n: $scope}) SET s.made = s.made + $count RETURN s.made - $count",
            scope=self._scope_n,
            count=count,
        )
        assert row is not None
        # A scope's number stands above its counter, so that numbers are unique in the whole database.
        return (self._scope_n << 32) + int(row[0]) + 1


def key_at(scope_n: int, *names: str) -> str:
    """Return one text for a name in a scope, short enough for an index."""
    return f"{scope_n}\n{_short(names)}"


def identity_at(organisation: str, identity: str) -> str:
    """Return the key of a project's identity."""
    return f"{organisation}\n{_short((identity,))}"


def scope_at(scope: Scope) -> str:
    """Return the key of a scope."""
    return f"{scope.organisation}\n{scope.project}"


def find_scopes(tx: Transaction, scopes: Iterable[Scope]) -> tuple[Meta, dict[Scope, int]]:
    """Return what the database says of itself, and the numbers of the scopes that are there."""
    by_key = {scope_at(scope): scope for scope in scopes}
    row = tx.one(
        "MATCH (a:Archmem {one: 1}) OPTIONAL MATCH (s:Scope) WHERE s.at IN $keys "
        "RETURN a.min_reader, a.min_writer, a.last, a.before, collect([s.at, s.n])",
        keys=list(by_key),
    )
    if row is None:
        return Meta(), {}
    return Meta(*row[:4]), {by_key[at]: n for at, n in row[4] if at is not None and n is not None}


def lock_scope(tx: Transaction, scope: Scope) -> None:
    """Let every other write to the scope wait until this transaction ends; raise NoScope when it is not there."""
    if tx.one("MATCH (s:Scope {at: $at}) SET s.locked = true RETURN s.n", at=scope_at(scope)) is None:
        raise NoScope(scope)


def add_scope(tx: Transaction, scope: Scope) -> None:
    """Make the scope and give it its number, unless another process was faster."""
    tx.run("MATCH (a:Archmem {one: 1}) SET a.locked = true")
    tx.run(
        "MATCH (a:Archmem {one: 1}) WHERE NOT EXISTS { (:Scope {at: $at}) } SET a.scopes = a.scopes + 1 "
        "CREATE (:Scope {at: $at, n: a.scopes, organisation: $organisation, project: $project, made: 0})",
        at=scope_at(scope),
        organisation=scope.organisation,
        project=scope.project,
    )


def _short(names: Sequence[str]) -> str:
    name = "\n".join(names)
    return name if len(name) <= _LONGEST_KEY else f"sha256:{hashlib.sha256(name.encode()).hexdigest()}"
