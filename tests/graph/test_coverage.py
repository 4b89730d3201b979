"""The knowledge map's numbers."""

from datetime import timedelta

from graph.drift_report import DriftReport, Finding, Verdict
from graph.elements import ArchitectureModel, ElementKind
from graph.memories import Evidence, Kind
from graph.memory_graph import MemoryGraph
from graph.policy import GraphPolicy, RankingPolicy
from graph.stores.port import WriteUnit
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, WIDE, Clock, Make, element, write


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


def test_where_nothing_is_to_be_documented_no_share_is_told(graph: MemoryGraph) -> None:
    graph.import_model(OTHER, ArchitectureModel(elements=(element("Customer", ElementKind.PERSON),)))
    for scope in (OTHER, WIDE):
        covered = graph.coverage(scope)
        assert (covered.headline, covered.share) == ("0 of 0 elements documented", None)


def test_each_element_counts_a_memory_that_is_pinned_to_several(graph: MemoryGraph) -> None:
    write(graph, "Of both", elements=["Checkout", "Shop.Web"], kind=Kind.LESSON)
    write(graph, "Of one", elements=["Checkout"])
    cells = {cell.ref: cell for cell in graph.coverage(SHOP).cells}
    assert cells["Shop.API.Checkout"].by_kind == {"lesson": 1, "note": 1}
    assert (cells["Shop.API.Checkout"].memories, cells["Shop.Web"].memories) == (2, 1)
    assert graph.coverage(SHOP).project_wide == 0


def test_the_flagged_are_told_from_those_whose_claims_hold(make: Make) -> None:
    strict = make(policy=GraphPolicy(ranking=RankingPolicy(evidence=False)))
    strict.import_model(SHOP, MODEL)
    graph = make()
    write(graph, "Of the checkout", elements=["Checkout"])
    intact = write(graph, "Holds", elements=["Checkout"])

    def claims_hold(unit: WriteUnit) -> None:
        (record,) = unit.memories((intact.id,))
        changes = {"version": 2, "evidence": Evidence.INTACT, "drifted_at": record.confirmed_at}
        unit.put_unindexed(record.model_copy(update=changes))

    graph._parts.store.write(SHOP, claims_hold)
    flagged = [sum(cell.flagged for cell in one.coverage(SHOP).cells) for one in (graph, strict)]
    assert flagged == [0, 1]


def ask_in_vain(graph: MemoryGraph, question: str) -> None:
    answer = graph.recall(SHOP, question)
    assert not answer.answered
    graph.note_recall(SHOP, answer)


def test_a_question_is_listed_until_something_written_later_answers_it(graph: MemoryGraph) -> None:
    for question in ("zebra stripes", "certificates", "zebra stripes", "how are coupons stacked"):
        ask_in_vain(graph, question)
    assert graph.coverage(SHOP).unanswered == ("how are coupons stacked", "zebra stripes", "certificates")
    write(graph, "Stripes mark a zebra crossing", elements=["Shop.Web"])
    assert graph.coverage(SHOP).unanswered == ("how are coupons stacked", "certificates")
    write(graph, "Renewed by hand each June", scope=WIDE, title="Certificates")
    assert graph.coverage(SHOP).unanswered == ("how are coupons stacked",)
    gone = write(graph, "Coupons are stacked by date")
    assert graph.coverage(SHOP).unanswered == ()
    graph.archive(SHOP, gone.id, actor=ME)
    assert graph.coverage(SHOP).unanswered == ("how are coupons stacked",)


def test_what_was_known_when_a_question_was_asked_in_vain_does_not_answer_it(make: Make) -> None:
    graph = make(policy=GraphPolicy(ranking=RankingPolicy(min_relevance=0.9)))
    graph.import_model(SHOP, MODEL)
    write(graph, "The zebra crossing is closed")
    ask_in_vain(graph, "zebra stripes")
    lenient = make()
    assert lenient.recall(SHOP, "zebra stripes").answered
    assert lenient.coverage(SHOP).unanswered == ("zebra stripes",)


def test_retired_elements_are_no_gaps(graph: MemoryGraph) -> None:
    graph.import_model(SHOP, ArchitectureModel(elements=(element("Bank", ElementKind.SYSTEM),)))
    assert [cell.ref for cell in graph.coverage(SHOP).cells] == ["Bank"]
    assert [gap.ref for gap in graph.coverage(SHOP).gaps] == ["Bank"]
