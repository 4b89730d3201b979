"""`archmem project` and `archmem drift history`: what a server checks by itself, and what runs found over time."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli.options import Command, Group, Options, pass_options
from server.cli.output import answer

if TYPE_CHECKING:
    from graph.attempts import Attempt
    from server.answers import DriftRuns, DriftStatus, RunSummary

_ATTEMPTS_SHOWN = 5


@click.group(cls=Group)
def project() -> None:
    """Say what a server knows of this project.

    \b
    Example:
      archmem project repository https://github.com/acme/bookshop.git
    """


@project.command()
@click.argument("address", default="")
@click.option("--branch", default="", metavar="NAME", help="The branch to follow; without one the HEAD there.")
@click.option("--none", "nothing", is_flag=True, help="Let servers check nothing by themselves any more.")
@pass_options
def repository(options: Options, address: str, branch: str, nothing: bool) -> None:
    """Name the repository that `archmem serve` checks by itself, or tell it with the latest attempts.

    ADDRESS is https://…, ssh://… or git@host:path, which the server clones and fetches, or a folder, whose HEAD is read
    in place. No password is kept: git's credential helpers and ssh have it. When it is checked is [drift] schedule in
    its archmem.toml, or ARCHMEM_DRIFT_SCHEDULE.

    \b
    Examples:
      archmem project repository .
      archmem project repository https://github.com/acme/bookshop.git --branch main
      archmem project repository
    """
    from server.repositories import set_repository
    from server.watching import status_of

    if nothing and address:
        raise click.UsageError("Give an address, or --none.")
    if branch and not address:
        raise click.UsageError("--branch needs an address.")
    with options.opened() as opened:
        if nothing or address:
            named = _absolute(address, opened.workplace.folder)
            set_repository(opened.graph, opened.settings, opened.scope, named, branch, trusted=True)
        answer(options, status_of(opened.graph, opened.settings, opened.scope), _status)


@click.command(cls=Command)
@click.option("--limit", type=click.IntRange(1, 1_000), default=20, show_default=True, help="At most so many runs.")
@click.option("--before", default="", metavar="ID", help="Go on before this run.")
@pass_options
def history(options: Options, limit: int, before: str) -> None:
    """List the recorded drift runs, the newest first: when, at which commit, the score and the verdicts.

    \b
    Examples:
      archmem drift history
      archmem drift history --limit 100 --json
    """
    from server.answers import runs_of

    with options.opened() as opened:
        answer(options, runs_of(opened.graph, opened.scope, before=before, limit=limit), _runs)


def _absolute(address: str, folder: Path) -> str:
    """Return the absolute path where a folder of this machine is named, by its top; else the address as it is."""
    from drift import Repository

    named = folder / Path(address).expanduser()
    if not address or "://" in address or not named.is_dir():
        return address
    with Repository.open(named) as found:
        return str(found.root.resolve())


def _status(told: "DriftStatus") -> str:
    if not told.repository:
        return "no repository: a server checks nothing by itself (archmem project repository ADDRESS)"
    lines = [f"repository {told.repository}{f', branch {told.branch}' if told.branch else ''}"]
    if told.schedule and told.next_at:
        lines.append(f"schedule {told.schedule}; next run {told.next_at:%Y-%m-%d %H:%M:%S}Z, where a server runs")
    else:
        lines.append(f"schedule {'not known: ' + told.problem if told.problem else 'none'}")
    if told.last:
        lines.append(f"last run {_run(told.last)}")
    lines.extend(_attempt(one) for one in told.attempts[:_ATTEMPTS_SHOWN])
    return "\n".join(lines)


def _attempt(one: "Attempt") -> str:
    error = f": {one.error}\n    Next: {one.next_step}" if one.error else ""
    warnings = "".join(f"\n    warning: {warning}" for warning in one.warnings)
    return f"  {one.started_at:%Y-%m-%d %H:%M:%S}Z by {one.by}: {one.state}{error}{warnings}"


def _runs(told: "DriftRuns") -> str:
    lines = [_run(run) for run in told.runs]
    if told.next:
        lines.append(f"(more: --before {told.next})")
    return "\n".join(lines) or "no drift run yet; run `archmem drift run`"


def _run(run: "RunSummary") -> str:
    score = "no score" if run.score is None else f"{run.score:.1f} {run.band}"
    counts = ", ".join(f"{count} {verdict}" for verdict, count in run.counts.items())
    new = f", {run.new} new" if run.new else ""
    return f"{run.at:%Y-%m-%d %H:%M:%S}Z {run.head[:12]} {score}: {counts or 'no elements'}{new}"
