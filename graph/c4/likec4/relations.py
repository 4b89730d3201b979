"""The relationships of a LikeC4 project: their ends are found when every element of every file is known."""

from dataclasses import dataclass

from graph.c4.draft import Draft, DraftElement, DraftRelationship, related_by_blood
from graph.c4.findings import Findings
from graph.c4.likec4.scopes import Names, Scope
from graph.c4.likec4.syntax import FileNode, Properties, RelationNode


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement stands."""

    file: FileNode
    line: int
    scope: Scope

    @property
    def where(self) -> str:
        return f"{self.file.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class _Relation:
    """A relationship whose ends are found, while extensions may still add to it."""

    place: Place
    source: DraftElement
    target: DraftElement
    said: Properties

    @property
    def title(self) -> str:
        return self.said.texts.get("title", "")


class Relations:
    """Collects the relationships of all files, then makes them."""

    def __init__(self, names: Names, findings: Findings) -> None:
        self._names = names
        self._findings = findings
        self._waiting: list[tuple[Place, RelationNode]] = []

    def add(self, place: Place, node: RelationNode) -> None:
        """Keep a relationship until all elements are known."""
        self._waiting.append((place, node))

    def make(self, draft: Draft, kinds: dict[str, Properties]) -> None:
        """Put the relationships into the draft; warn about those whose ends nothing defines."""
        relations: list[_Relation] = []
        by_what: dict[tuple[DraftElement, DraftElement, str, str], _Relation] = {}
        extensions: list[tuple[_Relation, str]] = []
        for place, node in self._waiting:
            said = node.properties if node.extends else _with_kind(node, kinds)
            ends = self._ends(place, node)
            if ends is None:
                continue
            for source, target in [ends, (ends[1], ends[0])] if node.both else [ends]:
                relation = _Relation(place, source, target, said)
                if node.extends:
                    extensions.append((relation, node.kind))
                else:
                    relations.append(relation)
                    by_what.setdefault((source, target, node.kind, relation.title), relation)
        for extension, kind in extensions:
            extended = by_what.get((extension.source, extension.target, kind, extension.title))
            if extended is None:
                self._findings.warn(extension.place.where, "there is no such relationship to extend; it was left out")
            else:
                extended.said.merge(extension.said)
        for relation in relations:
            self._put(draft, relation)

    def _ends(self, place: Place, node: RelationNode) -> tuple[DraftElement, DraftElement] | None:
        source = self._names.find(node.source, place.scope) if node.source else place.scope.element
        if source is None and not node.source:
            self._findings.fault(place.where, "a relationship that stands in no element needs a source")
            return None
        target = self._names.find(node.target, place.scope)
        if source is not None and target is not None:
            return source, target
        for name in (node.source if source is None else "", node.target if target is None else ""):
            if name:
                self._findings.warn(place.where, f"{self._missing(name, place)}; the relationship was left out")
        return None

    def _missing(self, name: str, place: Place) -> str:
        project = place.file.imports.get(name.split(".")[0])
        if project is not None:
            return f"{name[:60]!r} is an element of the project {project[:60]!r}, which was not read"
        return f"there is no element {name[:60]!r}, or more than one"

    def _put(self, draft: Draft, relation: _Relation) -> None:
        place, said = relation.place, relation.said
        made = DraftRelationship(
            relation.source,
            relation.target,
            place.file.path,
            place.line,
            description=" ".join((relation.title or said.texts.get("description", "")).split()),
            technology=" ".join(said.texts.get("technology", "").split()),
            url=next(iter(said.urls), ""),
            tags=list(said.tags),
            properties=said.values,
        )
        if made.source is not made.target and related_by_blood(made.source, made.target):
            self._findings.warn(place.where, "a relationship between an element and its own part was left out")
        elif not draft.relate(made):
            self._findings.warn(place.where, "the relationship exists already; the first counts")


def _with_kind(node: RelationNode, kinds: dict[str, Properties]) -> Properties:
    """Return what the relationship says, on top of what its kind says; the kind is a tag."""
    kind = kinds.get(node.kind, Properties())
    texts = {key: text for key, text in node.properties.texts.items() if text}
    said = Properties(texts=kind.texts | texts, tags=kind.tags | dict.fromkeys(filter(None, [node.kind])))
    said.merge(node.properties)
    said.links = said.links or dict(kind.links)
    return said
