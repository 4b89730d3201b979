"""`archmem elements find`, `archmem impact`, `archmem plan`."""

import click

from server.cli.options import Command, Group, Options, pass_options
from server.cli.output import answer, notice


@click.group(cls=Group)
def elements() -> None:
    """Find the elements of the model that a task is about.

    \b
    Example:
      archmem elements find "customers get two mails"
    """


@elements.command()
@click.argument("question")
@click.option("--limit", type=int, metavar="N", help="At most so many elements.")
@pass_options
def find(options: Options, question: str, limit: int | None) -> None:
    """Find the elements that QUESTION means: a question, or what you are about to do.

    By meaning and words, over what the model says of each element and what is remembered about it; each one says why
    it was found.

    \b
    Examples:
      archmem elements find "customers get two mails"
      archmem elements find "refunds" --limit 3 --json
    """
    with options.opened() as opened:
        found = opened.graph.find_elements(opened.scope, question, limit=limit)
        answer(options, found, lambda said: said.text)
        notice(opened.words_alone)
        opened.back_fill()


@click.command(cls=Command)
@click.argument("element")
@click.option("--depth", type=int, metavar="N", help="Through at most so many uses.")
@pass_options
def impact(options: Options, element: str, depth: int | None) -> None:
    """Tell what a change of ELEMENT (a ref, unique name or path) touches.

    Who uses it, its parts or what contains it, directly or through others; the pitfalls and other memories there, the
    sessions at work on any of them, and the decisions.

    \b
    Examples:
      archmem impact Bookshop.API.Billing
      archmem impact src/checkout/cart.py --depth 1 --json
    """
    with options.opened() as opened:
        answer(options, opened.graph.impact_of(opened.scope, element, depth=depth), lambda said: said.text)


@click.command(cls=Command)
@click.argument("task")
@click.option("--element", "elements", multiple=True, metavar="REF", help="What it is about; repeat it for several.")
@click.option("--session", envvar="ARCHMEM_SESSION", default="", metavar="ID", help="The session that is served this.")
@pass_options
def plan(options: Options, task: str, elements: tuple[str, ...], session: str) -> None:
    """Tell what to know before TASK: elements in the order to work in, constraints, risks.

    Each element comes after those that it needs. Without --element they are found by the task. No model is asked.

    \b
    Examples:
      archmem plan "Let customers pay by voucher"
      archmem plan "Rename a field of the search index" --element Bookshop.Worker --json
    """
    with options.opened() as opened:
        made = opened.graph.plan_work(opened.scope, task, elements=elements, session=session)
        answer(options, made, lambda said: said.text)
        notice(opened.words_alone)
        opened.back_fill()
