"""find_elements: what a task is about, by meaning, by words, by what is remembered."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.elements import ArchitectureModel, ElementKind
from graph.embedders.local import LocalEmbedder, available
from graph.errors import InvalidInput
from graph.memory_graph import MemoryGraph
from graph.policy import FindingPolicy, GraphPolicy
from tests.graph.conftest import MODEL, SHOP, Make, element, write

MODEL_OF_ORDERS = ArchitectureModel(
    elements=(
        element("Shop", ElementKind.SYSTEM, description="Sells books."),
        element("Shop.OrderProcessor", description="Moves a purchase from placed to shipped.", source=("src/orders",)),
        element("Shop.FooHandler", description="Handles foo."),
        element("Shop.Mailer", description="Sends letters to readers.", technology="SMTP", tags=("outgoing",)),
        element("Bank", ElementKind.SYSTEM, external=True, description="Captures card payments."),
        element("Shop.Ledger", description="Keeps card payments."),
    )
)


def refs(graph: MemoryGraph, question: str, **more: int) -> list[str]:
    return [one.ref for one in graph.find_elements(SHOP, question, **more).elements]


@pytest.fixture
def graph(make: Make) -> MemoryGraph:
    """A graph by words alone."""
    made = make()
    made.import_model(SHOP, MODEL_OF_ORDERS)
    return made


def test_words_of_name_description_technology_tag_and_path_find_an_element(graph: MemoryGraph) -> None:
    for question in ("order", "shipping a purchase", "what is in src/orders/table.py", "processors"):
        assert refs(graph, question)[0] == "Shop.OrderProcessor", question
    for question in ("smtp", "outgoing", "letter"):
        assert refs(graph, question) == ["Shop.Mailer"], question


def test_what_is_remembered_about_an_element_finds_it_and_is_named(graph: MemoryGraph) -> None:
    assert refs(graph, "refunds") == []
    write(graph, "A refund is never paid out twice", title="Refunds", elements=("FooHandler",))
    found = graph.find_elements(SHOP, "refund")
    assert [one.ref for one in found.elements] == ["Shop.FooHandler"]
    assert found.elements[0].reasons == ("what is remembered about it: Refunds",)
    assert "- Shop.FooHandler [component]: Handles foo. (what is remembered about it: Refunds)" in found.text


def test_a_name_in_the_question_is_certain(graph: MemoryGraph) -> None:
    found = graph.find_elements(SHOP, "OrderProcessor sends letters to readers")
    assert (found.elements[0].ref, found.elements[0].score) == ("Shop.OrderProcessor", 1.0)
    assert graph.find_elements(SHOP, "mailer").elements[0].reasons[0] == "named"
    by_path = graph.find_elements(SHOP, "fix src/orders/table.py").elements[0]
    assert (by_path.score, by_path.reasons[0]) == (1.0, "its source covers src/orders/table.py")


def test_what_has_no_code_here_comes_after_what_has(graph: MemoryGraph) -> None:
    assert refs(graph, "card payments") == ["Shop.Ledger", "Bank"]


def test_retired_elements_are_not_found(graph: MemoryGraph) -> None:
    kept = tuple(one for one in MODEL_OF_ORDERS.elements if one.name != "Mailer")
    graph.import_model(SHOP, ArchitectureModel(elements=kept))
    assert refs(graph, "letters") == []


def test_nothing_found_and_an_empty_model_are_said(make: Make, graph: MemoryGraph) -> None:
    assert "No element" in graph.find_elements(SHOP, "kubernetes").text
    graph.close()
    empty = make()
    assert "archmem init" in empty.find_elements(SHOP.organisation_wide, "kubernetes").text


def test_every_fault_of_a_question_is_named(graph: MemoryGraph) -> None:
    with pytest.raises(InvalidInput) as refused:
        graph.find_elements(SHOP, " ", limit=0)
    assert [fault.where for fault in refused.value.faults] == ["question", "limit"]
    with pytest.raises(InvalidInput):
        graph.find_elements(SHOP, "x" * 2_001)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=st.text(min_size=1, max_size=60))
def test_any_text_can_be_asked(graph: MemoryGraph, question: str) -> None:
    if question.strip():
        found = graph.find_elements(SHOP, question)
        assert [one.score for one in found.elements] == sorted((one.score for one in found.elements), reverse=True)


@pytest.mark.skipif(not available(), reason="the extra `local` is not installed")
class TestMeaning:
    """With the local embedder."""

    embedder = LocalEmbedder()

    def test_other_words_find_it_right_after_an_import(self, make: Make) -> None:
        graph = make(self.embedder)
        graph.import_model(SHOP, MODEL_OF_ORDERS)
        found = graph.find_elements(SHOP, "checkout")
        assert "Shop.OrderProcessor" in [one.ref for one in found.elements[:3]]
        assert (found.mode, found.notices) == ("meaning and words", ())

    def test_vectors_are_kept_by_the_back_fill_and_made_again_for_a_new_text(self, make: Make) -> None:
        graph = make(self.embedder)
        graph.import_model(SHOP, MODEL_OF_ORDERS)
        assert graph.back_fill(SHOP, limit=2).left == 4
        assert graph.back_fill(SHOP).done == 4
        assert graph.back_fill(SHOP, limit=0).left == 0
        changed = MODEL_OF_ORDERS.elements[0].model_copy(update={"description": "Sells music.", "line": 7})
        moved = [one.model_copy(update={"line": one.line + 1}) for one in MODEL_OF_ORDERS.elements[1:]]
        graph.import_model(SHOP, ArchitectureModel(elements=(changed, *moved)))
        assert graph.back_fill(SHOP, limit=0).left == 1

    def test_too_many_missing_vectors_are_said_and_the_likeliest_are_made(self, make: Make) -> None:
        graph = make(self.embedder, GraphPolicy(finding=FindingPolicy(embedded_at_once=1)))
        graph.import_model(SHOP, MODEL_OF_ORDERS)
        found = graph.find_elements(SHOP, "letters")
        assert found.elements[0].reasons == ("its meaning", "its words letters")
        assert found.notices == ("5 of 6 elements have no vector yet; run `archmem reindex`",)

    def test_old_names_of_the_model_do_not_matter(self, make: Make) -> None:
        graph = make(self.embedder)
        graph.import_model(SHOP, MODEL)
        assert graph.find_elements(SHOP, "Checkout").elements[0].ref == "Shop.API.Checkout"
