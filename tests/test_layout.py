"""The house rules that a machine can hold: packages, file sizes, names, and no unfinished place."""

import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {"graph", "drift", "server"}
FOLDERS = PACKAGES | {"tests", "bench", "docs", "c4-samples", ".ci", ".archmem"}
LONGEST_FILE = 400


def tracked(*patterns: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [path for path in listed.stdout.split("\0") if path and (ROOT / path).exists()]


def test_no_new_top_level_folder_slips_in() -> None:
    folders = {path.split("/", 1)[0] for path in tracked() if "/" in path}
    assert folders <= FOLDERS


def test_the_packages_are_those_that_the_contracts_order() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(project["tool"]["importlinter"]["root_packages"]) == PACKAGES
    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == PACKAGES
    found = {path.split("/", 1)[0] for path in tracked("*.py") if "/" in path}
    assert found - {"tests", "bench", "c4-samples"} == PACKAGES


def test_every_package_has_its_own_order_of_layers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = project["tool"]["importlinter"]["contracts"]
    ordered = {name for contract in contracts for name in contract.get("containers", ()) if contract["exhaustive"]}
    packages = {str(Path(path).parent).replace("/", ".") for path in tracked("*/__init__.py")}
    assert {name for name in packages if name.split(".")[0] in PACKAGES} <= ordered


@pytest.mark.parametrize("path", tracked("*.py"))
def test_a_file_stays_under_400_lines(path: str) -> None:
    assert len((ROOT / path).read_text().splitlines()) <= LONGEST_FILE


def test_every_test_folder_is_a_package() -> None:
    folders = {Path(path).parent for path in tracked("tests/*.py")}
    assert all((ROOT / folder / "__init__.py").exists() for folder in folders)


def test_no_module_takes_the_name_of_a_library_or_says_nothing() -> None:
    names = {Path(path).name for path in tracked("*.py")}
    assert not names & {"git.py", "mcp.py", "utils.py", "helpers.py", "common.py"}
