"""Drift over REST: which repository a server may read, runs that are started, listed and read, acceptance by ref."""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from drift import Repository, parse_accepted
from graph.memory_graph import MemoryGraph
from graph.scopes import Scope
from server.repositories import set_repository
from server.settings import Settings
from tests.server.shop import IDENTITY, LIMIT, commit, git, make_shop
from tests.server.test_rest import problem, remembered

API = "Shop.API"
SCOPE = Scope(project=IDENTITY)
CHANGED = {"src/api/limits.py": "LIMIT = 200\n\n\ndef allow(count):\n    return count < LIMIT\n"}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The shop's repository, where the server may read it."""
    return make_shop(tmp_path / "readable" / "shop")


@pytest.fixture
def watched(rest: httpx.Client, shop: Path) -> httpx.Client:
    told = rest.put("/api/project/repository", json={"repository": str(shop)}).json()
    assert told["repository"] == str(shop)
    return rest


def ran(rest: httpx.Client) -> dict[str, Any]:
    """Start a run and wait for what became of it."""
    started = rest.post("/api/drift/attempts", headers={"X-Archmem-Actor": "agent/test"})
    assert started.status_code == 202
    attempt: dict[str, Any] = started.json()
    assert (attempt["state"], attempt["by"]) == ("running", "agent/test")
    deadline = time.monotonic() + 20
    while attempt["state"] == "running":
        assert time.monotonic() < deadline
        attempt = rest.get(f"/api/drift/attempts/{attempt['id']}").json()
    return attempt


def is_verify(rest: httpx.Client) -> bool:
    return bool(rest.post("/api/recall", json={"question": "requests"}).json()["hits"][0]["verify"])


def test_a_run_is_started_and_read_in_full(watched: httpx.Client, shop: Path) -> None:
    attempt = ran(watched)
    assert attempt["state"] == "recorded"
    assert attempt["head"] == git(shop, "rev-parse", "HEAD")
    run = watched.get(f"/api/drift/runs/{attempt['run']}").json()
    assert run["report"]["head"] == attempt["head"]
    assert {one["ref"] for one in run["report"]["elements"]} >= {API, "Shop.Web"}
    told = watched.get("/api/drift").json()
    assert told["last"]["id"] == attempt["run"]
    assert told["last"]["counts"] == {"matched": 4, "unmapped": 4}
    assert told["attempts"] == [attempt]
    assert (told["schedule"], told["next_at"], told["problem"]) == ("", None, "")
    assert ran(watched)["state"] == "unchanged"


def test_the_same_commit_is_checked_again_for_what_the_store_asks_anew(watched: httpx.Client) -> None:
    assert ran(watched)["state"] == "recorded"
    remembered(watched, LIMIT, elements=[API], title="Limit")
    assert ran(watched)["state"] == "unchanged"
    watched.post("/api/memories/Limit/confirm").raise_for_status()
    assert [ran(watched)["state"], ran(watched)["state"]] == ["recorded", "unchanged"]


def test_runs_are_listed_in_numbers_page_by_page(watched: httpx.Client, shop: Path) -> None:
    made = [ran(watched)["run"]]
    for number in (200, 300):
        commit(shop, {"src/api/limits.py": f"LIMIT = {number}\n"})
        made.append(ran(watched)["run"])
    first = watched.get("/api/drift/runs", params={"limit": 2}).json()
    second = watched.get("/api/drift/runs", params={"limit": 2, "before": first["next"]}).json()
    assert [run["id"] for run in first["runs"] + second["runs"]] == made[::-1]
    assert second["next"] == ""
    assert [run["score"] for run in (*first["runs"], *second["runs"])] == [75.0, 75.0, 100.0]
    problem(watched.get("/api/drift/runs/nothing"), 404, "unknown")
    problem(watched.get("/api/drift/attempts/nothing"), 404, "unknown")


def test_who_confirms_without_a_checkout_confirms_what_the_last_run_told_of(
    watched: httpx.Client, shop: Path, tmp_path: Path
) -> None:
    remembered(watched, LIMIT, elements=[API], title="Limit")
    ran(watched)
    # Made before the confirmation and not yet here: its time alone would say that it was seen.
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(shop), str(other))
    made = commit(other, CHANGED)
    time.sleep(1.1)
    watched.post("/api/memories/Limit/confirm").raise_for_status()
    git(shop, "pull", "-q", "--ff-only", str(other), "main")
    assert ran(watched)["head"] == made
    assert is_verify(watched)
    watched.post("/api/memories/Limit/confirm").raise_for_status()
    assert not is_verify(watched)
    ran(watched)
    assert not is_verify(watched)


