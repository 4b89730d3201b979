"""Which memories stopped being true, and who notices: `python -m bench.truth.run --repositories FOLDER`.

FOLDER holds clones, bare or not, of the repositories that `PACKAGES` and the hand-read file name, as `owner+name`,
`owner+name/repo` or `name`; `--clone` makes those that are missing. What was looked at while evidence was written and
what was held out until the end are reported apart. The same commits give the same figures.
"""

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import repeat
from pathlib import Path

from bench.machine import machine
from bench.truth.hand_read import hand_read, read_by_hand
from bench.truth.judges import JUDGES, Judged, judge
from bench.truth.plain_git import PlainGit
from bench.truth.quiet import found_in, made_in
from bench.truth.report import print_judges, print_kinds, print_quiet
from bench.truth.statements import Package, Statement, sample, sample_within

TUNED = (
    Package("pallets/flask", "2ac89889f4cc", ("flask", "src/flask"), ("flask/testsuite",)),
    Package("psf/requests", "1f6589ec3a1e", ("requests", "src/requests"), ("requests/packages",)),
    Package("encode/httpx", "ae1b9f66238f", ("httpx",)),
    Package("pallets/click", "2c8cd3ac958a", ("click", "src/click")),
    Package("fastapi/typer", "9a7b2e83f6b6", ("typer",), ("typer/_click",)),
)
HELD_OUT = (
    Package("encode/starlette", "cb8f84f5284d", ("starlette",)),
    Package("pallets/jinja", "5ef70112a1ff", ("jinja2", "src/jinja2"), ("jinja2/testsuite",)),
    Package("python-attrs/attrs", "c1dc5dcba16e", ("attr", "src/attr", "src/attrs")),
    Package(
        "urllib3/urllib3", "6a8536b6e1b0", ("urllib3", "src/urllib3"), ("urllib3/packages", "src/urllib3/packages")
    ),
)
_QUIET_STATEMENTS = 12


def main() -> None:
    """Judge what was asked for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--clone", action="store_true", help="clone what is missing from github.com")
    parser.add_argument("--only", choices=("tuned", "held-out", "hand-read"), help="one of the sets")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="repositories at a time; one for each core")
    parser.add_argument("--wrong", choices=JUDGES, help="list every miss and false alarm of this judge")
    chosen = parser.parse_args()
    began = time.perf_counter()
    for name, packages in (("tuned", TUNED), ("held-out", HELD_OUT)):
        if chosen.only in (None, name):
            with ProcessPoolExecutor(chosen.jobs) as pool:
                found = list(pool.map(_judged, repeat(chosen), packages))
            _report(name, [one for judged in found for one in judged], chosen.wrong)
    if chosen.only in (None, "hand-read"):
        _report_hand_read(chosen)
    print(f"\n{time.perf_counter() - began:.0f} s; {machine()}")


def _judged(chosen: argparse.Namespace, package: Package) -> list[Judged]:
    folder = clone_of(chosen.repositories, package.name, clone=chosen.clone)
    with PlainGit(folder, package.at) as git:
        statements = sample(git, package)
        for quiet in found_in(git, package):
            statements += sample_within(
                git, package, quiet.before, quiet.commit, quiet.paths, quiet.kind, _QUIET_STATEMENTS
            )
    judged = judge(folder, statements)
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "copy.git"
        subprocess.run(["git", "clone", "--quiet", "--bare", "--shared", str(folder), str(copy)], check=True)
        wider = replace(package, roots=(*package.roots, *(f"moved/{root}" for root in package.roots)))
        made = made_in(copy, wider)
        with PlainGit(copy, package.at) as git:
            again = [
                one
                for quiet in made
                for one in sample_within(
                    git, wider, quiet.before, quiet.commit, quiet.paths, quiet.kind, _QUIET_STATEMENTS
                )
            ]
        return judged + judge(copy, again)


def clone_of(folder: Path, name: str, *, clone: bool) -> Path:
    """Return a repository's git directory below the folder; make it when that is wanted."""
    flat = name.replace("/", "+")
    for place in (folder / flat / "repo", folder / flat, folder / name.rpartition("/")[2]):
        if (place / "HEAD").is_file():
            return place
        if (place / ".git").is_dir():
            return place / ".git"
    if not clone:
        raise SystemExit(f"{folder} has no clone of {name}: add it as {flat}, or give --clone")
    command = ["git", "clone", "--quiet", "--bare", f"https://github.com/{name}", str(folder / flat)]
    subprocess.run(command, check=True)
    return folder / flat


def _report(name: str, judged: list[Judged], wrong: str | None) -> None:
    print(f"\n## {name}: {', '.join(sorted({one.statement.repository for one in judged}))}")
    for group in ("cites code", "cites none"):
        ours = [one for one in judged if one.statement.group == group]
        print_judges(f"{name}, {group}", ours)
        if group == "cites code":
            print_kinds(ours, "evidence")
    print_quiet([one for one in judged if one.statement.group not in ("cites code", "cites none")])
    _print_wrong(judged, wrong)


def _report_hand_read(chosen: argparse.Namespace) -> None:
    judged: list[Judged] = []
    for name, rows in hand_read().items():
        folder = clone_of(chosen.repositories, name, clone=chosen.clone)
        with PlainGit(folder) as git:
            judged += judge(folder, read_by_hand(git, rows))
    print(f"\n## hand-read: {', '.join(hand_read())}")
    for group in sorted({one.statement.group for one in judged}):
        print_judges(group, [one for one in judged if one.statement.group == group])
    _print_wrong(judged, chosen.wrong)


def _print_wrong(judged: Sequence[Judged], judge_name: str | None) -> None:
    for one in judged if judge_name else ():
        if one.statement.truth is not None and one.doubted[judge_name or ""] == one.statement.truth:
            _print_one_wrong(one.statement, one.said)


def _print_one_wrong(one: Statement, said: str) -> None:
    kind = "FALSE ALARM" if one.truth else "MISS"
    print(f"{kind} {one.repository} {one.early.oid[:10]}..{one.late.oid[:10]} [{one.group}/{one.kind}] {one.text}")
    print(f"    path {one.path}, name {one.name}; said: {said or '–'}; truth: {one.truth} {one.why}")


if __name__ == "__main__":
    main()
