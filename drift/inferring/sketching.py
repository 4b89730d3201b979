"""From units to a sketch: which become containers, what lies outside, and who uses whom."""

from collections import Counter
from collections.abc import Iterable, Sequence
from posixpath import basename, commonprefix, dirname

from drift.inferring.components import find_components
from drift.inferring.imports import find_imports
from drift.inferring.sketch import Component, Container, Outside, Sketch, Use
from drift.inferring.technology import technology_of
from drift.inferring.titles import title, unique
from drift.inferring.units import Unit, Units
from drift.manifests.catalogue import Product, Role, image_name, is_private, product_of_image, products_of_libraries
from drift.manifests.images import Service
from drift.trees import GitTree
from graph.terms import words

_ALIKE = (
    {"MySQL", "MariaDB"},
    {"Redis", "Valkey", "KeyDB", "Dragonfly"},
    {"Elasticsearch", "OpenSearch"},
    {"Kafka", "Redpanda"},
    {"PostgreSQL", "CockroachDB"},
    {"Mosquitto", "MQTT broker"},
)
"""Products that are reached by the same client library."""

_GENERIC = frozenset(
    words("db database postgres data store cache queue broker server service mq redis sql the main app")
)
_STORES = (Role.DATABASE, Role.QUEUE, Role.INFRASTRUCTURE)
_INSIDE = (*_STORES, Role.OWN)
_MOST_LOOSE = 8
_FEWEST_ALIKE = 3
_NO_NAMES = frozenset("src main app source impl code cmd angular react vue nestjs nodejs spring python java".split())


