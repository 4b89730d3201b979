"""The contract of the port, links, model, drift, events and projects: runs unchanged on every store."""

from datetime import timedelta

import numpy as np
import pytest

from graph.attempts import SCHEDULE, Attempt, AttemptState
from graph.claims import Anchor, Baseline
from graph.codec import EventRecord
from graph.drift_report import DriftReport
from graph.elements import Decision, Element, ElementKind, Relationship
from graph.errors import Conflict, VersionConflict
from graph.memories import EventKind
from graph.scopes import Project, Scope
from graph.stores.port import (
    ElementVector,
    Gap,
    GraphStore,
    Link,
    MemoryAnchor,
    StoredDecision,
    StoredElement,
    StoredRun,
    WriteUnit,
)
from tests.graph.stores.samples import HERE, NOW, THERE, WIDE, asking, keys, nominated, put, record, supersede


def link(name: str, memory: str, *found_by: str, target: str = "") -> Link:
    kind = "memory" if target else None
    return Link(id=name, memory=memory, raw=f"raw {name}", keys=found_by, target_kind=kind, target=target)


def test_links_are_found_from_both_ends_and_by_what_they_may_name(store: GraphStore) -> None:
    for name in ("m1", "m2"):
        put(store, record(name))
    put(store, record("m3", THERE))
    first, second = link("l1", "m1", "a|b", "a"), link("l2", "m1", "c", target="m2")
    store.write(HERE, lambda unit: unit.put_links("m1", (first, second)))
    store.write(THERE, lambda unit: unit.put_links("m3", (link("l3", "m3", "a"),)))
    assert store.read(HERE, lambda unit: unit.links_from(("m1",))) == (first, second)
    assert store.read(HERE, lambda unit: unit.links_to(("m2",))) == (second,)
    assert store.read(HERE, lambda unit: unit.links_naming(("a", "zz"))) == (first,)
    assert store.read(HERE, lambda unit: unit.pending_links()) == (first,)
    store.write(HERE, lambda unit: unit.attach("l1", "element", "e1"))
    assert store.read(HERE, lambda unit: unit.pending_links()) == ()
    assert store.read(HERE, lambda unit: unit.links_to(("e1",)))[0].target_kind == "element"
    store.write(HERE, lambda unit: unit.put_links("m1", (second,)))
    assert store.read(HERE, lambda unit: unit.links_naming(("a",))) == ()


def test_a_projects_unit_reaches_the_organisation_in_the_same_transaction(store: GraphStore) -> None:
    put(store, record("m1", THERE), keys(title="t"))

    def look(unit: WriteUnit) -> tuple[str, ...]:
        above = unit.organisation()
        assert above is not None
        assert (above.scope, above.organisation()) == (WIDE, None)
        return tuple(named.memory for named in above.named("t"))

    assert store.write(HERE, look) == ()
    put(store, record("m2", WIDE), keys(title="t"))
    assert store.write(HERE, look) == ("m2",)


def test_the_organisations_unit_reaches_its_projects_in_the_same_transaction(store: GraphStore) -> None:
    abroad = Scope(organisation="abroad", project="here")
    for name, scope in (("m1", HERE), ("m2", THERE), ("m3", WIDE), ("m4", abroad)):
        put(store, record(name, scope))
        link_of_each = link(f"l{name}", name, "a")
        store.write(scope, lambda unit, one=link_of_each: unit.put_links(one.memory, (one,)))  # type: ignore[misc]

    def lead(unit: WriteUnit) -> list[str]:
        for project in unit.projects():
            for one in project.links_naming(("a",)):
                project.attach(one.id, "memory", "m3")
        return sorted(project.scope.project for project in unit.projects())

    assert store.write(HERE, lead) == []
    assert store.write(WIDE, lead) == [HERE.project, THERE.project]
    assert store.read(HERE, lambda unit: [one.target for one in unit.links_from(("m1", "m3"))]) == ["m3", ""]
    assert store.read(THERE, lambda unit: unit.links_from(("m2",))[0].target) == "m3"
    assert store.read(abroad, lambda unit: unit.links_from(("m4",))[0].target) == ""

    def fail(unit: WriteUnit) -> None:
        unit.projects()[0].attach("lm1", None, "")
        unit.projects()[0].put_links("m1", ())
        raise RuntimeError("half-way")

    with pytest.raises(RuntimeError):
        store.write(WIDE, fail)
    assert store.read(HERE, lambda unit: unit.links_from(("m1",))[0].target) == "m3"


