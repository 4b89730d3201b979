"""Wiki links in the graph: attached at once, later, after a rename, and never to the wrong one."""

from pathlib import Path

import apsw
import pytest

from graph.elements import ArchitectureModel, Decision, ElementKind
from graph.memory_graph import MemoryGraph
from graph.views import LinkView
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, WIDE, draft, element, write


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


def test_a_link_to_a_live_memory_stays_whatever_has_the_name_by_now(graph: MemoryGraph) -> None:
    known = write(graph, "Ten a second", title="Rate limits")
    write(graph, "See [[Rate limits]] and [[Speed|fast]]", title="A")
    write(graph, "Fast", title="Speed")
    graph.rename(SHOP, known.id, "Limits", actor=ME)
    for title in ("Rate limits", "Speed|fast"):
        assert graph.remember(SHOP, draft(f"Another {title}", title=title), actor=ME).attached == 0
    assert links(graph, "A") == {"Rate limits": ("memory", "Limits"), "Speed|fast": ("memory", "Speed")}


def test_links_to_an_archived_memory_find_another_of_its_name(graph: MemoryGraph) -> None:
    decisions = (Decision(ref="ADR-9", title="Retry rules"),)
    graph.import_model(SHOP, MODEL.model_copy(update={"decisions": decisions}))
    for title in ("Retry rules", "Checkout", "Nowhere", "Catalogue"):
        write(graph, f"About {title}", title=title)
    write(graph, "See [[Retry rules]], [[Checkout]], [[Nowhere]], [[Catalogue]]", title="A")
    assert {kind for kind, _ in links(graph, "A").values()} == {"memory"}
    for title in ("Retry rules", "Checkout", "Nowhere", "Catalogue"):
        graph.archive(SHOP, title, actor=ME)
    assert links(graph, "A") == {
        "Retry rules": ("decision", "ADR-9 Retry rules"),
        "Checkout": ("element", "Shop.API.Checkout"),
        "Nowhere": (None, ""),
        "Catalogue": (None, ""),
    }
    assert graph.remember(SHOP, draft("Somewhere", title="Nowhere"), actor=ME).attached == 1


def test_links_to_an_archived_memory_pass_to_the_one_that_has_the_name_as_an_alias(graph: MemoryGraph) -> None:
    known = write(graph, "Ten a second", title="Rate limits")
    graph.rename(SHOP, known.id, "Limits", actor=ME)
    write(graph, "Twenty a second", title="Rate limits")
    write(graph, "See [[Rate limits]]", title="A")
    graph.archive(SHOP, "Rate limits", actor=ME)
    assert links(graph, "A") == {"Rate limits": ("memory", "Limits")}


def test_an_alias_of_two_leads_to_neither(graph: MemoryGraph) -> None:
    for n in (1, 2):
        write(graph, f"Fact {n}", title="Checkout")
        graph.rename(SHOP, "Checkout", f"New name {n}", actor=ME)
    answer = graph.remember(SHOP, draft("See [[Checkout]]", title="A"), actor=ME)
    assert answer.pending_links == ("Checkout",)
    assert links(graph, "A") == {"Checkout": (None, "")}
    graph.archive(SHOP, "New name 1", actor=ME)
    graph.import_model(SHOP, MODEL)
    assert links(graph, "A") == {"Checkout": ("memory", "New name 2")}


def test_an_exact_spelling_of_elements_and_decisions_wins_before_a_folded_one(graph: MemoryGraph) -> None:
    twins = (element("Shop.Rate-Limit"), element("Shop.rate_limit"), element("Shop.Retry rules"))
    decisions = (Decision(ref="ADR-9", title="retry-rules"), Decision(ref="ADR-8", title=""))
    changed = {"elements": (*MODEL.elements, *twins), "decisions": decisions}
    graph.import_model(SHOP, MODEL.model_copy(update=changed))
    write(graph, "[[Rate-Limit]] [[rate_limit]] [[rate limit]] [[retry-rules]] [[Retry Rules]] [[---]]", title="A")
    assert links(graph, "A") == {
        "Rate-Limit": ("element", "Shop.Rate-Limit"),
        "rate_limit": ("element", "Shop.rate_limit"),
        "rate limit": (None, ""),
        "retry-rules": ("decision", "ADR-9 retry-rules"),
        "Retry Rules": ("element", "Shop.Retry rules"),
        "---": (None, ""),
    }


