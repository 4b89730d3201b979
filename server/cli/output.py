"""Answers to stdout, everything else to stderr."""

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from pydantic import BaseModel

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


def speak_utf8() -> None:
    """Use UTF-8 on every stream, whatever the locale or the console's code page says."""
    for stream, errors in ((sys.stdin, "strict"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)
