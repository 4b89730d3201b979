"""The contract of the port, giving away and taking in: runs unchanged from every store to every store."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import get_args

import pytest

from graph.claims import Anchor
from graph.codec import Record
from graph.elements import Element, ElementKind
from graph.errors import Unknown
from graph.memories import State
from graph.scopes import Scope
from graph.stores.port import ReadUnit, StoredElement
from graph.stores.transfer import (
    AnchorEntry,
    DumpUnit,
    ElementEntry,
    Entry,
    EntryKind,
    MemoryEntry,
    ProjectEntry,
    RelationshipsEntry,
    Restored,
    RestoreUnit,
    ServedEntry,
    SessionEntry,
    Store,
    VectorsEntry,
    batches,
)
from tests.graph.stores.filled import LATER, fill, fill_all, project
from tests.graph.stores.samples import (
    ANY_RELEVANCE,
    HERE,
    MODEL,
    NOW,
    THERE,
    WIDE,
    asking,
    keys,
    nominated,
    put,
    put_vectors,
    record,
    vector,
)

FLOATS = vector(1, 0, 0).astype("<f4").tobytes()


def dumped(store: Store, scope: Scope = WIDE, *, whole: bool = True) -> tuple[Entry, ...]:
    def work(unit: DumpUnit) -> tuple[Entry, ...]:
        found = tuple(entry for kind in get_args(EntryKind) for entry in unit.entries(kind))
        counts = {kind: sum(entry.kind == kind for entry in found) for kind in get_args(EntryKind)}
        assert list(unit.counts().items()) == [(kind, count) for kind, count in counts.items() if count]
        return found

    return store.dump(scope, work, whole=whole)


def restored(store: Store, entries: Sequence[Entry]) -> list[Restored]:
    def work(unit: RestoreUnit) -> list[Restored]:
        numbered = batches(enumerate(entries), lambda _: 0)
        return [one for batch in numbered for one in unit.restore([entry for _, entry in batch])]

    return store.restoring(work)


def of(scope: Scope) -> Callable[[Store], object]:
    """Return what a scope's unit reads, whatever the port has for it."""

    def read(unit: ReadUnit) -> object:
        names = [entry.id for entry in unit.listed(tuple(State), after="", limit=100)]
        question = asking(("header",), keys=frozenset({"shop"}), vector=vector(1, 1, 0), policy=ANY_RELEVANCE)
        best = unit.nominate(question)
        reads = (
            unit.memories(names),
            unit.named("header limit"),
            unit.named("old name"),
            unit.same_content("c"),
            unit.pin_counts(),
            unit.tallies(),
            unit.facts(names),
            unit.term_stats(("header", "limit", "no")),
            (sorted(best.ids), best.beyond),
            unit.near_contents(vector(0, 1, 0), MODEL, 0.5),
            unit.without_vectors(MODEL, after="", limit=10),
            unit.embedded(MODEL),
            unit.links_from(names),
            unit.links_naming(("shop", "nowhere")),
            unit.pending_links(),
            unit.elements(),
            unit.relationships(),
            unit.decisions(),
            unit.runs(10),
            unit.baselines(),
            unit.anchors(),
            unit.anchor_states(),
            [unit.history(name) for name in names],
            unit.replayed("key"),
            unit.gaps(10),
        )
        return (*reads, {name: array.tolist() for name, array in unit.vectors(names, MODEL).items()})

    return lambda store: store.read(scope, read)


def test_what_is_given_away_and_taken_in_is_all_there_is(store: Store, target: Store) -> None:
    fill_all(store)
    entries = dumped(store)
    assert {entry.kind for entry in entries} == set(get_args(EntryKind))
    assert {one.outcome for one in restored(target, entries)} == {"new"}
    assert dumped(target) == entries
    assert target.projects("local") == store.projects("local") != ()
    for scope in (WIDE, HERE, THERE):
        assert of(scope)(target) == of(scope)(store)


