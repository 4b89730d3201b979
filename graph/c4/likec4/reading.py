"""Reads a LikeC4 project into a draft: first every element of all its files, then what refers to them by name."""

from collections.abc import Iterable, Mapping, Sequence

from graph.c4.draft import Draft, DraftElement
from graph.c4.findings import Findings
from graph.c4.including import ModelFiles
from graph.c4.likec4.levels import is_outside, level_of
from graph.c4.likec4.parsing import parse
from graph.c4.likec4.projects import Project, project_of
from graph.c4.likec4.relations import Place, Relations
from graph.c4.likec4.scopes import Names, Scope
from graph.c4.likec4.syntax import ElementNode, ExtensionNode, FileNode, Member, Properties

# Models of real teams stay far below; an endless one is refused before it fills the memory.
_DEEPEST = 25
_MOST_CHARACTERS = 1_000_000
_MOST_ELEMENTS = 50_000
_LONGEST_NAME = 200


def read_likec4(path: str, files: ModelFiles, findings: Findings) -> Draft:
    """Read the whole project that a file belongs to; what is wrong with it is in the findings."""
    project = project_of(path, files, findings)
    nodes: list[FileNode] = []
    size = 0
    for file in project.files:
        text = files.content(file, f"{file}:1") or ""
        size += len(text)
        if size > _MOST_CHARACTERS:
            findings.fault(f"{file}:1", f"the project has more than {_MOST_CHARACTERS} characters")
            break
        nodes.append(parse(file, text, findings))
    if not any(node.models for node in nodes):
        findings.fault(f"{path}:1", "no file of this LikeC4 project has a `model`")
    return _Reader(project, nodes, findings).read()


class _Reader:
    def __init__(self, project: Project, nodes: Sequence[FileNode], findings: Findings) -> None:
        self._nodes = nodes
        self._findings = findings
        self._draft = Draft()
        self._draft.name = project.name
        self._icons_tell_technology = project.icons_tell_technology
        self._kinds: dict[str, Properties] = {}
        self._names = Names()
        self._relations = Relations(self._names, findings)
        self._said: dict[DraftElement, Properties] = {}
        self._extensions: list[tuple[Place, ExtensionNode]] = []

    def read(self) -> Draft:
        relation_kinds: dict[str, Properties] = {}
        for node in self._nodes:
            self._kinds = node.element_kinds | self._kinds
            relation_kinds = node.relation_kinds | relation_kinds
        for node in self._nodes:
            of_file = Scope()
            for members in node.models:
                self._define_all(members, node, Scope(of_file), None)
        # What an extension adds can be extended too, by one of a longer name.
        for place, extension in sorted(self._extensions, key=lambda one: one[1].target.count(".")):
            self._extend(place, extension)
        for element, said in self._said.items():
            _put(element, said)
        self._relations.make(self._draft, relation_kinds)
        return self._draft

    def _define_all(self, members: Iterable[Member], file: FileNode, scope: Scope, parent: DraftElement | None) -> None:
        for member in members:
            place = Place(file, member.line, scope)
            if isinstance(member, ElementNode):
                self._define(member, place, parent)
            elif isinstance(member, ExtensionNode):
                self._extensions.append((place, member))
            else:
                self._relations.add(place, member)

    def _define(self, node: ElementNode, place: Place, parent: DraftElement | None) -> None:
        fqn = f"{parent.key}.{node.name}" if parent else node.name
        if fault := self._refusal(node, fqn):
            self._findings.fault(place.where, fault)
            return
        kind = self._kind(node, place)
        texts = {key: text for key, text in node.properties.texts.items() if text}
        technology = texts.get("technology") or kind.texts.get("technology") or self._of_icon(kind.texts | texts)
        element = DraftElement(
            level_of(node.kind, parent.kind if parent else None),
            "",
            parent,
            place.file.path,
            node.line,
            description=texts.get("description") or texts.get("summary") or _description(kind),
            technology=" ".join(technology.split()),
            key=fqn,
            external=is_outside(node.kind) or (parent is not None and parent.external),
        )
        self._name(element, node.name, texts.get("title") or kind.texts.get("title", ""))
        said = Properties(tags=dict(kind.tags), links={} if node.properties.links else dict(kind.links))
        said.merge(node.properties)
        said.metadata.setdefault("kind", {node.kind: None})
        self._said[element] = said
        self._draft.elements[element.ref] = element
        self._names.add(node.name, element, place.scope)
        self._define_all(node.members, place.file, Scope(place.scope, element), element)

    def _refusal(self, node: ElementNode, fqn: str) -> str:
        """Return why an element of this whole name cannot be; an empty text when it can."""
        known = self._names.by_fqn.get(fqn)
        if known is not None:
            return f"a second element {fqn!r}; the first is at {known.file}:{known.line}"
        if len(node.name) > _LONGEST_NAME:
            return f"a name of more than {_LONGEST_NAME} characters"
        if fqn.count(".") >= _DEEPEST:
            return f"elements are nested more than {_DEEPEST} deep"
        if len(self._said) >= _MOST_ELEMENTS:
            return f"the project has more than {_MOST_ELEMENTS} elements"
        return ""

    def _of_icon(self, texts: Mapping[str, str]) -> str:
        """Return the technology that an icon of the library shows (`tech:apache-kafka`), as other tools do."""
        library, _, name = texts.get("icon", "").removesuffix("-icon").partition(":")
        shows = self._icons_tell_technology and library != "bootstrap"
        return " ".join(word[:1].upper() + word[1:] for word in name.split("-")) if shows else ""

    def _kind(self, node: ElementNode, place: Place) -> Properties:
        if node.kind not in self._kinds:
            what = f"no specification has the kind {node.kind[:60]!r}; other tools leave its elements out"
            self._findings.warn(place.where, what)
            self._kinds[node.kind] = Properties()  # said once
        return self._kinds[node.kind]

    def _name(self, element: DraftElement, identifier: str, title: str) -> None:
        """Name the element by its title; the identifier is added where the parent has that title in it already."""
        element.name = " ".join(title.split()) or identifier
        if len(element.name) > _LONGEST_NAME:
            element.name = f"{element.name[:_LONGEST_NAME]}…"
            what = f"a title of more than {_LONGEST_NAME} characters was cut"
            self._findings.warn(f"{element.file}:{element.line}", what)
        while element.ref in self._draft.elements:
            element.name = f"{element.name} ({identifier})"

    def _extend(self, place: Place, node: ExtensionNode) -> None:
        element = self._names.by_fqn.get(node.target)
        if element is None:
            what = f"there is no element with the whole name {node.target[:60]!r} to extend; this was left out"
            self._findings.warn(place.where, what)
            return
        self._said[element].merge(node.properties)
        self._define_all(node.members, place.file, Scope(place.scope, element, extends=True), element)


def _description(kind: Properties) -> str:
    return kind.texts.get("description") or kind.texts.get("summary", "")


def _put(element: DraftElement, said: Properties) -> None:
    element.tags = list(said.tags)
    element.properties = said.values
    element.url = next(iter(said.urls), "")
