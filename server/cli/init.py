"""`archmem init`."""

import click

from server.cli.options import Command, Options, pass_options
from server.cli.output import answer, notice, warnings


@click.command(cls=Command)
@pass_options
def init(options: Options) -> None:
    """Register this repository and import its model; asks nothing.

    Finds the git repository and its C4 model files, writes archmem.toml where there is none, and says what to do next.
    A second run changes nothing.

    \b
    Examples:
      archmem init
      archmem -C ~/src/bookshop init
    """
    from server.bootstrap import words_alone
    from server.cli import texts
    from server.modelling import initialise
    from server.opening import graph_of

    with options.workplace() as workplace:
        settings = options.settings(workplace)
        with graph_of(settings) as graph:
            made = initialise(graph, settings, workplace)
        answer(options, made, texts.initialised)
        warnings(made.change.warnings)
        notice(words_alone(settings))