def test_everything_comes_by_kind_then_scope_then_id_or_as_it_happened(store: Store) -> None:
    fill_all(store)
    entries = dumped(store)
    kinds = list(dict.fromkeys(entry.kind for entry in entries))
    assert kinds == list(get_args(EntryKind))
    assert [entry.kind for entry in entries] == [kind for kind in kinds for e in entries if e.kind == kind]
    memories = [entry.record.id for entry in entries if entry.kind == "memory"]
    assert memories == [f"{mark}-{name}" for mark in "wht" for name in ("gone", "idea", "live", "old")]
    for found in (
        [entry.event.id for entry in entries if entry.kind == "event"],
        [entry.gap.id for entry in entries if entry.kind == "gap"],
        [entry.run.id for entry in entries if entry.kind == "run"],
    ):
        assert found == [f"{mark}-{name}" for mark in "wht" for name in "za"]
    links = [entry.link.id for entry in entries if entry.kind == "link"]
    assert links == [f"{mark}-{name}" for mark in "wht" for name in "az"]


def test_one_scope_is_given_away_without_the_others(store: Store, target: Store) -> None:
    fill(store)
    for scope in (HERE, WIDE):
        entries = dumped(store, scope, whole=False)
        assert {entry.scope for entry in entries} == {scope}
        assert {entry.memory for entry in entries if entry.kind == "served"} == {
            name for name in ("w-live", "w-gone", "h-live", "h-gone") if name[0] == ("h" if scope == HERE else "w")
        }
        restored(target, entries)
        assert dumped(target, scope, whole=False) == entries
    assert dumped(store, Scope(project="nowhere"), whole=False) == ()
    assert dumped(store, Scope(organisation="other")) == ()


def test_a_scope_that_is_no_registered_project_is_given_away_too(store: Store, target: Store) -> None:
    put(store, record("m1"), keys("t"))
    entries = dumped(store)
    assert [entry.kind for entry in entries] == ["memory"]
    restored(target, entries)
    assert dumped(target) == entries


def test_what_is_known_already_stays_as_it_is(store: Store) -> None:
    fill(store)
    entries = dumped(store)
    assert set(restored(store, entries)) == {Restored("known")}
    assert dumped(store) == entries


def test_what_failed_leaves_nothing(store: Store, target: Store) -> None:
    fill(store)

    def fail(unit: RestoreUnit) -> None:
        for entry in dumped(store):
            unit.restore((entry,))
        raise RuntimeError("half-way")

    with pytest.raises(RuntimeError):
        target.restoring(fail)
    assert dumped(target) == ()
    assert target.projects("local") == ()


def test_a_projects_repository_is_given_away_too(store: Store, target: Store) -> None:
    one = project("here").model_copy(update={"repository": "https://example.org/a.git", "branch": "main"})
    store.put_project(one)
    assert {one.outcome for one in restored(target, dumped(store))} == {"new"}
    assert target.projects("local") == (one,)


def changed(entry: Entry) -> Entry:
    """Return another entry that is known by the same."""
    match entry.kind:
        case "project":
            return ProjectEntry(project=entry.project.model_copy(update={"name": "another"}))
        case "element" | "decision":
            stored = entry.stored.model_copy(update={"retired_at": LATER + timedelta(days=1)})
            return entry.model_copy(update={"stored": stored})
        case "relationships":
            return entry.model_copy(update={"relationships": entry.relationships[::-1]})
        case "memory":
            return entry.model_copy(update={"record": entry.record.model_copy(update={"version": 9})})
        case "vectors":
            return entry.model_copy(update={"content": FLOATS})
        case "link":
            return entry.model_copy(update={"link": entry.link.model_copy(update={"target": "e2"})})
        case "event":
            return entry.model_copy(update={"event": entry.event.model_copy(update={"note": "another"})})
        case "gap":
            return entry.model_copy(update={"gap": entry.gap.model_copy(update={"question": "another"})})
        case "run":
            report = entry.run.report.model_copy(update={"score": 34.0})
            return entry.model_copy(update={"run": entry.run.model_copy(update={"report": report})})
        case "anchor":
            state = Anchor(element="x", commit="", blobs={}).state
            return entry.model_copy(update={"state": state})
        case "session":
            return entry.model_copy(update={"seen_at": LATER + timedelta(days=1)})
        case "snapshot":
            return entry
        case _:
            return entry.model_copy(update={"at": LATER + timedelta(days=1)})


def test_other_data_for_the_same_id_is_told_and_stays(store: Store) -> None:
    fill(store)
    entries = dumped(store)
    # A snapshot's name says all that it holds, so there is no other one.
    others = [entry for entry in map(changed, entries) if entry.kind != "snapshot"]
    assert set(restored(store, others)) == {Restored("differs")}
    assert dumped(store) == entries


