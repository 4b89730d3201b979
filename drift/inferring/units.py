"""What is built and run on its own: packages, Dockerfiles and composed services that mean one thing are one unit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import basename, dirname, join, normpath

from drift.manifests.catalogue import Role, is_private, is_product, product_of_image
from drift.manifests.compiled import go_commands
from drift.manifests.finding import around, read_packages
from drift.manifests.images import (
    Dockerfile,
    Service,
    compose_kind,
    included_by,
    is_dockerfile,
    read_compose,
    read_dockerfile,
    read_workloads,
)
from drift.manifests.packages import Package
from drift.manifests.reading import ManifestFiles
from drift.product import is_aside
from graph.terms import words

_WORKSHOP = frozenset(
    """
    script scripts tool tools tooling hack ci build dist generate generated generator codegen template templates
    """.split()
)
_DESCRIBING = frozenset("architecture adr adrs design diagrams".split())
_HOMES = frozenset(
    "services service apps applications microservices functions lambdas lambda workers cmd cmds servers jobs".split()
)
_IMAGE_HOMES = frozenset("docker build deploy deployment container containers image images infra packaging".split())
_SHELL = (".sh", ".bash", ".ps1", ".sql")
_PLATFORMS = frozenset("android ios macos windows linux src-tauri".split())
_ONCE = frozenset(
    "migrate migration migrations migrator init seed seeder setup test tests e2e mock mocks stub stubs".split()
)


@dataclass(eq=False, slots=True)
class Unit:
    """A folder with its manifests; `program` says why it runs on its own, empty for a library."""

    folder: str
    packages: list[Package] = field(default_factory=list)
    dockerfiles: list[Dockerfile] = field(default_factory=list)
    services: list[Service] = field(default_factory=list)
    program: str = ""
    command: str = ""
    name: str = ""
    is_list: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Its names: of its folder, its packages and its services."""
        named = (self.name, basename(self.folder), *(p.name for p in self.packages), *(s.name for s in self.services))
        return tuple(dict.fromkeys(name for name in named if name))

    @property
    def evidence(self) -> tuple[str, ...]:
        """The files that say what it is."""
        files = (
            *(p.file for p in self.packages),
            *(d.path for d in self.dockerfiles),
            *(s.file for s in self.services),
        )
        return tuple(dict.fromkeys(files))

    @property
    def base(self) -> str:
        """The image that it only adds something to; empty for one with a manifest of its own."""
        return next((dockerfile.base for dockerfile in self.dockerfiles), "") if not self.packages else ""

    @property
    def dependencies(self) -> frozenset[str]:
        return frozenset().union(*(package.dependencies for package in self.packages))


