"""Answers to stdout, everything else to stderr."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from pydantic import BaseModel

    from graph.views import Progress
    from server.cli.options import Options

    A = TypeVar("A", bound=BaseModel)
else:
    A = TypeVar("A")


def answer(options: "Options", value: A, say: Callable[[A], str], *, err: bool = False) -> None:
    """Print the answer: as JSON when asked for, else in words; to stderr where stdout is taken."""
    text = value.model_dump_json(indent=2) if options.json else say(value)
    # Flushed at once: what follows an answer (impressions, vectors) must not keep a reader waiting.
    click.echo(text.rstrip("\n"), err=err)
    sys.stdout.flush()


def notice(text: str) -> None:
    """Say something about the answer, unless there is nothing to say."""
    if text:
        click.echo(text, err=True)


def warnings(texts: Iterable[str]) -> None:
    """Say what was left out or is doubtful."""
    for text in texts:
        click.echo(f"warning: {text}", err=True)


@contextmanager
def bar(label: str, *, hidden: bool = False) -> "Iterator[Callable[[Progress], None] | None]":
    """Give what shows progress on stderr; None where nothing is to be shown."""
    if hidden:
        yield None
        return
    with click.progressbar(length=1, label=label, file=sys.stderr) as shown:

        def show(progress: "Progress") -> None:
            shown.length = max(1, progress.done + progress.left)
            shown.update(progress.done - shown.pos)

        yield show


def speak_utf8() -> None:
    """Use UTF-8 on every stream, whatever the locale or the console's code page says."""
    for stream, errors in ((sys.stdin, "strict"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)
