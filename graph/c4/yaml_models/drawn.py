"""Reads `nodes` and `edges`, which teams write into archyl.yaml although its schema knows neither."""

from collections import deque
from collections.abc import Iterator, Mapping

from graph.c4.draft import Draft, DraftElement, DraftRelationship
from graph.c4.yaml_models.references import relate
from graph.c4.yaml_models.values import Value, YamlFile
from graph.elements import ElementKind

_KINDS = (ElementKind.SYSTEM, ElementKind.CONTAINER)  # of the outer levels; what is further in is a component
_DEEPEST = 10
_PEOPLE = ("person", "user", "actor")


def read_drawn(draft: Draft, file: YamlFile, nodes: Value | None, edges: Value | None) -> None:
    """Add the nodes as elements, by how deep they lie, and the edges as relationships; `path` is the source."""
    if first := nodes or edges:
        file.warn(first, "`nodes` and `edges` are not of the official schema; they were read all the same")
    by_id: dict[str, Mapping[str, Value]] = {}
    lines: dict[str, Value] = {}
    for node in file.items(nodes):
        entries = file.entries(node)
        id = file.text(entries.get("id"))
        if not id or id in by_id:
            file.warn(node, "a node needs an id of its own; it was left out")
        else:
            by_id[id], lines[id] = entries, node
    elements: dict[str, DraftElement] = {}
    for id, parent in _outside_in(file, by_id):
        elements[id] = _element(draft, file, by_id[id], lines[id], elements.get(parent))
    for edge in file.items(edges):
        entries = file.entries(edge)
        names = [file.text(entries.get(end)) for end in ("from", "to")]
        if missing := [name for name in names if name not in elements]:
            file.warn(edge, f"there is no node {missing[0][:60]!r}; the edge was left out")
            continue
        source, target = (elements[name] for name in names)
        label = file.text(entries.get("label"))
        relate(draft, DraftRelationship(source, target, file.path, edge.line, label), file, edge)


def _outside_in(file: YamlFile, by_id: Mapping[str, Mapping[str, Value]]) -> Iterator[tuple[str, str]]:
    """Yield each node after the one that it is a child of, with that one's id; the first to name a child has it."""
    parents: dict[str, str] = {}
    children: dict[str, list[str]] = {}
    for id, entries in by_id.items():
        for child in file.texts(entries.get("children")):
            if child not in by_id:
                file.warn(entries["children"], f"there is no node {child[:60]!r}; the child was left out")
            elif child != id and parents.setdefault(child, id) == id:
                children.setdefault(id, []).append(child)
    depths: dict[str, int] = {}
    for root in (*(id for id in by_id if id not in parents), *by_id):
        if root in depths:
            continue
        if root in parents:
            file.warn(by_id[parents[root]]["children"], f"{root[:60]!r} lies in itself; it was read as a system")
        depths[root] = 0
        waiting = deque([(root, "")])
        while waiting:
            id, parent = waiting.popleft()
            yield id, parent
            for child in children.get(id, ()):
                if child not in depths:
                    deep = depths[id] + 1 > _DEEPEST
                    depths[child] = depths[id] if deep else depths[id] + 1
                    waiting.append((child, parent if deep else id))


def _element(
    draft: Draft, file: YamlFile, entries: Mapping[str, Value], node: Value, parent: DraftElement | None
) -> DraftElement:
    type = file.text(entries.get("type")).lower()
    depth = sum(1 for _ in parent.upwards()) if parent else 0
    kind = _KINDS[depth] if depth < len(_KINDS) else ElementKind.COMPONENT
    id = file.text(entries.get("id"))
    properties = {key: file.text(entries[key]) for key in ("type", "path", "generated") if key in entries}
    description = file.text(entries.get("description")) or "\n".join(file.texts(entries.get("notes")))
    element = DraftElement(
        ElementKind.PERSON if not depth and type in _PEOPLE else kind,
        file.text(entries.get("label")) or id,
        parent,
        file.path,
        node.line,
        description,
        properties=properties,
        external="external" in type,
        key=id,
    )
    while element.ref in draft.elements:
        element.name = f"{element.name} ({id})"
    draft.elements[element.ref] = element
    return element
