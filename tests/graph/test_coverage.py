"""The knowledge map's numbers."""

from datetime import timedelta

from graph.drift_report import DriftReport, Finding, Verdict
from graph.elements import ArchitectureModel, ElementKind
from graph.memories import Kind
from graph.memory_graph import MemoryGraph
from tests.graph.conftest import ME, OTHER, SHOP, WIDE, Clock, element, write


def test_documented_means_a_live_memory_pinned_to_the_element_itself(graph: MemoryGraph) -> None:
    write(graph, "Of the checkout", elements=["Checkout"])
    write(graph, "Of the bank", elements=["Bank"])
    write(graph, "Of a person", elements=["Customer"])
    write(graph, "Of the project")
    write(graph, "Of the organisation", scope=WIDE)
    gone = write(graph, "Gone", elements=["Shop.Web"])
    graph.archive(SHOP, gone.id, actor=ME)
    covered = graph.coverage(SHOP)
    assert covered.headline == "1 of 6 elements documented"
    assert (covered.documented, covered.counted, covered.share, covered.project_wide) == (1, 6, 16.67, 1)
    assert {cell.ref for cell in covered.cells if cell.counted} == {
        "Shop",
        "Shop.API",
        "Shop.API.Checkout",
        "Shop.API.Catalogue",
        "Shop.Web",
        "Shop.Web.Catalogue",
    }


def test_session_outcomes_alone_are_counted_apart(graph: MemoryGraph) -> None:
    write(graph, "We did a thing", elements=["Checkout"], kind=Kind.SESSION_OUTCOME)
    first = graph.coverage(SHOP)
    assert (first.documented, first.outcomes_only) == (0, 1)
    write(graph, "Prices are in cents", elements=["Checkout"])
    second = graph.coverage(SHOP)
    assert (second.documented, second.outcomes_only) == (1, 0)


def test_a_cell_says_what_is_known_how_fresh_and_how_drifted(graph: MemoryGraph, clock: Clock) -> None:
    write(graph, "Old pitfall", elements=["Checkout"], kind=Kind.PITFALL)
    clock.pass_days(45)
    drifted = Finding(
        ref="Shop.API.Checkout",
        kind=ElementKind.COMPONENT,
        verdict=Verdict.DRIFTED,
        landed_at=clock.now - timedelta(days=1),
        commits=3,
    )
    graph.record_drift(SHOP, DriftReport(score=0.0, band="critical", head="c1", at=clock.now, elements=(drifted,)))
    cell = next(cell for cell in graph.coverage(SHOP).cells if cell.name == "Checkout")
    assert (cell.memories, cell.pitfalls, cell.freshness, cell.flagged, cell.verdict) == (1, 1, 0.5, 1, "drifted")
    assert cell.by_kind == {"pitfall": 1}
    assert cell.drifted_at == clock.now - timedelta(days=1)


def test_gaps_are_ordered_by_questions_dependants_and_change(graph: MemoryGraph) -> None:
    write(graph, "Of the checkout", elements=["Checkout"])
    answer = graph.recall(SHOP, "certificates", elements=["Shop.Web.Catalogue"])
    graph.note_recall(SHOP, answer)
    gaps = graph.coverage(SHOP).gaps
    assert [gap.ref for gap in gaps][:2] == ["Shop.Web.Catalogue", "Shop.API"]
    assert (gaps[0].asked, gaps[1].dependants) == (1, 2)
    assert "Shop.API.Checkout" not in {gap.ref for gap in gaps}


def test_an_empty_model_is_wholly_covered(graph: MemoryGraph) -> None:
    graph.import_model(OTHER, ArchitectureModel())
    covered = graph.coverage(OTHER)
    assert (covered.headline, covered.share) == ("0 of 0 elements documented", 100.0)


def test_retired_elements_are_no_gaps(graph: MemoryGraph) -> None:
    graph.import_model(SHOP, ArchitectureModel(elements=(element("Bank", ElementKind.SYSTEM),)))
    assert [cell.ref for cell in graph.coverage(SHOP).cells] == ["Bank"]
    assert [gap.ref for gap in graph.coverage(SHOP).gaps] == ["Bank"]