def test_links_of_several_scopes_come_in_the_order_of_their_ids(store: GraphStore) -> None:
    for one in (record("m1"), record("m2"), record("w1", WIDE)):
        put(store, one)
    late, early, wide = (link(name, memory, target="m1") for name, memory in (("l3", "m2"), ("l1", "m2"), ("l2", "w1")))
    store.write(WIDE, lambda unit: unit.put_links("w1", (wide,)))
    store.write(HERE, lambda unit: unit.put_links("m2", (late, early)))
    assert store.read(HERE, lambda unit: unit.links_to(("m1",))) == (early, wide, late)


def test_links_of_what_is_not_live_do_not_lead_anywhere(store: GraphStore) -> None:
    for name in ("m1", "m2"):
        put(store, record(name))
    store.write(HERE, lambda unit: unit.put_links("m1", (link("l1", "m1", "c", target="m2"), link("l2", "m1", "d"))))
    supersede(store, "m1")
    assert store.read(HERE, lambda unit: unit.links_to(("m2",))) == ()
    assert store.read(HERE, lambda unit: unit.pending_links()) == ()


def test_the_model_is_of_the_exact_scope(store: GraphStore) -> None:
    stored = StoredElement(
        id="e1",
        element=Element(ref="A.B", kind=ElementKind.CONTAINER, name="B", properties={"k": "v"}, source=("src",)),
        verdict="drifted",
        drifted_at=NOW,
    )
    decision = StoredDecision(id="d1", decision=Decision(ref="ADR-1", title="T", about=("A.B",)))
    uses = Relationship(source="A.B", target="C", technology="HTTP")

    def fill(unit: WriteUnit) -> None:
        unit.put_element(stored)
        unit.put_decision(decision)
        unit.put_relationships((uses,))

    store.write(HERE, fill)
    assert store.read(HERE, lambda unit: (unit.elements(), unit.decisions(), unit.relationships())) == (
        (stored,),
        (decision,),
        (uses,),
    )
    for scope in (THERE, WIDE):
        assert store.read(scope, lambda unit: (unit.elements(), unit.decisions(), unit.relationships())) == ((), (), ())
    changed = stored.model_copy(update={"retired_at": NOW})
    store.write(HERE, lambda unit: unit.put_element(changed))
    store.write(HERE, lambda unit: unit.put_relationships(()))
    assert store.read(HERE, lambda unit: (unit.elements(), unit.relationships())) == ((changed,), ())


def test_vectors_of_elements_are_of_one_model_and_of_the_exact_scope(store: GraphStore) -> None:
    one, other = (
        ElementVector(key, np.array(values, dtype=np.float32)) for key, values in (("k", (1, 0)), ("l", (0, 1)))
    )
    element = Element(ref="A", kind=ElementKind.SYSTEM, name="A")

    def fill(unit: WriteUnit) -> None:
        unit.put_element(StoredElement(id="e1", element=element))
        unit.put_element_vectors("first", {"e1": one, "unknown": one})

    store.write(HERE, fill)
    store.write(THERE, lambda unit: unit.put_element_vectors("first", {"e1": other}))
    assert store.read(THERE, lambda unit: unit.element_vectors("first")) == {}
    # Another text of the element leaves the vector where it is, with the key that tells.
    store.write(HERE, lambda unit: unit.put_element(StoredElement(id="e1", element=element, verdict="drifted")))
    kept = store.read(HERE, lambda unit: unit.element_vectors("first"))
    assert {name: (one.key, one.vector.tolist()) for name, one in kept.items()} == {"e1": ("k", [1.0, 0.0])}
    store.write(HERE, lambda unit: unit.put_element_vectors("second", {"e1": other}))
    assert store.read(HERE, lambda unit: unit.element_vectors("first")) == {}
    assert store.read(HERE, lambda unit: unit.element_vectors("second"))["e1"].key == "l"


def run(name: str, head: str) -> StoredRun:
    return StoredRun(id=name, report=DriftReport(score=75.0, band="good", head=head, at=NOW))


