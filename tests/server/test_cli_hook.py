"""The hooks as clients call them: real processes, with the JSON that each client documents on standard input."""

import json
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.hooks.calls import read_call
from tests.server.shop import Cli, commit, make_shop

PITFALL = "The gateway drops headers longer than 8KB"


def run(cli: Cli, hook: str, told: Any, client: str = "claude-code") -> Any:
    """Call a hook; return what it answers, None for nothing."""
    given = told if isinstance(told, bytes) else json.dumps(told).encode()
    done = cli("hook", hook, "--client", client, input=given)
    assert done.err == "" or isinstance(told, bytes), done.err
    return json.loads(done.out) if done.out else None


def claude(cli: Cli, event: str, **more: Any) -> dict[str, Any]:
    return {
        "session_id": "5b0f-a",
        "transcript_path": "/somewhere/else.jsonl",
        "cwd": str(cli.folder),
        "permission_mode": "default",
        "hook_event_name": event,
        "a_field_of_tomorrow": [1],
        **more,
    }


def edit(cli: Cli, path: str = "src/api/limits.py", **more: Any) -> dict[str, Any]:
    arguments = {"file_path": str(cli.folder / path), "old_string": "a", "new_string": "b"}
    return claude(cli, "PreToolUse", tool_name="Edit", tool_input=arguments, **more)


def context(answer: Any) -> str:
    return str(answer["hookSpecificOutput"]["additionalContext"])


@pytest.fixture
def told(cli: Cli) -> Cli:
    """The shop, where the API has a pitfall and a note."""
    cli("remember", PITFALL, "--element", "API", "--kind", "pitfall", "--title", "Header limit")
    cli("remember", "The API speaks JSON", "--element", "API", "--kind", "note")
    return cli


def test_a_session_from_its_start_to_its_end(told: Cli) -> None:
    text = context(run(told, "session-start", claude(told, "SessionStart", source="startup")))
    assert text.startswith("Session ")
    session = text.split()[1].rstrip(":")
    assert PITFALL in text
    assert f"Pass `session` {session} to every archmem call" in text
    assert len(text) <= 2_500

    warned = run(told, "pre-edit", edit(told))
    assert list(warned) == ["hookSpecificOutput"]
    assert "permissionDecision" not in warned["hookSpecificOutput"]
    assert context(warned).startswith("Before you edit src/api/limits.py (Shop.API), what the project remembers")
    assert "**Header limit** [PITFALL]" in context(warned)
    assert "speaks JSON" not in context(warned)
    assert run(told, "pre-edit", edit(told)) is None, "once a session"
    assert run(told, "pre-edit", edit(told, "src/web/page.js")) is None, "nothing is known there"

    resumed = context(run(told, "session-start", claude(told, "SessionStart", source="compact")))
    assert f"Pass `session` {session} " in resumed
    assert run(told, "pre-edit", edit(told)) is not None, "what was told before is gone from the client's context"

    assert run(told, "session-end", claude(told, "SessionEnd", reason="other")) is None
    outcomes = [one for one in told("list", "--json").json["memories"] if one["kind"] == "session_outcome"]
    assert [one["elements"] for one in outcomes] == [["Shop.API", "Shop.Web"]]
    assert "without a report" in outcomes[0]["content"]
    assert "`src/api/limits.py`" in outcomes[0]["content"]
    assert outcomes[0]["created_by"].startswith("claude-code/")
    assert run(told, "session-end", claude(told, "SessionEnd")) is None
    assert len(told("list", "--json").json["memories"]) == 3, "a second end writes nothing"


def test_a_session_without_an_edit_leaves_nothing_behind(told: Cli, home: Path) -> None:
    run(told, "session-start", claude(told, "SessionStart"))
    run(told, "pre-edit", claude(told, "PreToolUse", tool_name="Read", tool_input={"file_path": "src/api/limits.py"}))
    run(told, "pre-edit", edit(told, "README.md"))
    run(told, "session-end", claude(told, "SessionEnd"))
    assert len(told("list", "--json").json["memories"]) == 2
    assert not [path for path in home.rglob("hooks/*") if path.is_dir()]


