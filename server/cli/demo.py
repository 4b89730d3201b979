"""`archmem demo`."""

import click

from server.cli.options import Command, Options, pass_options


@click.command(cls=Command)
@pass_options
def demo(options: Options) -> None:  # noqa: ARG001
    """Show the main job on a sample bookshop, in a temporary repository with a store of its own.

    \b
    Example:
      archmem demo
    """
    import os

    from server.demo import play

    click.get_current_context().exit(play(click.echo, os.environ))
