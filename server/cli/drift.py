"""`archmem drift`: check, run and accept."""

import click

from server.cli.options import Group, Options, Percent, pass_options
from server.cli.output import answer, warnings


@click.group(cls=Group)
def drift() -> None:
    """Hold the model against the repository."""


@drift.command()
@click.option("--base", default="", metavar="REV", help="Compare with this commit, in place of every baseline.")
@click.option("--target", default="HEAD", metavar="REV", show_default=True, help="The commit or tree to check.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), help="text, or json as --json does.")
@click.option("--min-score", type=Percent(), metavar="SCORE", help="Exit 1 below it.")
@pass_options
def check(options: Options, base: str, target: str, form: str | None, min_score: float | None) -> None:
    """Check the model against the repository; no store is needed, so CI can run it.

    The model and archmem.toml are read from git, at the target. Exit codes: 0 kept, 1 below --min-score (or [drift]
    min_score), 2 wrong use or an unreadable model, 3 cannot decide.

    \b
    Examples:
      archmem drift check
      archmem drift check --base origin/main --format json --min-score 80
      archmem drift check --target $(git write-tree)
    """
    from drift import exit_code, render_json, render_text
    from server.checking import check as check_checkout

    options.json = (options.json and form is None) or form == "json"
    with options.workplace() as workplace:
        report, least = check_checkout(workplace, base=base, target=target)
    click.echo((render_json if options.json else render_text)(report).rstrip("\n"))
    click.get_current_context().exit(exit_code(report, least if min_score is None else min_score))


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

    Writes .archmem/accepted.json, which is committed and reviewed like code, and records it in the store. No memory's
    flag is cleared: confirming does that.

    \b
    Examples:
      archmem drift accept Bookshop.API.Checkout
      archmem drift accept --all
    """
    from server import drifting
    from server.cli import texts

    if bool(elements) is everything:
        raise click.UsageError("Name the elements, or give --all.")
    refs = None if everything else elements
    with options.opened() as opened:
        made = drifting.accept_everywhere(opened.graph, opened.scope, opened.workplace, refs, opened.actor)
        answer(options, made, texts.accepted)
