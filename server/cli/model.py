"""`archmem model`: infer, map, lint, import, rename and show the architecture model."""

import sys

import click

from server.cli.options import Group, Options, pass_options
from server.cli.output import answer, notice, warnings


@click.group(cls=Group)
def model() -> None:
    """Infer, map, lint, import, rename and show the architecture model."""


@model.command("import")
@click.argument("files", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@click.option(
    "--rename", "renames", nargs=2, multiple=True, metavar="OLD NEW", help="OLD (a whole ref) is called NEW now."
)
@pass_options
def import_(
    options: Options, files: tuple[str, ...], dry_run: bool, yes: bool, renames: tuple[tuple[str, str], ...]
) -> None:
    """Take over the model as it stands in the checkout: the given FILES, else the project's.

    Elements keep their identity; what left the model is retired and keeps its memories. On a terminal the difference
    is shown first and a yes asked for (exit code 1 for a no), and whether a new element is one that left under another
    name, where much speaks for it. Without a terminal, and with --json, nothing is asked: such an element is
    taken for new, and `archmem model rename` tells otherwise at any time.

    \b
    Examples:
      archmem model import
      archmem model import docs/workspace.dsl --dry-run
      archmem model import --yes --rename Shop.API Shop.Gateway
    """
    from server.cli import asking, texts
    from server.modelling import read_for_import

    with options.opened() as opened:
        graph, scope = opened.graph, opened.scope
        read = read_for_import(graph, scope, opened.workplace, files)
        told = dict(renames)
        asks = asking.is_possible() and not (options.json or yes or dry_run)
        if asks:
            told = asking.who_is_who(told, lambda known: graph.compare_model(scope, read, renames=known))
        difference = graph.compare_model(scope, read, renames=told)
        if dry_run:
            answer(options, difference, texts.difference)
        elif not options.json:
            click.echo(texts.difference(difference.model_copy(update={"maybe_renamed": ()})))
        if asks and not difference.is_empty and not asking.agrees("Take this over?"):
            notice("nothing was changed")
            click.get_current_context().exit(1)
        if not dry_run:
            change = graph.import_model(scope, read, renames=told, expected=difference if asks else None)
            answer(options, change, texts.imported_model)
        warnings(f"{fault.where}: {fault.what}" for fault in read.warnings)


@model.command()
@click.argument("old")
@click.argument("new")
@pass_options
def rename(options: Options, old: str, new: str) -> None:
    """Say that the element OLD (a ref or unique name) is called NEW (a whole ref) now; its parts come along.

    Before an import: the stored element takes the new name, and the import finds it. After one that took NEW for a new
    element: OLD comes back as it, with its memories, anchors and links.

    \b
    Examples:
      archmem model rename Shop.API Shop.Gateway
      archmem model rename Shop.Web.Cart Shop.API.Cart
    """
    from server.cli import texts

    with options.opened() as opened:
        made = opened.graph.rename_element(opened.scope, old, new, actor=opened.actor)
        answer(options, made, texts.elements_renamed)


@model.command()
@click.argument("files", nargs=-1)
@pass_options
def lint(options: Options, files: tuple[str, ...]) -> None:
    """Name everything that is doubtful about the model in the checkout: the given FILES, else the project's.

    That is what a reader left out or guessed, relationships to nothing, paths that match no file (or never did), and
    names that several elements share. No store is needed, and nothing is written. Exit codes: 0 nothing to say,
    1 warnings, 2 wrong use or a model that cannot be read.

    \b
    Examples:
      archmem model lint
      archmem model lint docs/workspace.dsl --json
    """
    from server.cli import texts
    from server.linting import lint as lint_checkout

    with options.workplace() as workplace:
        found = lint_checkout(workplace, files)
    answer(options, found, texts.linted)
    click.get_current_context().exit(1 if found.warnings else 0)


@model.command()
@pass_options
def show(options: Options) -> None:
    """Show the stored elements as a tree, with their memories, verdicts and sources.

    \b
    Examples:
      archmem model show
      archmem model show --json
    """
    from server.answers import elements_of
    from server.cli import texts

    with options.opened() as opened:
        answer(options, elements_of(opened.graph, opened.scope), texts.elements)


@model.command()
@click.option("--name", default="", metavar="NAME", help="What the system is called; else what the project is called.")
@click.option("--target", default="HEAD", metavar="REV", show_default=True, help="The commit or tree to look at.")
@click.option("--output", default="", metavar="FILE", help="Write the model there, in place of standard output.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@pass_options
def infer(options: Options, name: str, target: str, output: str, force: bool) -> None:
    """Make a first model from the repository itself, as Structurizr DSL; no store is needed.

    Containers are what is deployed on its own, by Dockerfiles, compose files and the manifests of packages; data
    stores and systems of others come from images and client libraries, components from package folders. Only tracked
    files count, nothing is executed; a manifest that cannot be read is told and left out.

    \b
    Examples:
      archmem model infer
      archmem model infer --output docs/architecture/workspace.dsl
    """
    from server import first_model
    from server.cli import texts

    with options.workplace() as workplace:
        made = first_model.infer(workplace, name=name, target=target, output=output, overwrite=force)
    answer(options, made, texts.inferred)
    warnings(f"{fault.where}: {fault.what}" for fault in made.warnings)
    if not made.sketch.containers:
        notice("no manifest says what is deployed: the model has no containers")


@model.command("map")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.75,
    show_default=True,
    metavar="SHARE",
    help="Write nothing that is less sure.",
)
@pass_options
def map_(options: Options, yes: bool, min_confidence: float) -> None:
    """Propose paths for elements without source, and write them under [sources] in archmem.toml after a yes.

    Names, file suffixes and class names are held against the files that git tracks at HEAD. Each proposal has its
    confidence and the reason; what is less sure than --min-confidence is shown and never written. The rest of
    archmem.toml stays as it is, byte for byte. With --json nothing is asked: --yes writes.

    \b
    Examples:
      archmem model map
      archmem model map --yes --min-confidence 0.9
      archmem model map --json
    """
    from server import first_model
    from server.cli import texts

    with options.workplace() as workplace:
        found = first_model.propose(workplace, min_confidence)
        if not options.json:
            notice(texts.proposed(found))
        count = len(found.proposals)
        asks = not yes and not options.json and sys.stdin.isatty()
        if count and (yes or (asks and click.confirm(f"Write {count} to {found.file}?", err=True))):
            written = first_model.write_sources(workplace, found.proposals)
            found = found.model_copy(update={"written": written})
    answer(options, found, texts.mapped)
    warnings(f"{fault.where}: {fault.what}" for fault in found.warnings)
