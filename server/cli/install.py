"""`archmem install`."""

import click

from server.cli.options import Command, Options, pass_options
from server.cli.output import answer, notice


@click.command(cls=Command)
@click.argument("client", metavar="CLIENT")
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="Your own settings, or those of the project around the current folder, which are shared.",
)
@click.option("--remove", is_flag=True, help="Take out what an install put there.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--dry-run", is_flag=True, help="Show the difference, and change nothing.")
@pass_options
def install(options: Options, client: str, scope: str, remove: bool, yes: bool, dry_run: bool) -> None:
    """Make CLIENT use archmem: claude-code, cursor, codex or vscode.

    Three things are put into the client's files: archmem as an MCP server, hooks (session start: briefing; before an
    edit: the pitfalls of that place; session end: finish), and a skill that teaches two habits: pass the session id,
    name what you used. The difference is shown first, and a yes is asked for. All else in the files stays as it is,
    byte for byte; a file that is malformed is refused, with the line. A second install changes nothing.

    With --scope project the files call `archmem` as PATH finds it, for all who share them; in your own settings they
    call this very archmem by its whole path.

    \b
    Examples:
      archmem install claude-code
      archmem install cursor --scope project --dry-run
      archmem install codex --remove --yes
    """
    import os
    from pathlib import Path

    from server.cli import asking, install_texts
    from server.installing import Where, apply_changes, client_named, plan

    chosen = client_named(client)
    if scope == "project":
        with options.workplace() as workplace:
            root = workplace.root
    else:
        root = Path.home()
    where = Where("project" if scope == "project" else "user", root, os.environ)
    planned = plan(chosen, where, remove=remove)
    told = planned.told
    if told.changes and not dry_run:
        if not options.json:
            notice(install_texts.difference(told))
        if not yes and (options.json or not asking.is_possible()):
            raise click.UsageError("nobody can be asked here: give --yes to write, or --dry-run to look")
        if yes or asking.agrees(f"Write {len(told.changes)} file{'s' if len(told.changes) != 1 else ''}?"):
            told = apply_changes(planned)
    answer(options, told, install_texts.difference if dry_run else install_texts.done)
