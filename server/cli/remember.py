"""`archmem remember`, `remember-all` and `supersede`."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from server.cli.options import Command, Options, if_version, pass_options
from server.cli.output import answer, notice

F = TypeVar("F", bound=Callable[..., Any])

_KINDS = (
    "pitfall, convention, note (when none is given), session_outcome, lesson, context, preference, pointer, rule, card"
)


def draft_options(function: F) -> F:
    """Let a command take the fields of a fact beside its content."""
    for option in reversed(
        (
            click.option("--element", "elements", multiple=True, metavar="REF", help="A ref, unique name or path."),
            click.option("--kind", metavar="KIND", help=f"One of {_KINDS}."),
            click.option("--title", help="A short name; [[Title]] in another memory links to it."),
            click.option("--why", help="Why it is so."),
            click.option("--how", "how_to_apply", help="How to apply it."),
            click.option("--when", "when_to_use", help="When it matters."),
            click.option(
                "--claim", "claims", multiple=True, metavar="CLAIM", help="path, path::symbol, path::NAME=value."
            ),
        )
    ):
        function = option(function)
    return function


def _writing_options(function: F) -> F:
    for option in reversed(
        (
            click.option("--unreviewed", is_flag=True, help="A machine captured it: it waits in the inbox."),
            click.option("--key", default="", help="Makes a retry of the same request harmless."),
            click.option("--session", default=None, metavar="ID", help="The session that learned it."),
        )
    ):
        function = option(function)
    return function


@click.command(cls=Command)
@click.argument("text")
@draft_options
@_writing_options
@click.option("--supersedes", default="", metavar="NAME", help="The memory (title or id) that this one replaces.")
@if_version
@pass_options
def remember(
    options: Options,
    /,
    text: str,
    supersedes: str,
    version: int | None,
    key: str,
    session: str | None,
    **given: str | tuple[str, ...] | None,
) -> None:
    """Store one fact, pinned to elements of the model; without --element it is about the whole project.

    What is known already is confirmed and not stored twice. TEXT of - reads standard input (UTF-8).

    \b
    Examples:
      archmem remember "Never retry payments: the provider is not idempotent" --element Bookshop.API --kind pitfall
      archmem remember "Prices are integers in cents" --kind convention --title "Money" --claim src/money.py::Cents
      git log -1 --format=%B | archmem remember - --element src/checkout/cart.py
    """
    _store(options, text, (supersedes, version), key, session, given)


@click.command("remember-all", cls=Command)
@click.argument("file", metavar="FILE")
@click.option("--session", default=None, metavar="ID", help="The session that learned them.")
@pass_options
def remember_all(options: Options, /, file: str, session: str | None) -> None:
    """Store many facts from FILE: one JSON object a line, with `content` and the other fields of a memory.

    Each line is handled as by `remember`. A line that cannot be read stops everything before anything is written; a
    fact that is refused (an unknown element, a title that is taken) is named at the end, and the others are kept. FILE
    of - reads standard input.

    \b
    Example:
      archmem remember-all facts.jsonl
      echo '{"content": "Prices are integers in cents", "kind": "convention"}' | archmem remember-all -
    """
    from server.cli import texts
    from server.errors import WRONG_USE
    from server.remembering import read_drafts, remember_all

    text = _standard_input() if file == "-" else _file_text(file)
    drafts = read_drafts(text, "standard input" if file == "-" else file)
    with options.opened(session=session) as opened:
        with click.progressbar(length=len(drafts), label="facts", file=sys.stderr) as bar:
            done = remember_all(
                opened.graph,
                opened.scope,
                drafts,
                actor=opened.actor,
                checkout=opened.checkout(),
                session=opened.settings.session,
                progress=lambda: bar.update(1),
            )
        answer(options, done, texts.remembered_all)
        notice(opened.words_alone)
    if done.refused:
        click.get_current_context().exit(WRONG_USE)


@click.command(cls=Command)
@click.argument("memory")
@click.argument("text")
@draft_options
@_writing_options
@if_version
@pass_options
def supersede(
    options: Options,
    /,
    memory: str,
    text: str,
    version: int | None,
    key: str,
    session: str | None,
    **given: str | tuple[str, ...] | None,
) -> None:
    """Replace MEMORY (title or id) by TEXT; the old one leaves recall and stays in history.

    Title, kind and pins stay where they are not given.

    \b
    Example:
      archmem supersede "Header limit" "The gateway strips headers over 16KB since release 9"
    """
    _store(options, text, (memory, version), key, session, given)


def _store(
    options: Options,
    text: str,
    replaced: tuple[str, int | None],
    key: str,
    session: str | None,
    given: dict[str, str | tuple[str, ...] | None],
) -> None:
    from graph.memories import Draft
    from server.cli import texts

    content = _standard_input().strip() if text == "-" else text
    draft = Draft.model_validate({"content": content, **{name: value for name, value in given.items() if value}})
    with options.opened(session=session) as opened:
        made = opened.graph.remember(
            opened.scope,
            draft,
            actor=opened.actor,
            checkout=opened.checkout(),
            supersedes=replaced[0],
            version=replaced[1],
            key=key,
            session=opened.settings.session,
        )
        answer(options, made, texts.remembered)
        notice(opened.words_alone)
        opened.back_fill()


def _standard_input() -> str:
    return _text(sys.stdin.buffer.read(), "standard input")


def _file_text(file: str) -> str:
    from graph.errors import InvalidInput

    try:
        return _text(Path(file).read_bytes(), file)
    except OSError as error:
        step = "give a file that can be read, or - for standard input"
        raise InvalidInput(f"{file} cannot be read: {error.strerror}", id=file, next_step=step) from error


def _text(data: bytes, name: str) -> str:
    from graph.errors import InvalidInput

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name} is not UTF-8: {error}", id="text", next_step="convert it to UTF-8") from error
    if "\0" in text:
        raise InvalidInput(f"{name} holds NUL characters", id="text", next_step="give a text, no binary file")
    return text
