"""An export: all that a project or the organisation has in the store, written line by line from one view of it."""

from collections.abc import Callable

from graph.export_file import Header, Seal, line_of
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.transfer import DumpUnit
from graph.views import Exported, Progress


def export(
    parts: Parts,
    scope: Scope,
    write: Callable[[bytes], object],
    *,
    whole: bool,
    vectors: bool,
    progress: Callable[[Progress], None] | None,
) -> Exported:
    """Write the file's lines one by one."""

    def work(unit: DumpUnit) -> Exported:
        counts = {kind: count for kind, count in unit.counts().items() if vectors or kind != "vectors"}
        project = None if whole else scope.project
        seal, done, total = Seal(), 0, sum(counts.values())

        def add(line: bytes) -> None:
            write(line)
            seal.add(line)

        add(line_of(Header(organisation=scope.organisation, project=project, vectors=vectors, counts=counts)))
        for kind in counts:
            for entry in unit.entries(kind):
                add(line_of(entry))
                done += 1
                if progress is not None:
                    progress(Progress(done=done, left=total - done))
        write(seal.end())
        return Exported(
            organisation=scope.organisation, project=project, counts=counts, vectors=vectors, sha256=seal.sha256
        )

    return parts.store.dump(scope, work, whole=whole)
