"""`archmem demo`."""

import click

from server.cli.options import Command, Options, pass_options


@click.command(cls=Command)
@pass_options
def demo(options: Options) -> None:
    """Show the main job on a sample bookshop, in a temporary repository with a store of its own.

    With --store it is played there, as a project of its own that stays.

    \b
    Example:
      archmem demo
    """
    import os

    from server.demo import play

    click.get_current_context().exit(play(click.echo, os.environ, options.store))
