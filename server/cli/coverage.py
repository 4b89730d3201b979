"""`archmem coverage`."""

import click

from server.cli.options import Command, Options, Percent, pass_options
from server.cli.output import answer, notice


@click.command(cls=Command)
@click.option("--min", "least", type=Percent(), metavar="PERCENT", help="Exit 1 below it.")
@pass_options
def coverage(options: Options, least: float | None) -> None:
    """Tell how much of the model is documented by memories, and name the gaps worth filling.

    A question that found nothing is listed until a memory written since shares enough of its words; an answer in
    quite other words, which only an embedder finds, does not take it off.

    Exit codes with --min: 0 kept, 1 below it, 3 cannot decide, since the model has nothing to document.

    \b
    Examples:
      archmem coverage
      archmem coverage --min 60
    """
    from server.cli import texts
    from server.errors import BELOW_THRESHOLD, UNDECIDED

    with options.opened() as opened:
        behind = opened.catch_up()
        found = opened.graph.coverage(opened.scope)
    answer(options, found, texts.coverage)
    notice(behind)
    if least is None:
        return
    if found.share is None:
        notice("cannot decide: the model has no element to document; import one by `archmem model import`")
        click.get_current_context().exit(UNDECIDED)
    if found.share < least:
        notice(f"below the threshold of {least:g} %")
        click.get_current_context().exit(BELOW_THRESHOLD)