class Units:
    """The units of a tree by folder, and the composed services that are built from none of them."""

    def __init__(self, files: ManifestFiles, paths: Sequence[str], code: Sequence[str]) -> None:
        self.by_folder: dict[str, Unit] = {}
        self.others: list[Service] = []
        self._code = [path for path in code if not path.endswith(_SHELL)]
        self._code_folders = _folders_around(self._code)
        self._files = files
        self._known = frozenset(paths)
        self.compose_depths: dict[str, int] = {}
        for package in read_packages(files, paths):
            if not package.is_test:
                self._add_package(package, paths)
        self._settle()
        self._drop_shells()
        built = (path for path in paths if is_dockerfile(path) and not _is_base(path))
        self._dockerfiles = {path: read_dockerfile(path, files) for path in built}
        for dockerfile in self._dockerfiles.values():
            if unit := self._built_by(dockerfile):
                unit.dockerfiles.append(dockerfile)
                unit.program = unit.program or "an image is built of it"
        self._join_images()
        self._drop_tools()
        composed = self._compose_files(paths)
        for path in composed:
            for service in read_compose(path, files):
                self._add_service(service)
        for path in paths if not composed else ():
            if path.endswith((".yaml", ".yml")):
                for service in read_workloads(path, files):
                    self._add_service(service)

    def programs(self) -> list[Unit]:
        """Return the units that run on their own, by folder; what is only a command counts where nothing else runs."""
        units = [unit for _, unit in sorted(self.by_folder.items())]
        return [unit for unit in units if unit.program] or [unit for unit in units if unit.command]

    def libraries(self) -> list[Unit]:
        """Return the other units, without those that only list packages."""
        programs = set(self.programs())
        return [unit for _, unit in sorted(self.by_folder.items()) if unit not in programs and not unit.is_list]

    def named(self, name: str) -> Unit | None:
        """Return the one unit that has this name, but for case and separators."""
        wanted = words(name)
        found = [unit for unit in self.by_folder.values() if any(words(own) == wanted for own in unit.names)]
        return found[0] if len(found) == 1 and wanted else None

    def dependencies_of(self, unit: Unit) -> Iterator[Unit]:
        """Yield the other units that a unit depends on, directly; a command depends on its module."""
        named = (other for name in sorted(unit.dependencies) for other in self._by_name.get(name.lower(), ()))
        places = (place for package in unit.packages for place in (*self._near(package), package.folder))
        near = (self.by_folder[place] for place in places if place in self.by_folder)
        yield from (other for other in dict.fromkeys((*named, *near)) if other is not unit)

    @cached_property
    def _by_name(self) -> dict[str, list[Unit]]:
        found: dict[str, list[Unit]] = {}
        for unit in self.by_folder.values():
            for package in unit.packages:
                if package.name and package.folder == unit.folder:
                    found.setdefault(package.name.lower(), []).append(unit)
        return found

    def _near(self, package: Package) -> Iterator[str]:
        yield from package.near
        outer = package.folder
        while outer:  # Gradle counts from the root project, wherever that is
            outer = dirname(outer)
            yield from (normpath(join(outer, path)) for path in package.near)

    def _add_package(self, package: Package, paths: Sequence[str]) -> None:
        unit = self.by_folder.setdefault(package.folder, Unit(package.folder))
        unit.packages.append(package)
        unit.program = unit.program or ("" if _is_base(package.file) else package.program)
        unit.command = unit.command or package.command
        unit.is_list = package.is_list
        if basename(package.file) != "go.mod":
            return
        commands = list(go_commands(self._files, around(package.folder, paths)))
        if len(commands) == 1 or "" in commands:
            unit.program = f"it has {join(commands[0], 'main.go')}"
            unit.name = "" if "" in commands or unit.folder else basename(commands[0])
        for command in commands if len(commands) > 1 else ():
            if command:
                folder = join(package.folder, command)
                self.by_folder[folder] = Unit(folder, [package], program=f"it has {folder}/main.go")

    def _settle(self) -> None:
        """Let less speak where nothing else does: what is packed to run, or lies in `services`, and nobody needs."""
        needed = {other for unit in self.by_folder.values() for other in self.dependencies_of(unit)}
        for unit in self.by_folder.values():
            if unit.program or unit.is_list or unit in needed or _is_base(f"{unit.folder}/"):
                continue
            unit.program = next((package.packed for package in unit.packages if package.packed), "")
            if not unit.program and basename(dirname(unit.folder)).lower() in _HOMES:
                unit.program = f"it lies in {dirname(unit.folder)}"

    def _drop_shells(self) -> None:
        """Leave out what a mobile or desktop framework keeps beside a program for each platform."""
        for folder, unit in list(self.by_folder.items()):
            around_it = self.around(dirname(_until(folder, _PLATFORMS))) if _until(folder, _PLATFORMS) else None
            if around_it and around_it.program and unit is not around_it:
                del self.by_folder[folder]

    def _compose_files(self, paths: Sequence[str]) -> list[str]:
        """Return the compose files that run the whole and what they include; without one, those for development."""
        kinds = {path: kind for path in paths if (kind := compose_kind(path)) is not None}
        found = [path for path, kind in kinds.items() if not kind]
        found = found or [path for path, kind in kinds.items() if kind in ("dev", "development", "local")]
        self.compose_depths = {path: path.count("/") for path in found}
        waiting = list(found)
        while waiting:
            path = waiting.pop()
            for named in included_by(path, self._files):
                if named in self._known and named not in found:
                    found.append(named)
                    waiting.append(named)
                if named in self._known:
                    self.compose_depths[named] = min(self.compose_depths.get(named, 99), self.compose_depths[path])
        return found

    def _drop_tools(self) -> None:
        """Leave out the commands of a Go module of which no image is built, where one is of another."""
        by_module: dict[str, list[Unit]] = {}
        for unit in self.by_folder.values():
            if unit.packages and unit.packages[0].folder != unit.folder:
                by_module.setdefault(unit.packages[0].folder, []).append(unit)
        for commands in by_module.values():
            if any(unit.dockerfiles for unit in commands):
                for unit in commands:
                    if not unit.dockerfiles:
                        del self.by_folder[unit.folder]

    def _join_images(self) -> None:
        """Let a folder that has a Dockerfile and no code of its own be one with the only program inside it."""
        for folder, unit in list(self.by_folder.items()):
            inside = [one for one in self.by_folder.values() if one.folder.startswith(f"{folder}/") and one.program]
            if not folder or not unit.dockerfiles or len(inside) != 1:
                continue
            within = f"{inside[0].folder}/"
            if not any(path.startswith(f"{folder}/") and not path.startswith(within) for path in self._code):
                inside[0].dockerfiles.extend(unit.dockerfiles)
                inside[0].name = basename(folder)
                del self.by_folder[folder]

    def _built_by(self, dockerfile: Dockerfile) -> Unit | None:
        """Return the unit that a Dockerfile builds: around it, named in it, of its name, or the whole repository."""
        if unit := self.around(dockerfile.folder):
            return unit
        label = dockerfile.variant or basename(dockerfile.folder)
        mentioned = [unit for unit in self.by_folder.values() if unit.folder and _mentions(dockerfile, unit.folder)]
        programs = [unit for unit in mentioned if unit.program]
        alike = [
            unit for unit in (mentioned or self.by_folder.values()) if label and words(label) in map(words, unit.names)
        ]
        for found in (alike, programs):
            if len(found) == 1:
                return found[0]
        if dockerfile.folder and (dockerfile.folder in self._code_folders or is_product(dockerfile.base)):
            return self.by_folder.setdefault(dockerfile.folder, Unit(dockerfile.folder))
        is_whole = not dockerfile.folder or basename(dockerfile.folder).lower() in _IMAGE_HOMES
        return self.by_folder.get("") if is_whole and not mentioned and not dockerfile.variant else None

    def around(self, folder: str) -> Unit | None:
        """Return the unit of the folder or the nearest one around it, below the root."""
        while folder:
            if folder in self.by_folder:
                return self.by_folder[folder]
            folder = dirname(folder)
        return None

    def _run_from(self, service: Service, context: str) -> Unit | None:
        """Return the unit that a composed service is built from: by its Dockerfile, else by its context or name."""
        dockerfile = self._dockerfiles.get(service.dockerfile or join(context, "Dockerfile"))
        if dockerfile is not None:
            return self._built_by(dockerfile) or self.named(service.name)
        unit = (self.by_folder.get(context) if context else None) or self.named(service.name)
        if unit is None and context and context in self._code_folders:
            unit = self.by_folder.setdefault(context, Unit(context))
        return unit or self.by_folder.get(context)

    def _add_service(self, service: Service) -> None:
        if _ONCE.intersection(words_plain(service.name)) or is_aside(f"{service.name}/"):
            return
        unit = None
        if service.context is not None:
            unit = self._run_from(service, service.context)
        product = product_of_image(service.image) if service.image else None
        if unit is None and product is None and is_private(service.image):
            unit = self.around(dirname(service.file))
        if unit is None and product is not None and product.role is Role.RUNTIME:
            mounted = [self.by_folder[path] for path in service.mounted if path in self.by_folder]
            unit = mounted[0] if len(mounted) == 1 else None
        if unit is not None:
            unit.services.append(service)
            unit.program = unit.program or f"{service.file} runs it"
        else:
            self.others.append(service)


def words_plain(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, not stemmed."""
    return tuple(word for word in name.lower().replace("_", "-").split("-") if word)


def is_workshop(path: str) -> bool:
    """Say whether a folder of the path is named for what builds or describes the product, and is no part of it."""
    if path.partition("/")[0].lower() in _DESCRIBING:
        return True
    return any(folder.lower() in _WORKSHOP for folder in path.split("/")[:-1])


def _is_base(path: str) -> bool:
    """Say whether a folder of the path is named for images that others are built on."""
    return any("base" in words_plain(folder) for folder in path.split("/")[:-1])


def _mentions(dockerfile: Dockerfile, folder: str) -> bool:
    return any(word == folder or word.startswith(f"{folder}/") for word in dockerfile.words)


def _folders_around(paths: Iterable[str]) -> set[str]:
    """Return every folder that one of the paths lies in, at any depth."""
    found: set[str] = set()
    for path in paths:
        while path := dirname(path):
            if path in found:
                break
            found.add(path)
    return found


def _until(path: str, names: frozenset[str]) -> str:
    """Return the path up to its first folder of one of these names; empty when there is none."""
    parts = path.split("/")
    place = next((number for number, part in enumerate(parts) if part in names), -1)
    return "/".join(parts[: place + 1])
