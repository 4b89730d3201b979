"""`archmem coverage`."""

import click

from server.cli.options import Command, Options, pass_options
from server.cli.output import answer


@click.command(cls=Command)
@click.option("--min", "least", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit 1 below it.")
@pass_options
def coverage(options: Options, least: float | None) -> None:
    """Tell how much of the model is documented by memories, and name the gaps worth filling.

    \b
    Examples:
      archmem coverage
      archmem coverage --min 60
    """
    from server.cli import texts
    from server.errors import BELOW_THRESHOLD

    with options.opened() as opened:
        found = opened.graph.coverage(opened.scope)
    answer(options, found, texts.coverage)
    if least is not None and found.share < least:
        click.echo(f"below the threshold of {least:g} %", err=True)
        click.get_current_context().exit(BELOW_THRESHOLD)
