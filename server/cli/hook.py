"""`archmem hook`: what clients call by themselves; the exit code is always 0."""

import click

from server.cli import hooking
from server.cli.options import Command, Group, Options, pass_options


@click.group(cls=Group)
def hook() -> None:
    """Answer a client's hook; `archmem install` sets them up, and people need none of this.

    The client's JSON is read from standard input. Whatever goes wrong, the exit code is 0: no memory is a reason to
    stop an agent.

    \b
    Example:
      echo '{"session_id": "1", "cwd": "."}' | archmem hook session-start
    """


_client = click.option("--client", default="agent", metavar="NAME", help="Who calls, as history shows it.")
_TOLERANT = {"ignore_unknown_options": True, "allow_extra_args": True}


@hook.command("session-start", cls=Command, context_settings=_TOLERANT)
@_client
@pass_options
def session_start(options: Options, client: str) -> None:
    """Begin a work session, and print the briefing; where the client resumes one, it goes on.

    \b
    Example:
      echo '{"session_id": "1", "cwd": "."}' | archmem hook session-start
    """
    hooking.start(client, options)


@hook.command("pre-edit", cls=Command, context_settings=_TOLERANT)
@_client
@pass_options
def pre_edit(options: Options, client: str) -> None:
    """Print the pitfalls of the element that covers the file to be edited, and what must be verified there, once.

    \b
    Example:
      echo '{"session_id": "1", "tool_name": "Edit", "tool_input": {"file_path": "a.py"}}' | archmem hook pre-edit
    """
    hooking.before_edit(client, options)


@hook.command("session-end", cls=Command, context_settings=_TOLERANT)
@_client
@pass_options
def session_end(options: Options, client: str) -> None:
    """Finish the session with what is known, unless its agent did; without any edit it leaves nothing behind.

    \b
    Example:
      echo '{"session_id": "1"}' | archmem hook session-end
    """
    hooking.end(client, options)
