"""`archmem install` in homes as people have them: its entry goes in and out, all else stays as it is, byte for byte."""

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from graph.errors import Conflict, InvalidInput
from server.installing import CLIENTS, Where, apply_changes, plan
from server.installing.commands import runs_our_hook, shell_line
from server.installing.entries import skill
from tests.server.shop import Cli, cli_with, make_shop

NAMES = tuple(CLIENTS)
SCOPES = ("user", "project")

# Settings as people write them, by the client's file: comments, tabs, CRLF, a BOM, trailing commas, no last line end.
FIXTURES: dict[str, dict[str, bytes]] = {
    "claude-code": {
        ".claude.json": b'{"numStartups":41,"mcpServers":{"github":{"type":"http","url":"https://x"}},"projects":{}}',
        ".mcp.json": b'{\r\n\t"mcpServers": {\r\n\t\t"db": { "command": "db" }\r\n\t}\r\n}',
        ".claude/settings.json": """{
  // my rules
  "permissions": { "allow": ["Bash(ls)"] },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "échec.sh" }] } // mine
    ],
    "Stop": [],
  },
}
""".encode(),
        ".claude/skills/mine/SKILL.md": b"mine",
    },
    "cursor": {
        ".cursor/mcp.json": b'\xef\xbb\xbf{\n    "mcpServers": {}\n}\n',
        ".cursor/hooks.json": b'{ "version": 1, "hooks": { "stop": [ { "command": "./audit.sh" } ] } }\n',
    },
    "codex": {
        ".codex/config.toml": (
            b'# mine\nmodel = "o" # why\n\n[mcp_servers.db]\ncommand = "db"\n\n[projects."/a b"]\ntrust_level = "t"'
        ),
        ".codex/hooks.json": b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say"}]}]}}',
        ".agents/skills/other/SKILL.md": b"other",
    },
    "vscode": {
        ".vscode/mcp.json": b'{\n\t// servers of the team\n\t"servers": {\n\t\t"db": {"command": "db"},\n\t},\n}\n',
        ".config/Code/User/mcp.json": b'{\r\n  "inputs": [],\r\n  "servers": {\r\n  }\r\n}\r\n',
        ".github/hooks/other.json": b"{}",
        ".copilot/hooks/archmem.json": b'{\n  "version": 1\n}\n',
    },
}


