"""Real parts for the graph's tests: a SQLite file of their own, a clock that stands still until told."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uuid_utils

from graph.elements import ArchitectureModel, Decision, Element, ElementKind, Relationship
from graph.embedders import Embedder
from graph.memories import Draft, Kind
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.policy import GraphPolicy
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.views import MemoryView

SHOP = Scope(project="example.org/team/shop")
OTHER = Scope(project="example.org/team/other")
WIDE = Scope()
ME = "agent/test"


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 6, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_days(self, days: float) -> None:
        self.now += timedelta(days=days)


def new_id() -> str:
    return str(uuid_utils.uuid7())


def element(ref: str, kind: ElementKind = ElementKind.COMPONENT, **others: object) -> Element:
    parent, _, name = ref.rpartition(".")
    return Element.model_validate({"ref": ref, "kind": kind, "name": name, "parent": parent, **others})


MODEL = ArchitectureModel(
    elements=(
        element("Customer", ElementKind.PERSON),
        element("Bank", ElementKind.SYSTEM, external=True),
        element("Shop", ElementKind.SYSTEM),
        element("Shop.API", ElementKind.CONTAINER, source=("src/api",)),
        element("Shop.API.Checkout", source=("src/api/checkout",), identity="checkout"),
        element("Shop.API.Catalogue", source=("src/api/catalogue.py",), identity="catalogue"),
        element("Shop.Web", ElementKind.CONTAINER, source=("web/**/*.ts",)),
        element("Shop.Web.Catalogue", source=("web/catalogue",)),
    ),
    relationships=(
        Relationship(source="Shop.API.Checkout", target="Bank"),
        Relationship(source="Shop.Web", target="Shop.API"),
        Relationship(source="Shop.Web.Catalogue", target="Shop.API"),
    ),
    decisions=(Decision(ref="ADR-2", title="Keep prices in cents", status="accepted", file="docs/adr/0002.md"),),
)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "archmem.db"


Make = Callable[..., MemoryGraph]


@pytest.fixture
def make(store_path: Path, clock: Clock) -> Iterator[Make]:
    """Give a way to open the same store again, with another embedder or policy."""
    opened: list[MemoryGraph] = []

    def open_graph(embedder: Embedder | None = None, policy: GraphPolicy | None = None) -> MemoryGraph:
        parts = Parts(SqliteStore(store_path), clock, new_id, embedder, policy or GraphPolicy())
        opened.append(MemoryGraph(parts))
        return opened[-1]

    yield open_graph
    for graph in opened:
        graph.close()


@pytest.fixture
def graph(make: Make) -> MemoryGraph:
    """A graph without an embedder, its model imported."""
    made = make()
    made.import_model(SHOP, MODEL)
    return made


def write(graph: MemoryGraph, content: str, scope: Scope = SHOP, **fields: object) -> MemoryView:
    """Store one memory and insist that it is a new one."""
    answer = graph.remember(scope, draft(content, **fields), actor=ME)  # type: ignore[arg-type]
    assert not answer.deduplicated
    return answer.memory


def draft(content: str, kind: Kind = Kind.NOTE, **fields: object) -> Draft:
    return Draft.model_validate({"content": content, "kind": kind, **fields})


def found(graph: MemoryGraph, question: str, scope: Scope = SHOP, **options: object) -> list[str]:
    """Return the contents of what is recalled, best first."""
    answer = graph.recall(scope, question, **options)  # type: ignore[arg-type]
    return [hit.memory.content if hit.memory else hit.title for hit in answer.hits]
