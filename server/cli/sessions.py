"""Commands of an agent's work: `archmem session`, `archmem brief`, `archmem manifest`."""

import click

from server.cli.options import Command, Group, Options, pass_options
from server.cli.output import answer, notice

_elements = click.option("--element", "elements", multiple=True, metavar="REF", help="A ref, unique name or path.")
_paths = click.option("--path", "paths", multiple=True, metavar="PATH", help="A file of the repository.")


@click.group(cls=Group)
def session() -> None:
    """Start, hold, finish, list and show the sessions of agents.

    Where an ID is left out, ARCHMEM_SESSION is it.

    \b
    Examples:
      export ARCHMEM_SESSION=$(archmem session start "Let customers pay by voucher" --id)
      archmem session finish --summary "Vouchers work" --used "Vouchers first"
      archmem session list
    """


@session.command()
@click.argument("task")
@_elements
@_paths
@click.option("--exclusive", is_flag=True, help="Let nobody else work on the named elements meanwhile.")
@click.option("--agent", default="", metavar="NAME", help="Who works; without one, who writes.")
@click.option("--id", "id_alone", is_flag=True, help="Print the id alone, and the briefing to stderr.")
@pass_options
def start(
    options: Options,
    task: str,
    elements: tuple[str, ...],
    paths: tuple[str, ...],
    exclusive: bool,
    agent: str,
    id_alone: bool,
) -> None:
    """Begin work on TASK, hold its elements, and print the briefing with the session's id.

    Exit code 1 when another session holds one of the elements for itself alone: then no session is made.

    \b
    Examples:
      archmem session start "Let customers pay by voucher" --element Bookshop.API.Checkout
      archmem session start "Split the module" --path src/checkout/cart.py --exclusive
      export ARCHMEM_SESSION=$(archmem session start "Refunds" --element Billing --id)
    """
    from graph.sessions import Gate
    from server.cli import session_texts
    from server.errors import BELOW_THRESHOLD

    with options.opened() as opened:
        behind = opened.catch_up()
        started = opened.graph.start_session(
            opened.scope,
            task,
            agent=agent or opened.actor,
            elements=elements,
            paths=tuple(map(opened.workplace.path_of, paths)),
            exclusive=exclusive,
        )
        answer(options, started, session_texts.started, err=id_alone)
        if id_alone and started.session:
            click.echo(started.session)
        notice(opened.words_alone)
        notice(behind)
    if started.gate is Gate.DENY:
        click.get_current_context().exit(BELOW_THRESHOLD)


@session.command()
@click.argument("name", metavar="[ID]", default=None, required=False)
@pass_options
def heartbeat(options: Options, name: str | None) -> None:
    """Say that the session goes on, so that it keeps what it holds; any other command with its id does so too.

    \b
    Example:
      archmem session heartbeat 01977c2e-0000-7000-8000-000000000000
    """
    from server.cli import session_texts

    with options.opened(session=name) as opened:
        answer(options, opened.graph.heartbeat(opened.scope, _named(opened.settings.session)), session_texts.session)


@session.command()
@click.argument("name", metavar="[ID]", default=None, required=False)
@click.option("--summary", required=True, help="What was done, in a few sentences; [[Title]] links to a memory.")
@click.option("--decision", "decisions", multiple=True, metavar="TEXT", help="What was decided; repeat it.")
@click.option("--follow-up", "follow_ups", multiple=True, metavar="TEXT", help="What is left to do; repeat it.")
@click.option("--used", "used", multiple=True, metavar="NAME", help="A memory (title or id) relied on; repeat it.")
@click.option("--used-nothing", is_flag=True, help="Report that no memory was relied on; unsaid, nothing is reported.")
@pass_options
def finish(
    options: Options,
    name: str | None,
    summary: str,
    decisions: tuple[str, ...],
    follow_ups: tuple[str, ...],
    used: tuple[str, ...],
    used_nothing: bool,
) -> None:
    """End the session with one outcome about all that it held, and record what it used.

    A second time changes nothing and tells the same outcome.

    \b
    Example:
      archmem session finish --summary "Vouchers work" --follow-up "Refunds" --used "Idempotency key"
    """
    from server.cli import session_texts

    if used and used_nothing:
        raise click.UsageError("--used and --used-nothing exclude each other")
    with options.opened(session=name) as opened:
        finished = opened.graph.finish_session(
            opened.scope,
            _named(opened.settings.session),
            summary=summary,
            decisions=decisions,
            follow_ups=follow_ups,
            used=used if used or used_nothing else None,
            actor=opened.actor,
            checkout=opened.checkout(),
        )
        answer(options, finished, session_texts.finished)


