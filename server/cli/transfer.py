"""`archmem export`, `archmem import` and `archmem migrate`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from server.cli.options import Command, Options, pass_options
from server.cli.output import answer, bar, notice

if TYPE_CHECKING:
    from graph.memory_graph import MemoryGraph
    from graph.scopes import Scope


@click.command(cls=Command)
@click.argument("file", metavar="[FILE]", default="-")
@click.option("--all", "whole", is_flag=True, help="All of the organisation's projects, and the organisation itself.")
@click.option("--no-vectors", is_flag=True, help="Leave the vectors out; `archmem reindex` makes them again.")
@pass_options
def export(options: Options, file: str, whole: bool, no_vectors: bool) -> None:
    """Write everything that the project has in the store, as JSON lines.

    That is its model, memories in every state, vectors, links, history, drift and sessions, as `import` takes them in.
    FILE takes the place of an older one when it is complete. FILE of -, or none, writes standard output, and what was
    written is told on standard error. The same store gives the same bytes.

    \b
    Examples:
      archmem export bookshop.jsonl
      archmem export --all --no-vectors - | gzip > everything.jsonl.gz
      archmem export --project "" organisation.jsonl
    """
    from server.cli import texts
    from server.transferring import export_to

    with (
        _part(options, whole) as (graph, scope),
        bar("export", hidden=options.json and file == "-") as show,
    ):  # what is told on stderr is JSON alone then
        if file == "-":
            out = sys.stdout.buffer
            done = graph.export(scope, out.write, whole=whole, vectors=not no_vectors, progress=show)
            out.flush()
        else:
            done = export_to(graph, scope, file, whole=whole, vectors=not no_vectors, progress=show)
    answer(options, done, texts.exported, err=file == "-")


@click.command("import", cls=Command)
@click.argument("file", metavar="FILE")
@pass_options
def import_(options: Options, file: str) -> None:
    """Take in FILE, which `archmem export` wrote: all of it, or nothing. FILE of - reads standard input.

    Everything keeps its id, its time and its project, so a file that was imported before changes nothing. A file that
    is cut short, changed or of a newer format is refused, and so is one of which the store holds something else under
    the same ids, titles or refs: every fault is named by its line, and nothing is written (exit code 2).

    \b
    Examples:
      archmem import bookshop.jsonl
      gunzip < everything.jsonl.gz | archmem import - --store /srv/archmem.db
    """
    from server.cli import texts
    from server.opening import graph_of
    from server.transferring import import_from, import_stream

    with options.workplace() as workplace:
        settings = options.settings(workplace)
    with graph_of(settings) as graph, bar("import") as show:
        if file == "-":
            done = import_stream(graph, sys.stdin.buffer, "standard input", progress=show)
        else:
            done = import_from(graph, file, progress=show)
    answer(options, done, texts.imported)
    if done.organisation != settings.organisation:
        notice(f"it is of the organisation {done.organisation!r}; set ARCHMEM_ORGANISATION to see it")
    if not done.vectors and done.new.get("memory"):
        notice("the file holds no vectors: run `archmem reindex` in each project's checkout")


@click.command(cls=Command)
@click.option("--from", "source", required=True, metavar="STORE", help="The store to copy from; it stays as it is.")
@click.option("--to", "target", required=True, metavar="STORE", help="The store to copy to, empty or not.")
@pass_options
def migrate(options: Options, source: str, target: str) -> None:
    """Copy everything of one store into another: every organisation and project, with ids, history and vectors.

    It goes batch by batch. Stopped half-way, the same command goes on where it was; at the end both stores are counted
    and their digests compared. Stop what writes to the store first: a file's later writes are not copied, and a
    server's writers wait. A Neo4j server is opened with ARCHMEM_NEO4J_USER, _PASSWORD and _DATABASE; between two
    servers with different ones use `export --all` and `import`.

    \b
    Examples:
      archmem migrate --from ~/.local/share/archmem/archmem.db --to neo4j://graph.example.org:7687
      archmem migrate --from neo4j://graph.example.org:7687 --to archmem.db
    """
    from server.cli import texts
    from server.transferring import migrate_between

    settings = options.settings(store=source), options.settings(store=target)
    with bar("migrate") as show:
        done = migrate_between(*settings, progress=show)
    answer(options, done, texts.migrated)


@contextmanager
def _part(options: Options, whole: bool) -> Iterator[tuple["MemoryGraph", "Scope"]]:
    from graph.scopes import Scope
    from server.opening import graph_of

    if not whole:
        with options.opened() as opened:
            yield opened.graph, opened.scope
        return
    with options.workplace() as workplace:
        settings = options.settings(workplace)
    with graph_of(settings) as graph:
        yield graph, Scope(organisation=settings.organisation)
