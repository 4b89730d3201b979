"""What a person finds in Neo4j's own browser: the graph in the words of the design, on both lines."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import uuid_utils

from graph.drift_report import DriftReport, Finding, NewCode, Verdict
from graph.elements import ElementKind
from graph.memories import Draft
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import StoredRun
from tests.graph.conftest import MODEL
from tests.neo4j.launcher import LINES
from tests.neo4j.serving import Servers

pytest.importorskip("neo4j", reason="the extra `neo4j` is not installed")

from neo4j import Driver, GraphDatabase

from graph.stores.neo4j import Neo4jStore

SHOP = Scope(project="shop")


class Opened:
    """The graph, and a driver of somebody who looks at the database."""

    def __init__(self, graph: MemoryGraph, store: Neo4jStore, driver: Driver) -> None:
        self.graph = graph
        self.store = store
        self._driver = driver

    def ask(self, statement: str) -> list[tuple[object, ...]]:
        return [tuple(record.values()) for record in self._driver.execute_query(statement).records]

    def remember(self, content: str, title: str = "", **others: object) -> str:
        supersedes = others.pop("supersedes", "")
        draft = Draft.model_validate({"content": content, "title": title, **others})
        return self.graph.remember(SHOP, draft, actor="me", supersedes=str(supersedes)).memory.id


@pytest.fixture(params=list(LINES))
def opened(request: pytest.FixtureRequest, neo4j_servers: Servers) -> Iterator[Opened]:
    address = neo4j_servers.empty(request.param)
    store = Neo4jStore(address)
    graph = MemoryGraph(Parts(store, lambda: datetime.now(UTC), lambda: str(uuid_utils.uuid7())))
    graph.import_model(SHOP, MODEL)
    with GraphDatabase.driver(address.url, auth=(address.user, address.password)) as driver:
        yield Opened(graph, store, driver)
    graph.close()


def test_the_model_is_elements_that_contain_and_use_each_other(opened: Opened) -> None:
    contained = {child: parent for parent, child in opened.ask("MATCH (p)-[:CONTAINS]->(e) RETURN p.ref, e.ref")}
    assert contained == {one.ref: one.parent for one in MODEL.elements if one.parent}
    uses = opened.ask("MATCH (a:Element)-[:USES]->(b:Element) RETURN a.ref, b.ref ORDER BY a.ref, b.ref")
    assert uses == sorted((one.source, one.target) for one in MODEL.relationships)
    opened.graph.import_model(SHOP, MODEL.model_copy(update={"elements": MODEL.elements[::-1]}))
    assert len(opened.ask("MATCH ()-[r:CONTAINS]->() RETURN r")) == len(contained)


def test_memories_are_about_elements_and_link_to_what_they_name(opened: Opened) -> None:
    opened.remember("Checkout keeps prices in cents, see [[ADR-2]] and [[Later]]", "Cents", elements=("Checkout",))
    links = "MATCH (m:Memory)-[l:LINKS_TO]->(x) RETURN labels(x)[0], l.raw ORDER BY l.raw"
    assert opened.ask("MATCH (m:Memory)-[:ABOUT]->(e) RETURN e.ref") == [("Shop.API.Checkout",)]
    assert opened.ask(links) == [("Decision", "ADR-2")]
    assert opened.ask("MATCH (l:PendingLink) RETURN l.raw") == [("Later",)]
    opened.remember("It is written now", "Later")
    assert opened.ask(links) == [("Decision", "ADR-2"), ("Memory", "Later")]
    assert opened.ask("MATCH (l:PendingLink) RETURN l.raw") == []


def test_a_successor_supersedes_and_events_tell_of_changes(opened: Opened) -> None:
    old = opened.remember("Orders are kept for 30 days", "Keeping")
    new = opened.remember("Orders are kept for 90 days", "Keeping longer", supersedes=old)
    assert opened.ask("MATCH (a)-[:SUPERSEDES]->(b) RETURN a.id, b.id") == [(new, old)]
    assert opened.ask(f"MATCH (e:Event)-[:CHANGED]->(:Memory {{id: '{old}'}}) RETURN e.kind ORDER BY e.n") == [
        ("created",),
        ("superseded",),
    ]


def test_a_run_has_found_elements_and_new_folders(opened: Opened) -> None:
    report = DriftReport(
        score=50.0,
        band="poor",
        head="c1",
        at=datetime.now(UTC),
        elements=(Finding(ref="Shop.API", kind=ElementKind.CONTAINER, verdict=Verdict.DRIFTED),),
        new=(NewCode(path="src/new", files=3),),
    )
    opened.store.write(SHOP, lambda unit: unit.put_run(StoredRun(id="r1", report=report)))
    assert opened.ask("MATCH (:DriftRun)-[f:FOUND]->(e:Element) RETURN e.ref, f.verdict") == [("Shop.API", "drifted")]
    assert opened.ask("MATCH (:DriftRun)-[:FOUND]->(f:Finding) RETURN f.path, f.files") == [("src/new", 3)]
