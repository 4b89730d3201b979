"""Both stores give the same answers: the same random operations on each, recall's order and scores included."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from graph.errors import ArchmemError
from graph.memories import Draft, Kind, State
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.stores.transfer import Store
from graph.vectors import Vector
from tests.graph.conftest import MODEL
from tests.neo4j.serving import Servers

WORDS = ("gateway", "strips", "headers", "longer", "8KB", "16KB", "checkout", "never", "always", "retries", "cents")
TITLES = ("Limit", "limit", "Prices", "Retry rule", "Écran", "")
EXAMPLES = count()


class Bag:
    """An embedder of word counts."""

    identity = name = "test:bag:32"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        made = np.full(32, 0.01, dtype=np.float32)
        for word in text.casefold().split():
            made[crc32(word.encode()) % 32] += 1
        return made / np.float32(np.linalg.norm(made))


class Alike(RuleBasedStateMachine):
    """Two facades with one clock and the same ids, on two stores."""

    def __init__(self, stores: tuple[Store, Store]) -> None:
        super().__init__()
        self.now = datetime(2026, 6, 1, 12, tzinfo=UTC)
        self.example = next(EXAMPLES)
        self.graphs = [MemoryGraph(Parts(store, lambda: self.now, self._ids(), Bag())) for store in stores]
        self.made: list[str] = []
        organisation = f"org{self.example}"
        self.wide = Scope(organisation=organisation)
        self.scopes = [Scope(organisation=organisation, project=name) for name in ("here", "there")] + [self.wide]

    def _ids(self) -> Callable[[], str]:
        numbers = count()
        return lambda: f"x{self.example}-{next(numbers):06}"

    def same(self, work: Callable[[MemoryGraph], object]) -> object:
        """Do the same on both and insist on the same answer, or the same refusal."""
        outcomes = []
        for graph in self.graphs:
            try:
                outcomes.append(work(graph))
            except ArchmemError as error:
                outcomes.append((type(error), str(error), error.id))
        assert outcomes[0] == outcomes[1]
        return outcomes[0]

    scope = st.integers(0, 2)
    chosen = st.integers(0, 10_000)
    text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
    pins = st.lists(st.sampled_from(("Checkout", "Shop.API", "Customer")), max_size=2, unique=True).map(tuple)

    def memory(self, chosen: int) -> str:
        return self.made[chosen % len(self.made)]

    @initialize()
    def open(self) -> None:
        for scope in self.scopes[:2]:
            self.same(lambda graph, scope=scope: graph.import_model(scope, MODEL))  # type: ignore[misc]

    @rule(
        at=scope,
        text=text,
        title=st.sampled_from(TITLES),
        link=st.sampled_from(("", " [[Limit]]", " [[Retry rule]] and [[ADR-2]]", " [[Shop.API]]")),
        kind=st.sampled_from(list(Kind)),
        pins=pins,
        replaces=st.none() | chosen,
        key=st.sampled_from(("", "", "k1", "k2")),
        unreviewed=st.booleans(),
    )
    def remember(
        self,
        at: int,
        text: str,
        title: str,
        link: str,
        kind: Kind,
        pins: tuple[str, ...],
        replaces: int | None,
        key: str,
        unreviewed: bool,
    ) -> None:
        scope = self.scopes[at]
        elements = () if scope == self.wide else pins
        draft = Draft(content=text + link, title=title, kind=kind, elements=elements, unreviewed=unreviewed)
        old = self.memory(replaces) if replaces is not None and self.made and replaces % 3 == 0 else ""
        self.same(lambda graph: graph.remember(scope, draft, actor="a", supersedes=old, key=key))
        listed = self.graphs[0].memories(scope, states=tuple(State), limit=10_000)
        self.made = sorted({*self.made, *(one.id for one in listed)})

    @rule(
        at=scope, question=text, place=st.sampled_from(((), (), ("Checkout",), ("Shop.API",))), limit=st.integers(1, 8)
    )
    def recall(self, at: int, question: str, place: tuple[str, ...], limit: int) -> None:
        scope = self.scopes[at]
        elements = () if scope == self.wide else place
        self.same(lambda graph: graph.recall(scope, question, elements=elements, limit=limit, explain=True))

    @rule(at=scope, question=text, session=st.sampled_from(("s1", "s2", "s3", "s4", "s5", "s6")))
    def note(self, at: int, question: str, session: str) -> None:
        def served(graph: MemoryGraph) -> object:
            answer = graph.recall(self.scopes[at], question)
            graph.note_recall(self.scopes[at], answer, session=session)
            return answer

        self.same(served)

    @precondition(lambda self: self.made)
    @rule(at=scope, session=st.sampled_from(("s1", "s2", "s3", "s4", "s5", "s6")), chosen=st.lists(chosen, max_size=2))
    def cite(self, at: int, session: str, chosen: list[int]) -> None:
        names = [self.memory(one) for one in chosen]
        self.same(lambda graph: graph.cite(self.scopes[at], session, names))

    @precondition(lambda self: self.made)
    @rule(at=scope, chosen=chosen, how=st.sampled_from(("confirm", "archive", "history", "memory")))
    def tend(self, at: int, chosen: int, how: str) -> None:
        scope, name = self.scopes[at], self.memory(chosen)
        works: dict[str, Callable[[MemoryGraph], object]] = {
            "confirm": lambda graph: graph.confirm(scope, name, actor="b"),
            "archive": lambda graph: graph.archive(scope, name, actor="b") if chosen % 3 == 0 else None,
            "history": lambda graph: graph.history(scope, name),
            "memory": lambda graph: graph.memory(scope, name),
        }
        self.same(works[how])

    @precondition(lambda self: self.made)
    @rule(at=scope, chosen=chosen, title=st.sampled_from(TITLES[:-1]))
    def rename(self, at: int, chosen: int, title: str) -> None:
        self.same(lambda graph: graph.rename(self.scopes[at], self.memory(chosen), title, actor="c"))

    @rule(at=scope, chosen=chosen, limit=st.integers(1, 5))
    def review(self, at: int, chosen: int, limit: int) -> None:
        scope = self.scopes[at]
        self.same(lambda graph: graph.inbox(scope, limit=limit, budget=2_000))
        waiting = self.graphs[0].inbox(scope).entries
        if not waiting:
            return
        entry = waiting[chosen % len(waiting)]
        name = entry.proposal.id if entry.proposal else entry.memory.id
        other = entry.other.id if entry.other else entry.link
        if entry.proposal and chosen % 2:
            self.same(lambda graph: graph.accept_proposal(scope, name, actor="d"))
        elif entry.other and chosen % 2:
            self.same(lambda graph: graph.merge(scope, (other,), into=name, actor="d"))
        else:
            self.same(lambda graph: graph.dismiss(scope, name, entry.why, actor="d", other=other))

    @precondition(lambda self: self.made)
    @rule(at=scope, chosen=chosen, text=text)
    def propose(self, at: int, chosen: int, text: str) -> None:
        draft = Draft(content=text) if chosen % 2 else None
        self.same(lambda graph: graph.propose(self.scopes[at], self.memory(chosen), draft=draft, actor="m"))

    @precondition(lambda self: self.made)
    @rule(at=scope, chosen=st.lists(chosen, min_size=2, max_size=3), text=st.none() | text)
    def merge(self, at: int, chosen: list[int], text: str | None) -> None:
        names = [self.memory(one) for one in chosen]
        draft = Draft(content=text) if text else None
        self.same(lambda graph: graph.merge(self.scopes[at], names, into=names[0], actor="d", draft=draft))

    @rule(days=st.integers(0, 60))
    def wait(self, days: int) -> None:
        self.now += timedelta(days=days, microseconds=1)

    @rule(at=scope)
    def look(self, at: int) -> None:
        scope = self.scopes[at]
        self.same(lambda graph: graph.memories(scope, states=tuple(State), limit=10_000))
        self.same(lambda graph: graph.coverage(scope))
        self.same(lambda graph: (graph.elements(scope), graph.anchors(scope)))

    @rule(at=scope, drop=st.booleans())
    def import_model(self, at: int, drop: bool) -> None:
        kept = MODEL.elements[:-2] if drop else MODEL.elements
        names = {one.ref for one in kept}
        uses = tuple(one for one in MODEL.relationships if {one.source, one.target} <= names)
        model = MODEL.model_copy(update={"elements": kept, "relationships": uses})
        self.same(lambda graph: graph.import_model(self.scopes[at], model))

    @rule(at=scope, holder=st.sampled_from(("x", "y")), give_back=st.booleans())
    def lease(self, at: int, holder: str, give_back: bool) -> None:
        if give_back:
            self.same(lambda graph: graph.release(self.scopes[at], "job", holder))
        self.same(lambda graph: graph.lease(self.scopes[at], "job", holder, 86_400))


@pytest.mark.parametrize(("line", "operations"), [("5.26", 2_000), ("2026", 500)])
def test_random_operations_are_answered_alike(
    neo4j_servers: Servers, line: str, operations: int, tmp_path: Path
) -> None:
    from graph.stores.neo4j import Neo4jStore

    stores = SqliteStore(tmp_path / "archmem.db"), Neo4jStore(neo4j_servers.empty(line))
    try:
        run_state_machine_as_test(
            lambda: Alike(stores),  # type: ignore[arg-type]
            settings=settings(
                max_examples=operations // 100,
                stateful_step_count=100,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        for store in stores:
            store.close()
