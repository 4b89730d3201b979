"""The documents say what the code does: every setting listed, every command there, the README's lines run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel

from drift import FORMATS, FailOn
from graph.drift_report import Verdict
from graph.policy import RankingPolicy, SessionPolicy
from graph.project_file import ProjectFile
from graph.sessions import Gate
from server.cli.main import archmem
from server.settings import VARIABLES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
SETTINGS = (ROOT / "docs/settings.md").read_text()
NEO4J = (ROOT / "docs/neo4j.md").read_text()
SESSIONS = (ROOT / "docs/sessions.md").read_text()
DRIFT = (ROOT / "docs/drift.md").read_text()


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda variable: str(variable.name))
def test_every_variable_is_documented(variable: object) -> None:
    assert f"| `{variable.name}` |" in SETTINGS  # type: ignore[attr-defined]


def test_no_variable_is_documented_that_is_not_read() -> None:
    known = {variable.name for variable in VARIABLES}
    written = set(re.findall(r"ARCHMEM_[A-Z0-9_]+", README + SETTINGS + NEO4J + DRIFT))
    assert written - {"ARCHMEM_SOURCE"} <= known  # a variable of the recipe for GitLab


def test_every_key_of_the_project_file_is_documented_and_no_other() -> None:
    for section, field in ProjectFile.model_fields.items():
        assert f"### `[{section}]`" in SETTINGS
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            part = SETTINGS.split(f"### `[{section}]`", 1)[1].split("###", 1)[0]
            assert set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)) == set(kind.model_fields)


def test_documented_defaults_are_those_of_the_policy() -> None:
    policy = RankingPolicy()
    for key in ("half_life_days", "freshness_floor", "min_relevance", "ranking"):
        row = re.search(rf"^\| `{key}` \| `?([\w.]+)`? \|", SETTINGS, re.MULTILINE)
        assert row is not None
        default = getattr(policy, key)
        assert row[1] == (default if isinstance(default, str) else f"{default:g}")


def test_the_readme_names_every_command() -> None:
    table = README.split("| command | what it does |", 1)[1].split("\n\n", 1)[0]
    first_cells = " ".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `"))
    named = {name.split()[0] for name in re.findall(r"`([a-z -]+)`", first_cells)}
    assert named == set(archmem.commands)


def test_the_readme_installs_from_the_clone_with_extras_that_there_are() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    installs = re.findall(r"^(?:pipx|uv tool|pip) install ([^#\n]+)", README, re.MULTILINE)
    assert installs
    for what in installs:
        chosen = re.fullmatch(r"\.\[([\w,-]+)\]", shlex.split(what)[0])
        assert chosen is not None, f"{what} is not in the clone"
        assert set(chosen[1].split(",")) <= set(extras)


def bookshop(folder: Path) -> Path:
    """Return the sample as a repository of its own, without its project file."""
    shutil.copytree(ROOT / "c4-samples/bookshop", folder)
    (folder / "archmem.toml").unlink()
    git(folder, "init", "-q")
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "start")
    return folder


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=dev", "-c", "user.email=dev@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True)


def commands(text: str) -> list[str]:
    """Return the command lines of the first shell block of a text."""
    block = text.split("```sh", 1)[1].split("```", 1)[0]
    return [line.split("  #")[0].strip() for line in block.splitlines() if line.startswith("archmem")]


def test_the_lines_about_a_first_model_run_in_the_order_in_which_they_stand(tmp_path: Path) -> None:
    folder = bookshop(tmp_path / "bookshop")
    git(folder, "rm", "-q", "docs/architecture/workspace.dsl")
    (folder / "services/api/Dockerfile").write_text("FROM python:3.13\n")
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "no model yet")
    lines = commands((ROOT / "docs/first-model.md").read_text())
    assert len(lines) >= 5
    for line in lines:
        command = [sys.executable, "-m", "server.cli", *shlex.split(line)[1:]]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, f"{line}\n{ended.stderr}"
    assert '"path" "services/api"' in (folder / "docs/architecture/workspace.dsl").read_text()


def test_the_readmes_lines_run_in_the_order_in_which_they_stand(tmp_path: Path) -> None:
    folder = bookshop(tmp_path / "bookshop")
    lines = commands(README.split("## Use it in your project", 1)[1])
    assert len(lines) >= 7
    environment = {**os.environ, "ARCHMEM_STORE": str(tmp_path / "archmem.db"), "ARCHMEM_ACTOR": "agent/readme"}
    for line in lines:
        command = [sys.executable, "-m", "server.cli", *shlex.split(line)[1:]]
        ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, f"{line}\n{ended.stderr}"
        if line.startswith("archmem recall"):
            assert "ApiGateway strips custom headers" in ended.stdout


def test_the_lines_about_sessions_run_in_one_shell(tmp_path: Path) -> None:
    folder = bookshop(tmp_path / "bookshop")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "ARCHMEM_STORE": str(tmp_path / "archmem.db")}
    block = SESSIONS.split("```sh", 1)[1].split("```", 1)[0]
    script = f"archmem init\n{block}"
    told = subprocess.run(
        ["bash", "-euc", script], cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout
    assert "cited 1 memory" in told
    assert "[finished]" in told
    assert "Vouchers first [NOTE] (Bookshop.API.Checkout)" in told


def test_the_page_of_sessions_tells_every_gate_and_the_numbers() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", SESSIONS, re.MULTILINE)) == set(Gate)
    policy = SessionPolicy()
    assert f"After {policy.silent_minutes} minutes of silence" in SESSIONS
    assert f"At most {policy.briefing_characters:,} characters" in SESSIONS


def test_the_drift_checks_lines_run_in_the_order_in_which_they_stand(tmp_path: Path) -> None:
    folder = bookshop(tmp_path / "bookshop")
    lines = commands(DRIFT)
    assert len(lines) >= 7
    for line in lines:
        command = [sys.executable, "-m", "server.cli", *shlex.split(line)[1:]]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, f"{line}\n{ended.stderr}"


def test_the_drift_page_lists_every_format_verdict_rule_of_failing_and_input() -> None:
    def firsts(heading: str) -> set[str]:
        part = DRIFT.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
        return set(re.findall(r"^\| `([\w-]+)` \|", part, re.MULTILINE))

    assert firsts("Formats") == set(FORMATS)
    assert firsts("How it decides") == {*map(str, Verdict), "new"}
    assert firsts("The ratchet") == set(get_args(FailOn))
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert firsts("GitHub") == set(action["inputs"])
    recipes = re.findall(r"```yaml\n(.*?)```", DRIFT, re.DOTALL)
    assert len([yaml.safe_load(recipe) for recipe in recipes]) == 3
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert yaml.safe_load(recipes[2])["repos"][0]["hooks"][0]["id"] == hooks[0]["id"]
    assert set(yaml.safe_load(recipes[0])["jobs"]["drift"]["steps"][1]["with"]) <= set(action["inputs"])


def test_the_gitlab_recipe_runs(tmp_path: Path) -> None:
    folder = bookshop(tmp_path / "bookshop")
    recipe = yaml.safe_load(re.findall(r"```yaml\n(.*?)```", DRIFT, re.DOTALL)[1])
    script = "\n".join(recipe["drift"]["script"])
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD"}
    subprocess.run(["bash", "-euc", script], cwd=folder, env=environment, check=True)
    reports = recipe["drift"]["artifacts"]["reports"]
    assert "status=kept" in (folder / reports["dotenv"]).read_text().splitlines()
    assert (folder / reports["junit"]).read_text().startswith("<?xml")
    assert "Drift score" in (folder / recipe["drift"]["artifacts"]["paths"][0]).read_text()
