"""`archmem recall`."""

import click

from server.cli.options import Command, Options, pass_options
from server.cli.output import answer, notice


@click.command(cls=Command)
@click.argument("question", default="")
@click.option("--element", "elements", multiple=True, metavar="REF", help="Ask about a place: a ref or unique name.")
@click.option("--path", "paths", multiple=True, metavar="PATH", help="Ask about a file of the repository.")
@click.option("--limit", type=int, metavar="N", help="At most so many hits.")
@click.option("--budget", type=int, metavar="N", help="At most so many characters.")
@click.option("--explain", is_flag=True, help="Show the factors of each score.")
@click.option("--session", default=None, metavar="ID", help="The session that asks; what it was shown is recorded.")
@pass_options
def recall(
    options: Options,
    question: str,
    elements: tuple[str, ...],
    paths: tuple[str, ...],
    limit: int | None,
    budget: int | None,
    explain: bool,
    session: str | None,
) -> None:
    """Answer QUESTION from what is remembered, with every warning in its text.

    With --element or --path it also brings what the container, the system and the project know; without a QUESTION
    it tells what is known about that place. A file that no element covers is asked about like the whole project.

    \b
    Examples:
      archmem recall "rate limiting"
      archmem recall "retries" --element Bookshop.API --explain
      archmem recall --path src/checkout/cart.py
    """
    from server.cli import texts

    with options.opened(session=session) as opened:
        behind = opened.catch_up()
        found = opened.graph.recall(
            opened.scope,
            question,
            elements=elements,
            paths=tuple(map(opened.workplace.path_of, paths)),
            limit=limit,
            budget=budget,
            explain=explain,
        )
        answer(options, found, texts.recall)
        notice(opened.words_alone)
        notice(behind)
        opened.graph.note_recall(opened.scope, found, session=opened.settings.session)
        opened.back_fill()
