"""`archmem serve`."""

import click

from server.cli.options import Command, Options, pass_options
from server.cli.output import notice


@click.command(cls=Command)
@click.option("--host", metavar="HOST", help="Where to listen (127.0.0.1 when none is given).")
@click.option("--port", type=int, metavar="PORT", help="The port (8765 when none is given; 0 takes a free one).")
@pass_options
def serve(options: Options, host: str | None, port: int | None) -> None:
    """Serve REST and MCP; the routes are at /docs.

    Programs of this machine need no access key. An address that is reached from elsewhere is served to access keys
    alone, of which one must be there (`archmem access create`).

    \b
    Example:
      archmem serve --port 8765
      archmem serve --host 0.0.0.0
    """
    from server.bootstrap import words_alone
    from server.opening import graph_of
    from server.rest.serving import serve as serve_forever

    settings = options.settings(host=host, port=port)
    with graph_of(settings) as graph:
        notice(words_alone(settings))
        serve_forever(graph, settings, lambda url: notice(f"archmem serves {url}/docs"))