@session.command("list")
@click.option("--finished", is_flag=True, help="Those finished or given up instead of the open ones.")
@click.option("--before", default="", metavar="ID", help="Continue with older ones than this.")
@click.option("--limit", type=click.IntRange(1, 500), default=100, show_default=True, help="At most so many.")
@pass_options
def list_(options: Options, finished: bool, before: str, limit: int) -> None:
    """List the sessions, the newest first.

    \b
    Example:
      archmem session list --finished --limit 10
    """
    from server.answers import sessions_of
    from server.cli import session_texts

    with options.opened() as opened:
        page = sessions_of(opened.graph, opened.scope, finished=finished, before=before, limit=limit)
        answer(options, page, session_texts.sessions)
        if page.next and not options.json:
            click.echo(f"more: --before {page.next}", err=True)


@session.command()
@click.argument("name", metavar="[ID]", default=None, required=False)
@pass_options
def show(options: Options, name: str | None) -> None:
    """Show a session: its task, what it holds or lost, its outcome.

    \b
    Example:
      archmem session show 01977c2e-0000-7000-8000-000000000000
    """
    from server.cli import session_texts

    with options.opened(session=name) as opened:
        answer(options, opened.graph.session(opened.scope, _named(opened.settings.session)), session_texts.session)


@click.command(cls=Command)
@click.argument("task", default="")
@_elements
@_paths
@click.option("--session", "name", default=None, metavar="ID", help="The session that reads it; or ARCHMEM_SESSION.")
@pass_options
def brief(options: Options, task: str, elements: tuple[str, ...], paths: tuple[str, ...], name: str | None) -> None:
    """Tell what to know before TASK: pitfalls first, in at most 2,000 characters.

    Without a TASK and a place it tells what the project knows.

    \b
    Examples:
      archmem brief
      archmem brief "refunds" --element Bookshop.API.Billing
    """
    from server.cli import session_texts

    with options.opened(session=name) as opened:
        behind = opened.catch_up()
        told = opened.graph.briefing(
            opened.scope,
            task,
            elements=elements,
            paths=tuple(map(opened.workplace.path_of, paths)),
            session=opened.settings.session,
        )
        answer(options, told, session_texts.briefing)
        notice(opened.words_alone)
        notice(behind)


@click.command(cls=Command)
@click.option("--after", default="", metavar="ID", help="Continue after this memory.")
@click.option("--limit", type=click.IntRange(1, 500), default=100, show_default=True, help="At most so many.")
@pass_options
def manifest(options: Options, after: str, limit: int) -> None:
    """List the titles of all that is remembered here, of the project and its organisation, oldest first.

    \b
    Example:
      archmem manifest --limit 500
    """
    from server.cli import session_texts

    with options.opened() as opened:
        page = opened.graph.manifest(opened.scope, after=after, limit=limit)
        answer(options, page, session_texts.manifest)
        if page.next and not options.json:
            click.echo(f"more: --after {page.next}", err=True)


def _named(session: str) -> str:
    if not session:
        raise click.UsageError("name the session: its ID, or ARCHMEM_SESSION")
    return session
