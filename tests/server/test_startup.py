"""What a command imports: an agent's hook waits for each of them, so none loads what another one needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_TELL = """
import atexit, sys
atexit.register(lambda: print(*sorted(sys.modules), sep="\\n", file=sys.stderr))
from server.cli.start import main
main()
"""
_NEVER = ("onnxruntime", "pygments", "tree_sitter", "fastapi", "uvicorn", "apscheduler", "graph.c4", "yaml")


def _loaded(folder: Path, *arguments: str) -> set[str]:
    environment = {**os.environ, "ARCHMEM_EMBEDDER": "none", "ARCHMEM_STORE": str(folder / "store.db")}
    ran = subprocess.run(
        [sys.executable, "-c", _TELL, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return set(ran.stderr.splitlines())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "archmem.toml").write_text('[project]\nid = "shop"\n')
    _loaded(tmp_path, "init")
    return tmp_path


@pytest.mark.parametrize("command", [("recall", "--path", "src/a.py"), ("coverage",), ("list",)])
def test_a_command_on_memories_loads_no_reader_lexer_or_web_framework(project: Path, command: tuple[str, ...]) -> None:
    loaded = _loaded(project, *command)
    assert "graph.memory_graph" in loaded
    assert not loaded & set(_NEVER)


def test_the_version_loads_no_part_of_the_core(tmp_path: Path) -> None:
    loaded = _loaded(tmp_path, "--version")
    assert "server.cli.main" in loaded
    assert not loaded & {"pydantic", "numpy", "git", "graph.memory_graph", *_NEVER}


def test_a_hook_before_an_edit_loads_no_command_line(tmp_path: Path) -> None:
    loaded = _loaded(tmp_path, "hook", "pre-edit", "--client", "claude-code")
    assert "server.hooks.calls" in loaded
    assert not loaded & {"click", "dataclasses", "pydantic", "numpy", "graph.memory_graph", "server.cli.main", *_NEVER}
