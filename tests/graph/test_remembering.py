"""remember: pins, titles, restatements, contradictions, replacement, retries."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from graph.elements import ElementKind
from graph.errors import Ambiguous, DuplicateTitle, InvalidInput, KeyReused, NotLive, Unknown, VersionConflict
from graph.memories import Draft, EventKind, Kind, State
from graph.memory_graph import MemoryGraph
from graph.vectors import Vector
from graph.views import Remembered
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, WIDE, Make, draft, element, found, write

LIMIT = "The gateway strips custom headers longer than 8KB"


@pytest.mark.parametrize(
    ("name", "refs"),
    [
        ("Shop.API.Checkout", ("Shop.API.Checkout",)),
        ("shop.api.checkout", ("Shop.API.Checkout",)),
        ("Checkout", ("Shop.API.Checkout",)),
        ("API.Catalogue", ("Shop.API.Catalogue",)),
        ("src/api/checkout/total.py", ("Shop.API.Checkout",)),
        ("src/api/health.py", ("Shop.API",)),
        ("./web/cart/view.ts", ("Shop.Web",)),
        ("web/catalogue/list.ts", ("Shop.Web.Catalogue",)),
    ],
)
def test_a_pin_is_a_ref_a_unique_name_or_a_path(graph: MemoryGraph, name: str, refs: tuple[str, ...]) -> None:
    assert write(graph, "A fact", elements=[name]).elements == refs


@pytest.mark.parametrize(
    ("name", "refs"),
    [
        ("Makefile", ("Shop.Build",)),
        ("services", ("Shop.Services",)),
        ("Procfile", ("Shop.Services",)),
        ("Web", ("Shop.Web",)),
        ("makefiles/all.mk", ("Shop",)),
    ],
)
def test_a_path_of_one_word_is_a_pin_where_no_element_has_the_name(
    graph: MemoryGraph, name: str, refs: tuple[str, ...]
) -> None:
    grown = (
        element("Shop.Build", source=("Makefile", "Web")),
        element("Shop.Services", source=("services/", "Proc*")),
        element("Shop", ElementKind.SYSTEM, source=(".",)),
    )
    kept = tuple(one for one in MODEL.elements if one.ref != "Shop")
    graph.import_model(SHOP, MODEL.model_copy(update={"elements": (*kept, *grown)}))
    assert write(graph, "A fact", elements=[name]).elements == refs
    assert found(graph, "", elements=[name]) == ["A fact"]
    for unknown in ("Chekout", "", " "):
        with pytest.raises(Unknown):
            write(graph, "Another", elements=[unknown])


def test_an_unknown_pin_lists_near_names(graph: MemoryGraph) -> None:
    with pytest.raises(Unknown) as caught:
        write(graph, "A fact", elements=["Chekout"])
    assert caught.value.candidates == ("Shop.API.Checkout",)
    assert caught.value.id == "Chekout"


def test_an_ambiguous_pin_lists_the_candidates_and_stores_nothing(graph: MemoryGraph) -> None:
    with pytest.raises(Ambiguous) as caught:
        write(graph, "A fact", elements=["Catalogue"])
    assert caught.value.candidates == ("Shop.API.Catalogue", "Shop.Web.Catalogue")
    assert graph.memories(SHOP) == ()


def test_every_fault_is_listed(graph: MemoryGraph) -> None:
    with pytest.raises(InvalidInput) as caught:
        graph.remember(SHOP, draft("  \n", claims=["::x", "src/a.py::"]), actor=ME)
    assert [fault.where for fault in caught.value.faults] == ["content", "claims", "claims"]


def test_text_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(ValidationError, match="unicode"):
        draft("half a character: \ud800")


def test_equal_text_confirms_and_takes_over_the_pin(graph: MemoryGraph) -> None:
    first = write(graph, LIMIT, elements=["Shop.API"])
    again = graph.remember(SHOP, draft(f"  {LIMIT.upper()}. ", elements=["Checkout"]), actor="agent/other")
    assert again.deduplicated
    assert again.memory.id == first.id
    assert again.memory.elements == ("Shop.API", "Shop.API.Checkout")
    assert again.memory.confirmed_by == "agent/other"
    assert len(graph.memories(SHOP)) == 1
    assert [event.kind for event in graph.history(SHOP, first.id)] == [EventKind.CREATED, EventKind.CONFIRMED]


@pytest.mark.parametrize(
    "fields",
    [{"kind": Kind.PITFALL}, {"why": "the proxy's buffer"}, {"claims": ["src/gateway.py"]}],
    ids=["another kind", "a reason", "a claim"],
)
def test_equal_text_that_says_more_is_stored_beside_it(graph: MemoryGraph, fields: dict[str, object]) -> None:
    first = write(graph, LIMIT)
    more = graph.remember(SHOP, draft(LIMIT, **fields), actor=ME)  # type: ignore[arg-type]
    assert not more.deduplicated
    assert [near.id for near in more.similar_to] == [first.id]
    assert more.similar_to[0].differs


@pytest.mark.parametrize(("known", "new"), [([], ["Checkout"]), (["Checkout"], [])], ids=["narrower", "wider"])
def test_what_is_said_of_an_element_and_of_the_whole_project_are_two_facts(
    graph: MemoryGraph, known: list[str], new: list[str]
) -> None:
    first = write(graph, LIMIT, elements=known)
    second = graph.remember(SHOP, draft(LIMIT, elements=new), actor=ME)
    assert (second.deduplicated, second.similar_to[0].differs) == (False, ("pins",))
    assert graph.memory(SHOP, first.id) == first


def test_two_titles_keep_equal_texts_apart(graph: MemoryGraph) -> None:
    first = write(graph, LIMIT, title="Header limit")
    second = graph.remember(SHOP, draft(LIMIT, title="Big headers"), actor=ME)
    assert (second.deduplicated, second.similar_to[0].differs) == (False, ("title",))
    assert graph.memory(SHOP, first.id) == first
    again = graph.remember(SHOP, draft(LIMIT, title="header-limit"), actor=ME)
    assert (again.deduplicated, again.memory.id, again.memory.title) == (True, first.id, "Header limit")


def test_a_former_title_is_the_same_title(graph: MemoryGraph) -> None:
    first = write(graph, LIMIT, title="Header limit")
    graph.rename(SHOP, "Header limit", "Big headers", actor=ME)
    again = graph.remember(SHOP, draft(LIMIT, title="Header limit"), actor=ME)
    assert (again.deduplicated, again.memory.id, again.memory.title) == (True, first.id, "Big headers")


def test_a_restatement_brings_its_title_along(graph: MemoryGraph) -> None:
    waiting = graph.remember(SHOP, draft("See [[Header limit]]"), actor=ME)
    assert waiting.pending_links == ("Header limit",)
    first = write(graph, LIMIT)
    titled = graph.remember(SHOP, draft(LIMIT, title="Header limit"), actor=ME)
    assert (titled.deduplicated, titled.memory.title, titled.attached) == (True, "Header limit", 1)
    assert [link.target for link in graph.memory(SHOP, waiting.memory.id).links] == [first.id]


def test_a_restatement_cannot_bring_a_taken_title(graph: MemoryGraph) -> None:
    taken = write(graph, "Ten a second", title="Limits")
    first = write(graph, LIMIT)
    with pytest.raises(DuplicateTitle) as caught:
        graph.remember(SHOP, draft(LIMIT, title="limits"), actor=ME)
    assert caught.value.id == taken.id
    assert graph.memory(SHOP, first.id) == first


def test_a_restated_successor_takes_the_title_of_what_it_replaces(graph: MemoryGraph) -> None:
    known = write(graph, LIMIT)
    old = write(graph, "The gateway passes everything", title="Header limit")
    answer = graph.supersede(SHOP, old.id, Draft(content=LIMIT), actor=ME)
    assert (answer.deduplicated, answer.memory.id, answer.memory.title) == (True, known.id, "Header limit")


@pytest.mark.parametrize("twin", ["Rate limits", "rate-limits", "RATE_LIMITS", " Rate  limits "])
def test_a_title_is_unique_among_the_live_of_its_scope(graph: MemoryGraph, twin: str) -> None:
    first = write(graph, "Ten a second", title="Rate limits")
    with pytest.raises(DuplicateTitle) as caught:
        write(graph, "Twenty a second", title=twin)
    assert caught.value.id == first.id
    write(graph, "Twenty a second", scope=OTHER, title=twin)
    write(graph, "Thirty a second", scope=WIDE, title=twin)


def test_composed_and_decomposed_titles_are_twins(graph: MemoryGraph) -> None:
    write(graph, "One", title="Caf\u00e9")
    with pytest.raises(DuplicateTitle):
        write(graph, "Two", title="Cafe\u0301")


def test_superseding_keeps_title_kind_and_pins_and_leaves_history(graph: MemoryGraph) -> None:
    old = write(graph, LIMIT, title="Header limit", kind=Kind.PITFALL, elements=["API"])
    answer = graph.supersede(SHOP, "header limit", Draft(content="The gateway strips nothing any more"), actor=ME)
    new = answer.memory
    assert (answer.replaced, new.title, new.kind, new.elements) == (old.id, "Header limit", "pitfall", ("Shop.API",))
    gone = graph.memory(SHOP, old.id)
    assert (gone.state, gone.superseded_by) == (State.SUPERSEDED, new.id)
    assert found(graph, "gateway strips") == ["The gateway strips nothing any more"]
    assert graph.memory(SHOP, "Header limit").id == new.id
    assert [event.kind for event in graph.history(SHOP, old.id)] == [EventKind.CREATED, EventKind.SUPERSEDED]


def test_superseding_skips_dedup_against_what_it_replaces(graph: MemoryGraph) -> None:
    old = write(graph, LIMIT)
    answer = graph.supersede(SHOP, old.id, draft(LIMIT), actor=ME)
    assert not answer.deduplicated
    assert answer.memory.id != old.id


def test_superseding_by_what_is_known_elsewhere_leads_there(graph: MemoryGraph) -> None:
    known = write(graph, LIMIT)
    old = write(graph, "The gateway passes everything")
    answer = graph.supersede(SHOP, old.id, draft(LIMIT), actor=ME)
    assert (answer.deduplicated, answer.memory.id, answer.replaced) == (True, known.id, old.id)
    assert graph.memory(SHOP, old.id).superseded_by == known.id


def test_only_a_live_memory_can_be_superseded(graph: MemoryGraph) -> None:
    old = write(graph, LIMIT)
    graph.archive(SHOP, old.id, actor=ME)
    with pytest.raises(NotLive):
        graph.supersede(SHOP, old.id, draft("x"), actor=ME)
    with pytest.raises(Unknown):
        graph.supersede(SHOP, "no such title", draft("x"), actor=ME)


def test_a_memory_that_changed_since_it_was_read_is_not_superseded(graph: MemoryGraph) -> None:
    old = write(graph, LIMIT, title="Header limit")
    graph.confirm(SHOP, old.id, actor=ME)
    with pytest.raises(VersionConflict, match=r"is at version 2, not 1\nNext: read the memory again"):
        graph.supersede(SHOP, old.id, draft("The gateway strips nothing"), actor=ME, version=1)
    assert [m.content for m in graph.memories(SHOP)] == [LIMIT]
    new = graph.remember(SHOP, draft("Nothing is stripped"), actor=ME, supersedes="Header limit", version=2, key="k")
    assert new.replaced == old.id
    again = graph.remember(SHOP, draft("Nothing is stripped"), actor=ME, supersedes="Header limit", version=2, key="k")
    assert (again.replayed, again.memory.id) == (True, new.memory.id)


def test_a_version_without_what_is_superseded_is_a_fault(graph: MemoryGraph) -> None:
    with pytest.raises(InvalidInput) as caught:
        graph.remember(SHOP, draft(" "), actor=ME, version=1)
    assert [fault.where for fault in caught.value.faults] == ["content", "version"]


def test_a_retry_with_its_key_is_harmless(graph: MemoryGraph) -> None:
    first = graph.remember(SHOP, draft(LIMIT, title="Header limit"), actor=ME, key="k1")
    again = graph.remember(SHOP, draft(LIMIT, title="Header limit"), actor=ME, key="k1")
    assert (again.replayed, again.deduplicated, again.memory.id) == (True, False, first.memory.id)
    assert len(graph.history(SHOP, first.memory.id)) == 1
    with pytest.raises(KeyReused):
        graph.remember(SHOP, draft("something else"), actor=ME, key="k1")
    assert not graph.remember(OTHER, draft(LIMIT), actor=ME, key="k1").replayed


class Meeting:
    """An embedder at which two writers meet: both have looked for the key, neither has written."""

    identity = name = "test:meeting:2"

    def __init__(self) -> None:
        self._barrier = Barrier(2, timeout=30)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self._barrier.wait()
        return [np.array([1, 0], dtype=np.float32) for _ in texts]


@pytest.mark.parametrize("supersedes", ["", "Header limit"])
def test_one_key_used_by_two_at_once_writes_once(make: Make, supersedes: str) -> None:
    before = write(make(), "The gateway passes everything", title="Header limit")
    embedder = Meeting()

    def once(graph: MemoryGraph) -> Remembered:
        new = draft(LIMIT, title=supersedes or "Limits")
        return graph.remember(SHOP, new, actor=ME, supersedes=supersedes, key="k1")

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(once, (make(embedder), make(embedder))))
    assert sorted(answer.replayed for answer in answers) == [False, True]
    assert len({answer.memory.id for answer in answers}) == 1
    kept = answers[0].memory
    graph = make()
    assert [event.kind for event in graph.history(SHOP, kept.id)] == [EventKind.CREATED]
    assert {m.id for m in graph.memories(SHOP)} == ({kept.id} if supersedes else {before.id, kept.id})


def test_nothing_of_a_refused_write_stays(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="Rate limits")
    with pytest.raises(DuplicateTitle):
        graph.remember(SHOP, draft("Twenty [[nowhere]]", title="Rate limits"), actor=ME, key="k2")
    assert found(graph, "twenty") == []
    assert not graph.remember(SHOP, draft("Twenty", title="Other"), actor=ME, key="k2").replayed


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(content=st.text(min_size=1, max_size=200), title=st.text(max_size=60), question=st.text(max_size=100))
def test_no_text_breaks_remember_or_recall(graph: MemoryGraph, content: str, title: str, question: str) -> None:
    try:
        kept = graph.remember(SHOP, draft(content, title=title), actor=ME).memory
    except (InvalidInput, ValidationError, DuplicateTitle):
        return
    assert graph.memory(SHOP, kept.id) == kept
    for asked in (question, content, title):
        if asked.strip():
            assert graph.recall(SHOP, asked).text
    assert graph.history(SHOP, kept.id)[0].after.content == kept.content
