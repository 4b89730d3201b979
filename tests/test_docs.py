"""The documents say what the code does: every setting listed, every command there, the README's lines run."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from graph.policy import RankingPolicy
from graph.project_file import ProjectFile
from server.cli.main import archmem
from server.settings import VARIABLES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
SETTINGS = (ROOT / "docs/settings.md").read_text()


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda variable: str(variable.name))
def test_every_variable_is_documented(variable: object) -> None:
    assert f"| `{variable.name}` |" in SETTINGS  # type: ignore[attr-defined]


def test_no_variable_is_documented_that_is_not_read() -> None:
    known = {variable.name for variable in VARIABLES}
    written = set(re.findall(r"ARCHMEM_[A-Z_]+", README + SETTINGS))
    assert written <= known


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
    named = {name.split()[0] for name in re.findall(r"`([a-z ]+)`", first_cells)}
    assert named == set(archmem.commands)