def test_an_element_is_accepted_by_its_ref_as_the_repository_has_it(watched: httpx.Client, shop: Path) -> None:
    ran(watched)
    made = commit(shop, CHANGED)
    assert ran(watched)["state"] == "recorded"
    accepted = watched.post("/api/drift/accept", json={"refs": [API]}).json()
    assert (accepted["refs"], accepted["recorded"]) == ([API], [API])
    baseline = parse_accepted(accepted["content"].encode())[API]
    with Repository.open(shop) as repository:
        blobs = repository.tree(made).blobs()
    assert baseline.anchor.commit == made
    assert baseline.anchor.blobs == {"src/api/limits.py": blobs["src/api/limits.py"]}
    assert ran(watched)["state"] == "recorded"
    assert watched.get("/api/drift").json()["last"]["score"] == 100
    problem(watched.post("/api/drift/accept", json={"refs": ["Shop.Nothing"]}), 404, "unknown")
    for body in ({}, {"refs": [API], "baselines": [json.loads(baseline.model_dump_json())]}):
        assert (
            "either" in problem(watched.post("/api/drift/accept", json=body), 422, "invalid_input")["faults"][0]["what"]
        )


def test_a_project_without_a_repository_says_how_to_name_one(rest: httpx.Client) -> None:
    for told in (rest.post("/api/drift/attempts"), rest.post("/api/drift/accept", json={"refs": [API]})):
        assert "archmem project repository" in problem(told, 404, "unknown")["next_step"]
    assert rest.get("/api/drift").json()["repository"] == ""
    assert rest.get("/api/drift").json()["attempts"] == []
    problem(rest.get("/api/drift", params={"project": ""}), 404, "unknown")


def test_a_client_names_no_folder_that_the_server_may_not_read(rest: httpx.Client, tmp_path: Path) -> None:
    secret = make_shop(tmp_path / "secret")
    (tmp_path / "readable").mkdir()
    (tmp_path / "readable" / "link").symlink_to(secret)
    for name in (str(secret), f"file://{secret}", str(tmp_path / "readable/link"), f"{tmp_path}/readable/../secret"):
        told = problem(rest.put("/api/project/repository", json={"repository": name}), 422, "invalid_input")
        assert "ARCHMEM_REPOSITORIES" in told["next_step"]
    for name in ("ext::sh -c true", "--upload-pack=true", "https://me:s3cret@example.org/x", "secret"):
        told = problem(rest.put("/api/project/repository", json={"repository": name}), 422, "invalid_input")
        assert "s3cret" not in json.dumps(told)
    body = {"repository": str(tmp_path / "readable/shop"), "branch": "main"}
    assert "HEAD" in problem(rest.put("/api/project/repository", json=body), 422, "invalid_input")["faults"][0]["what"]


def test_a_folder_is_read_only_as_the_top_of_its_repository(
    rest: httpx.Client, tmp_path: Path, graph: MemoryGraph, settings: Settings
) -> None:
    around = make_shop(tmp_path / "around")
    (around / "inner").mkdir()
    set_repository(graph, settings, SCOPE, str(around / "inner"), trusted=True)
    attempt = ran(rest)
    assert attempt["state"] == "failed"
    assert "top folder" in attempt["error"]


def test_a_store_that_others_write_leads_the_server_to_no_folder_of_its_own(
    tmp_path: Path, graph: MemoryGraph, settings: Settings, shop: Path
) -> None:
    shared = settings.model_copy(update={"store": "neo4j://example.org"})
    told = set_repository(graph, shared, SCOPE, str(shop), trusted=True)
    assert told.repository == str(shop)
    with pytest.raises(Exception, match="cannot be used"):
        set_repository(graph, shared, SCOPE, str(make_shop(tmp_path / "secret")), trusted=True)


def test_a_repository_is_taken_away_again(watched: httpx.Client) -> None:
    assert "repository" not in watched.put("/api/project/repository", json={"repository": ""}).json()
    problem(watched.post("/api/drift/attempts"), 404, "unknown")