def test_runs_are_newest_first_and_of_the_exact_scope(store: GraphStore) -> None:
    for name in ("r1", "r2", "r3"):
        store.write(HERE, lambda unit, name=name: unit.put_run(run(name, name)))  # type: ignore[misc]
    assert [r.id for r in store.read(HERE, lambda unit: unit.runs(2))] == ["r3", "r2"]
    assert store.read(HERE, lambda unit: unit.last_run()) == run("r3", "r3")
    assert store.read(HERE, lambda unit: unit.last_head()) == "r3"
    assert store.read(THERE, lambda unit: unit.last_head()) == ""
    assert store.read(THERE, lambda unit: unit.last_run()) is None
    assert [r.id for r in store.read(HERE, lambda unit: unit.runs(5, before="r3"))] == ["r2", "r1"]
    assert [r.id for r in store.read(HERE, lambda unit: unit.runs(5, skip=2))] == ["r1"]
    assert store.read(HERE, lambda unit: unit.runs(5, before="another")) == ()
    assert store.read(HERE, lambda unit: unit.run("r2")) == run("r2", "r2")
    assert store.read(THERE, lambda unit: (unit.run("r2"), unit.runs(5, before="r3"))) == (None, ())


def test_a_run_that_is_thinned_keeps_its_place(store: GraphStore) -> None:
    for name in ("r1", "r2"):
        store.write(HERE, lambda unit, name=name: unit.put_run(run(name, name)))  # type: ignore[misc]
    thin = run("r1", "r1").model_copy(update={"report": run("r1", "r1").report.model_copy(update={"band": ""})})
    store.write(THERE, lambda unit: unit.thin_run(thin))
    assert store.read(HERE, lambda unit: unit.run("r1")) == run("r1", "r1")
    store.write(HERE, lambda unit: unit.thin_run(thin))
    assert store.read(HERE, lambda unit: unit.runs(5)) == (run("r2", "r2"), thin)


def test_attempts_at_runs_are_those_that_were_put_last(store: GraphStore) -> None:
    assert store.read(HERE, lambda unit: unit.attempts()) == ()
    one = Attempt(id="a1", by=SCHEDULE, started_at=NOW, state=AttemptState.FAILED, ended_at=NOW, error="“Öl”")
    other = Attempt(id="a2", by="somebody", started_at=NOW, warnings=("w",))
    store.write(HERE, lambda unit: unit.put_attempts((one,)))
    store.write(HERE, lambda unit: unit.put_attempts((other, one)))
    assert store.read(HERE, lambda unit: unit.attempts()) == (other, one)
    assert store.read(THERE, lambda unit: unit.attempts()) == ()


def test_baselines_and_anchors_come_back_with_their_blobs(store: GraphStore) -> None:
    put(store, record("m1", elements=("e1",)))
    put(store, record("m2", elements=("e1",)))
    anchor = Anchor(element="e1", commit="c1", blobs={"a.py": "b1"})
    baseline = Baseline(anchor=anchor, accepted_at=NOW)
    store.write(HERE, lambda unit: unit.accept("e1", baseline, "a"))
    store.write(HERE, lambda unit: unit.put_anchors("m1", (Anchor(element="e1", commit="c1"),)))
    store.write(HERE, lambda unit: unit.put_anchors("m2", (anchor,)))
    assert store.read(HERE, lambda unit: unit.baselines()) == {"e1": baseline}
    assert store.read(HERE, lambda unit: unit.anchors()) == (
        MemoryAnchor(memory="m1", element="e1", anchor=Anchor(element="e1", commit="c1")),
        MemoryAnchor(memory="m2", element="e1", anchor=anchor),
    )
    assert store.read(HERE, lambda unit: unit.anchors(("m2",)))[0].anchor == anchor
    assert store.read(HERE, lambda unit: unit.anchor_states())["m2", "e1"] == anchor.state
    later = Baseline(anchor=Anchor(element="e1", commit="c2"), accepted_at=NOW + timedelta(days=1))
    store.write(HERE, lambda unit: unit.accept("e1", later, "a"))
    store.write(HERE, lambda unit: unit.put_anchors("m2", ()))
    supersede(store, "m1")
    assert store.read(HERE, lambda unit: (unit.baselines(), unit.anchors())) == ({"e1": later}, ())
    assert store.read(THERE, lambda unit: (unit.baselines(), unit.anchors())) == ({}, ())


