"""REST over real HTTP: the main job, and every error as a problem with its next step."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from graph.errors import ArchmemError
from server.errors import STATUS, status_of
from tests.server.shop import IDENTITY, LIMIT

API = "Shop.API"


def remembered(rest: httpx.Client, content: str, **more: Any) -> dict[str, Any]:
    answer = rest.post("/api/memories", json={"content": content, **more})
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert told["code"] == code
    assert told["type"] == f"urn:archmem:problem:{code}"
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]
    assert told["next_step"]
    return told


# The main job


def test_what_is_remembered_is_recalled_with_its_writer(rest: httpx.Client) -> None:
    answer = rest.post(
        "/api/memories",
        json={"content": LIMIT, "kind": "pitfall", "title": "Limits", "elements": ["API"]},
        headers=[(b"X-Archmem-Actor", "agent/bücher".encode())],
    )
    assert answer.json()["memory"]["created_by"] == "agent/bücher"
    assert answer.json()["memory"]["elements"] == [API]
    found = rest.post("/api/recall", json={"question": "requests a minute", "explain": True}).json()
    assert [hit["title"] for hit in found["hits"]] == ["Limits"]
    assert "agent/bücher" in found["text"]
    assert found["hits"][0]["factors"]["kind"] == 3.0
    assert found["mode"] == "words alone"


def test_an_actor_is_unknown_unless_it_says_who_it_is(rest: httpx.Client) -> None:
    assert remembered(rest, LIMIT)["memory"]["created_by"] == "rest/unknown"


def test_a_place_is_asked_about_by_path(rest: httpx.Client) -> None:
    remembered(rest, LIMIT, elements=[API])
    remembered(rest, "Pages are cached for an hour", elements=["Web"])
    found = rest.post("/api/recall", json={"paths": ["src/api/limits.py"]}).json()
    assert found["elements"] == [API]
    assert [hit["elements"] for hit in found["hits"]] == [[API]]


def test_several_paths_are_one_place(rest: httpx.Client) -> None:
    remembered(rest, LIMIT, elements=[API])
    remembered(rest, "Pages are cached for an hour", elements=["Web"])
    remembered(rest, "Carts expire at night", elements=["Shop.Jobs.Cart"])
    paths = ["src/api/limits.py", "./src/web/", "src/web/page.js", ""]
    found = rest.post("/api/recall", json={"paths": paths}).json()
    assert found["elements"] == [API, "Shop.Web"]
    assert {hit["elements"][0] for hit in found["hits"]} == {API, "Shop.Web"}
    asked = rest.post(
        "/api/recall", json={"question": "an hour", "paths": paths, "elements": ["Shop.Jobs.Cart"]}
    ).json()
    assert asked["elements"] == [API, "Shop.Jobs.Cart", "Shop.Web"]
    assert [hit["elements"] for hit in asked["hits"]] == [["Shop.Web"]]


@pytest.mark.parametrize(
    "path", ["docs/none.md", "../shop/src/api/limits.py", "src/../../src/api/limits.py", "..", "\\"]
)
def test_a_path_that_no_element_covers_brings_what_the_project_knows(rest: httpx.Client, path: str) -> None:
    remembered(rest, LIMIT, elements=[API])
    wide = remembered(rest, "Money is in cents")["memory"]["id"]
    found = rest.post("/api/recall", json={"paths": [path]}).json()
    assert (found["elements"], [hit["id"] for hit in found["hits"]]) == ([], [wide])
    assert path in found["notices"][0]
    both = rest.post("/api/recall", json={"paths": [path, "src/api"]}).json()
    assert both["elements"] == [API]
    assert len(both["hits"]) == 2
    assert both["notices"] == found["notices"]


def test_too_many_paths_are_invalid(rest: httpx.Client) -> None:
    told = problem(rest.post("/api/recall", json={"paths": ["a"] * 51}), 422, "invalid_input")
    assert told["faults"][0]["where"] == "body.paths"
    problem(rest.post("/api/recall", json={"paths": [""]}), 422, "invalid_input")


def test_a_question_that_nothing_answers_says_so_and_becomes_a_gap(rest: httpx.Client) -> None:
    remembered(rest, LIMIT)
    found = rest.post("/api/recall", json={"question": "zebra stripes"}).json()
    assert found["answered"] is False
    assert found["hits"] == []
    assert "Nothing is remembered" in found["text"]
    assert rest.get("/api/coverage").json()["unanswered"] == ["zebra stripes"]
    remembered(rest, "Stripes tell one zebra from another")
    assert rest.get("/api/coverage").json()["unanswered"] == []


def test_a_key_makes_a_retry_harmless(rest: httpx.Client) -> None:
    body, key = {"content": LIMIT, "title": "Limits"}, {"Idempotency-Key": "k-1"}
    first = rest.post("/api/memories", json=body, headers=key).json()
    second = rest.post("/api/memories", json=body, headers=key).json()
    assert (first["replayed"], second["replayed"]) == (False, True)
    assert first["memory"]["id"] == second["memory"]["id"]
    other = rest.post("/api/memories", json={"content": "Another"}, headers=key)
    problem(other, 409, "key_reused")


def test_a_memory_is_confirmed_superseded_renamed_archived_and_keeps_its_history(rest: httpx.Client) -> None:
    first = remembered(rest, LIMIT, kind="pitfall", title="Limits", elements=[API])["memory"]
    assert rest.post("/api/memories/Limits/confirm").json()["version"] == 2
    newer = rest.post("/api/memories/Limits/supersede", json={"content": "200 requests pass"}).json()
    assert newer["replaced"] == first["id"]
    assert (newer["memory"]["kind"], newer["memory"]["title"]) == ("pitfall", "Limits")
    assert newer["memory"]["elements"] == [API]
    renamed = rest.post("/api/memories/Limits/rename", json={"title": "Gateway limits"}).json()
    assert renamed["aliases"] == ["Limits"]
    assert rest.get("/api/memories/Limits").json()["id"] == renamed["id"]
    gone = rest.post("/api/memories/Gateway limits/archive", json={"reason": "moved"}).json()
    assert gone["state"] == "archived"
    history = rest.get(f"/api/memories/{first['id']}/history").json()["entries"]
    assert [entry["kind"] for entry in history] == ["created", "confirmed", "superseded"]
    assert history[0]["after"]["content"] == LIMIT
    listed = rest.get("/api/memories", params={"state": ["superseded", "archived"]}).json()["memories"]
    assert {one["state"] for one in listed} == {"superseded", "archived"}


def test_a_title_may_hold_slashes(rest: httpx.Client) -> None:
    made = remembered(rest, LIMIT, title="src/api: limits #1")["memory"]
    assert rest.get("/api/memories/src%2Fapi%3A%20limits%20%231").json()["id"] == made["id"]
    assert rest.post("/api/memories/src%2Fapi%3A%20limits%20%231/confirm").json()["version"] == 2


def test_memories_are_listed_page_by_page(rest: httpx.Client) -> None:
    made = [remembered(rest, f"Fact number {number}")["memory"]["id"] for number in range(5)]
    seen: list[str] = []
    after = ""
    for _ in range(3):
        page = rest.get("/api/memories", params={"limit": 2, "after": after}).json()
        seen.extend(one["id"] for one in page["memories"])
        after = page["next"]
    assert seen == made
    assert after == ""


def test_a_session_cites_and_the_order_swaps(rest: httpx.Client) -> None:
    one = remembered(rest, "The parcel service is slow on Monday", kind="note")["memory"]["id"]
    two = remembered(rest, "The parcel service is slow on Friday", kind="note")["memory"]["id"]

    def order() -> list[str]:
        hits = rest.post("/api/recall", json={"question": "parcel service", "session": "s-0"}).json()["hits"]
        return [hit["id"] for hit in hits]

    last = order()[-1]
    assert {one, two} == set(order())
    cited = rest.post("/api/sessions/s-1/citations", json={"used": [last, "No such title"]}).json()
    assert cited["unmatched"] == ["No such title"]
    assert order()[0] == last


def test_the_model_is_imported_and_shown(rest: httpx.Client) -> None:
    model = rest.get("/api/model").json()
    change = rest.put("/api/model", json=model).json()
    assert change["added"] == change["removed"] == []
    model["elements"] = [one for one in model["elements"] if one["name"] != "Web"]
    model["relationships"] = []
    assert rest.put("/api/model", json=model).json()["removed"] == ["Shop.Web"]
    elements = rest.get("/api/elements").json()["elements"]
    assert [one["element"]["ref"] for one in elements if one["retired"]] == ["Shop.Web"]


def test_a_model_with_faults_or_without_elements_is_refused(rest: httpx.Client) -> None:
    model = rest.get("/api/model").json()
    model["elements"] = [one for one in model["elements"] if one["ref"] not in ("Shop.Web", "Shop.Jobs")]
    refused = rest.put("/api/model", json=model)
    assert refused.status_code == 422
    assert {fault["where"] for fault in refused.json()["faults"]} == {"Shop.Jobs.Cart", "User", "Shop.Web"}
    refused = rest.put("/api/model", json={"elements": []})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "at least one element" in refused.json()["next_step"]
    assert len(rest.get("/api/model").json()["elements"]) == 8


def test_coverage_names_the_gaps(rest: httpx.Client) -> None:
    remembered(rest, LIMIT, elements=[API])
    told = rest.get("/api/coverage").json()
    assert told["headline"] == "1 of 7 elements documented"
    assert API not in {gap["ref"] for gap in told["gaps"]}
    assert rest.get("/api/coverage", params={"project": ""}).json()["share"] is None


def test_a_drift_run_of_a_client_flags_and_accepting_clears_no_flag(rest: httpx.Client) -> None:
    made = remembered(rest, LIMIT, elements=[API])["memory"]
    finding = {"ref": API, "kind": "container", "verdict": "drifted", "commits": 3, "landed_at": "2999-01-01T00:00:00Z"}
    report = {"score": 50.0, "band": "fair", "head": "a" * 40, "at": "2998-01-01T00:00:00Z", "elements": [finding]}
    ran = rest.post("/api/drift/runs", json=report).json()
    assert ran["stamped"]["flagged"] == [made["id"]]
    assert ran["report"]["score"] == 50.0
    baseline = {"anchor": {"element": API, "commit": "a" * 40, "blobs": {}}, "accepted_at": "2026-01-01T00:00:00Z"}
    accepted = rest.post("/api/drift/accept", json={"baselines": [baseline]}).json()
    assert accepted["recorded"] == [API]
    assert API in accepted["content"]
    assert rest.post("/api/recall", json={"question": "requests"}).json()["hits"][0]["verify"] is True
    runs = rest.get("/api/drift/runs").json()["runs"]
    assert [run["id"] for run in runs] == [ran["stamped"]["run"]]


def test_a_project_is_registered_under_its_aliases(rest: httpx.Client) -> None:
    body = {"identity": "example.org/new/one", "name": "New", "aliases": ["example.org/old/one"]}
    assert rest.post("/api/projects", json=body).json()["id"] == "example.org/new/one"
    found = rest.get("/api/project", params={"project": "example.org/old/one"}).json()
    assert found["id"] == "example.org/new/one"
    assert len(rest.get("/api/projects").json()["projects"]) == 2


def test_what_the_organisation_knows_is_recalled_in_every_project(rest: httpx.Client) -> None:
    wide = rest.post("/api/memories", params={"project": ""}, json={"content": "Invoices are archived for ten years"})
    assert wide.json()["memory"]["project"] == ""
    hits = rest.post("/api/recall", json={"question": "invoices"}).json()["hits"]
    assert [hit["id"] for hit in hits] == [wide.json()["memory"]["id"]]


# Errors


def test_a_bad_body_lists_every_fault(rest: httpx.Client) -> None:
    body = {"content": "", "kind": "guess", "elements": "API", "colour": "red"}
    told = problem(rest.post("/api/memories", json=body), 422, "invalid_input")
    assert [fault["where"] for fault in told["faults"]] == ["body.content", "body.kind", "body.elements", "body.colour"]


def test_a_body_that_is_no_json_is_invalid(rest: httpx.Client) -> None:
    header = {"Content-Type": "application/json"}
    problem(rest.post("/api/memories", content=b"{", headers=header), 422, "invalid_input")
    problem(rest.post("/api/memories"), 422, "invalid_input")


def test_a_form_is_not_taken_for_json(rest: httpx.Client) -> None:
    for header in ({"Content-Type": "text/plain"}, {}):
        answer = rest.post("/api/memories", content=b'{"content": "forged"}', headers=header)
        problem(answer, 422, "invalid_input")


def test_a_question_without_words_or_place_is_invalid(rest: httpx.Client) -> None:
    told = problem(rest.post("/api/recall", json={"limit": 1000}), 422, "invalid_input")
    assert {fault["where"] for fault in told["faults"]} == {"question", "limit"}


def test_a_naive_time_is_refused(rest: httpx.Client) -> None:
    body = {"score": None, "band": "unknown", "head": "a", "at": "2026-01-01T00:00:00"}
    told = problem(rest.post("/api/drift/runs", json=body), 422, "invalid_input")
    assert told["faults"][0]["where"] == "body.at"


def test_an_unknown_element_lists_near_names(rest: httpx.Client) -> None:
    told = problem(rest.post("/api/memories", json={"content": "x", "elements": ["Shop.APi2"]}), 404, "unknown")
    assert told["id"] == "Shop.APi2"
    assert API in told["candidates"]


def test_an_ambiguous_element_lists_the_candidates(rest: httpx.Client) -> None:
    told = problem(rest.post("/api/memories", json={"content": "x", "elements": ["Cart"]}), 409, "ambiguous")
    assert told["candidates"] == ["Shop.Jobs.Cart", "Shop.Store.Cart"]


def test_a_duplicate_title_names_the_memory_that_has_it(rest: httpx.Client) -> None:
    first = remembered(rest, LIMIT, title="Limits")["memory"]["id"]
    told = problem(rest.post("/api/memories", json={"content": "y", "title": "limits"}), 409, "duplicate_title")
    assert told["id"] == first


def test_a_change_of_an_older_version_is_refused(rest: httpx.Client) -> None:
    remembered(rest, LIMIT, title="Limits")
    rest.post("/api/memories/Limits/confirm")
    problem(rest.post("/api/memories/Limits/archive", json={"version": 1}), 409, "version_conflict")
    newer = {"content": "200 requests a minute", "version": 1}
    told = problem(rest.post("/api/memories/Limits/supersede", json=newer), 409, "version_conflict")
    assert "version 2, not 1" in told["detail"]
    assert "read the memory again" in told["next_step"]
    problem(rest.post("/api/memories", json={**newer, "supersedes": "Limits"}), 409, "version_conflict")
    problem(rest.post("/api/memories", json=newer), 422, "invalid_input")
    assert rest.post("/api/memories/Limits/supersede", json={**newer, "version": 2}).json()["replaced"]


def test_what_is_not_live_is_not_changed(rest: httpx.Client) -> None:
    made = remembered(rest, LIMIT)["memory"]["id"]
    rest.post(f"/api/memories/{made}/archive")
    problem(rest.post(f"/api/memories/{made}/confirm"), 409, "not_live")


def test_an_unknown_project_lists_the_known_ones(rest: httpx.Client) -> None:
    told = problem(rest.get("/api/coverage", params={"project": "example.org/no/such"}), 404, "unknown")
    assert told["candidates"] == [IDENTITY]


def test_a_request_without_a_project_is_invalid(url: str) -> None:
    told = problem(httpx.get(f"{url}/api/coverage"), 422, "invalid_input")
    assert told["faults"][0]["where"] == "query.project"


def test_an_unknown_route_and_a_wrong_method_are_problems(rest: httpx.Client) -> None:
    problem(rest.get("/api/nothing"), 404, "not_found")
    problem(rest.delete("/api/memories"), 405, "method_not_allowed")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "evil:80:80"])
def test_a_foreign_host_is_refused(url: str, host: str) -> None:
    problem(httpx.get(f"{url}/healthz", headers={"Host": host}), 421, "foreign_host")


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_page_of_another_site_is_refused(rest: httpx.Client, headers: dict[str, str]) -> None:
    problem(rest.post("/api/memories", json={"content": "forged"}, headers=headers), 403, "foreign_origin")
    assert rest.get("/api/memories").json()["memories"] == []


def test_the_page_that_is_served_here_may_ask(rest: httpx.Client, url: str) -> None:
    assert rest.get("/healthz", headers={"Origin": url}).json()["status"] == "ok"


def classes(kind: type[ArchmemError]) -> Iterator[type[ArchmemError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from classes(below)


def test_every_error_has_a_status() -> None:
    assert {kind.code: status_of(kind.__new__(kind)) for kind in classes(ArchmemError)}.keys() >= {"store_busy"}
    assert all(400 <= status < 600 for status in STATUS.values())
