"""A process that writes memories and says each one's id once it is committed: `python -m … STORE NAME COUNT`."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import uuid_utils

from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore

BUSY_MS = 5_000
SCOPE = Scope(project="example.org/team/shop")


def open_graph(path: Path) -> MemoryGraph:
    """Open the store as every process does, giving up when a lock is held for more than 5 s."""
    store = SqliteStore(path, busy_ms=BUSY_MS)
    return MemoryGraph(Parts(store, lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7())))


def main() -> None:
    path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    graph = open_graph(path)
    for n in range(1, count + 1):
        # Each links to the one before it and to the one after it, which is pending until that is written.
        content = f"Process {name} wrote fact number {n}, after [[{name} {n - 1}]] and before [[{name} {n + 1}]]"
        answer = graph.remember(SCOPE, Draft(content=content, title=f"{name} {n}"), actor=name)
        sys.stdout.write(f"{answer.memory.id}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
