"""Briefings of the bookshop: for each task, what must be told and what must not, written down before it was run."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uuid_utils

from graph.drift_report import DriftReport, Finding, Verdict
from graph.elements import ElementKind
from graph.embedders.local import LocalEmbedder, available
from graph.memories import Draft, Kind
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.sqlite import SqliteStore
from graph.work_views import Briefing
from tests.test_bookshop import SCOPE, TOLD, read_bookshop

pytestmark = pytest.mark.skipif(not available(), reason="the extra `local` is not installed")

WIDE = Scope()
CHECKOUT, BILLING = "Bookshop.API.Checkout", "Bookshop.API.Billing"
BEFORE = (
    # kind, title, content, elements; those about Checkout and Billing are older than the code beneath them.
    (Kind.PITFALL, "Card holds run out", "An authorisation is void after seven days; charge it before.", CHECKOUT),
    (Kind.CONVENTION, "Same card", "A refund goes back to the card that paid, never to another one.", BILLING),
    (
        Kind.PITFALL,
        "Ten seconds",
        "A request that takes longer than ten seconds is cut off in the API.",
        "Bookshop.API",
    ),
    (Kind.NOTE, "Gift wrap", "At checkout, wrapping a book as a gift costs two euros.", CHECKOUT),
    (Kind.PITFALL, "Old proxy", "The proxy before the gateway drops cookies of clients.", "Bookshop.ApiGateway"),
)


@dataclass(frozen=True)
class Case:
    """A task with the titles of what must be told in full, in this order, and of what must not."""

    task: str
    elements: tuple[str, ...]
    paths: tuple[str, ...]
    must: frozenset[str]
    must_not: frozenset[str]
    verify: str = ""


CASES = {
    "vouchers": Case(
        "Let customers pay with a voucher at checkout",
        ("Checkout",),
        (),
        must=frozenset({"Card holds run out", "Ten seconds", "Shared staging", "Idempotency key"}),
        must_not=frozenset({"Header limit", "Strict mapping", "Accents", "Plain mail", "Burst protection"}),
        verify="Card holds run out",
    ),
    "throttling": Case(
        "Tell a client clearly that it sends too many requests",
        ("ApiGateway",),
        (),
        must=frozenset({"Burst protection", "Header limit", "Shared staging"}),
        must_not=frozenset({"Lock order", "One rebuild a day", "Invoice numbers", "Ten seconds", "Card holds run out"}),
    ),
    "search fields": Case(
        "Rename a field of the search index",
        (),
        ("search/books.json", "services/worker/indexer.py"),
        must=frozenset({"Strict mapping", "One rebuild a day", "Events come twice"}),
        must_not=frozenset({"Burst protection", "Whole cents", "Hold time", "Idempotency key", "Header limit"}),
    ),
    "refunds": Case(
        "Refund a returned order to the customer's card",
        (),
        (),
        must=frozenset({"Same card", "Shared staging"}),
        must_not=frozenset({"Header limit", "Strict mapping", "Shape of a kept basket", "Accents", "Burst protection"}),
        verify="Same card",
    ),
    "the basket": Case(
        "",
        ("Bookshop.Storefront.Basket",),
        (),
        must=frozenset({"Shape of a kept basket", "Whole cents", "Baskets do not change", "Shared staging"}),
        must_not=frozenset({"Header limit", "Lock order", "Burst protection", "Ten seconds", "Strict mapping"}),
    ),
}
NEVER = frozenset({"Gift wrap", "Old proxy"})


class Clock:
    now = datetime(2026, 6, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def make_bookshop(folder: Path) -> MemoryGraph:
    """Return the bookshop with what its sample knows, and with what drifted, was replaced, or is everybody's."""
    clock = Clock()
    made = MemoryGraph(
        Parts(SqliteStore(folder / "archmem.db"), clock, lambda: str(uuid_utils.uuid7()), LocalEmbedder())
    )
    made.import_model(SCOPE, read_bookshop())
    for kind, title, content, element in BEFORE:
        draft = Draft(kind=kind, title=title, content=content, elements=(element,))
        assert not made.remember(SCOPE, draft, actor="team/shop").deduplicated
    shared = Draft(kind=Kind.PITFALL, title="Shared staging", content="A load test on staging stops all other teams.")
    made.remember(WIDE, shared, actor="team/platform")
    free = Draft(content="Wrapping a book as a gift is free since spring.", title="Free gift wrap")
    made.supersede(SCOPE, "Gift wrap", free, actor="team/shop")
    made.archive(SCOPE, "Old proxy", actor="team/shop")
    clock.now += timedelta(days=2)
    landed = [
        Finding(ref=ref, kind=ElementKind.COMPONENT, verdict=Verdict.DRIFTED, commits=3, landed_at=clock.now)
        for ref in (CHECKOUT, BILLING)
    ]
    made.record_drift(SCOPE, DriftReport(score=80, band="good", head="c1", at=clock.now, elements=tuple(landed)))
    clock.now += timedelta(days=1)
    for one in TOLD["memories"]:
        assert not made.remember(SCOPE, Draft.model_validate(one), actor="team/shop").deduplicated
    begun = made.start_session(SCOPE, "Split deliveries", agent="agent/a", elements=[CHECKOUT])
    made.finish_session(
        SCOPE,
        begun.session,
        summary="Deliveries split",
        follow_ups=["Tell the Worker of split orders"],
        actor="agent/a",
    )
    return made


