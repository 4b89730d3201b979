"""`archmem drift`: check, run, accept, baseline and comment."""

import sys
from contextlib import ExitStack
from typing import Any

import click

from server.cli.formats import Written, parse_formats, write_formats
from server.cli.options import Group, Options, Percent, pass_options
from server.cli.output import answer, bar, warnings


def _address(_: click.Context, __: click.Parameter, value: str) -> str:
    if value and not value.startswith(("http://", "https://")):
        raise click.BadParameter(f"{value!r} is no http or https address.")
    return value


@click.group(cls=Group)
def drift() -> None:
    """Hold the model against the repository."""


@drift.command()
@click.option("--base", default="", metavar="REV", help="Compare with this commit, in place of every baseline.")
@click.option(
    "--change-from",
    default="",
    metavar="REV",
    help="Tell what the change since the merge base with REV does: elements touched, score, memories.",
)
@click.option("--target", default="HEAD", metavar="REV", show_default=True, help="The commit or tree to check.")
@click.option("--staged", is_flag=True, help="Check what is staged, in place of --target.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="NAME[=FILE]",
    callback=parse_formats,
    help="text, json, markdown, github, sarif, junit, comment or dotenv; into a file with =FILE. Repeatable.",
)
@click.option("--min-score", type=Percent(), metavar="SCORE", help="Exit 1 below it.")
@click.option(
    "--fail-on",
    type=click.Choice(["new", "any", "none"]),
    help="Exit 1 by drifted, missing or new findings: those not known, any, or none.",
)
@click.option(
    "--server", default="", metavar="URL", callback=_address, help="Link memories to this server in a comment."
)
@pass_options
def check(options: Options, /, target: str, staged: bool, formats: tuple[Written, ...], **asked: Any) -> None:
    """Check the model against the repository; no store is needed, so CI can run it.

    The model, archmem.toml and the files below .archmem are read from git, at the target. Without --fail-on, [drift]
    fail_on counts, else `new` where .archmem/drift-baseline.json is committed, else `none`. `new` lets pass what that
    file knows; without the file, what was there at the merge base with --change-from. Memories come from --store or
    ARCHMEM_STORE, else from .archmem/memories.jsonl where that is committed; they are read alone.

    Exit codes: 0 kept, 1 violated (below --min-score or [drift] min_score, or by --fail-on), 2 wrong use or an
    unreadable model, 3 cannot decide. docs/drift.md tells how a verdict is found, and how to run it in CI.

    \b
    Examples:
      archmem drift check
      archmem drift check --change-from origin/main --fail-on new
      archmem drift check --format github --format sarif=drift.sarif --format markdown=drift.md
      archmem drift check --staged
    """
    from server.checking import Asked
    from server.checking import check as check_checkout

    if staged and target != "HEAD":
        raise click.UsageError("Give --staged or --target, not both.")
    shown = next((one.name for one in formats if not one.file), "")
    options.json = shown == "json" or (options.json and not shown)
    is_watched = sys.stderr.isatty()
    with options.workplace() as workplace, bar("drift", hidden=not is_watched) as show:
        checked = check_checkout(
            workplace,
            options.settings(workplace),
            options.store_named_by,
            Asked(target=target, staged=staged, **asked),
            progress=show if is_watched else None,
        )
    write_formats(checked, formats, "json" if options.json else "text")
    click.get_current_context().exit(checked.exit_code)


@drift.command()
@click.option("--prune", is_flag=True, help="Only take out what no longer occurs.")
@pass_options
def baseline(options: Options, prune: bool) -> None:
    """Write the findings of HEAD into .archmem/drift-baseline.json: they are known, and only new ones fail a check.

    The file is committed and reviewed like code; an entry a finding, without line numbers. With --prune nothing is
    added: the file only shrinks.

    \b
    Examples:
      archmem drift baseline
      archmem drift baseline --prune
    """
    from server.checking import write_baseline
    from server.cli import texts

    with options.workplace() as workplace:
        answer(options, write_baseline(workplace, prune=prune), texts.known_drift)


@drift.command()
@click.argument("file", metavar="FILE")
@click.option("--pull-request", "number", type=click.IntRange(min=1), required=True, metavar="N", help="Its number.")
@pass_options
def comment(options: Options, file: str, number: int) -> None:
    """Post FILE, which `drift check --format comment=FILE` wrote, to a pull request; update what is there already.

    GITHUB_REPOSITORY and GITHUB_TOKEN say where and as whom, GITHUB_API_URL at which server. An empty FILE makes no
    comment, and says in the one that is there that nothing is touched any more.

    \b
    Example:
      archmem drift comment drift-comment.md --pull-request 17
    """
    import os

    from server.cli import texts
    from server.pull_requests import post_comment

    answer(options, post_comment(file, number, os.environ), texts.commented)


@drift.command()
@pass_options
def run(options: Options) -> None:
    """Check HEAD and record it: elements are stamped, memories flagged and cleared.

    \b
    Example:
      archmem drift run
    """
    from server import drifting
    from server.cli import texts

    with options.opened() as opened:
        ran = drifting.run(opened.graph, opened.scope, opened.workplace)
        answer(options, ran, texts.ran)
        unknown = drifting.unknown_elements(opened.graph, opened.scope, ran.report)
        warnings(f"{ref} is not in the stored model; run `archmem model import`" for ref in unknown)


@drift.command()
@click.argument("elements", nargs=-1, metavar="[REF]...")
@click.option("--all", "everything", is_flag=True, help="Every element that has code.")
@pass_options
def accept(options: Options, elements: tuple[str, ...], everything: bool) -> None:
    """Accept elements as HEAD has them: later changes count from here.

    Writes .archmem/accepted.json, which is committed and reviewed like code, and records it in the store where that
    knows the project. No memory's flag is cleared: confirming does that.

    \b
    Examples:
      archmem drift accept Bookshop.API.Checkout
      archmem drift accept --all
    """
    from graph.errors import Unknown
    from server import drifting
    from server.cli import texts

    if bool(elements) is everything:
        raise click.UsageError("Name the elements, or give --all.")
    refs = None if everything else elements
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(options.opened())
        except Unknown:
            if options.store_named_by == "option" or options.project is not None:
                raise
            made = drifting.accept_unrecorded(stack.enter_context(options.workplace()), refs)
        else:
            made = drifting.accept_everywhere(opened.graph, opened.scope, opened.workplace, refs, opened.actor)
        answer(options, made, texts.accepted)
