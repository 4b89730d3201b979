"""`archmem hook`: what clients call by themselves.

Nothing here may keep an agent from its work: whatever goes wrong is told on stderr in a line, and the exit code is 0.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import click

from server.cli.options import Command, Group, Options, pass_options

if TYPE_CHECKING:
    from server.hooks.calls import Call
    from server.hooks.notebook import Notebook
    from server.opening import Opened

_LONGEST_CALL = 64_000_000


@click.group(cls=Group)
def hook() -> None:
    """Answer a client's hook; `archmem install` sets them up, and people need none of this.

    The client's JSON is read from standard input. Whatever goes wrong, the exit code is 0: no memory is a reason to
    stop an agent.
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

    def act(call: "Call", notebook: "Notebook") -> str:
        from server.hooks.calls import answer
        from server.hooks.work import begin

        with _noting(options, call, notebook) as opened:
            root = str(opened.workplace.root)
            return answer(call, "SessionStart", begin(opened.graph, opened.scope, notebook, client=client, root=root))

    _quietly(client, act)


@hook.command("pre-edit", cls=Command, context_settings=_TOLERANT)
@_client
@pass_options
def pre_edit(options: Options, client: str) -> None:
    """Print the pitfalls of the element that covers the file to be edited, and what must be verified there, once.

    \b
    Example:
      echo '{"session_id": "1", "tool_name": "Edit", "tool_input": {"file_path": "a.py"}}' | archmem hook pre-edit
    """

    def act(call: "Call", notebook: "Notebook") -> str:
        from server.hooks.calls import answer
        from server.hooks.warning import warn

        if not call.paths:
            return ""
        notes = notebook.read()
        if notes is None:
            from server.hooks.work import open_notebook

            with _noting(options, call, notebook) as opened:
                root = str(opened.workplace.root)
                notes = open_notebook(opened.graph, opened.scope, notebook, root=root, session="")
        text = warn(notebook, notes, call.folder, call.paths)
        return answer(call, "PreToolUse", text) if text else ""

    _quietly(client, act)


@hook.command("session-end", cls=Command, context_settings=_TOLERANT)
@_client
@pass_options
def session_end(options: Options, client: str) -> None:
    """Finish the session with what is known, unless its agent did; without any edit it leaves nothing behind.

    \b
    Example:
      echo '{"session_id": "1"}' | archmem hook session-end
    """

    def act(call: "Call", notebook: "Notebook") -> str:
        if not (notebook.read() or {}).get("session"):
            notebook.close()
            return ""
        from server.hooks.work import end

        with _opened(options, call) as opened:
            from server.opening import user_name

            who = opened.settings.actor or f"{client}/{user_name()}"
            end(opened.graph, opened.scope, notebook, client=client, actor=who, checkout=opened.checkout())
        return ""

    _quietly(client, act)


def _opened(options: Options, call: "Call") -> "AbstractContextManager[Opened]":
    """Open the store around the client's folder; no embedder is needed, nor waited for."""
    options.directory = options.directory or call.folder or None
    return options.opened(embedder="none")


@contextmanager
def _noting(options: Options, call: "Call", notebook: "Notebook") -> "Iterator[Opened]":
    """Open the store; where that fails, as in a repository without archmem, no edit shall try it again."""
    try:
        with _opened(options, call) as opened:
            yield opened
    except Exception:
        notebook.write_nothing()
        raise


def _quietly(client: str, act: "Callable[[Call, Notebook], str]") -> None:
    """Print what the hook has to say; whatever goes wrong is told in one line."""
    try:
        from server.hooks.calls import read_call
        from server.hooks.notebook import Notebook

        given = sys.stdin.buffer.read(_LONGEST_CALL + 1)
        if len(given) > _LONGEST_CALL:
            raise ValueError("the client told too much at once")
        call = read_call(given)
        if not call.session:
            raise ValueError("the client named no session")
        text = act(call, Notebook.of(client, call.session))
        if text:
            click.echo(text)
    except Exception as error:
        click.echo(f"archmem: no memory for this hook: {' '.join(str(error).split())[:300]}", err=True)
