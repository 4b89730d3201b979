"""A store with something of every kind in two projects and their organisation."""

from datetime import timedelta

from graph.claims import Anchor, Baseline
from graph.codec import EventRecord
from graph.drift_report import DriftReport, Finding, Verdict
from graph.elements import Decision, Element, ElementKind, Relationship
from graph.memories import EventKind, State
from graph.reviews import Dismissal, Proposal, ProposalKind, Why
from graph.scopes import Project, Scope
from graph.sessions import Lease, Session, Work
from graph.stores.port import Gap, GraphStore, Link, StoredDecision, StoredElement, StoredRun, WriteUnit
from tests.graph.stores.samples import HERE, NOW, THERE, WIDE, embedding, keys, record, vector

LATER = NOW + timedelta(days=1)
COMMIT, BLOB = "c" * 40, "b" * 40


def fill(store: GraphStore) -> None:
    """Put something of every kind into the store, here, there and in the organisation."""
    for scope in (HERE, THERE):
        store.put_project(project(scope.project))
    for scope, mark in ((WIDE, "w"), (HERE, "h"), (THERE, "t")):
        store.write(scope, lambda unit, mark=mark: _fill(unit, mark))  # type: ignore[misc]
    for scope in (HERE, THERE):
        store.write(scope, lambda unit: unit.impress("s1", ("w-live",), NOW))


def fill_all(store: GraphStore) -> None:
    """Put what came after format 1 of exports into the store as well, so that there is something of every kind."""
    fill(store)
    for scope, mark in ((WIDE, "w"), (HERE, "h"), (THERE, "t")):
        store.write(scope, lambda unit, mark=mark: _fill_reviews(unit, mark))  # type: ignore[misc]


def _fill_reviews(unit: WriteUnit, mark: str) -> None:
    live, shared = f"{mark}-live", {"at": NOW, "by": "capture"}
    whole = {"kind": ProposalKind.SUPERSEDE, "memory": live, "session": "s1", "body": "sealed", **shared}
    unit.put_proposal(Proposal.model_validate({"id": f"{mark}-p", **whole}))
    unit.dismiss(Dismissal(why=Why.DRIFTED, subject=live, cause="then", at=NOW, by="reviewer"))
    begun = Work(agent="agent", task="sealed", started_at=NOW, leases=(Lease(element=f"{mark}-Shop", exclusive=True),))
    unit.put_session(Session(id=f"{mark}-work", seen_at=LATER, work=begun))


def project(name: str) -> Project:
    return Project(organisation="local", id=name, name=name.title(), identities=(f"git/{name}", name), created_at=NOW)


def _fill(unit: WriteUnit, mark: str) -> None:
    scope = unit.scope
    for ref, retired in (("Shop", None), ("Shop.API", None), ("Shop.Old", LATER)):
        made = Element(ref=ref, kind=ElementKind.SYSTEM, name=ref, properties={"z": "1", "a": "2"}, source=("src",))
        stored = StoredElement(
            id=f"{mark}-{ref}", element=made, retired_at=retired, verdict="drifted", drifted_at=NOW
        )  # fmt: skip
        unit.put_element(stored)
    unit.put_relationships((Relationship(source="Shop.API", target="Shop"), Relationship(source="Shop", target="X")))
    unit.put_decision(StoredDecision(id=f"{mark}-adr", decision=Decision(ref="ADR-1", title="Cents"), retired_at=NOW))
    _fill_memories(unit, scope, mark)
    anchor = Anchor(element=f"{mark}-Shop", commit=COMMIT, blobs={"src/b": BLOB, "src/a": BLOB})
    unit.put_anchors(f"{mark}-live", (anchor,))
    unit.put_anchors(f"{mark}-gone", (anchor.model_copy(update={"blobs": {}}), anchor))
    unit.accept(f"{mark}-Shop", Baseline(anchor=anchor, accepted_at=LATER), "somebody")
    # Ids need not follow time: what happened first stays first.
    for name, kind in (("z", EventKind.CREATED), ("a", EventKind.CONFIRMED)):
        after = record(f"{mark}-live", scope, title="Header limit", why="“Öl”\n\u2028")
        unit.append(
            EventRecord(
                id=f"{mark}-{name}", memory=after.id, kind=kind, at=NOW, actor="a", note="n", session="s1", after=after
            )
        )
        unit.add_gap(Gap(id=f"{mark}-{name}", question=f"why {name}?", elements=(f"{mark}-Shop",), at=NOW))
        finding = Finding(ref="Shop", kind=ElementKind.SYSTEM, verdict=Verdict.DRIFTED, share=0.1, repair={"b": "a"})
        report = DriftReport(score=33.3, band="poor", head=COMMIT, at=NOW, elements=(finding,))
        unit.put_run(StoredRun(id=f"{mark}-{name}", report=report))
    unit.remember_reply("key", "request", '{"reply": true}', NOW)
    unit.impress("s1", (f"{mark}-live", f"{mark}-gone"), NOW)
    unit.cite("s1", (f"{mark}-live",), LATER)
    unit.impress("s2", (f"{mark}-live",), NOW)
    unit.lease("job", "somebody", LATER, NOW)


def _fill_memories(unit: WriteUnit, scope: Scope, mark: str) -> None:
    live = record(
        f"{mark}-live", scope, title="Header limit", why="“Öl”\n\u2028", elements=(f"{mark}-Shop",), drifted_at=NOW
    )
    found_by = keys("header limit", ("header", "limit"), ("shop",), ("old name", "another"), content="c", search="s")
    unit.put(live, found_by)
    unit.put_vectors(live.id, embedding(vector(1, 0, 0), vector(0, 1, 0)))
    # The vectors are of an older text than the memory has by now.
    unit.put(live.model_copy(update={"version": 2}), found_by.model_copy(update={"search": "s2"}))
    for name, state in (("gone", State.SUPERSEDED), ("old", State.ARCHIVED), ("idea", State.PROPOSED)):
        one = record(f"{mark}-{name}", scope, title="Header limit", superseded_by=live.id if name == "gone" else "")
        unit.put(one.model_copy(update={"state": State.LIVE}), keys("", ("header",), content=name))
        unit.put_vectors(one.id, embedding(vector(0, 0, 1)))
        unit.put(one.model_copy(update={"state": state, "version": 2}), keys("header limit", ("header",), content=name))
    told = {"raw": "[[Shop|x]]", "keys": ("shop|x", "shop"), "target_kind": "element", "target": f"{mark}-Shop"}
    first = Link.model_validate({"id": f"{mark}-z", "memory": live.id, **told})
    unit.put_links(live.id, (first, Link(id=f"{mark}-a", memory=live.id, raw="[[Nowhere]]", keys=("nowhere",))))
