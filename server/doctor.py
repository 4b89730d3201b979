"""`archmem doctor`: what could keep archmem from working, each with its next step; changes nothing.

Nothing of the other packages is imported before it is known that they are archmem's own.
"""

import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

_PACKAGES = ("graph", "drift", "capture", "server")
_APART = "install archmem in an environment of its own (pipx, uv tool install)"
_FIRST_AFFECTED, _FIRST_MENDED = (3, 7, 0), (3, 51, 3)
_FAILED = 2


class Check(BaseModel):
    """One thing that was looked at."""

    name: str
    status: Literal["ok", "warn", "fail"]
    what: str
    next_step: str = ""


class Diagnosis(BaseModel):
    """Everything that was looked at."""

    checks: tuple[Check, ...]

    @property
    def exit_code(self) -> int:
        """0 when nothing fails; a warning is no failure."""
        return _FAILED if any(check.status == "fail" for check in self.checks) else 0


def examine(folder: Path, options: Mapping[str, Any], environment: Mapping[str, str]) -> Diagnosis:
    """Look at everything, as far as it can be looked at."""
    checks = [_python(), *_foreign_packages()]
    if any(check.status == "fail" for check in checks):
        return Diagnosis(checks=tuple(checks))
    from server.examining import examine_store, examine_workplace

    checks.extend((_sqlite(), _git()))
    checks.extend(Check(**found) for found in examine_workplace(folder, options, environment))
    checks.extend(Check(**found) for found in examine_store(folder, options, environment))
    return Diagnosis(checks=tuple(checks))


def diagnosis_text(found: Diagnosis) -> str:
    """Return the checks, a line each, with the next step where one is needed."""
    lines = []
    for check in found.checks:
        lines.append(f"{check.status:<4}  {check.name:<12} {check.what}")
        if check.next_step:
            lines.append(f"{'':<19}Next: {check.next_step}")
    return "\n".join(lines)


def is_affected(sqlite: str) -> bool:
    """Say whether this SQLite can corrupt a WAL that several processes write (3.7.0 to 3.51.2)."""
    parts = tuple(int(part) for part in sqlite.split(".")[:3])
    return _FIRST_AFFECTED <= parts < _FIRST_MENDED


def foreign(name: str, home: Path) -> str:
    """Return where a package of ours is imported from if that is not our distribution; else an empty text."""
    spec = find_spec(name)
    places = [spec.origin] if spec and spec.origin else list(spec.submodule_search_locations or ()) if spec else []
    strangers = [place for place in places if not Path(place).resolve().is_relative_to(home / name)]
    return strangers[0] if strangers else ""


def rivals() -> dict[str, list[str]]:
    """Return the other distributions installed here that bring a top-level package of archmem's name."""
    owners = packages_distributions()
    found = {name: sorted({owner for owner in owners.get(name, ()) if owner != "archmem"}) for name in _PACKAGES}
    return {name: others for name, others in found.items() if others}


def _python() -> Check:
    return Check(name="python", status="ok", what=f"{platform.python_version()} at {sys.executable}")


def _foreign_packages() -> Iterator[Check]:
    home = Path(__file__).resolve().parent.parent
    strangers = {name: place for name in _PACKAGES if (place := foreign(name, home))}
    shared = {name: owners for name, owners in rivals().items() if name not in strangers}
    for name, place in strangers.items():
        yield Check(
            name="packages",
            status="fail",
            what=f"{name!r} is imported from {place}, which is not archmem's",
            next_step=f"{_APART}, and unset PYTHONPATH",
        )
    for name, owners in shared.items():
        yield Check(
            name="packages",
            status="warn",
            what=f"{name!r} is a package of {', '.join(owners)} too: either may overwrite or hide the other",
            next_step=_APART,
        )
    if not strangers and not shared:
        yield Check(name="packages", status="ok", what=f"all from {home}")


def _sqlite() -> Check:
    from graph.stores.sqlite import sqlite_version

    sqlite = sqlite_version()
    if is_affected(sqlite):
        return Check(
            name="sqlite",
            status="warn",
            what=f"{sqlite} can, rarely, corrupt a file that several processes write",
            next_step="pip install --upgrade apsw",
        )
    return Check(name="sqlite", status="ok", what=f"{sqlite} (apsw {version('apsw')})")


def _git() -> Check:
    place = shutil.which("git")
    if place is None:
        return Check(name="git", status="fail", what="not found on PATH", next_step="install git")
    return Check(name="git", status="ok", what=place)
