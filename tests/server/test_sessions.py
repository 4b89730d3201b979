"""Sessions, briefing and manifest by REST and by the command line, with the real server and the real command."""

import json
from typing import Any

import httpx
import pytest
from hypothesis import given

from tests.server.shop import LIMIT, Cli
from tests.server.test_cli_memories import shape
from tests.server.test_free_input import FREELY, TEXT, asked, bodies, sent
from tests.server.test_rest import API, problem, remembered

TASK = {"task": "Raise the limit", "agent": "agent/a", "elements": ["API"]}


def started(rest: httpx.Client, **more: Any) -> dict[str, Any]:
    answer = rest.post("/api/sessions", json={**TASK, **more})
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_the_loop_by_rest(rest: httpx.Client) -> None:
    pitfall = remembered(rest, LIMIT, kind="pitfall", title="Limits", elements=["API"])["memory"]["id"]
    made = started(rest, exclusive=True)
    assert (made["gate"], made["elements"], made["served"]) == ("allow", [API], [pitfall])
    session = f"/api/sessions/{made['session']}"
    denied = started(rest, agent="agent/b")
    assert (denied["gate"], denied["session"], denied["conflicts"][0]["agent"]) == ("deny", "", "agent/a")
    assert rest.post(f"{session}/heartbeat").json()["state"] == "open"
    assert rest.get(session).json()["leases"] == [{"element": API, "exclusive": True, "lost_at": None}]
    end = {"summary": "The limit is 200 now", "follow_ups": ["Tell the partners"], "used": ["Limits", "None such"]}
    done = rest.post(f"{session}/finish", json=end, headers={"X-Archmem-Actor": "agent/a"}).json()
    assert (done["cited"], done["unknown"], done["repeated"]) == ([pitfall], ["None such"], False)
    assert (done["outcome"]["kind"], done["outcome"]["created_by"]) == ("session_outcome", "agent/a")
    again = rest.post(f"{session}/finish", json={"summary": "Again"}).json()
    assert (again["repeated"], again["outcome"]) == (True, done["outcome"])
    briefing = rest.get("/api/briefing", params={"element": ["API"], "path": ["src/web/page.js"]}).json()
    assert briefing["elements"] == [API, "Shop.Web"]
    assert "Tell the partners" in briefing["text"]
    manifest = rest.get("/api/manifest", params={"limit": 1}).json()
    assert (manifest["total"], manifest["memories"][0]["title"]) == (2, "Limits")
    assert rest.get("/api/manifest", params={"after": manifest["next"]}).json()["next"] == ""


def test_sessions_are_listed_page_by_page(rest: httpx.Client) -> None:
    names = [started(rest, elements=[])["session"] for _ in range(3)]
    first = rest.get("/api/sessions", params={"limit": 2}).json()
    assert [one["id"] for one in first["sessions"]] == names[:0:-1]
    assert [one["id"] for one in rest.get("/api/sessions", params={"before": first["next"]}).json()["sessions"]] == [
        names[0]
    ]
    rest.post(f"/api/sessions/{names[1]}/finish", json={"summary": "Done"})
    finished = rest.get("/api/sessions", params={"finished": True}).json()
    assert ([one["id"] for one in finished["sessions"]], finished["next"]) == ([names[1]], "")


def test_an_agent_without_a_name_is_the_actor(rest: httpx.Client) -> None:
    rest.headers["X-Archmem-Actor"] = "agent/x"
    made = started(rest, agent="")
    assert rest.get(f"/api/sessions/{made['session']}").json()["agent"] == "agent/x"


def test_what_cannot_be_is_a_problem(rest: httpx.Client) -> None:
    for route in ("", "/heartbeat", "/finish"):
        method = "POST" if route else "GET"
        problem(sent(rest, f"/api/sessions/none{route}", b'{"summary": "s"}', method), 404, "unknown")
    problem(rest.post("/api/sessions", json={"task": ""}), 422, "invalid_input")
    problem(rest.post("/api/sessions", json={**TASK, "elements": ["Ap"]}), 404, "unknown")
    problem(rest.get("/api/briefing", params={"element": "Nothing"}), 404, "unknown")
    problem(rest.get("/api/sessions", params={"limit": 0}), 422, "invalid_input")
    problem(rest.get("/api/manifest", params={"limit": 501}), 422, "invalid_input")


@FREELY
@given(body=bodies("task", "agent", "elements", "paths", "exclusive"))
def test_starting_anything(rest: httpx.Client, body: str) -> None:
    asked(sent(rest, "/api/sessions", body))