def test_an_id_that_another_scope_has_is_told(store: Store) -> None:
    put(store, record("m1"))
    assert restored(store, [MemoryEntry(record=record("m1", THERE), keys=keys())]) == [Restored("differs")]


def test_a_title_a_ref_or_an_identity_that_is_taken_is_told_with_its_owner(store: Store) -> None:
    fill(store)
    element = Element(ref="Shop", kind=ElementKind.SYSTEM, name="Shop")
    taken: tuple[Entry, ...] = (
        MemoryEntry(record=record("m9"), keys=keys("header limit")),
        ElementEntry(scope=HERE, stored=StoredElement(id="e9", element=element)),
        ProjectEntry(project=project("here").model_copy(update={"id": "elsewhere"})),
    )
    assert restored(store, taken) == [Restored("taken", name) for name in ("h-live", "h-Shop", "here")]
    free: tuple[Entry, ...] = (
        MemoryEntry(record=record("m9", state=State.ARCHIVED), keys=keys("header limit")),
        ElementEntry(scope=HERE, stored=StoredElement(id="e9", element=element, retired_at=NOW)),
    )
    assert restored(store, free) == [Restored("new")] * 2


def test_what_an_entry_names_must_be_there(store: Store) -> None:
    lost: tuple[Entry, ...] = (
        VectorsEntry(scope=HERE, memory="m1", model=MODEL, key="s", search=FLOATS, content=FLOATS),
        AnchorEntry(scope=HERE, memory="m1", element="e", state="x"),
        ServedEntry(scope=HERE, session="s", memory="m1", at=NOW),
    )
    for entry in lost:
        with pytest.raises(Unknown):
            restored(store, [entry])


def test_who_has_asked_before_finds_what_came_in_since(store: Store) -> None:
    put(store, record("m1"), keys("t", ("header",)))
    put_vectors(store, "m1", vector(1, 0, 0))

    def asked() -> tuple[object, ...]:
        near = store.read(HERE, lambda unit: unit.near_contents(vector(1, 0, 0), MODEL, 0.5))
        both = (asking(("header",)), asking(vector=vector(1, 0, 0)))
        return *(nominated(store, one) for one in both), [name for name, _ in near]

    assert asked() == (["m1"],) * 3
    came = MemoryEntry(record=record("m2"), keys=keys("t2", ("header",), search="s"))
    made = VectorsEntry(scope=HERE, memory="m2", model=MODEL, key="s", search=FLOATS, content=FLOATS)
    restored(store, [came])
    assert asked() == (["m1", "m2"], ["m1"], ["m1"])
    restored(store, [made])
    assert asked() == (["m1", "m2"],) * 3


def test_what_sessions_were_served_counts_at_once_in_any_order(store: Store) -> None:
    names = [f"m{n:02}" for n in range(20)]
    for name in names:
        put(store, record(name), keys("", ("header",), content=name))
    question = asking(("header",), limit=1)
    assert nominated(store, question) == names
    # Twenty alike: whom many reports passed over ranks below those that none did.
    sessions = [SessionEntry(scope=HERE, id=f"s{n}", seen_at=NOW, reported_at=LATER) for n in range(20)]
    restored(store, sessions)
    assert nominated(store, question) == names
    restored(store, [ServedEntry(scope=HERE, session=one.id, memory="m00", at=NOW) for one in sessions])
    assert nominated(store, question) == names[1:]


def test_relationships_of_a_scope_without_any_are_no_entry(store: Store) -> None:
    store.write(HERE, lambda unit: unit.put_relationships(()))
    assert dumped(store) == ()
    entry = RelationshipsEntry(scope=HERE, relationships=())
    assert restored(store, [entry]) == [Restored("new")]
    assert dumped(store) == ()


def test_memories_put_after_an_import_go_on_from_their_version(store: Store) -> None:
    one: Record = record("m1", version=7)
    restored(store, [MemoryEntry(record=one, keys=keys("t", ("header",)))])
    put(store, one.model_copy(update={"version": 8}), keys("t", ("limit",)))
    assert nominated(store, asking(("header",))) == []
    assert nominated(store, asking(("limit",))) == ["m1"]
