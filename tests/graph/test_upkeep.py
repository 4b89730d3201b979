"""confirm, archive, rename, history, projects: exact names, versions, events with whole after-images."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import apsw
import pytest
from pydantic import ValidationError

from graph.errors import Ambiguous, Conflict, DuplicateTitle, InvalidInput, NotLive, Unknown, VersionConflict
from graph.memories import EventKind, State
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from graph.views import MemoryView
from tests.graph.conftest import ME, OTHER, SHOP, WIDE, Clock, draft, found, write


def test_confirming_resets_freshness_and_says_who(graph: MemoryGraph, clock: Clock) -> None:
    kept = write(graph, "Prices are kept in cents", title="Cents")
    clock.pass_days(45)
    aged = graph.recall(SHOP, "cents", explain=True).hits[0].factors
    confirmed = graph.confirm(SHOP, "cents", actor="agent/other")
    fresh = graph.recall(SHOP, "cents", explain=True).hits[0].factors
    assert aged is not None
    assert fresh is not None
    assert (aged.freshness, fresh.freshness) == (0.5, 1.0)
    assert (confirmed.confirmed_by, confirmed.confirmed_at, confirmed.created_at) == (
        "agent/other",
        clock.now,
        kept.created_at,
    )


def test_a_near_title_is_never_taken_for_the_right_one(graph: MemoryGraph) -> None:
    write(graph, "Ten a second", title="Rate limits")
    with pytest.raises(Unknown) as caught:
        graph.confirm(SHOP, "Rate limit", actor=ME)
    assert caught.value.candidates == ("Rate limits",)


def test_an_alias_of_two_is_ambiguous(graph: MemoryGraph) -> None:
    for n in (1, 2):
        write(graph, f"Fact {n}", title="Old name")
        graph.rename(SHOP, "Old name", f"New name {n}", actor=ME)
    with pytest.raises(Ambiguous) as caught:
        graph.confirm(SHOP, "Old name", actor=ME)
    assert len(caught.value.candidates) == 2


def test_an_archived_memory_leaves_recall_and_stays_in_history(graph: MemoryGraph) -> None:
    write(graph, "Prices are kept in cents", title="Cents")
    gone = graph.archive(SHOP, "Cents", actor=ME, reason="sold")
    assert gone.state is State.ARCHIVED
    assert found(graph, "cents") == []
    assert graph.memories(SHOP) == ()
    assert [m.id for m in graph.memories(SHOP, states=[State.ARCHIVED])] == [gone.id]
    assert graph.history(SHOP, "Cents")[-1].note == "sold"
    for change in (graph.confirm, graph.archive):
        with pytest.raises(NotLive):
            change(SHOP, gone.id, actor=ME)
    write(graph, "Prices are kept in euro", title="Cents")


def test_a_change_made_for_an_older_version_is_refused(graph: MemoryGraph) -> None:
    kept = write(graph, "Prices are kept in cents")
    assert graph.confirm(SHOP, kept.id, actor=ME, version=1).version == 2
    with pytest.raises(VersionConflict):
        graph.archive(SHOP, kept.id, actor=ME, version=1)
    assert graph.memory(SHOP, kept.id).state is State.LIVE


def test_history_holds_each_state_as_it_was(graph: MemoryGraph, clock: Clock) -> None:
    write(graph, "Prices are kept in cents", title="Cents")
    clock.pass_days(1)
    graph.rename(SHOP, "Cents", "Prices", actor="agent/second")
    clock.pass_days(1)
    graph.archive(SHOP, "Prices", actor="agent/third")
    history = graph.history(SHOP, "Prices")
    assert [(e.kind, e.actor, e.after.title, e.after.state, e.after.version) for e in history] == [
        (EventKind.CREATED, ME, "Cents", State.LIVE, 1),
        (EventKind.RENAMED, "agent/second", "Prices", State.LIVE, 2),
        (EventKind.ARCHIVED, "agent/third", "Prices", State.ARCHIVED, 3),
    ]
    assert [e.at for e in history] == [clock.now - timedelta(days=days) for days in (2, 1, 0)]


NO_TITLES = ["x" * 201, "two\nlines", "two\u2028lines", "a\ttab", "bell\a", "- _", "a [[b", "a]] b"]


@pytest.mark.parametrize("title", ["", "  ", *NO_TITLES])
def test_a_title_is_one_short_line_that_a_link_can_hold(graph: MemoryGraph, title: str) -> None:
    write(graph, "Prices", title="Cents")
    with pytest.raises(InvalidInput) as caught:
        graph.rename(SHOP, "Cents", title, actor=ME)
    assert {fault.where for fault in caught.value.faults} == {"title"}


@pytest.mark.parametrize("title", NO_TITLES)
def test_a_draft_has_the_same_rules_for_its_title(title: str) -> None:
    with pytest.raises(ValidationError, match="title"):
        draft("Prices", title=title)


@pytest.mark.parametrize("title", ["x" * 200, "f[x]", "C#", "A | b", "1", "\U0001f40d", "na\u00efve"])
def test_what_a_link_can_hold_is_a_title(graph: MemoryGraph, title: str) -> None:
    kept = write(graph, "Prices", title=f"  {title} ")
    assert kept.title == title
    assert graph.rename(SHOP, title, "Other", actor=ME).aliases == (title,)
    assert graph.rename(SHOP, "Other", title, actor=ME).title == title


def test_a_title_from_before_the_rules_becomes_no_alias(graph: MemoryGraph, store_path: Path) -> None:
    kept = write(graph, "Prices", title="Cents")
    with apsw.Connection(str(store_path)) as connection:
        connection.execute("UPDATE memories SET body = replace(body, 'Cents', 'a [[b')")
    connection.close()
    renamed = graph.rename(SHOP, kept.id, "Prices", actor=ME)
    assert (renamed.title, renamed.aliases) == ("Prices", ())


def test_a_rename_to_a_taken_title_is_refused(graph: MemoryGraph) -> None:
    write(graph, "One", title="A")
    write(graph, "Two", title="B")
    with pytest.raises(DuplicateTitle):
        graph.rename(SHOP, "A", "b", actor=ME)
    assert graph.memory(SHOP, "A").content == "One"


def test_a_project_reads_and_confirms_what_the_organisation_knows(graph: MemoryGraph) -> None:
    shared = write(graph, "Reviews take a day", scope=WIDE, title="Reviews")
    confirmed = graph.confirm(SHOP, "Reviews", actor=ME)
    assert (confirmed.id, confirmed.project, confirmed.version) == (shared.id, "", 2)
    assert len(graph.history(SHOP, shared.id)) == 2


def test_another_projects_memory_does_not_exist_here(graph: MemoryGraph) -> None:
    theirs = write(graph, "Secret plan", scope=OTHER, title="Plan")
    for read in (graph.memory, graph.history):
        with pytest.raises(Unknown):
            read(SHOP, theirs.id)
    for change in (graph.confirm, graph.archive):
        with pytest.raises(Unknown):
            change(SHOP, theirs.id, actor=ME)
    assert graph.cite(SHOP, "s", [theirs.id]) == (theirs.id,)


def test_what_the_organisation_knows_is_cited_by_title_and_id(graph: MemoryGraph) -> None:
    shared = write(graph, "Reviews take a day", scope=WIDE, title="Reviews")
    other = write(graph, "Releases take two", scope=WIDE)
    own = write(graph, "Reviews of the shop take an hour")
    assert graph.cite(SHOP, "s", ["reviews", other.id, own.id]) == ()
    assert cited(graph, "take") == {shared.id, other.id, own.id}
    assert graph.cite(OTHER, "s", ["Reviews", own.id]) == (own.id,)
    # What a session of another project cited is its own affair.
    assert cited(graph, "take", OTHER) == {shared.id}


def test_an_ambiguous_name_is_listed_and_the_rest_is_cited(graph: MemoryGraph) -> None:
    for n in (1, 2):
        write(graph, f"Fact {n}", title="Old name")
        graph.rename(SHOP, "Old name", f"New name {n}", actor=ME)
    assert graph.cite(SHOP, "s", ["Old name", "New name 2", "nowhere"]) == ("Old name", "nowhere")
    assert cited(graph, "fact") == {graph.memory(SHOP, "New name 2").id}


def cited(graph: MemoryGraph, question: str, scope: Scope = SHOP) -> set[str]:
    hits = graph.recall(scope, question, explain=True).hits
    return {hit.id for hit in hits if hit.factors and hit.factors.citations > 1}


def test_memories_are_paged_by_id(graph: MemoryGraph) -> None:
    kept = [write(graph, f"Fact {n}").id for n in range(5)]
    first = graph.memories(SHOP, limit=3)
    assert [m.id for m in (*first, *graph.memories(SHOP, after=first[-1].id))] == sorted(kept)


def test_a_naive_time_is_refused_and_another_offset_becomes_utc(graph: MemoryGraph) -> None:
    shown = write(graph, "Fact").model_dump()
    with pytest.raises(ValidationError, match="naive"):
        MemoryView.model_validate({**shown, "created_at": datetime(2026, 1, 1)})  # noqa: DTZ001
    east = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    assert MemoryView.model_validate({**shown, "created_at": east}).created_at == datetime(2026, 1, 1, 10, tzinfo=UTC)


def test_a_project_is_found_by_every_identity_it_had(graph: MemoryGraph) -> None:
    made = graph.add_project("local", "root:abc", "Shop")
    grown = graph.add_project("local", "example.org/team/shop", "Shop", aliases=["root:abc"])
    assert grown.id == made.id
    assert graph.project("local", "example.org/team/shop") == grown
    assert grown.identities == ("example.org/team/shop", "root:abc")
    assert graph.add_project("local", "root:abc", "Shop") == grown
    with pytest.raises(Unknown) as caught:
        graph.project("local", "nowhere")
    assert caught.value.candidates == ("root:abc",)


def test_an_identity_belongs_to_one_project(graph: MemoryGraph) -> None:
    graph.add_project("local", "a", "A")
    graph.add_project("local", "b", "B")
    with pytest.raises(Conflict):
        graph.add_project("local", "a", "A", aliases=["b"])
    assert graph.project("local", "b").name == "B"


def test_a_lease_is_one_holders_until_it_runs_out(graph: MemoryGraph, clock: Clock) -> None:
    assert graph.lease(SHOP, "drift", "one", 60)
    assert not graph.lease(SHOP, "drift", "two", 60)
    assert graph.lease(SHOP, "drift", "one", 60)
    assert graph.lease(OTHER, "drift", "two", 60)
    clock.pass_days(1)
    assert graph.lease(SHOP, "drift", "two", 60)
    graph.release(SHOP, "drift", "one")
    assert not graph.lease(SHOP, "drift", "one", 60)
    graph.release(SHOP, "drift", "two")
    assert graph.lease(SHOP, "drift", "one", 60)