def files(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, and every empty folder."""
    found = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return found | {f"{p.relative_to(folder)}/": b"" for p in folder.rglob("*") if p.is_dir() and not any(p.iterdir())}


def put(folder: Path, client: str) -> dict[str, bytes]:
    for name, content in FIXTURES[client].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return files(folder)


def at(folder: Path, scope: Any, platform: str = "linux", **environment: str) -> Where:
    return Where(scope, folder, environment, platform)


def change(client: str, where: Where, *, remove: bool = False) -> Any:
    return apply_changes(plan(CLIENTS[client], where, remove=remove))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "Größe of home"
    made.mkdir()
    return made


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("client", NAMES)
def test_what_goes_in_comes_out_and_all_else_stays(folder: Path, client: str, scope: str) -> None:
    before = put(folder, client)
    where = at(folder, scope)
    told = change(client, where)
    assert told.written
    after = files(folder)
    touched = {str(Path(one.path).relative_to(folder)) for one in told.changes}
    assert {name for name in after if after[name] != before.get(name)} == touched
    for name in touched & set(before):
        rest = iter(after[name])
        assert all(byte in rest for byte in before[name]), "something was only added"
    assert not change(client, where).written, "twice is once"
    assert files(folder) == after
    assert change(client, where, remove=True).written
    assert files(folder) == before
    assert not change(client, where, remove=True).written


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("client", NAMES)
def test_an_empty_home_is_empty_again(folder: Path, client: str, scope: str) -> None:
    told = change(client, at(folder, scope))
    assert {one.change for one in told.files} == {"create"}
    assert len(files(folder)) == len(told.files) == 3
    change(client, at(folder, scope), remove=True)
    assert files(folder) == {}


def test_each_client_gets_what_it_reads(folder: Path) -> None:
    for client in NAMES:
        change(client, at(folder, "project"))
    server = {"type": "stdio", "command": "archmem", "args": ["mcp"]}
    read = {name: json.loads(text) for name, text in files(folder).items() if name.endswith(".json")}
    assert read[".mcp.json"] == read[".cursor/mcp.json"] == {"mcpServers": {"archmem": server}}
    assert read[".vscode/mcp.json"] == {"servers": {"archmem": server}}
    assert tomllib.loads((folder / ".codex/config.toml").read_text()) == {
        "mcp_servers": {"archmem": {"command": "archmem", "args": ["mcp"]}}
    }
    claude = read[".claude/settings.json"]["hooks"]
    assert list(claude) == ["SessionStart", "PreToolUse", "SessionEnd"] == list(read[".codex/hooks.json"]["hooks"])
    assert claude["PreToolUse"][0]["matcher"] == "Edit|Write|MultiEdit|NotebookEdit"
    assert claude["PreToolUse"][0]["hooks"][0]["command"] == "archmem hook pre-edit --client claude-code"
    assert list(read[".cursor/hooks.json"]["hooks"]) == ["sessionStart", "preToolUse", "sessionEnd"]
    copilot = read[".github/hooks/archmem.json"]
    assert (copilot["version"], list(copilot["hooks"])) == (1, ["sessionStart", "preToolUse", "sessionEnd"])
    for place in (".claude", ".cursor", ".agents", ".github"):
        assert (folder / place / "skills/archmem/SKILL.md").read_text(encoding="utf-8") == skill()


def test_an_older_entry_is_updated_and_keeps_what_the_user_added(folder: Path) -> None:
    old = {"command": "/old place/archmem", "args": ["mcp"], "env": {"ARCHMEM_STORE": "/s"}}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"archmem": old}}, indent=2))
    mine = {"type": "command", "command": "mine"}
    stale = {"type": "command", "command": "'/old place/archmem' hook session-start --client claude-code"}
    hooks = {"SessionStart": [{"hooks": [stale, mine]}, {"hooks": [stale]}], "PreToolUse": [{"hooks": [stale]}]}
    (folder / ".claude").mkdir()
    (folder / ".claude/settings.json").write_text(json.dumps({"hooks": hooks}))
    change("claude-code", at(folder, "project"))
    read = json.loads((folder / ".mcp.json").read_text())["mcpServers"]["archmem"]
    assert read == {"command": "archmem", "args": ["mcp"], "env": {"ARCHMEM_STORE": "/s"}, "type": "stdio"}
    text = (folder / ".claude/settings.json").read_text()
    assert "old place" not in text
    starts = json.loads(text)["hooks"]["SessionStart"]
    assert [len(one["hooks"]) for one in starts] == [1, 1]
    assert starts[0]["hooks"] == [mine]
    change("claude-code", at(folder, "project"), remove=True)
    assert json.loads((folder / ".claude/settings.json").read_text()) == {
        "hooks": {"SessionStart": [{"hooks": [mine]}], "PreToolUse": []}
    }
    served = {"mcpServers": {"archmem": {"type": "http", "url": "http://127.0.0.1:8765/mcp"}}}
    (folder / ".mcp.json").write_text(json.dumps(served))
    change("claude-code", at(folder, "project"))
    assert "url" not in (folder / ".mcp.json").read_text()


BAD = {
    "claude-code": (".mcp.json", b'{\n "mcpServers": {\n  "a": 1\n  "b": 2\n }\n}', 4),
    "cursor": (".cursor/hooks.json", b'{\n "hooks": {"sessionStart": {}}}', 2),
    "codex": (".codex/config.toml", b"a = 1\nb = = 2\n", 2),
    "vscode": (".vscode/mcp.json", b'{\n "servers": []}', 2),
}


@pytest.mark.parametrize("remove", [False, True])
@pytest.mark.parametrize("client", NAMES)
def test_a_malformed_file_is_refused_with_its_line_and_nothing_is_written(
    folder: Path, client: str, remove: bool
) -> None:
    name, content, line = BAD[client]
    put(folder, client)
    (folder / name).write_bytes(content)
    before = files(folder)
    with pytest.raises(InvalidInput) as caught:
        plan(CLIENTS[client], at(folder, "project"), remove=remove)
    assert [fault.where for fault in caught.value.faults] == [f"{folder / name}:{line}"]
    assert files(folder) == before


def test_every_file_that_cannot_be_edited_is_named(folder: Path) -> None:
    (folder / ".cursor").mkdir()
    (folder / ".cursor/mcp.json").write_bytes(b'{\n"a": "\xff"}')
    (folder / ".cursor/hooks.json").symlink_to("nowhere.json")
    with pytest.raises(InvalidInput) as caught:
        plan(CLIENTS["cursor"], at(folder, "project"))
    assert [fault.what for fault in caught.value.faults] == ["this is no UTF-8", "the link leads to no file"]


def test_links_and_modes_stay(folder: Path) -> None:
    kept = folder / "dotfiles" / "mcp.json"
    kept.parent.mkdir()
    kept.write_text('{"mcpServers": {}}')
    kept.chmod(0o600)
    (folder / ".cursor").mkdir()
    (folder / ".cursor/mcp.json").symlink_to(kept)
    change("cursor", at(folder, "user"))
    assert (folder / ".cursor/mcp.json").is_symlink()
    assert "archmem" in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    change("cursor", at(folder, "user"), remove=True)
    assert (folder / ".cursor/mcp.json").is_symlink()
    assert kept.read_text() == '{"mcpServers": {}}'


def test_a_file_that_changed_meanwhile_is_left_alone(folder: Path) -> None:
    planned = plan(CLIENTS["cursor"], at(folder, "user"))
    (folder / ".cursor").mkdir()
    (folder / ".cursor/hooks.json").write_text("{}")
    with pytest.raises(Conflict):
        apply_changes(planned)
    assert files(folder) == {".cursor/hooks.json": b"{}"}


def test_a_skill_that_the_user_made_their_own_stays(folder: Path) -> None:
    path = folder / ".claude/skills/archmem/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("my own")
    change("claude-code", at(folder, "user"))
    assert path.read_text() == "my own"
    change("claude-code", at(folder, "user"), remove=True)
    assert files(folder) == {".claude/skills/archmem/SKILL.md": b"my own"}


def test_the_skill_says_when_it_is_meant_to_be_read() -> None:
    head = yaml.safe_load(skill().split("---")[1])
    assert head["name"] == "archmem"
    assert 0 < len(head["description"]) <= 1_024
    assert len(skill().splitlines()) <= 60


def test_folders_that_a_client_is_told_by_a_variable_count(folder: Path, tmp_path: Path) -> None:
    claude, codex = tmp_path / "claude here", tmp_path / "codex here"
    change("claude-code", at(folder, "user", CLAUDE_CONFIG_DIR=str(claude)))
    change("codex", at(folder, "user", CODEX_HOME=str(codex)))
    assert (claude / ".claude.json").is_file()
    assert (codex / "config.toml").is_file()
    assert set(files(folder)) == {".agents/skills/archmem/SKILL.md"}


def test_a_hook_starts_archmem_whatever_its_path_holds(tmp_path: Path) -> None:
    place = tmp_path / 'it\'s a "place" & more, größe'
    place.mkdir()
    program = place / "archmem"
    program.write_text(f'#!{sys.executable}\nimport sys\nprint("|".join(sys.argv[1:]))\n')
    program.chmod(0o755)
    line = shell_line((str(program), "hook", "pre-edit", "--client", "x"), windows=False, powershell=False)
    assert runs_our_hook(line)
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "hook|pre-edit|--client|x\n"


@pytest.mark.parametrize(
    ("path", "bash", "powershell"),
    [
        ("C:\\py\\archmem.exe", "C:/py/archmem.exe hook pre-edit", "C:/py/archmem.exe hook pre-edit"),
        (
            "C:\\Program Files\\archmem.exe",
            "'C:/Program Files/archmem.exe' hook pre-edit",
            "& 'C:/Program Files/archmem.exe' hook pre-edit",
        ),
    ],
)
def test_a_hook_on_windows_is_what_its_shell_takes(path: str, bash: str, powershell: str) -> None:
    words = (path, "hook", "pre-edit")
    for line, is_powershell in ((bash, False), (powershell, True)):
        assert shell_line(words, windows=True, powershell=is_powershell) == line
        assert runs_our_hook(line)


def test_vs_code_keeps_its_settings_elsewhere_on_other_systems(folder: Path) -> None:
    for platform, place in (
        ("darwin", "Library/Application Support/Code/User"),
        ("win32", "AppData/Roaming/Code/User"),
    ):
        assert plan(CLIENTS["vscode"], at(folder, "user", platform)).files[0].path == folder / place / "mcp.json"
    windows = plan(CLIENTS["vscode"], at(folder, "user", "win32")).files[1].after or b""
    assert b'"powershell"' in windows
    assert b'"bash"' not in windows


# The command line
def test_the_command_shows_the_difference_and_writes_after_a_yes_alone(tmp_path: Path) -> None:
    home = tmp_path / "my größe"
    home.mkdir()
    cli = cli_with(tmp_path, home)
    assert "nobody can be asked here" in cli("install", "claude-code", code=2).err
    shown = cli("install", "claude-code", "--dry-run")
    assert "+++ " in shown.out
    assert '+    "archmem": {' in shown.out
    assert files(home) == {}
    told = cli("install", "claude-code", "--yes", "--json").json
    assert (told["action"], told["written"], [one["change"] for one in told["files"]]) == (
        "install",
        True,
        ["create"] * 3,
    )
    command = json.loads((home / ".claude.json").read_text())["mcpServers"]["archmem"]["command"]
    assert Path(command).is_absolute()
    assert os.access(command, os.X_OK)
    assert "nothing to install" in cli("install", "claude-code").out
    assert "deleted" in cli("install", "claude-code", "--remove", "--yes").out
    assert files(home) == {}
    assert "claude-code, cursor, codex, vscode" in cli("install", "claud", code=2).err


def test_a_projects_files_lie_at_its_root(tmp_path: Path, home: Path) -> None:
    cli: Cli = cli_with(make_shop(tmp_path / "a shop"), home)
    told = cli.at(cli.folder / "src" / "api")("install", "cursor", "--scope", "project", "--yes", "--json").json
    assert all(one["path"].startswith(str(cli.folder.resolve() / ".cursor")) for one in told["files"])
    assert told["command"] == ["archmem", "mcp"]
    assert files(home) == {}


def test_a_malformed_file_is_told_with_its_line(tmp_path: Path, home: Path) -> None:
    (home / ".claude.json").write_text("{\n  oops\n}")
    done = cli_with(tmp_path, home)("install", "claude-code", "--yes", code=2)
    assert f"{home / '.claude.json'}:2: a key in double quotes" in done.err
    assert files(home) == {".claude.json": b"{\n  oops\n}"}
