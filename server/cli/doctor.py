"""`archmem doctor`."""

import click

from server.cli.options import Command, Options, pass_options
from server.cli.output import answer


@click.command(cls=Command)
@pass_options
def doctor(options: Options) -> None:
    """Look for what keeps archmem from working, and say the next step; changes nothing.

    \b
    Example:
      archmem doctor --json
    """
    import os
    from pathlib import Path

    from server.doctor import diagnosis_text, examine

    found = examine(Path(options.directory or "."), {"store": options.store, "project": options.project}, os.environ)
    answer(options, found, diagnosis_text)
    click.get_current_context().exit(found.exit_code)
