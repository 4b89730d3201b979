"""Walks over the model's relationships: who a change reaches, and in which order elements build on each other."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from graph.elements import Element, Relationship, ancestors
from graph.work_views import Affected


def affected(
    elements: Sequence[Element], uses: Iterable[Relationship], refs: Collection[str], depth: int | None
) -> list[Affected]:
    """Return who uses the elements, their parts or what contains them, directly or through others, nearest first.

    Whoever uses a container may use any part of it, so a change goes up before it goes on; each path is a shortest one.
    """
    from networkx import multi_source_dijkstra

    by_ref = {one.ref: one for one in elements}
    inside = {one.ref for one in elements if any(name in refs for name in _upward(one, by_ref))}
    if not inside:
        return []
    above = {name for ref in refs for name in _upward(by_ref[ref], by_ref)} - inside
    # "in" stands for an element as a part of what contains it; users are reached from there.
    distances, paths = multi_source_dijkstra(_spread(elements, uses), {("is", one) for one in inside}, cutoff=depth)
    found = [
        Affected(
            ref=name,
            kind=by_ref[name].kind.value,
            distance=int(distances[kind, name]),
            path=tuple(dict.fromkeys(step for _, step in reversed(paths[kind, name]))),
        )
        for kind, name in distances
        if kind == "is" and name not in inside and name not in above
    ]
    return sorted(found, key=lambda one: (one.distance, one.ref))


def dependencies_first(
    elements: Sequence[Element], uses: Iterable[Relationship], chosen: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return the chosen refs, each after those of them that it needs, which are its value; else as they were chosen.

    An element needs another when it, or a part of it, uses the other, a part of that, or what contains that. Those that
    need each other stay together, as they were chosen.
    """
    from networkx import DiGraph, condensation, lexicographical_topological_sort

    by_ref = {one.ref: one for one in elements}
    upward = {one.ref: _upward(one, by_ref) for one in elements}
    place = {ref: number for number, ref in enumerate(dict.fromkeys(chosen))}
    graph = DiGraph()
    graph.add_nodes_from(place)
    for use in uses:
        # What contains both ends of a need is no part of either.
        users = [ref for ref in place if ref in upward.get(use.source, ())]
        used = [ref for ref in place if ref in upward.get(use.target, ()) or use.target in upward[ref]]
        graph.add_edges_from(
            (other, user)
            for user in users
            for other in used
            if other not in upward[user] and user not in upward[other] and use.target not in upward[user]
        )
    groups = condensation(graph)
    members: Mapping[int, list[str]] = {
        number: sorted(data["members"], key=place.__getitem__) for number, data in groups.nodes(data=True)
    }
    ordered = lexicographical_topological_sort(groups, key=lambda number: place[members[number][0]])
    refs = (ref for number in ordered for ref in members[number])
    return {ref: tuple(sorted(graph.predecessors(ref), key=place.__getitem__)) for ref in refs}


def _upward(element: Element, by_ref: Mapping[str, Element]) -> tuple[str, ...]:
    return (element.ref, *(one.ref for one in ancestors(element, by_ref)))


def _spread(elements: Sequence[Element], uses: Iterable[Relationship]) -> Any:
    from networkx import DiGraph

    known = {one.ref for one in elements}
    graph = DiGraph()
    for one in elements:
        graph.add_edge(("is", one.ref), ("in", one.ref), weight=0)
        if one.parent in known:
            graph.add_edge(("in", one.ref), ("in", one.parent), weight=0)
    for use in uses:
        if {use.source, use.target} <= known:
            graph.add_edge(("in", use.target), ("is", use.source), weight=1)
    return graph