def test_links_to_a_superseded_memory_lead_to_its_successor_both_ways(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="Rate limits")
    write(graph, "Bursts are counted by minute, see [[Rate limits]]", title="A")
    for n in (1, 2):
        graph.supersede(SHOP, f"Speed {n - 1}" if n > 1 else "Rate limits", draft(f"{n}", title=f"Speed {n}"), actor=ME)
    write(graph, "See [[rate-limits]] and [[Speed 1]]", title="B")
    assert links(graph, "A") == {"Rate limits": ("memory", "Speed 2")}
    assert links(graph, "B") == {"rate-limits": ("memory", "Speed 2"), "Speed 1": ("memory", "Speed 2")}
    assert [hit.title for hit in graph.recall(SHOP, "counted by minute").hits] == ["A", "Speed 2"]
    assert {hit.title for hit in graph.recall(SHOP, "speed 2").hits} == {"A", "B", "Speed 2"}


def test_a_successor_does_not_link_to_itself(graph: MemoryGraph) -> None:
    write(graph, "The limit is 10 a second", title="Rate limits")
    known = write(graph, "No limit, unlike [[Rate limits]]", title="A")
    answer = graph.supersede(SHOP, "Rate limits", draft("No limit, unlike [[Rate limits]]", title=""), actor=ME)
    assert (answer.deduplicated, answer.memory.id) == (True, known.id)
    assert links(graph, "A") == {"Rate limits": (None, "")}
    newer = graph.supersede(SHOP, "A", draft("A limit, unlike [[A]] and [[Rate limits]]", title="B"), actor=ME).memory
    assert newer.links == ()


def test_a_memory_that_takes_a_name_it_links_to_does_not_link_to_itself(graph: MemoryGraph) -> None:
    write(graph, "One day this is called [[B]]", title="A")
    graph.rename(SHOP, "A", "B", actor=ME)
    assert links(graph, "B") == {"B": (None, "")}


def test_links_to_a_chain_that_ends_in_the_archive_become_pending(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="Rate limits")
    write(graph, "See [[Rate limits]]", title="A")
    graph.supersede(SHOP, "Rate limits", draft("Twenty", title="Speed"), actor=ME)
    graph.archive(SHOP, "Speed", actor=ME)
    write(graph, "See [[Rate limits]]", title="B")
    assert links(graph, "A") == links(graph, "B") == {"Rate limits": (None, "")}


def test_a_ring_of_successors_leads_nowhere_and_ends(graph: MemoryGraph, store_path: Path) -> None:
    write(graph, "Ten a second", title="Rate limits")
    graph.supersede(SHOP, "Rate limits", draft("Twenty", title="Speed"), actor=ME)
    with apsw.Connection(str(store_path)) as connection:
        connection.execute("UPDATE memories SET state = 'superseded', superseded_by = (SELECT min(id) FROM memories)")
    connection.close()
    assert graph.remember(SHOP, draft("See [[Rate limits]] and [[Speed]]"), actor=ME).pending_links == (
        "Rate limits",
        "Speed",
    )


def test_a_project_links_to_what_its_organisation_knows(graph: MemoryGraph) -> None:
    shared = write(graph, "Reviews take a day", scope=WIDE, title="Reviews")
    write(graph, "Releases wait for [[reviews]]", title="A")
    assert links(graph, "A") == {"reviews": ("memory", "Reviews")}
    pulled = [(hit.id, hit.via) for hit in graph.recall(SHOP, "releases wait").hits]
    assert pulled == [(graph.memory(SHOP, "A").id, ""), (shared.id, graph.memory(SHOP, "A").id)]
    assert {hit.title for hit in graph.recall(SHOP, "take a day").hits} == {"Reviews", "A"}
    assert {hit.title for hit in graph.recall(WIDE, "take a day").hits} == {"Reviews"}