@pytest.fixture(scope="module")
def bookshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    made = make_bookshop(tmp_path_factory.mktemp("bookshop"))
    yield made
    made.close()


def brief(graph: MemoryGraph, case: Case) -> Briefing:
    return graph.briefing(SCOPE, case.task, elements=case.elements, paths=case.paths)


def ids(graph: MemoryGraph, titles: frozenset[str]) -> set[str]:
    return {graph.memory(SCOPE if title != "Shared staging" else WIDE, title).id for title in titles}


@pytest.mark.parametrize("name", CASES)
def test_a_briefing_tells_what_the_task_needs_and_nothing_that_it_does_not(bookshop: MemoryGraph, name: str) -> None:
    case = CASES[name]
    told = brief(bookshop, case)
    assert len(told.text) <= 2_000
    assert ids(bookshop, case.must) <= set(told.served)
    assert not ids(bookshop, case.must_not | NEVER) & set(told.served)
    for title in NEVER:
        assert f"**{title}**" not in told.text
        assert f"- {title} [" not in told.text
    for title in case.must:
        assert f"**{title}**" in told.text
    if case.verify:
        assert f"**{case.verify}** [{bookshop.memory(SCOPE, case.verify).kind.upper()}] [VERIFY — " in told.text
    assert told.text.endswith("</agent-memory>")
    assert brief(bookshop, case).text == told.text


def test_pitfalls_of_the_element_come_before_those_of_what_contains_it_and_of_everybody(bookshop: MemoryGraph) -> None:
    text = brief(bookshop, CASES["vouchers"]).text
    at = [text.index(f"**{title}**") for title in ("Card holds run out", "Ten seconds", "Shared staging")]
    assert at == sorted(at)
    assert at[-1] < text.index("**Idempotency key**")


def test_a_session_that_names_nothing_is_briefed_on_what_its_task_means(tmp_path: Path) -> None:
    made = make_bookshop(tmp_path)
    begun = made.start_session(SCOPE, CASES["refunds"].task, agent="agent/b")
    assert begun.elements[0] == BILLING
    assert len(begun.briefing) <= 2_000
    assert "**Same card** [CONVENTION] [VERIFY — " in begun.briefing
    assert "**Header limit**" not in begun.briefing
    made.close()


def test_what_the_last_session_left_open_comes_after_the_pitfalls(bookshop: MemoryGraph) -> None:
    text = bookshop.briefing(SCOPE, elements=["Checkout"]).text
    assert text.index("**Shared staging**") < text.index('"Tell the Worker of split orders"')
    assert text.index("split orders") < text.index("**Forgotten hold**")