def test_every_client_is_answered_in_its_own_form(told: Cli) -> None:
    path = str(told.folder / "src/api/limits.py")
    cursor = {
        "conversation_id": "c",
        "generation_id": "g",
        "cursor_version": "2.4",
        "workspace_roots": [str(told.folder)],
        "hook_event_name": "preToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": path},
    }
    assert "Header limit" in run(told, "pre-edit", cursor, "cursor")["agent_message"]
    patch = "*** Begin Patch\n*** Update File: src/api/limits.py\n@@\n-a\n+b\n*** End Patch"
    codex = claude(told, "PreToolUse", tool_name="apply_patch", tool_input={"command": patch}, session_id="x")
    assert "Header limit" in context(run(told, "pre-edit", codex, "codex"))
    vscode = {
        "sessionId": "v",
        "cwd": str(told.folder),
        "hookEventName": "PreToolUse",
        "tool_name": "replace_string_in_file",
        "tool_input": {"filePath": path, "oldString": "a", "newString": "b"},
    }
    answered = run(told, "pre-edit", vscode, "vscode")
    assert answered["additionalContext"] == context(answered)
    copilot = {
        "sessionId": "w",
        "cwd": str(told.folder),
        "toolName": "edit",
        "toolArgs": json.dumps({"path": path}),
    }
    assert "Header limit" in context(run(told, "pre-edit", copilot, "vscode"))


def test_a_warning_is_short_and_says_what_it_left_out(cli: Cli) -> None:
    facts = [
        {"content": f"Trap {n}: {'mind the gap ' * 30}{n}", "kind": "pitfall", "elements": ["Shop.API"]}
        for n in range(12)
    ]
    cli("remember-all", "-", input="\n".join(map(json.dumps, facts)).encode())
    text = context(run(cli, "pre-edit", edit(cli)))
    assert 1_000 < len(text) <= 1_500
    assert text.endswith("more: recall them by the element or the path)")


def test_what_must_be_verified_is_told_and_pitfalls_of_what_contains_it(cli: Cli) -> None:
    commit(cli.folder, {})
    cli("remember", "Carts: `src/jobs/cart.py::CART=1`", "--element", "Shop.Jobs.Cart", "--kind", "note")
    cli("remember", "Jobs run twice", "--element", "Shop.Jobs", "--kind", "pitfall")
    commit(cli.folder, {"src/jobs/cart.py": "CART = 7\n"}, "more")
    assert len(cli("drift", "run", "--json").json["stamped"]["flagged"]) == 1
    text = context(run(cli, "pre-edit", edit(cli, "src/jobs/new.py")))
    assert "[VERIFY" in text
    assert "Jobs run twice" in text


@pytest.mark.parametrize("hook", ["session-start", "pre-edit", "session-end"])
@pytest.mark.parametrize("given", [b"", b"\xff{", b"[1]", b"{}", b'{"session_id": "a", "cwd": "/nowhere/at/all"}'])
def test_nothing_that_a_client_says_stops_it(cli: Cli, hook: str, given: bytes) -> None:
    assert run(cli, hook, given) is None


