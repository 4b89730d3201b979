"""`archmem remember` and `archmem supersede`."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from server.cli.options import Command, Options, if_version, pass_options
from server.cli.output import answer, notice

F = TypeVar("F", bound=Callable[..., Any])

_KINDS = (
    "pitfall, convention, note (when none is given), session_outcome, lesson, context, preference, pointer, rule, card"
)


def _draft_options(function: F) -> F:
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
            click.option("--key", default="", help="Makes a retry of the same request harmless."),
            click.option("--session", default=None, metavar="ID", help="The session that learned it."),
        )
    ):
        function = option(function)
    return function


@click.command(cls=Command)
@click.argument("text")
@_draft_options
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


@click.command(cls=Command)
@click.argument("memory")
@click.argument("text")
@_draft_options
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

    content = _standard_input() if text == "-" else text
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
    from graph.errors import InvalidInput

    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"standard input is not UTF-8: {error}", id="text", next_step="convert it to UTF-8"
        ) from error
    if "\0" in text:
        raise InvalidInput("standard input holds NUL characters", id="text", next_step="give a text, no binary file")
    return text
