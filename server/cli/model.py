"""`archmem model`: import and show the architecture model."""

import click

from server.cli.options import Group, Options, pass_options
from server.cli.output import answer, warnings


@click.group(cls=Group)
def model() -> None:
    """Import and show the architecture model."""


@model.command("import")
@click.argument("files", nargs=-1)
@pass_options
def import_(options: Options, files: tuple[str, ...]) -> None:
    """Take over the model as it stands in the checkout: the given FILES, else the project's.

    Elements keep their identity; what left the model is retired and keeps its memories.

    \b
    Examples:
      archmem model import
      archmem model import docs/workspace.dsl
    """
    from server.cli import texts
    from server.modelling import import_checkout

    with options.opened() as opened:
        change = import_checkout(opened.graph, opened.scope, opened.workplace, files)
        answer(options, change, texts.change)
        warnings(change.warnings)


@model.command()
@pass_options
def show(options: Options) -> None:
    """Show the stored elements as a tree, with their memories, verdicts and sources.

    \b
    Examples:
      archmem model show
      archmem model show --json
    """
    from server.answers import elements_of
    from server.cli import texts

    with options.opened() as opened:
        answer(options, elements_of(opened.graph, opened.scope), texts.elements)
