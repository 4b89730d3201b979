"""`archmem model`: infer, map, import and show the architecture model."""

import sys

import click

from server.cli.options import Group, Options, pass_options
from server.cli.output import answer, notice, warnings


@click.group(cls=Group)
def model() -> None:
    """Infer, map, import and show the architecture model."""


@model.command("import")
@click.argument("files", nargs=-1)
@pass_options
def import_(options: Options, files: tuple[str, ...]) -> None:
    """Take over the model as it stands in the checkout: the given FILES, else the project's.

    Elements keep their identity; what left the model is retired and keeps its memories.

    \b
    Examples:
      archmem model import
      archmem model import docs/workspace.dsl
    """
    from server.cli import texts
    from server.modelling import import_checkout

    with options.opened() as opened:
        change = import_checkout(opened.graph, opened.scope, opened.workplace, files)
        answer(options, change, texts.change)
        warnings(change.warnings)


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