@FREELY
@given(body=bodies("summary", "decisions", "follow_ups", "used", "checkout"), name=TEXT)
def test_finishing_anything(rest: httpx.Client, body: str, name: str) -> None:
    made = json.loads(rest.post("/api/sessions", json={"task": "Any"}).text)["session"]
    asked(sent(rest, f"/api/sessions/{made}/finish", body))
    asked(rest.get("/api/briefing", params={"task": name, "path": name, "session": name}))


def test_the_loop_by_the_command_line(cli: Cli) -> None:
    cli("remember", LIMIT, "--kind", "pitfall", "--title", "Limits", "--element", "API")
    made = cli("session", "start", "Raise the limit", "--path", "src/api/limits.py", "--exclusive", "--json").json
    assert made["elements"] == [API]
    name = made["session"]
    denied = cli("session", "start", "Lower the limit", "--element", "API", "--agent", "agent/b", code=1)
    assert "Gate: deny" in denied.out
    assert name in denied.out
    cli("session", "heartbeat", name)
    shown = cli("session", "show", ARCHMEM_SESSION=name).out
    assert f"{name} [open]" in shown
    assert f"  {API} alone" in shown
    assert name in cli("session", "list").out
    done = cli(
        "session", "finish", name, "--summary", "Raised", "--decision", "200", "--used", "Limits", "--used", "No"
    )
    assert "cited 1 memory" in done.out
    assert "no memory, or more than one, is called 'No'" in done.out
    assert "already" in cli("session", "finish", "--summary", "x", ARCHMEM_SESSION=name).out
    assert cli("session", "list").out == "no sessions\n"
    assert f"{name} [finished]" in cli("session", "list", "--finished").out
    told = cli("brief", "limits", "--element", "API").out
    assert "**Limits** [PITFALL]" in told
    assert told.endswith("</agent-memory>\n")
    assert "Limits [PITFALL] (Shop.API)" in cli("manifest").out


def test_the_id_alone_is_for_scripts(cli: Cli) -> None:
    made = cli("session", "start", "Look", "--element", "API", "--exclusive", "--id")
    assert cli("session", "show", made.out.strip()).out.startswith(made.out.strip())
    assert "Gate: allow" in made.err
    denied = cli("session", "start", "Look", "--element", "API", "--id", code=1)
    assert (denied.out, "Gate: deny" in denied.err) == ("", True)


def test_the_session_of_the_environment_confirms_and_reads(cli: Cli) -> None:
    cli("remember", LIMIT, "--title", "Limits", "--element", "API")
    name = cli("session", "start", "Look", "--element", "API", "--json").json["session"]
    cli("confirm", "Limits", ARCHMEM_SESSION=name)
    assert cli("history", "Limits", "--json").json["entries"][-1]["session"] == name
    cli("session", "finish", name, "--summary", "Nothing needed", "--used-nothing")
    assert [one["kind"] for one in cli("list", "--json").json["memories"]] == ["note", "session_outcome"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("session", "heartbeat"),
        ("session", "show", "none"),
        ("session", "finish", "none", "--summary", "s"),
        ("session", "finish", "none", "--summary", "s", "--used", "a", "--used-nothing"),
        ("session", "start", " "),
        ("brief", "--element", "none"),
    ],
)
def test_wrong_use_ends_with_2(cli: Cli, arguments: tuple[str, ...]) -> None:
    assert cli(*arguments, code=2).err


def test_json_has_the_shape_of_rest(cli: Cli, rest: httpx.Client) -> None:
    cli("remember", LIMIT, "--element", "API")
    remembered(rest, LIMIT, elements=["API"])
    ours = cli("session", "start", TASK["task"], "--agent", "agent/a", "--element", "API", "--json")  # type: ignore[arg-type]
    theirs = rest.post("/api/sessions", json=TASK)
    one, other = ours.json["session"], theirs.json()["session"]
    pairs = [
        (ours, theirs),
        (cli("session", "list", "--json"), rest.get("/api/sessions")),
        (cli("session", "heartbeat", one, "--json"), rest.post(f"/api/sessions/{other}/heartbeat")),
        (
            cli("session", "finish", one, "--summary", "s", "--json"),
            rest.post(f"/api/sessions/{other}/finish", json={"summary": "s"}),
        ),
        (cli("session", "show", one, "--json"), rest.get(f"/api/sessions/{other}")),
        (cli("brief", "limits", "--json"), rest.get("/api/briefing", params={"task": "limits"})),
        (cli("manifest", "--json"), rest.get("/api/manifest")),
    ]
    for done, answer in pairs:
        assert shape(done.json) == shape(answer.json())
