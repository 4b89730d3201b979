"""`archmem inbox` with dismiss, accept and reject; `archmem merge` and `archmem propose`."""

import shlex
from typing import TYPE_CHECKING

import click

from server.cli.options import Command, Group, Options, pass_options
from server.cli.output import answer
from server.cli.remember import draft_options

if TYPE_CHECKING:
    from graph.memories import Draft

REASONS = ("drifted", "ignored", "unreviewed", "proposed", "near_duplicate", "pending_link")


@click.group(cls=Group, invoke_without_command=True)
@click.option("--why", "reasons", multiple=True, type=click.Choice(REASONS), help="Only this reason. Repeatable.")
@click.option("--after", default="", metavar="PLACE", help="Continue after this place.")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True, help="At most so many.")
@click.option("--budget", type=int, metavar="N", help="At most so many characters of text.")
@pass_options
@click.pass_context
def inbox(
    context: click.Context, options: Options, reasons: tuple[str, ...], after: str, limit: int, budget: int | None
) -> None:
    """List what somebody should look at, and why, each entry with the commands that act on it.

    Drifted memories, those that are served and never cited, what a machine captured, what is proposed, near
    duplicates, and links to titles that nobody wrote. A project lists its own; what the whole organisation shares
    waits in its inbox (--project "").

    \b
    Examples:
      archmem inbox
      archmem inbox --why drifted --why near_duplicate
      archmem inbox dismiss "Header limit" --why drifted
    """
    if context.invoked_subcommand is not None:
        return
    from graph.reviews import Why
    from server.cli import review_texts

    with options.opened() as opened:
        page = opened.graph.inbox(opened.scope, why=tuple(map(Why, reasons)), after=after, limit=limit, budget=budget)
        answer(options, page, lambda one: review_texts.inbox(one, _repeated(options)))
        if page.next and not options.json:
            click.echo(f"more: --after {shlex.quote(page.next)}", err=True)


@inbox.command()
@click.argument("memory")
@click.option("--why", required=True, type=click.Choice(REASONS), help="Why it is in the inbox.")
@click.option(
    "--other", default="", metavar="NAME", help="The other of near duplicates, or the text of a pending link."
)
@pass_options
def dismiss(options: Options, memory: str, why: str, other: str) -> None:
    """Say that an entry about MEMORY (title or id) was looked at; it comes back when its cause changes.

    A drifted memory comes back when it drifts again, an ignored one after as many sessions more; near duplicates and
    pending links stay away while their texts stay. What was unreviewed is reviewed then, without being confirmed. A
    proposal is named by its id, and rejected.

    \b
    Examples:
      archmem inbox dismiss "Header limit" --why drifted
      archmem inbox dismiss "Retries" --why near_duplicate --other "Retry cap"
    """
    from graph.reviews import Why
    from server.cli import review_texts

    with options.opened() as opened:
        done = opened.graph.dismiss(opened.scope, memory, Why(why), actor=opened.actor, other=other)
        answer(options, done, review_texts.dismissed)


@inbox.command()
@click.argument("proposal")
@pass_options
def accept(options: Options, proposal: str) -> None:
    """Do what PROPOSAL (its id) says: supersede its memory, or archive it.

    \b
    Example:
      archmem inbox accept 0190c0de-0000-7000-8000-000000000001
    """
    from server.cli import review_texts

    with options.opened() as opened:
        done = opened.graph.accept_proposal(opened.scope, proposal, actor=opened.actor, checkout=opened.checkout())
        answer(options, done, review_texts.decided)


@inbox.command()
@click.argument("proposal")
@pass_options
def reject(options: Options, proposal: str) -> None:
    """Close PROPOSAL (its id); the memory stays as it is.

    \b
    Example:
      archmem inbox reject 0190c0de-0000-7000-8000-000000000001
    """
    from server.cli import review_texts

    with options.opened() as opened:
        done = opened.graph.reject_proposal(opened.scope, proposal, actor=opened.actor)
        answer(options, done, review_texts.decided)


@click.command(cls=Command)
@click.argument("memories", nargs=-1, required=True)
@click.option("--into", required=True, metavar="NAME", help="The memory (title or id) that stays.")
@click.option("--content", default="", metavar="TEXT", help="What all of them say; it supersedes the one that stays.")
@draft_options
@pass_options
def merge(
    options: Options, /, memories: tuple[str, ...], into: str, content: str, **given: str | tuple[str, ...] | None
) -> None:
    """Let MEMORIES (titles or ids) be one: the one that stays gains the pins and titles of the others.

    The others are superseded by it and stay in history; links by their titles lead to it. One about the whole project
    stays so. With --content a new memory takes its place.

    \b
    Examples:
      archmem merge "Retries" "Retry cap" --into "Retry cap"
      archmem merge "Retries" "Retry cap" --into "Retry cap" --content "Retries are capped at three, for every client"
    """
    from server.cli import review_texts

    draft = _draft(content, given)
    with options.opened() as opened:
        done = opened.graph.merge(
            opened.scope, memories, into=into, actor=opened.actor, draft=draft, checkout=opened.checkout()
        )
        answer(options, done, review_texts.merged)


@click.command(cls=Command)
@click.argument("memory")
@click.option("--content", default="", metavar="TEXT", help="What should supersede it.")
@click.option("--archive", is_flag=True, help="Propose to archive it.")
@click.option("--reason", default="", help="Why.")
@draft_options
@click.option("--session", default=None, metavar="ID", help="The session that proposes.")
@pass_options
def propose(
    options: Options,
    /,
    memory: str,
    content: str,
    archive: bool,
    reason: str,
    session: str | None,
    **given: str | tuple[str, ...] | None,
) -> None:
    """Propose to supersede or to archive MEMORY (title or id); it waits in the inbox until somebody decides.

    \b
    Examples:
      archmem propose "Header limit" --content "The gateway strips headers over 16KB" --reason "release 9 raised it"
      archmem propose "Old deploy steps" --archive --reason "the old cluster is gone"
    """
    from server.cli import review_texts

    draft = _draft(content, given)
    if (draft is None) is not archive:
        raise click.UsageError("Give either --content or --archive.")
    with options.opened(session=session) as opened:
        made = opened.graph.propose(
            opened.scope, memory, draft=draft, reason=reason, actor=opened.actor, session=opened.settings.session
        )
        answer(options, made, review_texts.proposed)


def _draft(content: str, given: dict[str, str | tuple[str, ...] | None]) -> "Draft | None":
    """Return the fact that the options tell; None when they tell none."""
    from graph.memories import Draft

    told = {name: value for name, value in given.items() if value}
    if not content and told:
        raise click.UsageError("The fields of a memory need --content.")
    return Draft.model_validate({"content": content, **told}) if content else None


def _repeated(options: Options) -> str:
    """Return the options that the printed commands must be given too, to act on the same project and store."""
    named = {"--store": options.store, "--project": options.project, "-C": options.directory}
    return "".join(f" {option} {shlex.quote(value)}" for option, value in named.items() if value is not None)


COMMANDS: tuple[click.Command, ...] = (inbox, merge, propose)
