"""Wiki links in the graph: attached at once, later, after a rename, and never to the wrong one."""

import pytest

from graph.elements import ArchitectureModel, Decision, ElementKind
from graph.memory_graph import MemoryGraph
from graph.views import LinkView
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, draft, element, write


def links(graph: MemoryGraph, name: str) -> dict[str, tuple[str | None, str]]:
    return {link.raw: (link.kind, link.name) for link in graph.memory(SHOP, name).links}


def test_a_pending_link_attaches_when_its_title_is_written(graph: MemoryGraph) -> None:
    first = graph.remember(SHOP, draft("See [[Rate limits]]", title="A"), actor=ME)
    assert first.pending_links == ("Rate limits",)
    answer = graph.remember(SHOP, draft("Ten a second", title="rate-limits"), actor=ME)
    assert answer.attached == 1
    assert links(graph, "A") == {"Rate limits": ("memory", "rate-limits")}


def test_a_memory_goes_before_an_element_and_an_element_before_a_decision(graph: MemoryGraph) -> None:
    decisions = (Decision(ref="ADR-9", title="Checkout"), Decision(ref="ADR-2", title="Keep prices in cents"))
    graph.import_model(SHOP, MODEL.model_copy(update={"decisions": decisions}))
    write(graph, "See [[Checkout]], [[Shop.API]], [[adr-2]] and [[Keep prices in cents]]", title="A")
    assert links(graph, "A") == {
        "Checkout": ("element", "Shop.API.Checkout"),
        "Shop.API": ("element", "Shop.API"),
        "adr-2": ("decision", "ADR-2 Keep prices in cents"),
        "Keep prices in cents": ("decision", "ADR-2 Keep prices in cents"),
    }
    write(graph, "How we check out", title="Checkout")
    assert links(graph, "A")["Checkout"] == ("memory", "Checkout")


def test_an_ambiguous_name_stays_unresolved(graph: MemoryGraph) -> None:
    answer = graph.remember(SHOP, draft("See [[Catalogue]]", title="A"), actor=ME)
    assert answer.pending_links == ("Catalogue",)
    assert links(graph, "A") == {"Catalogue": (None, "")}


def test_no_link_is_fuzzy(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="Rate limit")
    assert graph.remember(SHOP, draft("See [[Rate limits]]"), actor=ME).pending_links == ("Rate limits",)


def test_the_whole_text_wins_over_its_parts(graph: MemoryGraph) -> None:
    write(graph, "Part", title="A")
    write(graph, "Whole", title="A|b")
    write(graph, "Sharp", title="C#")
    write(graph, "Letter", title="C")
    write(graph, "[[A|b]] [[A|x]] [[A#y|z]] [[C#]] [[C#part]]", title="Links")
    assert {raw: name for raw, (_, name) in links(graph, "Links").items()} == {
        "A|b": "A|b",
        "A|x": "A",
        "A#y|z": "A",
        "C#": "C#",
        "C#part": "C",
    }


def test_a_rename_keeps_inbound_links_and_makes_no_twin(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="Rate limits")
    write(graph, "See [[Rate limits]]", title="A")
    renamed = graph.rename(SHOP, "Rate limits", "Speed limits", actor=ME)
    assert (renamed.title, renamed.aliases) == ("Speed limits", ("Rate limits",))
    assert links(graph, "A") == {"Rate limits": ("memory", "Speed limits")}
    write(graph, "See [[rate limits]] and [[speed limits]]", title="B")
    assert set(links(graph, "B").values()) == {("memory", "Speed limits")}
    assert graph.memory(SHOP, "Rate limits").id == renamed.id
    back = graph.rename(SHOP, "Speed limits", "Rate Limits", actor=ME)
    assert (back.title, back.aliases) == ("Rate Limits", ("Speed limits",))


def test_a_link_to_itself_is_none(graph: MemoryGraph) -> None:
    answer = graph.remember(SHOP, draft("See [[A]] and [[a]]", title="A"), actor=ME)
    assert answer.memory.links == ()
    assert answer.pending_links == ()


def test_titles_with_bars_hashes_slashes_and_accents_are_reached(graph: MemoryGraph) -> None:
    for title in ("a|b", "c#", "d/e", "Gr\u00f6\u00dfe", "Caf\u00e9 au lait"):
        write(graph, f"About {title}", title=title)
    write(graph, "[[a\\|b]] [[c#]] [[d/e]] [[GRÖSSE]] [[cafe\u0301 au-lait]]", title="Links")
    assert all(kind == "memory" for kind, _ in links(graph, "Links").values())


def test_links_of_another_project_stay_there(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="Rate limits", scope=OTHER)
    assert graph.remember(SHOP, draft("See [[Rate limits]]"), actor=ME).pending_links == ("Rate limits",)


def test_an_import_attaches_what_waited_for_an_element(graph: MemoryGraph) -> None:
    write(graph, "See [[Billing]]", title="A")
    grown = MODEL.model_copy(update={"elements": (*MODEL.elements, element("Shop.API.Billing", ElementKind.COMPONENT))})
    assert graph.import_model(SHOP, grown).attached == 1
    assert links(graph, "A") == {"Billing": ("element", "Shop.API.Billing")}


@pytest.mark.parametrize("field", ["why", "how_to_apply", "when_to_use"])
def test_links_stand_in_every_written_field(graph: MemoryGraph, field: str) -> None:
    answer = graph.remember(SHOP, draft("A", **{field: "see [[B]]"}), actor=ME)  # type: ignore[arg-type]
    assert answer.memory.links == (LinkView(raw="B"),)


def test_an_empty_model_resolves_nothing(graph: MemoryGraph) -> None:
    graph.import_model(OTHER, ArchitectureModel())
    assert graph.remember(OTHER, draft("See [[Checkout]]"), actor=ME).pending_links == ("Checkout",)