def test_two_words_about_one_commit_stand_beside_each_other(store: GraphStore) -> None:
    for name in ("m1", "m2"):
        put(store, record(name, elements=("e1",)))
    clean, dirty = (Anchor(element="e1", commit="c1", blobs={"a.py": blob}) for blob in ("b1", "b2"))
    store.write(HERE, lambda unit: unit.accept("e1", Baseline(anchor=clean, accepted_at=NOW), "a"))
    store.write(HERE, lambda unit: unit.put_anchors("m1", (clean,)))
    store.write(HERE, lambda unit: unit.put_anchors("m2", (dirty,)))
    assert store.read(HERE, lambda unit: [one.anchor for one in unit.anchors()]) == [clean, dirty]
    assert store.read(HERE, lambda unit: unit.baselines())["e1"].anchor == clean


def test_a_state_is_changed_without_touching_an_index(store: GraphStore) -> None:
    put(store, record("m1", title="T"), keys(title="t", terms=("x",)))
    flagged = record("m1", title="T", version=2, drifted_at=NOW)
    store.write(HERE, lambda unit: unit.put_unindexed(flagged))
    assert store.read(HERE, lambda unit: unit.memories(("m1",))) == (flagged,)
    assert nominated(store, asking(("x",))) == ["m1"]
    for scope, version in ((HERE, 2), (HERE, 4), (THERE, 3)):
        late = record("m1", scope, version=version)
        with pytest.raises(VersionConflict):
            store.write(scope, lambda unit, late=late: unit.put_unindexed(late))  # type: ignore[misc]


def test_events_are_kept_in_order_for_who_may_see_the_memory(store: GraphStore) -> None:
    put(store, record("m1"))
    events = tuple(
        EventRecord(
            id=f"v{n}", memory="m1", kind=EventKind.CREATED, at=NOW, actor="a", note="", session="", after=record("m1")
        )
        for n in range(3)
    )
    for event in events:
        store.write(HERE, lambda unit, event=event: unit.append(event))  # type: ignore[misc]
    assert store.read(HERE, lambda unit: unit.history("m1")) == events
    assert store.read(THERE, lambda unit: unit.history("m1")) == ()


def test_replies_are_kept_by_scope_and_key(store: GraphStore) -> None:
    store.write(HERE, lambda unit: unit.remember_reply("k", "request", "reply", NOW))
    assert store.read(HERE, lambda unit: unit.replayed("k")) == ("request", "reply")
    assert store.read(THERE, lambda unit: unit.replayed("k")) is None


def test_gaps_are_newest_first(store: GraphStore) -> None:
    gaps = tuple(Gap(id=f"g{n}", question=f"q{n}", elements=("A",), at=NOW) for n in range(3))
    for gap in gaps:
        store.write(HERE, lambda unit, gap=gap: unit.add_gap(gap))  # type: ignore[misc]
    assert store.read(HERE, lambda unit: unit.gaps(2)) == (gaps[2], gaps[1])
    assert store.read(THERE, lambda unit: unit.gaps(2)) == ()


def test_projects_are_found_by_id_and_identity_in_their_organisation(store: GraphStore) -> None:
    one = Project(organisation="local", id="a", name="A", identities=("a", "x"), created_at=NOW)
    store.put_project(one)
    store.put_project(one.model_copy(update={"organisation": "other", "name": "O"}))
    assert store.find_project("local", "a") == store.find_project("local", "x") == one
    assert store.find_project("local", "no") is None
    assert [p.name for p in store.projects("other")] == ["O"]
    with pytest.raises(Conflict):
        store.put_project(Project(organisation="local", id="b", name="B", identities=("x",), created_at=NOW))
    assert store.find_project("local", "b") is None


def test_a_project_keeps_the_repository_that_a_server_checks(store: GraphStore) -> None:
    one = Project(organisation="local", id="a", name="A", identities=("a",), created_at=NOW)
    store.put_project(one)
    there = one.model_copy(update={"repository": "https://example.org/a.git", "branch": "main", "version": 2})
    store.put_project(there)
    assert store.find_project("local", "a") == there
    assert store.projects("local") == (there,)
    store.put_project(one)
    assert store.find_project("local", "a") == one
