"""`archmem model`: lint, import and show the architecture model."""

import click

from server.cli.options import Group, Options, pass_options
from server.cli.output import answer, warnings


@click.group(cls=Group)
def model() -> None:
    """Lint, import and show the architecture model."""


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
@click.argument("files", nargs=-1)
@pass_options
def lint(options: Options, files: tuple[str, ...]) -> None:
    """Name everything that is doubtful about the model in the checkout: the given FILES, else the project's.

    That is what a reader left out or guessed, relationships to nothing, paths that match no file (or never did), and
    names that several elements share. No store is needed, and nothing is written. Exit codes: 0 nothing to say,
    1 warnings, 2 wrong use or a model that cannot be read.

    \b
    Examples:
      archmem model lint
      archmem model lint docs/workspace.dsl --json
    """
    from server.cli import texts
    from server.linting import lint as lint_checkout

    with options.workplace() as workplace:
        found = lint_checkout(workplace, files)
    answer(options, found, texts.linted)
    click.get_current_context().exit(1 if found.warnings else 0)


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
