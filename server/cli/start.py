"""The start of `archmem`: a hook before an edit, which an agent waits for, imports nothing of the other commands."""

import sys


def main() -> None:
    """Run the command line; a hook as `archmem install` writes it is answered at once."""
    match sys.argv[1:]:
        case ["hook", "pre-edit", "--client", client] if not client.startswith("-"):
            from server.cli.hooking import before_edit

            before_edit(client)
        case _:
            from server.cli.main import main as run

            run()
