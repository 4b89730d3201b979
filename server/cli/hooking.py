"""What each hook does, apart from the options of a command: so that one before an edit starts without them.

Nothing here may keep an agent from its work: whatever goes wrong is told on stderr in a line.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING

from server.hooks.calls import Call, answer, read_call
from server.hooks.notebook import Notebook

if TYPE_CHECKING:
    from server.cli.options import Options
    from server.opening import Opened

_LONGEST_CALL = 64_000_000


def start(client: str, options: "Options") -> None:
    """Begin a work session, and print the briefing."""

    def act(call: Call, notebook: Notebook) -> str:
        from server.hooks.work import begin

        with _noting(options, call.folder, notebook) as opened:
            root = str(opened.workplace.root)
            return answer(call, "SessionStart", begin(opened.graph, opened.scope, notebook, client=client, root=root))

    _quietly(client, act)


def before_edit(client: str, options: "Options | None" = None) -> None:
    """Print what is to be told before the edit; the store is opened only where no session was started."""

    def act(call: Call, notebook: Notebook) -> str:
        from server.hooks.warning import warn

        if not call.paths:
            return ""
        notes = notebook.read()
        if notes is None:
            from server.cli.options import Options
            from server.hooks.work import open_notebook

            # First, as a client may end this process while it waits for the store, and the next edit would wait again.
            notebook.write_nothing()
            with _opened(options or Options(), call.folder) as opened:
                root = str(opened.workplace.root)
                notes = open_notebook(opened.graph, opened.scope, notebook, root=root, session="")
        text = warn(notebook, notes, call.folder, call.paths)
        return answer(call, "PreToolUse", text) if text else ""

    _quietly(client, act)


def end(client: str, options: "Options") -> None:
    """Finish the session with what is known, in the project where it began, wherever its agent went since."""

    def act(_: Call, notebook: Notebook) -> str:
        notes = notebook.read() or {}
        if not notes.get("session"):
            notebook.close()
            return ""
        from server.hooks.work import end as finish

        with _opened(options, str(notes["root"])) as opened:
            from server.opening import user_name

            who = opened.settings.actor or f"{client}/{user_name()}"
            finish(opened.graph, opened.scope, notebook, client=client, actor=who, checkout=opened.checkout())
        return ""

    _quietly(client, act)


def _opened(options: "Options", folder: str) -> "AbstractContextManager[Opened]":
    """Open the store around a folder; no embedder is needed, nor waited for."""
    options.directory = options.directory or folder or None
    return options.opened(embedder="none")


@contextmanager
def _noting(options: "Options", folder: str, notebook: Notebook) -> "Iterator[Opened]":
    """Open the store; where that fails, as in a repository without archmem, no edit shall try it again."""
    try:
        with _opened(options, folder) as opened:
            yield opened
    except Exception:
        with suppress(OSError):  # what failed first is what is told
            notebook.write_nothing()
        raise


def _quietly(client: str, act: Callable[[Call, Notebook], str]) -> None:
    """Print what the hook has to say; whatever goes wrong is told in one line."""
    try:
        given = sys.stdin.buffer.read(_LONGEST_CALL + 1)
        if len(given) > _LONGEST_CALL:
            raise ValueError("the client told too much at once")
        call = read_call(given)
        if not call.session:
            raise ValueError("the client named no session")
        text = act(call, Notebook.of(client, call.session))
        if text:
            # Past the buffer: what a client no longer reads would fail once more at the interpreter's end.
            os.write(sys.stdout.fileno(), f"{text}\n".encode())
    except Exception as error:
        with suppress(OSError):
            sys.stderr.write(f"archmem: no memory for this hook: {' '.join(str(error).split())[:300]}\n")
