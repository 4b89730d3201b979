"""Real repositories with fixed times, built command by command."""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from drift import DriftPolicy, Repository, check_drift, read_project
from graph.claims import Anchor
from graph.drift_report import DriftReport, Finding

START = datetime(2024, 1, 1, 12, tzinfo=UTC)
NOW = datetime(2024, 12, 1, 12, tzinfo=UTC)
_QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "protocol.file.allow",
    "GIT_CONFIG_VALUE_0": "always",
}


def day(number: int) -> datetime:
    """Return noon of a day; day 0 is before every commit."""
    return START + timedelta(days=number)


def dsl(containers: Mapping[str, str], *, describe: Mapping[str, str] | None = None, extra: str = "") -> str:
    """Return a workspace with one system, `Shop`, and a container for each name and source."""
    lines = ["workspace {", "  model {", '    shop = softwareSystem "Shop" {']
    for name, source in containers.items():
        said = (describe or {}).get(name, "")
        lines.append(f'      {name.lower()} = container "{name}" "{said}" {{')
        lines.append(f'        properties {{\n          "source" "{source}"\n        }}' if source else "")
        lines.append("      }")
    return "\n".join([*lines, "    }", extra, "  }", "}", ""])


class Checkout:
    """A working copy; every commit is one day later than the one before."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.day = 0
        root.mkdir(parents=True, exist_ok=True)

    def git(self, *arguments: str, at: datetime = START, by: str = "dev", config: Sequence[str] = ()) -> str:
        stamp = at.isoformat()
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _person(by, stamp)}
        done = subprocess.run(
            ["git", *config, *arguments],
            cwd=self.root,
            env={**os.environ, **_QUIET, **who},
            check=True,
            capture_output=True,
        )
        return done.stdout.decode("utf-8", "replace").strip()

    def write(self, path: str, content: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, files: Mapping[str, str | bytes] | None = None, *, by: str = "dev", on: int | None = None) -> str:
        """Write files, stage everything and commit on the next day, or on the given one."""
        for path, content in (files or {}).items():
            self.write(path, content)
        self.day = self.day + 1 if on is None else on
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", f"day {self.day}", at=day(self.day), by=by)
        return self.git("rev-parse", "HEAD")

    def merge(self, branch: str, *, into: str = "main") -> str:
        self.day += 1
        self.git("checkout", "--quiet", into)
        self.git("merge", "--quiet", "--no-ff", "-m", f"merge {branch}", branch, at=day(self.day))
        return self.git("rev-parse", "HEAD")

    def check(self, *, model_at: str = "", target: str = "HEAD", **options: Any) -> DriftReport:
        options = {"at": NOW, "baselines": {}, **options}
        with Repository.open(self.root) as repository:
            project, model = read_project(repository, model_at or target)
            policy = options.pop("policy", DriftPolicy(ignore=project.drift.ignore))
            return check_drift(model, repository, target=target, policy=policy, **options)

    def verdict(self, ref: str = "Shop.API", **options: Any) -> Finding:
        return found(self.check(**options), ref)

    def anchor(self, path_prefix: str = "src/api", element: str = "Shop.API", blobs: bool = True) -> Anchor:
        """Return the anchor of HEAD as a client gives it."""
        lines = self.git("ls-tree", "-r", "HEAD", "--", path_prefix).splitlines()
        pairs = {line.split("\t")[1]: line.split()[2] for line in lines}
        return Anchor(element=element, commit=self.git("rev-parse", "HEAD"), blobs=pairs if blobs else {})


def found(report: DriftReport, ref: str = "Shop.API") -> Finding:
    return next(finding for finding in report.elements if finding.ref == ref)


def _person(name: str, stamp: str) -> list[tuple[str, str]]:
    return [("NAME", name), ("EMAIL", f"{name}@example.org"), ("DATE", stamp)]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Checkout]:
    """Make a repository without commits below the test's folder."""
    for key, value in _QUIET.items():
        monkeypatch.setenv(key, value)

    def build(name: str) -> Checkout:
        checkout = Checkout(tmp_path / name)
        checkout.git("init", "--quiet", "--initial-branch=main")
        return checkout

    return build


@pytest.fixture
def empty(make: Callable[[str], Checkout]) -> Checkout:
    return make("work")


@pytest.fixture
def shop(empty: Checkout) -> Checkout:
    """The shop: a model, its API in `src/api`, and a page that is documented too; committed on day 1."""
    empty.commit(
        {
            "workspace.dsl": dsl({"API": "src/api", "Web": "src/web/**"}),
            "src/api/cart.js": "function add(item) {\n  cart.push(item);\n  return cart;\n}\n",
            "src/api/pay.js": "function pay() {\n  return total();\n}\n",
            "src/web/page.js": "render();\nhydrate();\n",
        }
    )
    return empty
