"""`archmem access`: make, list and revoke access keys."""

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import click

from server.cli.options import Group, Options, pass_options
from server.cli.output import answer, notice

if TYPE_CHECKING:
    from graph.access import AccessKeyView
    from server.answers import AccessKeys

_PERIOD = re.compile(r"([1-9][0-9]{0,4})([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "y": 24 * 365}


@click.group(cls=Group)
def access() -> None:
    """Make, list and revoke access keys, by which programs of other machines ask a server.

    \b
    Examples:
      archmem access create ci --right read --project github.com/acme/bookshop
      archmem access list
      archmem access revoke ci
    """


@access.command()
@click.argument("name")
@click.option(
    "--right",
    type=click.Choice(["read", "write", "admin"]),
    default="write",
    show_default=True,
    help="How much it allows; each right holds those before it.",
)
@click.option("--for", "projects", multiple=True, metavar="ID", help="A project it is good for. Repeatable.")
@click.option(
    "--expires", default="", metavar="PERIOD", help="How long it is good: 12h, 90d, 2w, 1y; for ever without."
)
@pass_options
def create(options: Options, name: str, right: str, projects: tuple[str, ...], expires: str) -> None:
    """Make an access key and print its token, which is kept nowhere and shown this once.

    Without --for and --project it is good for the whole organisation. A key for projects reads the organisation's
    own memories too.

    \b
    Examples:
      archmem access create ci --right read --for github.com/acme/bookshop --expires 90d
      archmem access create reviewers
    """
    from graph.access import Right
    from server.bootstrap import now
    from server.opening import actor_of, graph_of

    settings = options.settings()
    named = (*projects, *filter(None, (settings.project,)))
    with graph_of(settings) as graph:
        made = graph.create_access_key(
            settings.organisation,
            name,
            right=Right(right),
            projects=named,
            expires_at=_end(now(), expires),
            actor=actor_of(settings),
        )
    answer(options, made, lambda one: one.token)
    notice(f"{_line(made)}\nThe token is shown this once; send it as `Authorization: Bearer`.")


@access.command("list")
@pass_options
def list_(options: Options) -> None:
    """List the access keys, revoked ones too.

    \b
    Example:
      archmem access list --json
    """
    from server.answers import AccessKeys
    from server.opening import graph_of

    settings = options.settings()
    with graph_of(settings) as graph:
        answer(options, AccessKeys(keys=graph.access_keys(settings.organisation)), _table)


@access.command()
@click.argument("name")
@pass_options
def revoke(options: Options, name: str) -> None:
    """End the access key of this NAME or id, at once and for ever.

    \b
    Example:
      archmem access revoke ci
    """
    from server.opening import actor_of, graph_of

    settings = options.settings()
    with graph_of(settings) as graph:
        answer(options, graph.revoke_access_key(settings.organisation, name, actor=actor_of(settings)), _line)


def _end(now: datetime, period: str) -> datetime | None:
    if not period:
        return None
    match = _PERIOD.fullmatch(period)
    if match is None:
        raise click.UsageError(f"{period!r} is no period; write 12h, 90d, 2w or 1y.")
    return now + timedelta(hours=int(match[1]) * _HOURS[match[2]])


def _table(found: "AccessKeys") -> str:
    return "\n".join(map(_line, found.keys)) or "no access keys; make one by `archmem access create NAME`"


def _line(key: "AccessKeyView") -> str:
    where = ", ".join(key.projects) or "the whole organisation"
    end = f", good until {key.expires_at:%Y-%m-%d %H:%M} UTC" if key.expires_at else ""
    gone = f", revoked {key.revoked_at:%Y-%m-%d %H:%M} UTC" if key.revoked_at else ""
    return f"{key.name} ({key.id}): {key.right}, {where}{end}{gone}"