class Sketching:
    """Turns the units of a tree into a sketch."""

    def __init__(self, name: str, units: Units, code: Sequence[str], tree: GitTree) -> None:
        self.units, self.code, self.tree = units, code, tree
        self.sketch = Sketch(name)
        self._taken: set[str] = set()
        self._systems: set[str] = {name.casefold()}
        self._by_service: dict[str, str] = {}
        self._by_unit: dict[Unit, list[Container]] = {}
        self._products: dict[str, str] = {}
        self._sources: dict[Unit, tuple[str, ...]] = {}
        self._folders = {unit.folder for unit in [*units.programs(), *units.libraries()] if unit.folder}

    def draw(self) -> Sketch:
        """Return the sketch."""
        programs = [unit for unit in self.units.programs() if self._source(unit) or unit.base]
        libraries = [unit for unit in self.units.libraries() if self._source(unit)]
        needed = {library for unit in programs for library in self._needs(unit)}
        if programs:  # what a manifest at the root covers beside programs is no package, unless somebody needs it
            libraries = [unit for unit in libraries if unit.folder or unit in needed]
        if not programs:
            programs, libraries = libraries, []
        parts = self._parts(programs)
        if parts:
            self.sketch.containers.extend(parts)
            self._by_unit[programs[0]] = parts
            keys = {part.name: part.key for part in parts}
            for one, other in find_imports(parts, self.code, self.tree):
                self.sketch.uses.append(Use(keys[one], keys[other], "imports"))
        else:
            for unit in programs:
                if not self._add_image(unit):
                    self._add_program(unit, programs)
        self._add_libraries(libraries, programs)
        for service in self._shallowest(self.units.others):
            self._add_service(service)
        for unit in programs:
            self._add_products(unit)
        self._add_uses()
        return self.sketch

    def _parts(self, programs: Sequence[Unit]) -> list[Container]:
        """Return the packages of the only program as containers, where its manifest names several side by side."""
        if len(programs) != 1:
            return []
        unit = programs[0]
        declared = [(package, part) for package in unit.packages for part in package.parts]
        return [
            self._container(unit, basename(part), (f"{unit.folder}/{part}".lstrip("/"),), evidence=(package.file,))
            for package, part in declared
        ]

    def _add_program(self, unit: Unit, programs: Sequence[Unit]) -> None:
        services = _distinct(unit.services)
        names = [service.name for service in services] if len(services) > 1 else [self._name_of(unit, programs)]
        made = [self._container(unit, name, self._source(unit)) for name in names]
        for other in made[1:]:  # the same code, started otherwise
            other.components = []
        for container, service in zip(made, services, strict=False):
            self._by_service[service.name.lower()] = container.key
        for service in unit.services:
            self._by_service.setdefault(service.name.lower(), made[0].key)
        self._by_unit[unit] = made
        self.sketch.containers.extend(made)

    def _add_image(self, unit: Unit) -> bool:
        """Add a unit that is a well-known image with settings of its own as that product; say whether it is one."""
        product = product_of_image(unit.base) if unit.base else None
        if product is None or product.role is Role.RUNTIME:
            return False
        if product.role is not Role.TOOL:
            name = self._product_name(product, unit.folder)
            key = self._products.get(name) or self._add_product(product, name, unit.evidence, (unit.folder,))
            self._by_service.update({service.name.lower(): key for service in unit.services})
        return True

    def _name_of(self, unit: Unit, programs: Sequence[Unit]) -> str:
        """Return the folder's name without what all programs begin with; at the root, the service's or package's."""
        own = unit.name or _telling(unit.folder)
        if not own:
            named = (*(service.name for service in unit.services), *(package.name for package in unit.packages))
            return next((name for name in named if name), self.sketch.name)
        spoken = title(own).split()
        prefix = self._prefix(programs) or title(self.sketch.name).split()
        same = [word.casefold() for word in spoken[: len(prefix)]] == [word.casefold() for word in prefix]
        return " ".join(spoken[len(prefix) :]) if same and len(spoken) > len(prefix) else own

    @staticmethod
    def _prefix(programs: Sequence[Unit]) -> list[str]:
        """Return the words with which the names of most programs begin."""
        names = [title(_telling(unit.folder)).split() for unit in programs if unit.folder]
        first = Counter(name[0] for name in names if len(name) > 1).most_common(1)
        alike = [name for name in names if first and name[0] == first[0][0]]
        if len(alike) < _FEWEST_ALIKE or len(alike) * 3 < len(names) * 2:
            return []
        return list(commonprefix([name[:-1] for name in alike]))

    def _container(self, unit: Unit, name: str, source: tuple[str, ...], evidence: tuple[str, ...] = ()) -> Container:
        code = [path for path in self.code if any(_lies_in(path, one) for one in source)]
        said = next((package.description for package in unit.packages if package.description), "")
        shown = unique(title(name), self._taken, unit.folder)
        container = Container(
            key=f"container:{shown}",
            name=shown,
            source=source,
            description=said,
            technology=technology_of(code, unit.dependencies),
            evidence=evidence or unit.evidence,
            aliases=unit.names,
        )
        container.components = find_components(source, code)
        return container

    def _source(self, unit: Unit) -> tuple[str, ...]:
        """Return the paths of a unit's own code, without those of the units inside it."""
        if unit not in self._sources:
            inside = {one for one in self._folders if one != unit.folder and _lies_in(one, unit.folder)}
            self._sources[unit] = tuple(self._own(unit.folder, inside))
        return self._sources[unit]

    def _own(self, folder: str, units: set[str]) -> Iterable[str]:
        prefix = f"{folder}/" if folder else ""
        below = [path for path in self.code if path.startswith(prefix)]
        if not below:
            return []
        if folder and not any(unit.startswith(prefix) for unit in units):
            return [folder]
        found: list[str] = []
        names = dict.fromkeys(path[len(prefix) :].partition("/")[0] for path in below if "/" in path[len(prefix) :])
        for name in names:
            if prefix + name not in units:
                found.extend(self._own(prefix + name, units))
        loose = [path for path in below if "/" not in path[len(prefix) :]]
        return [*found, *(loose if len(loose) <= _MOST_LOOSE else ())]

    def _add_libraries(self, libraries: Sequence[Unit], programs: Sequence[Unit]) -> None:
        """A library of one program is a component of it; one that several share stands for itself."""
        users = {library: [unit for unit in programs if library in self._needs(unit)] for library in libraries}
        for library, using in users.items():
            named = title(basename(library.folder or next(iter(library.names), "Library")))
            containers = [container for unit in using for container in self._by_unit.get(unit, [])]
            if len(containers) == 1:
                taken = {component.name.casefold() for component in containers[0].components}
                component = Component(unique(named, taken, library.folder), self._source(library))
                component.description = next((p.description for p in library.packages if p.description), "")
                containers[0].components.append(component)
                continue
            shown = unique(named, self._systems, library.folder or "library")
            said = next((p.description for p in library.packages if p.description), "")
            outside = Outside(f"library:{shown}", shown, self._source(library), said, library.evidence)
            self.sketch.libraries.append(outside)
            self.sketch.uses.extend(Use(container.key, outside.key, "is built with") for container in containers)

    def _needs(self, unit: Unit) -> set[Unit]:
        found: set[Unit] = set()
        waiting = [unit]
        while waiting:
            for other in self.units.dependencies_of(waiting.pop()):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def _shallowest(self, services: Sequence[Service]) -> list[Service]:
        """Return the services of the outermost compose files: those further down run a part for itself."""
        depths = self.units.compose_depths
        outermost = min(depths.values(), default=0)
        return [service for service in services if depths.get(service.file, outermost) == outermost]

    def _add_service(self, service: Service) -> None:
        product = product_of_image(service.image) if service.image else None
        if product is None:
            unit = self.units.named(image_name(service.image).rpartition("/")[2]) if service.image else None
            unit = unit or self.units.named(service.name)
            if unit and (made := self._by_unit.get(unit)):
                self._by_service[service.name.lower()] = made[0].key
                return
            if not service.image or service.context is not None:
                return
            product = Product(title(service.name), Role.OWN if is_private(service.image) else Role.EXTERNAL)
        if product.role in (Role.TOOL, Role.RUNTIME):
            return
        name = self._product_name(product, service.name)
        owner = self.units.around(dirname(service.file))
        is_owned = owner is not None and owner.program and self._source(owner)
        if owner is not None and is_owned and name == product.name and product.role in _STORES[:2]:
            name = f"{title(_telling(owner.folder))} {product.name}"
        if product.name in self._products and name == product.name:
            self._by_service.setdefault(service.name.lower(), self._products[product.name])
            return
        self._by_service[service.name.lower()] = self._add_product(product, name, (service.file,))

    @staticmethod
    def _product_name(product: Product, called: str) -> str:
        """Return the product's name, or what it is called here where that says more."""
        name = basename(called)
        if product.role is Role.EXTERNAL or _flat(product.name) == _flat(name):
            return product.name
        own = [word for word in words(name) if word not in _GENERIC and word not in words(product.name)]
        return title(name) if own else product.name

    def _add_product(self, product: Product, name: str, evidence: tuple[str, ...], source: tuple[str, ...] = ()) -> str:
        if product.role in _INSIDE:
            shown = unique(name, self._taken)
            key = f"container:{shown}"
            self.sketch.containers.append(
                Container(
                    key,
                    shown,
                    source,
                    technology=product.name if product.role in _STORES else "",
                    tags=(product.role.value,),
                    evidence=evidence,
                    aliases=(product.name,),
                )
            )
        else:
            shown = unique(name, self._systems)
            key = f"system:{shown}"
            self.sketch.systems.append(Outside(key, shown, evidence=evidence))
        self._products.setdefault(product.name, key)
        return key

    def _add_products(self, unit: Unit) -> None:
        """Add what the client libraries of a unit, and of the libraries in it, talk to."""
        needed = frozenset().union(
            unit.dependencies, *(library.dependencies for library in self._needs(unit) if not library.program)
        )
        for product in products_of_libraries(needed):
            family = next((alike for alike in _ALIKE if product.name in alike), {product.name})
            key = next((self._products[name] for name in sorted(family) if name in self._products), "")
            key = key or self._add_product(product, product.name, tuple(p.file for p in unit.packages))
            for container in self._by_unit.get(unit, []):
                self.sketch.uses.append(Use(container.key, key, "uses"))

    def _add_uses(self) -> None:
        composed = [service for unit in self.units.programs() for service in unit.services]
        for service in [*composed, *self.units.others]:
            source = self._by_service.get(service.name.lower())
            for name in dict.fromkeys((*service.after, *sorted(service.hosts))):
                target = self._by_service.get(name.lower())
                if source and target and source != target:
                    self.sketch.uses.append(Use(source, target, "uses"))
        for container in self.sketch.containers:
            for one, other in find_imports(container.components, self.code, self.tree):
                self.sketch.uses.append(Use(f"{container.key}/{one}", f"{container.key}/{other}", "imports"))


def _distinct(services: Sequence[Service]) -> list[Service]:
    """Return the services of one file that run different things, by what they are built from and what they start.

    Other files run the same in other places.
    """
    by_file: dict[str, dict[tuple[str, str], Service]] = {}
    for service in services:
        by_file.setdefault(service.file, {}).setdefault((service.dockerfile, service.command), service)
    return list(max(by_file.values(), key=len).values()) if by_file else []


def _lies_in(path: str, folder: str) -> bool:
    """Say whether a path is the folder or lies in it; everything lies in the root."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def _telling(folder: str) -> str:
    """Return the folder's own name, or that of the first one around it which says more than `src` or `app`."""
    own = basename(folder)
    while own.lower() in _NO_NAMES and "/" in folder:
        folder = dirname(folder)
        own = basename(folder)
    return own


def _flat(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())
