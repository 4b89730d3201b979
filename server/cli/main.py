"""The command `archmem`: its commands, and how it ends."""

import os
import sys
from collections.abc import Sequence

import click

from server.cli import (
    access,
    agents,
    coverage,
    demo,
    doctor,
    drift,
    elements,
    hook,
    inbox,
    init,
    install,
    memories,
    model,
    recall,
    remember,
    serve,
    sessions,
    transfer,
    watching,
)
from server.cli.options import Group, Options
from server.cli.output import speak_utf8

# One thread multiplies 10,000 vectors in half a millisecond; several wait for each other on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_PIPE_CLOSED, _INTERRUPTED = 141, 130


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="archmem", message="%(prog)s %(version)s")
def archmem() -> None:
    """Memories for coding agents, pinned to the architecture and distrusted when its code moves.

    \b
    Examples:
      archmem init
      archmem remember "The gateway strips headers over 8KB" --element Bookshop.API --kind pitfall
      archmem recall "rate limiting"
      archmem drift run

    The options below are understood before a command and after it. `ARCHMEM_STORE`, `ARCHMEM_PROJECT`,
    `ARCHMEM_ORGANISATION`, `ARCHMEM_EMBEDDER`, `ARCHMEM_ACTOR` and `ARCHMEM_SESSION` set defaults.
    Exit codes: 0 fine, 1 below a threshold or denied, 2 wrong use or not found, 3 cannot decide.
    """


for command in (
    init.init,
    model.model,
    remember.remember,
    remember.remember_all,
    recall.recall,
    sessions.session,
    sessions.brief,
    sessions.manifest,
    *memories.COMMANDS,
    *inbox.COMMANDS,
    drift.drift,
    watching.project,
    elements.elements,
    elements.impact,
    elements.plan,
    coverage.coverage,
    transfer.export,
    transfer.import_,
    transfer.migrate,
    serve.serve,
    access.access,
    agents.mcp,
    install.install,
    hook.hook,
    doctor.doctor,
    demo.demo,
):
    archmem.add_command(command)
drift.drift.add_command(watching.history)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    speak_utf8()
    options = Options()
    try:
        _refuse_bytes(sys.argv[1:] if arguments is None else arguments)
        code = archmem.main(args=arguments, prog_name="archmem", standalone_mode=False, obj=options)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = 2
    except (click.Abort, KeyboardInterrupt):
        code = _INTERRUPTED
    except BrokenPipeError:
        code = _close_quietly()
    except Exception as error:
        code = _fail(error, options)
    if (sys.argv[1:] if arguments is None else arguments)[:1] == ["hook"]:
        code = 0  # to a client 2 means that the agent must not go on
    sys.exit(code if isinstance(code, int) else 0)


def _refuse_bytes(arguments: Sequence[str]) -> None:
    """Raise UsageError for an argument that is not UTF-8: nothing could store it or name it in an answer."""
    from graph.naming import is_unicode

    for argument in arguments:
        if not is_unicode(argument):
            shown = argument.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            raise click.UsageError(f"the argument {shown!r} is not UTF-8; convert it")


def _fail(error: Exception, options: Options) -> int:
    """Say what went wrong: every fault and the next step, and as JSON on stdout where JSON is asked for."""
    from pydantic import ValidationError

    from graph.errors import ArchmemError
    from server.errors import BROKEN, exit_code_of, invalid, problem_of, unexpected, words_of

    if isinstance(error, ValidationError):
        error = invalid(error)
    if isinstance(error, ArchmemError):
        problem, code = problem_of(error), exit_code_of(error)
    else:
        if os.environ.get("ARCHMEM_DEBUG"):
            raise error
        problem, code = unexpected(error), BROKEN
    click.echo(f"Error: {words_of(problem)}", err=True)
    if options.json:
        click.echo(problem.model_dump_json(indent=2))
    return code


def _close_quietly() -> int:
    # The interpreter flushes stdout once more at its end; a closed pipe would then be reported.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _PIPE_CLOSED
