"""What every part of a unit shares: the transaction, the scope's numbers, and the change sequence."""

import hashlib
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from graph.scopes import Scope
from graph.stores.holdings import Holdings
from graph.stores.matrix import Matrices
from graph.stores.neo4j.connection import Meta, Transaction

_LONGEST_KEY = 500
_SETTLED_AFTER = 2.0  # seconds


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
    """One transaction's own: the sequence as it was at the beginning, what it changed and has not numbered yet."""

    def __init__(self, tx: Transaction, shared: Shared, last: int, before: int) -> None:
        self.tx = tx
        self.shared = shared
        self._last = last
        self._before = before
        self._changed: set[str] = set()
        self._embedded: set[str] = set()
        self._is_numbered = False
        self._apart = Shared(settling=shared.settling)

    def touch(self, memories: Iterable[str], *, vectors: bool = False) -> None:
        """Note that something changed of these memories that other processes hold."""
        ids = set(memories)
        self._changed |= ids
        if vectors:
            self._embedded |= ids

    @property
    def held(self) -> Shared:
        """What may be filled here: nobody else may see what is not committed yet."""
        return self._apart if self._changed or self._is_numbered else self.shared

    def number(self) -> None:
        """Give every change its number; the sequence stays locked until the commit, so numbers commit in order."""
        if not self._changed:
            return
        row = self.tx.one(
            "MATCH (a:Archmem {one: 1}) SET a.locked = true "
            "WITH a, CASE WHEN $first THEN a.last ELSE a.before END AS before "
            "SET a.before = before, a.last = a.last + $count "
            "WITH a.last AS last, before "
            "UNWIND $changed AS change MATCH (m:Memory {id: change[0]}) "
            "SET m.seq = last - $count + change[1] "
            "SET m.content_seq = CASE WHEN change[2] THEN m.seq ELSE m.content_seq END "
            "RETURN last, before, count(m)",
            first=not self._is_numbered,
            count=len(self._changed),
            changed=[[name, place, name in self._embedded] for place, name in enumerate(sorted(self._changed), 1)],
        )
        if row is not None:
            self._last, self._before, _ = row
        self._changed.clear()
        self._embedded.clear()
        self._is_numbered = True

    def sequence(self) -> tuple[int, int]:
        """Return the last number, and up to which one every change is sure to be seen."""
        self.number()
        return self._last, self.shared.settling.settled(self._last, self._before, time.monotonic())


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

    def seen_at(self, name: str) -> list[str]:
        """Return the keys of a name in the visible scopes."""
        return [key_at(number, name) for number in self._visible]

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
    name = "\n".join(names)
    if len(name) > _LONGEST_KEY:
        name = f"sha256:{hashlib.sha256(name.encode()).hexdigest()}"
    return f"{scope_n}\n{name}"


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
    """Make sure that the scope is there, and let every other write to it wait until this transaction ends."""
    row = tx.one(
        "MERGE (s:Scope {at: $at}) ON CREATE SET s.organisation = $organisation, s.project = $project, s.made = 0 "
        "SET s.locked = true RETURN s.n",
        at=scope_at(scope),
        organisation=scope.organisation,
        project=scope.project,
    )
    if row is None or row[0] is None:
        tx.run("MATCH (a:Archmem {one: 1}) SET a.locked = true")
        tx.run(
            "MATCH (a:Archmem {one: 1}), (s:Scope {at: $at}) SET a.scopes = a.scopes + 1 SET s.n = a.scopes",
            at=scope_at(scope),
        )