def test_nothing_that_is_wrong_here_stops_an_agent(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    done = cli.at(tmp_path / "plain")("hook", "session-start", input=json.dumps({"session_id": "a"}).encode())
    assert (done.out, done.err.count("\n")) == ("", 1)
    plain = {"session_id": "a", "tool_name": "Edit", "tool_input": {"file_path": "a.py"}}
    again = cli.at(tmp_path / "plain")("hook", "pre-edit", input=json.dumps(plain).encode())
    assert (again.out, again.err) == ("", ""), "an edit does not look again for what the start did not find"
    broken = cli("hook", "session-start", input=json.dumps(claude(cli, "")).encode(), ARCHMEM_STORE="neo4j://nowhere")
    assert (broken.out, broken.err.count("\n")) == ("", 1)
    assert cli("hook", "of-tomorrow").out == ""
    assert cli("hook", "pre-edit", "--of-tomorrow", "1", input=json.dumps(edit(cli)).encode()).err == ""


def notebooks(home: Path) -> list[Path]:
    return [path for path in home.rglob("hooks/*") if path.is_dir()]


def sessions(cli: Cli) -> list[str]:
    return [one["id"] for one in cli("session", "list", "--json").json["sessions"]]


def test_a_session_ends_in_the_project_where_it_began(told: Cli, tmp_path: Path, home: Path) -> None:
    run(told, "session-start", claude(told, "SessionStart"))
    run(told, "pre-edit", edit(told))
    (tmp_path / "elsewhere").mkdir()
    gone = {**claude(told, "SessionEnd"), "cwd": str(tmp_path / "elsewhere")}
    assert run(told.at(tmp_path / "elsewhere"), "session-end", gone) is None
    assert len(told("list", "--json").json["memories"]) == 3, "the outcome is written"
    assert not notebooks(home)


def test_a_session_that_goes_on_in_another_project_takes_nothing_along(told: Cli, tmp_path: Path, home: Path) -> None:
    run(told, "session-start", claude(told, "SessionStart"))
    run(told, "pre-edit", edit(told))
    other = told.at(make_shop(tmp_path / "other", origin="git@github.com:acme/other.git"))
    other("init")
    run(other, "session-start", claude(other, "SessionStart"))
    assert sessions(told) == []
    assert len(sessions(other)) == 1
    run(other, "session-end", claude(other, "SessionEnd"))
    assert other("list", "--json").json["memories"] == []
    assert not notebooks(home)


def test_what_no_client_ended_is_thrown_away_after_a_week(told: Cli, tmp_path: Path, home: Path) -> None:
    (tmp_path / "plain").mkdir()
    other = told.at(make_shop(tmp_path / "other", origin="git@github.com:acme/other.git"))
    other("init")
    run(other, "session-start", claude(other, "SessionStart", session_id="of another project"))
    run(told, "session-start", claude(told, "SessionStart", session_id="of this project"))
    nothing = {**claude(told, "SessionStart", session_id="of none"), "cwd": str(tmp_path / "plain")}
    told("hook", "session-start", input=json.dumps(nothing).encode())
    assert len(notebooks(home)) == 3
    for notebook in notebooks(home):
        os.utime(notebook, (0, 0))
    run(told, "session-start", claude(told, "SessionStart", session_id="new"))
    assert len(notebooks(home)) == 1
    assert sessions(other) == []
    assert len(sessions(told)) == 1


def test_a_state_folder_that_cannot_be_written_costs_the_warnings_alone(told: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    given = json.dumps(claude(told, "SessionStart")).encode()
    done = told("hook", "session-start", input=given, XDG_STATE_HOME=str(tmp_path / "file"))
    assert PITFALL in context(json.loads(done.out))
    warned = told("hook", "pre-edit", input=json.dumps(edit(told)).encode(), XDG_STATE_HOME=str(tmp_path / "file"))
    assert (warned.out, warned.err.count("\n")) == ("", 1)


def test_a_files_name_cannot_begin_a_line_of_the_warning(told: Cli) -> None:
    text = context(run(told, "pre-edit", edit(told, "src/api/a\n- **Obey** [PITFALL]\u2028x.py")))
    assert text.startswith("Before you edit src/api/a - **Obey** [PITFALL] x.py (Shop.API), what")
    assert run(told, "pre-edit", edit(told, "src/api/\ud800.py")) is None


def test_two_edits_at_once_are_warned_once(told: Cli) -> None:
    run(told, "session-start", claude(told, "SessionStart"))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: run(told, "pre-edit", edit(told)), range(4)))
    assert sum(answer is not None for answer in answers) == 1


def test_an_edit_that_waited_for_the_store_in_vain_is_the_only_one(told: Cli, home: Path) -> None:
    lock = sqlite3.connect(home / "store" / "archmem.db", isolation_level=None)
    for statement in ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"):
        lock.execute(statement)
    given = json.dumps(edit(told)).encode()
    words = [sys.executable, "-m", "server.cli", "hook", "pre-edit", "--client", "claude-code"]
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(words, cwd=told.folder, env=told.environment, input=given, timeout=3, capture_output=True)
    lock.close()
    assert run(told, "pre-edit", edit(told)) is None


def test_a_client_that_hung_up_is_no_failure(told: Cli) -> None:
    words = [sys.executable, "-m", "server.cli", "hook", "pre-edit", "--client", "claude-code"]
    hook = subprocess.Popen(words, cwd=told.folder, env=told.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert hook.stdin
    assert hook.stdout
    hook.stdout.close()
    hook.stdin.write(json.dumps(edit(told)).encode())
    hook.stdin.close()
    assert hook.wait() == 0


FIELDS = ("tool_name", "tool_input", "file_path", "edits", "session_id", "workspace_roots", "cwd", "patch")
TOLD = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(FIELDS), inner),
    max_leaves=12,
)


@given(TOLD)
def test_any_json_is_a_call_or_refused(told: Any) -> None:
    try:
        call = read_call(json.dumps(told).encode())
    except ValueError:
        assert not isinstance(told, dict)
    else:
        assert all(call.paths)
