"""Access keys: what each allows, and that what is wrong with one is never told."""

from datetime import timedelta

import pytest

from graph.access import Right
from graph.errors import Ambiguous, Conflict, Forbidden, InvalidInput, Unauthorised, Unknown
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from tests.graph.conftest import ME, OTHER, SHOP, WIDE, Clock, draft, found, write

ORGANISATION = SHOP.organisation


@pytest.fixture(autouse=True)
def projects(graph: MemoryGraph) -> None:
    for scope in (SHOP, OTHER):
        graph.add_project(ORGANISATION, scope.project, scope.project)


def limited(graph: MemoryGraph, right: Right, *projects: str) -> MemoryGraph:
    made = graph.create_access_key(ORGANISATION, f"key {right} {projects}", right=right, projects=projects, actor=ME)
    return graph.limited_to(graph.access_of(ORGANISATION, made.token))


def test_a_key_for_a_project_sees_it_and_what_the_organisation_shares(graph: MemoryGraph) -> None:
    write(graph, "Here the gateway strips headers")
    write(graph, "There the gateway keeps headers", OTHER)
    write(graph, "Everywhere the gateway signs headers", WIDE)
    seen = limited(graph, Right.READ, SHOP.project)
    assert set(found(seen, "gateway headers")) == {
        "Here the gateway strips headers",
        "Everywhere the gateway signs headers",
    }
    assert [one.id for one in seen.projects(ORGANISATION)] == [SHOP.project]
    with pytest.raises(Unknown) as unknown:
        seen.project(ORGANISATION, OTHER.project)
    assert unknown.value.candidates == (SHOP.project,)
    with pytest.raises(Unknown):
        seen.memories(OTHER)
    with pytest.raises(Unknown):
        seen.memories(Scope(organisation="elsewhere"))


def test_the_rights_hold_each_other(graph: MemoryGraph) -> None:
    reader, writer, admin = (limited(graph, right, SHOP.project) for right in Right)
    with pytest.raises(Forbidden, match="right to read"):
        reader.remember(SHOP, draft("Read alone"), actor=ME)
    writer.remember(SHOP, draft("Written"), actor=ME)
    assert found(reader, "written") == ["Written"]
    with pytest.raises(Forbidden):
        writer.set_repository(ORGANISATION, SHOP.project, "https://example.org/shop.git")
    assert admin.set_repository(ORGANISATION, SHOP.project, "https://example.org/shop.git").repository
    for one in (writer, admin):
        with pytest.raises(Forbidden, match="whole organisation"):
            one.remember(WIDE, draft("For everybody"), actor=ME)
        with pytest.raises(Forbidden):
            one.access_keys(ORGANISATION)
    limited(graph, Right.WRITE).remember(WIDE, draft("For everybody"), actor=ME)


def test_no_key_for_a_project_makes_names_lead_elsewhere(graph: MemoryGraph) -> None:
    admin = limited(graph, Right.ADMIN, SHOP.project)
    answers = []
    for alias in (OTHER.project, "example.org/team/nothing"):
        with pytest.raises(Forbidden) as refused:
            admin.add_project(ORGANISATION, SHOP.project, "", (alias,))
        answers.append(str(refused.value))
    assert answers[0] == answers[1]
    with pytest.raises(Forbidden):
        admin.export(SHOP, lambda _: None, whole=True)


@pytest.mark.parametrize("right", Right)
def test_an_organisation_wide_memory_is_changed_by_a_whole_key_alone(graph: MemoryGraph, right: Right) -> None:
    kept = write(graph, "Write in English", WIDE, title="English")
    one = limited(graph, right, SHOP.project)
    assert one.memory(SHOP, "English").id == kept.id
    for work in (one.confirm, one.archive):
        with pytest.raises(Forbidden):
            work(SHOP, "English", actor=ME)
    with pytest.raises(Forbidden):
        one.supersede(SHOP, "English", draft("Write in Latin"), actor=ME)


def test_whatever_is_wrong_with_a_token_is_told_alike(graph: MemoryGraph, clock: Clock) -> None:
    made, gone, short = (
        graph.create_access_key(ORGANISATION, name, actor=ME, expires_at=clock() + timedelta(days=days))
        for name, days in (("made", 90), ("gone", 90), ("short", 1))
    )
    assert graph.revoke_access_key(ORGANISATION, "gone", actor=ME).revoked_at == clock()
    clock.pass_days(1)
    secret = made.token.rpartition("_")[2]
    wrong = (
        *("", "archmem_", made.id, secret, made.token[:-1] + "~", made.token.upper(), f" {made.token}"),
        *(f"archmem_{gone.id}_{secret}", f"archmem_{made.id}_{secret[::-1]}", gone.token, short.token),
    )
    told = set()
    for token in wrong:
        with pytest.raises(Unauthorised) as refused:
            graph.access_of(ORGANISATION, token)
        told.add(str(refused.value))
    with pytest.raises(Unauthorised) as refused:
        graph.access_of("elsewhere", made.token)
    assert {*told, str(refused.value)} == {str(refused.value)}
    assert graph.access_of(ORGANISATION, made.token).name == "made"


def test_a_token_is_kept_nowhere(graph: MemoryGraph) -> None:
    made = graph.create_access_key(ORGANISATION, "ci", projects=[SHOP.project], actor=ME)
    (listed,) = graph.access_keys(ORGANISATION)
    assert listed == made.model_copy(update={"token": ""})
    assert "token" not in listed.model_dump_json()
    assert made.token not in repr(graph._parts.store.access_key(made.id))


def test_what_cannot_be_a_key_is_refused_with_every_fault(graph: MemoryGraph, clock: Clock) -> None:
    with pytest.raises(InvalidInput) as refused:
        graph.create_access_key(ORGANISATION, " \n", projects=["", SHOP.project], expires_at=clock(), actor=ME)
    assert {one.where for one in refused.value.faults} == {"name", "projects", "expires_at"}
    with pytest.raises(Unknown):
        graph.create_access_key(ORGANISATION, "ci", projects=["example.org/nothing"], actor=ME)
    assert graph.access_keys(ORGANISATION) == ()


def test_a_name_is_free_again_when_its_key_is_revoked(graph: MemoryGraph) -> None:
    first = graph.create_access_key(ORGANISATION, "ci", actor=ME)
    with pytest.raises(Conflict):
        graph.create_access_key(ORGANISATION, "ci", actor=ME)
    graph.revoke_access_key(ORGANISATION, first.id, actor=ME)
    second = graph.create_access_key(ORGANISATION, "ci", actor=ME)
    graph.revoke_access_key(ORGANISATION, "ci", actor=ME)
    assert graph.access_keys(ORGANISATION)[1].revoked_at
    with pytest.raises(Ambiguous) as both:
        graph.revoke_access_key(ORGANISATION, "ci", actor=ME)
    assert both.value.candidates == (first.id, second.id)
    with pytest.raises(Unknown):
        graph.revoke_access_key(ORGANISATION, "nobody", actor=ME)
