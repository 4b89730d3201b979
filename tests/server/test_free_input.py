"""REST over real HTTP, fed with anything: a problem with its next step, never a fault of archmem."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.rest import drift, memories, projects, recalling, reviewing, sessions
from server.rest.reading import MOST_BYTES, Reading
from tests.server.shop import LIMIT
from tests.server.test_rest import API, problem, remembered

JSON = {"Content-Type": "application/json"}
DEEP = 100_000
RUN = {"score": 50.0, "band": "fair", "head": "a" * 40, "at": "2026-01-01T00:00:00Z"}


def sent(rest: httpx.Client, route: str, body: Any, method: str = "POST", **headers: str) -> httpx.Response:
    return rest.request(method, route, content=body, headers={**JSON, **headers})


@pytest.mark.parametrize(
    "body",
    [
        b'{"content": "\xff\xfe"}',
        b"[" * DEEP,
        b"[" * DEEP + b"]" * DEEP,
        b'{"content":' * DEEP + b"1" + b"}" * DEEP,
        b'{"content": ' + b"[" * DEEP + b"]" * DEEP + b"}",
        b'{"content": ' + b"9" * 5_000 + b"}",
        b'{"content": "a\\u0000b"}',
        b'{"content": "b", "elements": ["\\\\\\u0000"]}',
        b'{"content": "b", "\\u0000": 1}',
        '{"content": "größer"}'.encode("latin-1"),
        '{"content": "x"}'.encode("utf-16"),
    ],
    ids=lambda body: repr(body[:30]),
)
def test_a_body_that_is_no_plain_json_text_is_a_bad_request(rest: httpx.Client, body: bytes) -> None:
    told = problem(sent(rest, "/api/memories", body), 400, "bad_request")
    assert "UTF-8" in told["next_step"]
    assert rest.get("/api/memories").json()["memories"] == []


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("/api/memories", b'{"content": "\x00"}'),
        ("/api/memories", b'{"content": "\\ud800"}'),
        ("/api/memories", b'{"content": "s", "elements": ["\\udfff"]}'),
        ("/api/memories", b'{"content": "s", "supersedes": "\\udfff"}'),
        ("/api/memories", b'{"\\ud800": "s"}'),
        ("/api/memories", b'{"content": NaN}'),
        ("/api/memories/none/rename", b'{"title": "\\ud800"}'),
        ("/api/memories/none/confirm", b'{"version": Infinity}'),
        ("/api/recall", b'{"question": "\\ud800"}'),
        ("/api/recall", b'{"question": "a", "elements": ["\\ud800"]}'),
        ("/api/recall", b'{"question": "a", "paths": ["\\ud800"]}'),
        ("/api/recall", b'{"question": "a", "limit": NaN}'),
        ("/api/recall", b'{"question": "a", "budget": -Infinity}'),
        ("/api/sessions/s/citations", b'{"used": ["\\ud800"]}'),
        ("/api/sessions", b'{"task": "\\ud800"}'),
        ("/api/sessions/s/finish", b'{"summary": "s", "decisions": ["\\ud800"]}'),
        ("/api/projects", b'{"identity": "\\ud800"}'),
    ],
)
def test_a_value_that_no_store_could_hold_is_named(rest: httpx.Client, route: str, body: bytes) -> None:
    assert problem(sent(rest, route, body), 422, "invalid_input")["faults"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
@pytest.mark.parametrize("field", ["score", "share"])
def test_an_endless_number_in_a_drift_run_is_refused_and_spoils_nothing(
    rest: httpx.Client, field: str, number: str
) -> None:
    finding = {"ref": API, "kind": "container", "verdict": "drifted", "share": 0.5}
    body = json.dumps({**RUN, "elements": [finding]})
    body = body.replace("50.0" if field == "score" else "0.5", number)
    told = problem(sent(rest, "/api/drift/runs", body), 422, "invalid_input")
    assert told["faults"][0]["where"].endswith(field)
    assert rest.get("/api/drift/runs").json()["runs"] == []
    assert rest.get("/api/coverage").status_code == 200


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-12:00", 1e300, -1e18, "NaN"])
def test_a_moment_outside_the_calendar_is_refused(rest: httpx.Client, moment: object) -> None:
    told = problem(rest.post("/api/drift/runs", json={**RUN, "at": moment}), 422, "invalid_input")
    assert [fault["where"] for fault in told["faults"]] == ["body.at"]


def test_the_first_and_the_last_moment_of_the_calendar_break_nothing(rest: httpx.Client) -> None:
    first, last = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"
    remembered(rest, LIMIT, elements=[API], title="Limits")
    for at, landed in ((last, first), (first, last), (last, last), (first, first)):
        finding = {"ref": API, "kind": "container", "verdict": "drifted", "commits": 1, "landed_at": landed}
        more = {"first_change_at": first, "last_change_at": last, "removed_at": landed}
        run = {**RUN, "at": at, "head_at": landed, "elements": [{**finding, **more}]}
        assert rest.post("/api/drift/runs", json=run).status_code == 200
        assert rest.post("/api/recall", json={"question": "requests"}).json()["answered"]
        assert rest.get("/api/coverage").status_code == 200
        baseline = {"anchor": {"element": API, "commit": "a" * 40}, "accepted_at": at}
        assert rest.post("/api/drift/accept", json={"baselines": [baseline]}).status_code == 200
    assert rest.post("/api/memories/Limits/confirm").status_code == 200


@pytest.mark.parametrize("commit", ["main", "HEAD", "", "a" * 39, "A" * 40, "a" * 40 + "\n"])
def test_where_the_writer_stands_is_told_by_full_ids_alone(rest: httpx.Client, commit: str) -> None:
    for checkout in ({"commit": commit}, {"commit": "a" * 40, "blobs": {"src/api/limits.py": commit}}):
        told = problem(rest.post("/api/memories", json={"content": LIMIT, "checkout": checkout}), 422, "invalid_input")
        assert told["faults"][0]["where"].startswith("body.checkout")


def test_a_nul_that_is_only_spelled_is_a_text_like_any(rest: httpx.Client) -> None:
    spelled = r"C strings end with \u0000"
    assert remembered(rest, spelled)["memory"]["content"] == spelled


def test_an_address_with_a_nul_is_a_bad_request(rest: httpx.Client) -> None:
    problem(rest.get("/api/memories/%00"), 400, "bad_request")
    problem(rest.get("/api/memories", params={"after": "a\0"}), 400, "bad_request")
    problem(sent(rest, "/api/sessions/%00/citations", b'{"used": []}'), 400, "bad_request")


def test_an_address_in_another_encoding_names_nothing(rest: httpx.Client, url: str) -> None:
    problem(rest.get("/api/memories/%ff%fe"), 404, "unknown")
    problem(httpx.get(f"{url}/api/coverage?project=%ed%a0%80"), 404, "unknown")


@pytest.mark.parametrize(
    "kind", [b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data", b"", b"\xff/;;=", b"a/json"]
)
def test_another_content_type_is_not_taken_for_json(rest: httpx.Client, kind: bytes) -> None:
    answer = rest.post("/api/memories", content=b'{"content": "forged"}', headers=[(b"Content-Type", kind)])
    problem(answer, 422, "invalid_input")
    assert rest.get("/api/memories").json()["memories"] == []


def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not(rest: httpx.Client) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"content": "'
        for _ in range(MOST_BYTES // 2**16 + 1):
            yield b"a" * 2**16
        yield b'"}'

    for body in (chunks(), b"".join(chunks())):
        told = problem(sent(rest, "/api/memories", body), 413, "too_large")
        assert "32 MiB" in told["detail"]
    assert remembered(rest, LIMIT)


def test_every_route_reads_strictly() -> None:
    for router in (drift.router, memories.router, projects.router, recalling.router, reviewing.router, sessions.router):
        assert [route.path for route in router.routes if isinstance(route, APIRoute)]
        assert all(isinstance(route, Reading) for route in router.routes)


# Free input

TEXT = st.text(max_size=30)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(TEXT, below, max_size=3),
    max_leaves=8,
)
FREELY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def bodies(*fields: str) -> st.SearchStrategy[str]:
    """Return bodies of these fields, each with a likely or with any value; sent with every escape that JSON has."""
    values = TEXT | st.lists(TEXT, max_size=3) | VALUE
    return st.fixed_dictionaries({}, optional=dict.fromkeys(fields, values)).map(json.dumps)


def asked(answer: httpx.Response) -> None:
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.json()["next_step"]


@FREELY
@given(body=bodies("content", "kind", "title", "why", "claims", "elements", "supersedes", "checkout", "version"))
def test_remembering_anything(rest: httpx.Client, body: str) -> None:
    asked(sent(rest, "/api/memories", body))


@FREELY
@given(body=bodies("question", "elements", "paths", "limit", "budget", "explain", "session"))
def test_asking_anything(rest: httpx.Client, body: str) -> None:
    asked(sent(rest, "/api/recall", body))


@FREELY
@given(body=bodies("score", "band", "base", "head", "head_at", "at", "elements", "new", "anchors", "warnings"))
def test_reporting_anything(rest: httpx.Client, body: str) -> None:
    asked(sent(rest, "/api/drift/runs", body))
    assert rest.get("/api/drift/runs").status_code == 200


@FREELY
@given(body=st.binary(max_size=60), kind=st.sampled_from(["application/json", "application/problem+json", "text/json"]))
def test_sending_any_bytes(rest: httpx.Client, body: bytes, kind: str) -> None:
    for route in ("/api/memories", "/api/recall", "/api/projects", "/api/memories/x/archive", "/api/drift/accept"):
        asked(sent(rest, route, body, **{"Content-Type": kind}))


@FREELY
@given(name=TEXT, actor=st.binary(max_size=20))
def test_naming_anything(rest: httpx.Client, name: str, actor: bytes) -> None:
    asked(rest.get(f"/api/memories/{quote(name, safe='')}"))
    asked(rest.get("/api/memories", params={"after": name, "project": name}))
    printable = bytes(byte for byte in actor if byte >= 32 and byte != 127)
    asked(rest.post("/api/memories", json={"content": LIMIT}, headers=[(b"X-Archmem-Actor", printable.strip())]))
