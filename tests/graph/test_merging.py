"""Merging: several memories become one, nothing is lost, and every old name leads to what stays."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from graph.claims import Anchor
from graph.errors import InvalidInput, NotLive, Unknown, VersionConflict
from graph.memories import Checkout, EventKind, State
from graph.memory_graph import MemoryGraph
from graph.parts import Parts
from graph.reviews import Why
from graph.stores.sqlite import SqliteStore
from graph.vectors import Vector
from tests.graph.conftest import ME, MODEL, OTHER, SHOP, WIDE, Clock, Make, draft, found, new_id, write
from tests.graph.test_reviewing import Bags

CHECKOUT, CATALOGUE = "Shop.API.Checkout", "Shop.API.Catalogue"
REVIEWER = "reviewer"
COMMIT, LATER = "c1" * 20, "c2" * 20


def test_the_chosen_one_stays_with_the_pins_and_titles_of_the_others(graph: MemoryGraph) -> None:
    stays = write(graph, "Retries are capped at three", title="Retry cap", elements=[CHECKOUT], unreviewed=True)
    other = write(graph, "Never retry more than thrice", title="Retries", elements=[CATALOGUE])
    graph.rename(SHOP, other.id, "Retry limit", actor=ME)
    linking = write(graph, "See [[Retry limit]] and [[Retries]]")
    merged = graph.merge(SHOP, ("Retry cap", "Retry limit"), into="Retry cap", actor=REVIEWER)
    assert (merged.memory.id, merged.superseded) == (stays.id, (other.id,))
    assert merged.memory.elements == (CATALOGUE, CHECKOUT)
    assert merged.memory.aliases == ("Retry limit", "Retries")
    assert (merged.memory.content, merged.memory.unreviewed) == ("Retries are capped at three", False)
    for name in ("Retry limit", "Retries", "Retry cap"):
        assert graph.memory(SHOP, name).id == stays.id
    gone = graph.memory(SHOP, other.id)
    assert (gone.state, gone.superseded_by) == (State.SUPERSEDED, stays.id)
    assert {link.target for link in graph.memory(SHOP, linking.id).links} == {stays.id}
    last = graph.history(SHOP, stays.id)[-1]
    assert (last.kind, last.actor, last.note) == (EventKind.MERGED, REVIEWER, other.id)
    gave_way = graph.history(SHOP, other.id)[-1]
    assert (gave_way.kind, gave_way.actor, gave_way.note) == (EventKind.SUPERSEDED, REVIEWER, stays.id)
    assert found(graph, "retry thrice", elements=[CATALOGUE])[0] == "Retries are capped at three"


def test_a_pin_that_comes_in_while_new_words_are_embedded_is_kept(make: Make) -> None:
    class Busy(Bags):
        meanwhile: Callable[[], object] | None = None

        def embed(self, texts: Sequence[str]) -> list[Vector]:
            then, self.meanwhile = self.meanwhile, None
            if then is not None:
                then()
            return super().embed(texts)

    embedder = Busy()
    graph = make(embedder)
    graph.import_model(SHOP, MODEL)
    stays = write(graph, "Retries are capped at three", elements=[CHECKOUT])
    other = write(graph, "Never retry more than thrice", elements=[CATALOGUE])
    embedder.meanwhile = lambda: graph.remember(SHOP, draft(other.content, elements=["Shop.Web"]), actor=ME)
    told = draft("Retries are capped at three, never more")
    merged = graph.merge(SHOP, (other.id,), into=stays.id, actor=REVIEWER, draft=told)
    assert merged.memory.elements == (CATALOGUE, CHECKOUT, "Shop.Web")


def test_new_words_supersede_the_one_that_stayed(make: Make) -> None:
    graph = make(Bags())
    graph.import_model(SHOP, MODEL)
    stays = write(graph, "Retries are capped at three", title="Retry cap", elements=[CHECKOUT])
    other = write(graph, "Never retry more than thrice", title="Retries", elements=[CATALOGUE])
    told = draft("Retries are capped at three, never more")
    merged = graph.merge(SHOP, (stays.id, other.id), into=stays.id, actor=REVIEWER, draft=told)
    made = merged.memory
    assert (made.title, made.elements, merged.superseded) == ("Retry cap", (CATALOGUE, CHECKOUT), (stays.id, other.id))
    assert graph.memory(SHOP, stays.id).superseded_by == made.id
    assert graph.memory(SHOP, "Retry cap").id == made.id
    linked = write(graph, "See [[Retries]]")
    assert [link.target for link in linked.links] == [made.id]
    assert graph.back_fill(SHOP).done == len(MODEL.elements)  # its own vectors are there already


def test_new_words_may_take_a_title_of_the_others(graph: MemoryGraph) -> None:
    stays = write(graph, "Retries are capped at three", title="Retry cap")
    other = write(graph, "Never retry more than thrice", title="Retries")
    told = draft("Retries are capped at three, never more", title="Retries", elements=[CHECKOUT])
    made = graph.merge(SHOP, (other.id,), into=stays.id, actor=REVIEWER, draft=told).memory
    assert (made.title, made.elements) == ("Retries", (CHECKOUT,))


def test_what_is_about_the_whole_project_stays_so(graph: MemoryGraph) -> None:
    wide = write(graph, "Retries are capped at three")
    pinned = write(graph, "Never retry more than thrice", elements=[CHECKOUT])
    assert graph.merge(SHOP, (pinned.id,), into=wide.id, actor=REVIEWER).memory.elements == ()


def test_gained_pins_bring_their_anchors_along(graph: MemoryGraph) -> None:
    def kept(content: str, commit: str, *elements: str) -> str:
        told = draft(content, elements=list(elements))
        return graph.remember(SHOP, told, actor=ME, checkout=Checkout(commit=commit)).memory.id

    stays = kept("Retries are capped at three", COMMIT, CHECKOUT)
    other = kept("Never retry more than thrice", LATER, CATALOGUE, CHECKOUT)
    graph.merge(SHOP, (other,), into=stays, actor=REVIEWER)
    anchors = sorted(graph.anchors(SHOP), key=lambda one: one.element)
    assert anchors == [Anchor(element=CATALOGUE, commit=LATER), Anchor(element=CHECKOUT, commit=COMMIT)]


def test_the_vector_of_what_stays_is_of_its_new_pins(make: Make) -> None:
    graph = make(Bags())
    graph.import_model(SHOP, MODEL)
    stays = write(graph, "Retries are capped at three", elements=[CHECKOUT])
    other = write(graph, "Never retry more than thrice", elements=[CATALOGUE])
    graph.merge(SHOP, (other.id,), into=stays.id, actor=REVIEWER)
    assert graph.back_fill(SHOP).done == len(MODEL.elements)
    assert graph.inbox(SHOP, why=(Why.NEAR_DUPLICATE,)).entries == ()


def test_what_cannot_be_merged_changes_nothing(graph: MemoryGraph) -> None:
    stays = write(graph, "Retries are capped at three", title="Retry cap")
    other = write(graph, "Never retry more than thrice", title="Retries")
    archived = write(graph, "Retry for ever", title="Old")
    graph.archive(SHOP, archived.id, actor=ME)
    elsewhere = write(graph, "Elsewhere it is four", OTHER)
    wide = write(graph, "Everybody retries", WIDE)
    for names, versions, error in (
        ((stays.id,), {}, InvalidInput),
        ((), {}, InvalidInput),
        ((other.id, "Nobody"), {}, Unknown),
        ((other.id, archived.id), {}, NotLive),
        ((other.id, elsewhere.id), {}, Unknown),
        ((other.id, wide.id), {}, InvalidInput),
        ((other.id,), {"Retry cap": 2}, VersionConflict),
        ((other.id,), {other.id: 2}, VersionConflict),
        ((other.id,), {"somebody": 1}, InvalidInput),
    ):
        with pytest.raises(error):
            graph.merge(SHOP, names, into="Retry cap", actor=REVIEWER, versions=versions)
    assert [graph.memory(SHOP, one.id) for one in (stays, other)] == [stays, other]
    graph.merge(SHOP, (other.id,), into="Retry cap", actor=REVIEWER, versions={"Retry cap": 1, other.id: 1})


class AnyReview(RuleBasedStateMachine):
    """Whatever is confirmed, dismissed, proposed and merged: no memory disappears, and every old title leads on."""

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.graph = MemoryGraph(Parts(SqliteStore(Path(self.folder.name) / "a.db"), Clock(), new_id, Bags()))
        self.graph.import_model(SHOP, MODEL)
        self.ids: list[str] = []
        self.titles: list[str] = []

    def teardown(self) -> None:
        if hasattr(self, "graph"):
            self.graph.close()
            self.folder.cleanup()

    def live(self) -> list[str]:
        return [one.id for one in self.graph.memories(SHOP)]

    @rule(words=st.lists(st.sampled_from("retry cap three header limit basket".split()), min_size=3, max_size=6))
    def write(self, words: list[str]) -> None:
        title = f"Title {len(self.titles)}"
        pins = [CHECKOUT] if len(words) % 2 else []
        told = draft(f"{' '.join(words)} [[Nowhere]]", title=title, elements=pins, unreviewed=True)
        answer = self.graph.remember(SHOP, told, actor=ME)
        if not answer.deduplicated:
            self.ids.append(answer.memory.id)
            self.titles.append(title)

    @precondition(lambda self: len(self.live()) > 1)
    @rule(data=st.data(), words=st.sampled_from(["", "both say that retries are capped"]))
    def merge(self, data: st.DataObject, words: str) -> None:
        names = data.draw(st.lists(st.sampled_from(self.live()), min_size=2, max_size=4, unique=True))
        told = draft(f"{words} {len(self.ids)}") if words else None
        merged = self.graph.merge(SHOP, names, into=names[0], actor=ME, draft=told)
        if merged.memory.id not in self.ids:
            self.ids.append(merged.memory.id)

    @precondition(lambda self: self.graph.inbox(SHOP).entries)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.graph.inbox(SHOP).entries))
        if "confirm" in entry.actions and data.draw(st.booleans()):
            self.graph.confirm(SHOP, entry.memory.id, actor=ME)
            return
        if entry.proposal is not None:
            accepts = "accept" in entry.actions and data.draw(st.booleans())
            decide = self.graph.accept_proposal if accepts else self.graph.reject_proposal
            made = decide(SHOP, entry.proposal.id, actor=ME).memory.id
            if made not in self.ids:
                self.ids.append(made)
            return
        other = entry.other.id if entry.other else entry.link
        self.graph.dismiss(SHOP, entry.memory.id, entry.why, actor=ME, other=other)

    @precondition(lambda self: self.live())
    @rule(data=st.data(), archive=st.booleans())
    def propose(self, data: st.DataObject, archive: bool) -> None:
        told = None if archive else draft(f"what is proposed now {len(self.ids)}")
        self.graph.propose(SHOP, data.draw(st.sampled_from(self.live())), draft=told, actor=ME)

    @invariant()
    def every_memory_is_there_and_every_title_leads_on(self) -> None:
        if not hasattr(self, "ids"):
            return
        every = self.graph.memories(SHOP, states=tuple(State), limit=500)
        assert sorted(one.id for one in every) == sorted(self.ids)
        for one in every:
            assert self.graph.memory(SHOP, one.id).state is one.state
            assert (one.state is State.SUPERSEDED) == bool(one.superseded_by)
        for title in self.titles:
            end = self.graph.memory(SHOP, title)
            while end.superseded_by:
                end = self.graph.memory(SHOP, end.superseded_by)
            assert end.state in (State.LIVE, State.ARCHIVED)
        for entry in self.graph.inbox(SHOP).entries:
            assert entry.memory.state is State.LIVE or entry.why is Why.PROPOSED


AnyReview.TestCase.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)
TestAnyReview = AnyReview.TestCase
