"""The clients that archmem installs itself into: which files of theirs hold what.

The formats are those that the clients document (docs/agents.md names the pages).
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from graph.errors import Unknown
from server.installing.commands import executable, shell_line
from server.installing.entries import Edit, HookFile, JsonEntry, SkillFile, TomlEntry

Scope = Literal["user", "project"]
_EDITING_TOOLS = {
    "claude-code": "Edit|Write|MultiEdit|NotebookEdit",
    "codex": "apply_patch|Edit|Write",
    "cursor": "Write|Edit",
}
_SECONDS = {"session-start": 10, "pre-edit": 5, "session-end": 10}


@dataclass(frozen=True, slots=True)
class Where:
    """The folder whose files are changed (the user's home, or the project's root), and how archmem is started there.

    A project's files are shared, so there archmem is what PATH finds; in the user's own it is this very one.
    """

    scope: Scope
    root: Path
    environment: Mapping[str, str]
    platform: str = sys.platform

    @property
    def is_project(self) -> bool:
        """Say whether the files belong to a project."""
        return self.scope == "project"

    @property
    def words(self) -> tuple[str, ...]:
        """How archmem is started."""
        return ("archmem",) if self.is_project else executable()

    def named(self, variable: str, default: str) -> Path:
        """Return the folder that a client's own variable names, else the default one below the root."""
        named = "" if self.is_project else self.environment.get(variable, "").strip()
        return Path(named) if named else self.root / default


@dataclass(frozen=True, slots=True)
class Client:
    """A coding agent by the name that `archmem install` takes; `note` is what its user must do besides."""

    name: str
    title: str
    note: str = ""

    def edits(self, where: Where) -> tuple[Edit, ...]:
        """Return what belongs into the client's files."""
        match self.name:
            case "claude-code":
                return _claude_code(where)
            case "cursor":
                return _cursor(where)
            case "codex":
                return _codex(where)
        return _vscode(where)


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client("claude-code", "Claude Code"),
        Client("cursor", "Cursor"),
        Client("codex", "Codex", note="approve the new hooks in Codex by /hooks; a project's files count once trusted"),
        Client("vscode", "VS Code", note="start the server in VS Code once, by `MCP: List Servers`"),
    )
}


def client_named(name: str) -> Client:
    """Return the client; raise Unknown with those that there are."""
    if name not in CLIENTS:
        raise Unknown(
            f"{name!r} is no client that archmem installs into",
            id=name,
            next_step="give one of the known clients, or add `archmem mcp` to its MCP servers by hand",
            candidates=tuple(CLIENTS),
        )
    return CLIENTS[name]


def _claude_code(where: Where) -> tuple[Edit, ...]:
    folder = where.named("CLAUDE_CONFIG_DIR", ".claude")
    if where.is_project:
        servers = where.root / ".mcp.json"
    elif folder == where.root / ".claude":
        servers = where.root / ".claude.json"
    else:
        servers = folder / ".claude.json"
    return (
        _server(servers, "mcpServers", where),
        HookFile(folder / "settings.json", _grouped_hooks("claude-code", where)),
        SkillFile(folder / "skills" / "archmem" / "SKILL.md"),
    )


def _cursor(where: Where) -> tuple[Edit, ...]:
    folder = where.root / ".cursor"
    hooks = {
        "sessionStart": {"command": _hook("session-start", "cursor", where), "timeout": _SECONDS["session-start"]},
        "preToolUse": {
            "command": _hook("pre-edit", "cursor", where),
            "matcher": _EDITING_TOOLS["cursor"],
            "timeout": _SECONDS["pre-edit"],
        },
        "sessionEnd": {"command": _hook("session-end", "cursor", where), "timeout": _SECONDS["session-end"]},
    }
    return (
        _server(folder / "mcp.json", "mcpServers", where),
        HookFile(folder / "hooks.json", hooks, version=1),
        SkillFile(folder / "skills" / "archmem" / "SKILL.md"),
    )


def _codex(where: Where) -> tuple[Edit, ...]:
    folder = where.named("CODEX_HOME", ".codex")
    command, *arguments = where.words
    return (
        TomlEntry(
            folder / "config.toml", ("mcp_servers", "archmem"), {"command": command, "args": [*arguments, "mcp"]}
        ),
        HookFile(folder / "hooks.json", _grouped_hooks("codex", where)),
        SkillFile(where.root / ".agents" / "skills" / "archmem" / "SKILL.md"),
    )


def _vscode(where: Where) -> tuple[Edit, ...]:
    # The format of Copilot's own agents, which VS Code reads as well.
    field = "powershell" if where.platform == "win32" and not where.is_project else "bash"
    hooks = {}
    for event, name in (("sessionStart", "session-start"), ("preToolUse", "pre-edit"), ("sessionEnd", "session-end")):
        line = _hook(name, "vscode", where)
        lines = {"bash": line, "powershell": line} if where.is_project else {field: line}
        hooks[event] = {"type": "command", **lines, "timeoutSec": _SECONDS[name]}
    copilot = where.root / (".github" if where.is_project else ".copilot")
    return (
        _server(_vscode_servers(where), "servers", where),
        HookFile(copilot / "hooks" / "archmem.json", hooks, version=1),
        SkillFile(copilot / "skills" / "archmem" / "SKILL.md"),
    )


def _vscode_servers(where: Where) -> Path:
    if where.is_project:
        return where.root / ".vscode" / "mcp.json"
    if where.platform == "darwin":
        return where.root / "Library" / "Application Support" / "Code" / "User" / "mcp.json"
    if where.platform == "win32":
        return where.named("APPDATA", "AppData/Roaming") / "Code" / "User" / "mcp.json"
    return where.root / ".config" / "Code" / "User" / "mcp.json"


def _server(path: Path, key: str, where: Where) -> JsonEntry:
    command, *arguments = where.words
    return JsonEntry(path, (key, "archmem"), {"type": "stdio", "command": command, "args": [*arguments, "mcp"]})


def _grouped_hooks(client: str, where: Where) -> dict[str, dict[str, object]]:
    def group(name: str, **more: object) -> dict[str, object]:
        line = _hook(name, client, where)
        return {**more, "hooks": [{"type": "command", "command": line, "timeout": _SECONDS[name]}]}

    return {
        "SessionStart": group("session-start"),
        "PreToolUse": group("pre-edit", matcher=_EDITING_TOOLS[client]),
        "SessionEnd": group("session-end"),
    }


def _hook(name: str, client: str, where: Where) -> str:
    words = (*where.words, "hook", name, "--client", client)
    # On Windows Claude Code asks Git's bash, the others ask PowerShell.
    return shell_line(words, windows=where.platform == "win32", powershell=client != "claude-code")