def test_what_a_project_has_goes_before_what_its_organisation_knows(graph: MemoryGraph) -> None:
    for title in ("Reviews", "Checkout", "ADR-2", "Catalogue"):
        write(graph, f"All over: {title}", scope=WIDE, title=title)
    own = write(graph, "Reviews take an hour", title="Reviews")
    write(graph, "[[Reviews]] [[Checkout]] [[adr-2]] [[Catalogue]]", title="A")
    found = {
        "Reviews": ("memory", "Reviews"),
        "Checkout": ("element", "Shop.API.Checkout"),
        "adr-2": ("decision", "ADR-2 Keep prices in cents"),
        "Catalogue": (None, ""),
    }
    assert links(graph, "A") == found
    assert [link.target for link in graph.memory(SHOP, "A").links if link.raw == "Reviews"] == [own.id]


def test_a_link_that_waits_in_a_project_attaches_when_the_organisation_writes(graph: MemoryGraph) -> None:
    for scope in (SHOP, OTHER):
        write(graph, "See [[Reviews]], [[Late]] and [[Later]]", scope=scope, title="A")
    made = graph.remember(WIDE, draft("Reviews take a day", title="Reviews"), actor=ME)
    assert made.attached == 2
    write(graph, "Never too late", scope=WIDE)
    assert graph.remember(WIDE, draft("Never too late", title="Late"), actor=ME).attached == 2
    graph.rename(SHOP, "Late", "Later", actor=ME)
    for scope in (SHOP, OTHER):
        told = {link.raw: link.name for link in graph.memory(scope, "A").links}
        assert told == {"Reviews": "Reviews", "Late": "Later", "Later": "Later"}


def test_an_organisations_title_takes_no_link_from_what_a_project_has(graph: MemoryGraph) -> None:
    retry = (Decision(ref="ADR-9", title="Retry"),)
    graph.import_model(SHOP, MODEL.model_copy(update={"decisions": retry}))
    write(graph, "See [[Checkout]] and [[Retry]]", title="A")
    grown = (element("Shop.Checkout"), element("Shop.Retry"))
    model = {"decisions": retry, "elements": (*MODEL.elements, *grown)}
    graph.import_model(SHOP, MODEL.model_copy(update=model))
    before = links(graph, "A")
    for title in ("Checkout", "Retry"):
        assert graph.remember(WIDE, draft(f"All over: {title}", title=title), actor=ME).attached == 0
    assert (
        links(graph, "A")
        == before
        == {
            "Checkout": ("element", "Shop.API.Checkout"),
            "Retry": ("decision", "ADR-9 Retry"),
        }
    )


def test_links_to_the_organisation_follow_its_memories(graph: MemoryGraph) -> None:
    write(graph, "Reviews take a day", scope=WIDE, title="Reviews")
    for title in ("Checkout", "Nowhere"):
        write(graph, f"All over: {title}", scope=WIDE, title=f"{title} rules")
        graph.rename(WIDE, f"{title} rules", f"{title} manual", actor=ME)
        write(graph, f"{title}: see [[{title} rules]], [[Reviews]]", title=title)
    newer = graph.supersede(SHOP, "Reviews", draft("Reviews take two", title="Reviews of code"), actor=ME)
    assert newer.memory.project == ""
    assert links(graph, "Nowhere") == {
        "Nowhere rules": ("memory", "Nowhere manual"),
        "Reviews": ("memory", "Reviews of code"),
    }
    graph.archive(SHOP, "Nowhere manual", actor=ME)
    graph.archive(SHOP, "Reviews of code", actor=ME)
    assert links(graph, "Nowhere") == {"Nowhere rules": (None, ""), "Reviews": (None, "")}
    assert links(graph, "Checkout") == {"Checkout rules": ("memory", "Checkout manual"), "Reviews": (None, "")}


def test_an_organisation_never_links_into_a_project(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="Rate limits")
    write(graph, "See [[Rate limits]], [[Checkout]] and [[Later]]", scope=WIDE, title="A")
    write(graph, "Later", title="Later")
    assert [link.target for link in graph.memory(WIDE, "A").links] == ["", "", ""]
