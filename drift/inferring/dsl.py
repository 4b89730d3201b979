"""Write a sketch as a Structurizr DSL workspace that the official reader takes, whatever folders are called."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from drift.inferring.sketch import Component, Container, Outside, Sketch

_KEYWORDS = frozenset(
    """
    workspace model views configuration person softwaresystem container component element group deploymentenvironment
    deploymentnode infrastructurenode instanceof properties perspectives tags tag url technology description this styles
    """.split()
)
# What the list of paths, the matcher or the DSL would read as something else stands for itself as `?`.
_HOSTILE = re.compile(r"[^\w./@+=~!()&%^ -]|[\ud800-\udfff]")
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]+")
_LONGEST = 500
_LONGEST_LIST = 4_500


def write_dsl(sketch: Sketch, notes: Iterable[str] = ()) -> str:
    """Return the workspace as text."""
    return "\n".join(_Writing(sketch).lines(notes)) + "\n"


class _Writing:
    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        self.identifiers: dict[str, str] = {}
        self._taken: dict[str, set[str]] = {}

    def lines(self, notes: Iterable[str]) -> Iterator[str]:
        sketch = self.sketch
        name = _plain(sketch.name) or "System"
        system = self._identifier("", name)
        yield f"workspace {_quoted(name)} {{"
        yield ""
        yield from (f"    // {_plain(note)}" for note in notes)
        yield "    !identifiers hierarchical"
        yield ""
        yield "    model {"
        for outside in sketch.systems:
            yield from self._outside(outside, "softwareSystem", outside.description, "External")
        for library in sketch.libraries:
            yield from self._outside(library, "element", "Library", library.description)
        yield f"        {system} = softwareSystem {_quoted(name)} {{"
        for container in sketch.containers:
            yield from self._container(container, system)
        yield "        }"
        yield ""
        for use in dict.fromkeys(sketch.uses):
            source, target = self.identifiers.get(use.source), self.identifiers.get(use.target)
            if source and target:
                yield f"        {source} -> {target} {_quoted(use.description)}"
        yield "    }"
        yield ""
        yield from self._views(system)
        yield "}"

    def _outside(self, outside: Outside, keyword: str, *rest: str) -> Iterator[str]:
        identifier = self.identifiers[outside.key] = self._identifier("", outside.name)
        yield f"        {identifier} = {keyword} {' '.join(map(_quoted, (outside.name, *rest)))} {{"
        yield from _properties(outside.source, outside.evidence, " " * 12)
        yield "        }"

    def _container(self, container: Container, system: str) -> Iterator[str]:
        name = self._identifier(system, container.name)
        whole = self.identifiers[container.key] = f"{system}.{name}"
        words = [container.name, container.description, container.technology, ",".join(container.tags)]
        yield f"            {name} = container {' '.join(map(_quoted, words))} {{"
        yield from _properties(container.source, container.evidence, " " * 16)
        for component in container.components:
            own = self._identifier(whole, component.name)
            self.identifiers[f"{container.key}/{component.name}"] = f"{whole}.{own}"
            yield from _component(component, own)
        yield "            }"

    def _views(self, system: str) -> Iterator[str]:
        yield "    views {"
        yield from _view("systemContext", system, "Context")
        if self.sketch.containers:
            yield from _view("container", system, "Containers")
        zoomed = [container for container in self.sketch.containers if container.components]
        for number, container in enumerate(zoomed, start=1):
            yield from _view("component", self.identifiers[container.key], f"Components-{number}")
        yield "    }"

    def _identifier(self, scope: str, name: str) -> str:
        """Return an identifier that nothing else in the scope has."""
        words = re.findall(r"[A-Za-z0-9]+", name)
        own = "".join([words[0].lower(), *(word[:1].upper() + word[1:] for word in words[1:])]) if words else "element"
        own = f"_{own}" if own[0].isdigit() else own
        own = f"{own}_" if own.lower() in _KEYWORDS else own
        taken = self._taken.setdefault(scope, set())
        candidates = (own if number == 1 else f"{own}{number}" for number in range(1, len(taken) + 2))
        found = next(one for one in candidates if one.lower() not in taken)
        taken.add(found.lower())
        return found


def path_property(source: Sequence[str]) -> str:
    """Return the paths as one property; a character that would be read otherwise becomes the wildcard for one.

    Paths beyond what a reader takes for a list are left out.
    """
    found = ""
    for path in source:
        longer = f"{found}; {_pattern(path)}" if found else _pattern(path)
        if len(longer) > _LONGEST_LIST:
            break
        found = longer
    return found


def _pattern(path: str) -> str:
    safe = "/".join(_segment(part) for part in path.split("/"))
    return safe if safe == path else f"{{{safe},{safe}/**}}"


def _segment(part: str) -> str:
    safe = _HOSTILE.sub("?", part)
    return re.sub(r"^\s|\s$|(?<=\s)\s", "?", safe)


def _component(component: Component, identifier: str) -> Iterator[str]:
    words = [component.name, component.description, component.technology]
    while words and not words[-1]:
        words.pop()
    yield f"                {identifier} = component {' '.join(map(_quoted, words))} {{"
    yield from _properties(component.source, (), " " * 20)
    yield "                }"


def _properties(source: Sequence[str], evidence: Sequence[str], indent: str) -> Iterator[str]:
    values: Mapping[str, str] = {"path": path_property(source), "inferred.from": path_property(evidence)}
    if any(values.values()):
        yield f"{indent}properties {{"
        yield from (f'{indent}    "{key}" "{value}"' for key, value in values.items() if value)
        yield f"{indent}}}"


def _view(kind: str, scope: str, key: str) -> Iterator[str]:
    yield f"        {kind} {scope} {_quoted(key)} {{"
    yield "            include *"
    yield "            autoLayout"
    yield "        }"


def _quoted(text: str) -> str:
    plain = _plain(text).replace("\\", "/").replace('"', "'").replace("${", "$ {")
    return f'"{plain}"'


def _plain(text: str) -> str:
    return " ".join(_UNWRITABLE.sub(" ", text).split())[:_LONGEST]
