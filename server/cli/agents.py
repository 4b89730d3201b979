"""`archmem mcp`."""

import os
from pathlib import Path

import click

from server.cli.options import Command, Options, pass_options
from server.cli.output import notice
from server.mcp_door import catalogue


def _chosen(_: click.Context, __: click.Parameter, text: str) -> tuple[str, ...]:
    try:
        return catalogue.chosen(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command(cls=Command)
@click.option(
    "--tools",
    default="",
    envvar="ARCHMEM_MCP_TOOLS",
    callback=_chosen,
    metavar="LIST",
    help="`default`, `all`, or tools with commas between them (ARCHMEM_MCP_TOOLS).",
)
@pass_options
def mcp(options: Options, tools: tuple[str, ...]) -> None:
    """Speak MCP on standard input and output, for the coding agent that starts it.

    The project is that of the folder it is started in. Standard output carries the protocol alone; everything else is
    said on standard error. It ends when the client closes its end. `archmem serve` has the same by HTTP, at /mcp.

    \b
    Examples:
      archmem mcp
      archmem mcp -C /path/to/checkout --tools default,plan_work
    """
    # The client waits for its first answer: nothing that takes long to import comes before it.
    from server.mcp_door.greeting import greet
    from server.mcp_door.wire import Wire

    try:
        wire = Wire.claim()
    except OSError as error:
        raise click.UsageError("standard input and output are closed; a coding agent starts this command") from error
    if wire.is_typed:
        notice("archmem mcp is started by a coding agent and speaks JSON-RPC; Ctrl-D ends it")
    first = wire.read()
    if first is None:
        return
    greeting = greet(first)
    if greeting is not None:
        wire.write(greeting.answer)

    from server.mcp_door.seats import OwnSeat
    from server.mcp_door.stdio import converse

    given = {"store": options.store, "project": options.project}
    seat = OwnSeat(Path(options.directory or "."), given, os.environ)
    converse(wire, first, greeting, seat, tools)
