"""The review inbox by REST and by the command line: the same entries, and every printed command works."""

import shlex
from typing import Any

import httpx

from graph.memory_graph import MemoryGraph
from graph.reviews import Why
from graph.scopes import Scope
from server.cli.inbox import REASONS
from tests.server.shop import IDENTITY, LIMIT, Cli, commit
from tests.server.test_rest import problem, remembered

SHOP = Scope(project=IDENTITY)


def listed(rest: httpx.Client, **asked: Any) -> dict[str, Any]:
    answer = rest.get("/api/inbox", params=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def why(rest: httpx.Client) -> list[str]:
    return [entry["why"] for entry in listed(rest)["entries"]]


# REST
def test_what_a_machine_captured_is_listed_until_it_is_confirmed(rest: httpx.Client) -> None:
    made = remembered(rest, LIMIT, unreviewed=True)["memory"]
    assert made["unreviewed"]
    (entry,) = listed(rest)["entries"]
    assert (entry["why"], entry["memory"]["id"]) == ("unreviewed", made["id"])
    assert LIMIT in listed(rest)["text"]
    assert not rest.post(f"/api/memories/{made['id']}/confirm").json()["unreviewed"]
    assert listed(rest)["entries"] == []


def test_an_entry_is_dismissed_by_its_reason(rest: httpx.Client) -> None:
    remembered(rest, "See [[Nowhere/at all]]", title="Linking", unreviewed=True)
    assert why(rest) == ["unreviewed", "pending_link"]
    told = rest.post("/api/inbox/dismissals", json={"memory": "Linking", "why": "unreviewed"}).json()
    assert (told["memory"]["unreviewed"], told["until"]) == (False, "it is captured anew")
    body = {"memory": "Linking", "why": "pending_link", "other": "Nowhere/at all"}
    assert rest.post("/api/inbox/dismissals", json=body).status_code == 200
    assert why(rest) == []
    problem(rest.post("/api/inbox/dismissals", json={"memory": "Linking", "why": "drifted"}), 404, "unknown")
    problem(rest.post("/api/inbox/dismissals", json={**body, "other": ""}), 422, "invalid_input")


def test_pages_and_reasons_are_asked_for(rest: httpx.Client) -> None:
    made = [remembered(rest, f"Fact {n} of a few", unreviewed=True)["memory"]["id"] for n in range(3)]
    first = listed(rest, limit=2, why=["unreviewed", "drifted"])
    assert first["counts"] == {"drifted": 0, "unreviewed": 3}
    second = listed(rest, limit=2, after=first["next"])
    assert [entry["memory"]["id"] for entry in (*first["entries"], *second["entries"])] == made
    assert second["next"] == ""
    for asked in ({"why": "bored"}, {"limit": 0}, {"budget": 0}, {"after": "nowhere"}):
        problem(rest.get("/api/inbox", params=asked), 422, "invalid_input")


def test_memories_are_merged_by_a_route_that_no_title_hides(rest: httpx.Client) -> None:
    # A memory that is called like the route is still found by its own routes.
    called = remembered(rest, "How two become one", title="merge")["memory"]
    stays = remembered(rest, LIMIT, title="Limits")["memory"]
    other = remembered(rest, "A minute sees 100 requests at most", title="Requests")["memory"]
    told = rest.post("/api/memories/merge", json={"memories": ["Limits", "Requests"], "into": "Limits"}).json()
    assert (told["memory"]["id"], told["superseded"]) == (stays["id"], [other["id"]])
    assert rest.get("/api/memories/Requests").json()["id"] == stays["id"]
    assert rest.get("/api/memories/merge").json()["id"] == called["id"]
    body = {"memories": ["merge"], "into": "Limits", "versions": {"merge": 7}}
    problem(rest.post("/api/memories/merge", json=body), 409, "version_conflict")
    made = rest.post("/api/memories/merge", json={**body, "versions": {}, "successor": {"content": "All of it"}}).json()
    assert (made["memory"]["content"], made["memory"]["title"]) == ("All of it", "Limits")
    problem(rest.post("/api/memories/merge", json={"memories": [], "into": "Limits"}), 422, "invalid_input")


def test_a_proposal_is_accepted_or_rejected_once(rest: httpx.Client) -> None:
    kept = remembered(rest, LIMIT, title="Limits")["memory"]
    body = {"memory": "Limits", "draft": {"content": "200 requests pass"}, "reason": "raised", "session": "s"}
    made = rest.post("/api/proposals", json=body, headers={"X-Archmem-Actor": "capture"}).json()
    assert (made["kind"], made["by"], made["memory"]) == ("supersede", "capture", kept["id"])
    (entry,) = listed(rest)["entries"]
    assert entry["proposal"] == made
    done = rest.post(f"/api/proposals/{made['id']}/accept", headers={"X-Archmem-Actor": "reviewer"}).json()
    assert (done["memory"]["content"], done["memory"]["created_by"]) == ("200 requests pass", "reviewer")
    problem(rest.post(f"/api/proposals/{made['id']}/reject"), 409, "conflict")
    problem(rest.post("/api/proposals/none/accept"), 404, "unknown")
    archiving = rest.post("/api/proposals", json={"memory": "Limits"}).json()
    assert archiving["kind"] == "archive"
    assert rest.post(f"/api/proposals/{archiving['id']}/reject").json()["memory"]["state"] == "live"


def test_the_organisation_has_its_own_inbox(rest: httpx.Client) -> None:
    rest.post("/api/memories", json={"content": "Everybody waits", "unreviewed": True}, params={"project": ""})
    assert listed(rest)["entries"] == []
    assert len(listed(rest, project="")["entries"]) == 1


# The command line
def test_the_command_line_knows_every_reason() -> None:
    assert tuple(why.value for why in Why) == REASONS


def test_what_drifted_is_listed_with_the_commands_that_act(cli: Cli) -> None:
    cli("remember", LIMIT, "--element", "API", "--title", "Limits")
    assert cli("inbox").out.strip() == (
        "Nothing waits for a look.\n(near duplicates: equal texts alone, since there is no embedder)"
    )
    commit(cli.folder, {"src/api/limits.py": "LIMIT = 200\n"})
    cli("drift", "run")
    told = cli("inbox", "--why", "drifted").out
    assert told.startswith("Waiting for a look: 1 drifted.\n\ndrifted: VERIFY — the element drifted")
    name = cli("inbox", "--json").json["entries"][0]["memory"]["id"]
    assert [line.strip() for line in told.splitlines() if line.strip().startswith("archmem ")] == [
        f"archmem confirm {name}",
        f"archmem supersede {name} TEXT",
        f"archmem archive {name}",
        f"archmem inbox dismiss {name} --why drifted",
    ]
    assert cli("inbox", "dismiss", "Limits", "--why", "drifted").out.startswith(
        "dismissed as drifted until it drifts again, or other claims break: "
    )
    assert "Nothing waits" in cli("inbox").out


def _fill(cli: Cli) -> None:
    cli("remember", LIMIT, "--title", "Limits", "--unreviewed")
    cli("remember", 'See [[It\'s "nowhere" | yet]]', "--title", "Linking")
    for place, title in (("API", "First"), ("Web", "Second")):
        cli("remember", "Retries are capped", "--element", place, "--title", title)
    cli("propose", "Limits", "--content", "200 requests pass", "--reason", "raised")
    cli("propose", "Linking", "--archive")


def test_every_printed_command_takes_its_entry_off(cli: Cli) -> None:
    _fill(cli)
    # Each kind of entry once, by its first command or by its last one.
    first, last = 0, -1
    chosen = iter((first, first, last, first, last))
    for block in cli("inbox").out.split("\n\n")[1:]:
        commands = [line.strip() for line in block.splitlines() if line.strip().startswith("archmem ")]
        cli(*shlex.split(commands[next(chosen)])[1:])
    assert cli("inbox", "--json").json["entries"] == []
    listed_now = cli("list", "--json").json["memories"]
    assert sorted(one["title"] for one in listed_now) == ["First", "Limits", "Linking"]


def test_the_printed_commands_act_on_the_project_that_was_named(cli: Cli) -> None:
    cli("remember", "Everybody waits", "--unreviewed", "--project", "")
    told = cli("inbox", "--project", "").out
    command = next(line.strip() for line in told.splitlines() if "archmem confirm" in line)
    assert command.endswith(" --project ''")
    cli(*shlex.split(command)[1:])
    assert cli("inbox", "--project", "", "--json").json["entries"] == []


def test_pages_are_continued_by_what_is_said_at_the_end(cli: Cli) -> None:
    cli("remember", 'See [[It\'s "nowhere" | yet]]', "--title", "Linking", "--unreviewed")
    first = cli("inbox", "--limit", "1")
    more = first.err.strip().removeprefix("more: ")
    rest = cli("inbox", *shlex.split(more), "--json").json["entries"]
    assert [entry["why"] for entry in rest] == ["pending_link"]
    assert "archmem remember TEXT --title 'It'\"'\"'s \"nowhere\"'" in cli("inbox", "--why", "pending_link").out


def test_memories_are_merged(cli: Cli) -> None:
    cli("remember", LIMIT, "--title", "Limits")
    cli("remember", "A minute sees 100 requests at most", "--title", "Requests")
    told = cli("merge", "Limits", "Requests", "--into", "Limits").out
    assert told.startswith("merged into ")
    assert "supersedes" in told
    assert cli("history", "Requests").out.splitlines()[-2].split()[2] == "merged"
    cli("remember", "Another limit", "--title", "More")
    made = cli("merge", "More", "--into", "Limits", "--content", "Both of it", "--json").json
    assert (made["memory"]["content"], made["memory"]["title"]) == ("Both of it", "Limits")
    assert "nothing to merge" in cli("merge", "Limits", "--into", "Limits", code=2).err


def test_wrong_use_says_what_to_do(cli: Cli) -> None:
    cli("remember", LIMIT, "--title", "Limits")
    assert "either --content or --archive" in cli("propose", "Limits", code=2).err
    assert "either --content or --archive" in cli("propose", "Limits", "--archive", "--content", "x", code=2).err
    assert "need --content" in cli("merge", "Limits", "--into", "x", "--title", "y", code=2).err
    assert "list the inbox" in cli("inbox", "dismiss", "Limits", "--why", "drifted", code=2).err
    assert "no proposal" in cli("inbox", "accept", "none", code=2).err
    assert "--after" not in cli("inbox").err


def test_both_doors_tell_the_same(cli: Cli, graph: MemoryGraph, rest: httpx.Client) -> None:
    assert set(cli("inbox", "--json").json) == set(listed(rest))
    remembered(rest, LIMIT, unreviewed=True)
    assert listed(rest)["entries"] == graph.inbox(SHOP).model_dump(mode="json")["entries"]
