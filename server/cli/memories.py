"""Commands on what is remembered already: confirm, archive, rename, cite, history, memories, reindex."""

import click

from server.cli.options import Command, Options, if_version, pass_options
from server.cli.output import answer, bar
from server.cli.remember import supersede


@click.command(cls=Command)
@click.argument("memory")
@click.option("--session", default=None, metavar="ID", help="The session that looked; or ARCHMEM_SESSION.")
@if_version
@pass_options
def confirm(options: Options, memory: str, session: str | None, version: int | None) -> None:
    """Say that MEMORY (title or id) still holds: clears its drift flag and resets its freshness.

    \b
    Example:
      archmem confirm "Header limit"
    """
    from server.cli import texts

    with options.opened(session=session) as opened:
        view = opened.graph.confirm(
            opened.scope,
            memory,
            actor=opened.actor,
            checkout=opened.checkout(),
            version=version,
            session=opened.settings.session,
        )
        answer(options, view, lambda one: f"confirmed {texts.memory(one)}")


@click.command(cls=Command)
@click.argument("memory")
@click.option("--reason", default="", help="Why, for history.")
@if_version
@pass_options
def archive(options: Options, memory: str, reason: str, version: int | None) -> None:
    """Take MEMORY (title or id) out of recall; it stays in history.

    \b
    Example:
      archmem archive "Old deploy steps" --reason "the old cluster is gone"
    """
    from server.cli import texts

    with options.opened() as opened:
        view = opened.graph.archive(opened.scope, memory, actor=opened.actor, reason=reason, version=version)
        answer(options, view, lambda one: f"archived {texts.memory(one)}")


@click.command(cls=Command)
@click.argument("memory")
@click.argument("title")
@if_version
@pass_options
def rename(options: Options, memory: str, title: str, version: int | None) -> None:
    """Give MEMORY (title or id) another TITLE; links by the old one still lead to it.

    \b
    Example:
      archmem rename "Header limit" "Gateway header limit"
    """
    from server.cli import texts

    with options.opened() as opened:
        view = opened.graph.rename(opened.scope, memory, title, actor=opened.actor, version=version)
        answer(options, view, lambda one: f"renamed {texts.memory(one)}")


@click.command(cls=Command)
@click.argument("memories", nargs=-1)
@click.option("--session", default=None, metavar="ID", help="The session that cites; or ARCHMEM_SESSION.")
@pass_options
def cite(options: Options, memories: tuple[str, ...], session: str | None) -> None:
    """Record which MEMORIES (titles or ids) a session relied on; none is an answer too.

    \b
    Example:
      archmem cite "Header limit" --session 2024-11-03-a
    """
    from server.answers import cite as record
    from server.cli import texts

    with options.opened(session=session) as opened:
        answer(options, record(opened.graph, opened.scope, opened.settings.session, memories), texts.cited)


@click.command(cls=Command)
@click.argument("memory")
@pass_options
def history(options: Options, memory: str) -> None:
    """Tell what happened to MEMORY (title or id), oldest first: who, when, what it said then.

    \b
    Example:
      archmem history "Header limit"
    """
    from server.answers import history_of
    from server.cli import texts

    with options.opened() as opened:
        answer(options, history_of(opened.graph, opened.scope, memory), texts.history)


@click.command("list", cls=Command)
@click.option(
    "--state",
    "states",
    multiple=True,
    metavar="STATE",
    help="live (when none is given), proposed, superseded, archived.",
)
@click.option("--after", default="", metavar="ID", help="Continue after this memory.")
@click.option("--limit", type=click.IntRange(1, 500), default=100, show_default=True, help="At most so many.")
@pass_options
def list_(options: Options, states: tuple[str, ...], after: str, limit: int) -> None:
    """List what is remembered, oldest first.

    \b
    Example:
      archmem list --state superseded --state archived
    """
    from server.answers import page_of, states_of
    from server.cli import texts

    with options.opened() as opened:
        page = page_of(opened.graph, opened.scope, states=states_of(states), after=after, limit=limit)
        answer(options, page, texts.memories)
        if page.next and not options.json:
            click.echo(f"more: --after {page.next}", err=True)


@click.command(cls=Command)
@pass_options
def reindex(options: Options) -> None:
    """Make the vectors that are missing: after installing the embedder, or another one.

    It can be stopped at any time, and goes on where it stopped.

    \b
    Example:
      archmem reindex
    """
    from server.bootstrap import require_embedder
    from server.cli import texts

    with options.opened() as opened:
        require_embedder(opened.settings)
        with bar("vectors") as show:
            done = opened.graph.back_fill(opened.scope, progress=show)
        answer(options, done, texts.progress)


COMMANDS: tuple[click.Command, ...] = (confirm, supersede, archive, rename, cite, history, list_, reindex)
