"""How a memory is named by people and agents, and how it is shown to them."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from graph.drift_report import ClaimFinding, Finding
from graph.errors import Ambiguous, DuplicateTitle, NotLive, Unknown, VersionConflict
from graph.linking import live_end, successors
from graph.memories import Memory, State
from graph.parts import Parts
from graph.scopes import Scope
from graph.stores.port import Link, Named, ReadUnit, StoredElement
from graph.terms import title_key
from graph.views import LinkView, MemoryView

_LISTED_FOR_NEAR_NAMES = 2_000


def find(parts: Parts, unit: ReadUnit, name: str) -> Memory:
    """Return the memory with this id, title or alias, live ones first; raise Unknown with near titles, or Ambiguous."""
    by_name = unit.memories((name,))
    if by_name:
        return parts.codec.open_memory(by_name[0])
    named = unit.named(parts.codec.key(unit.scope, title_key(name)))
    for group in _groups(named):
        group = _last_of(unit, group)
        if len(group) == 1:
            return parts.codec.open_memory(unit.memories((group[0].memory,))[0])
        if group:
            raise Ambiguous(
                f"{name!r} names {len(group)} memories",
                id=name,
                next_step="give the id of one of the candidates",
                candidates=[one.memory for one in group],
            )
    raise Unknown(
        f"there is no memory {name!r} in this project",
        id=name,
        next_step="give its id or exact title",
        candidates=near_titles(parts, unit, name),
    )


def find_visible(parts: Parts, unit: ReadUnit, name: str) -> Memory:
    """Return the memory of this name in the unit's scope, else in the organisation's; raise Unknown or Ambiguous."""
    try:
        return find(parts, unit, name)
    except Unknown as failure:
        organisation = unit.organisation()
        if organisation is None:
            raise
        try:
            return find(parts, organisation, name)
        except Unknown:
            raise failure from None


def find_live(parts: Parts, unit: ReadUnit, name: str, version: int | None = None) -> Memory:
    """Return the live memory of this name; raise NotLive, naming its successor, or VersionConflict."""
    memory = find(parts, unit, name)
    if memory.state is not State.LIVE:
        successor = f", superseded by {memory.superseded_by}" if memory.superseded_by else ""
        raise NotLive(
            f"memory {memory.id} is {memory.state}{successor}",
            id=memory.id,
            next_step="use its successor" if successor else "write a new memory",
        )
    if version is not None and version != memory.version:
        raise VersionConflict(
            f"memory {memory.id} is at version {memory.version}, not {version}",
            id=memory.id,
            next_step="read the memory again and repeat the change",
        )
    return memory


def home(parts: Parts, scope: Scope, name: str) -> Scope:
    """Return the scope in which the memory of this name lives: the project's own, else the organisation's."""
    try:
        return parts.store.read(scope, lambda unit: find_visible(parts, unit, name)).scope
    except Unknown:
        return scope


def refuse_taken_title(parts: Parts, unit: ReadUnit, title: str, *, but: str = "") -> None:
    """Raise DuplicateTitle when another live memory than `but` has this title; an alias gives way to a title."""
    for named in unit.named(parts.codec.key(unit.scope, title_key(title))):
        if named.state is State.LIVE and not named.by_alias and named.memory != but:
            raise DuplicateTitle(
                f"the live memory {named.memory} has the title {title!r} already",
                id=named.memory,
                next_step="supersede it (`supersedes`), confirm it, or choose another title",
            )


def near_titles(parts: Parts, unit: ReadUnit, name: str) -> tuple[str, ...]:
    """Return the live titles that look like this one, nearest first."""
    return nearest(name, live_titles(parts, unit))


def live_titles(parts: Parts, unit: ReadUnit) -> dict[str, str]:
    """Return the titles of live memories, the oldest ones of too many, by how they are compared."""
    records = unit.listed((State.LIVE,), after="", limit=_LISTED_FOR_NEAR_NAMES)
    return {m.title.casefold(): m.title for m in map(parts.codec.open_memory, records) if m.title}


def nearest(name: str, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the titles that look like a name, nearest first."""
    return tuple(titles[near] for near in get_close_matches(name.casefold(), titles, n=5, cutoff=0.5))


def last_findings(unit: ReadUnit) -> tuple[dict[str, Finding], dict[str, list[ClaimFinding]]]:
    """Return what the last drift run found, by element's ref and by memory."""
    run = unit.last_run()
    claims: dict[str, list[ClaimFinding]] = {}
    for one in run.report.claims if run else ():
        claims.setdefault(one.asked.memory, []).append(one)
    return ({finding.ref: finding for finding in run.report.elements} if run else {}), claims


def successor(parts: Parts, unit: ReadUnit, memory: Memory) -> Memory | None:
    """Return the live memory at the end of the chain of successors; None when it was archived."""
    if memory.state is not State.SUPERSEDED:
        return memory if memory.state is State.LIVE else None
    return next(map(parts.codec.open_memory, unit.memories((live_end(unit, memory.superseded_by),))), None)


def show(parts: Parts, unit: ReadUnit, memories: Iterable[Memory]) -> tuple[MemoryView, ...]:
    """Return the memories as doors show them, with refs in place of ids and their links."""
    shown = tuple(memories)
    elements = {one.id: one for one in unit.elements()} if any(m.elements for m in shown) else {}
    links: dict[str, list[Link]] = {}
    for link in unit.links_from([m.id for m in shown]):
        links.setdefault(link.memory, []).append(link)
    names = target_names(parts, unit, [link for group in links.values() for link in group])
    return tuple(_view(parts, memory, elements, links.get(memory.id, ()), names) for memory in shown)


def target_names(parts: Parts, unit: ReadUnit, links: Sequence[Link]) -> dict[str, str]:
    """Return what each link's target is called."""
    wanted = {link.target_kind for link in links}
    names: dict[str, str] = {}
    if "memory" in wanted:
        records = unit.memories([link.target for link in links if link.target_kind == "memory"])
        names |= {m.id: m.title or m.id for m in map(parts.codec.open_memory, records)}
    if "element" in wanted:
        names |= {one.id: one.element.ref for one in unit.elements()}
    if "decision" in wanted:
        names |= {one.id: f"{one.decision.ref} {one.decision.title}".strip() for one in unit.decisions()}
    return names


def _view(
    parts: Parts,
    memory: Memory,
    elements: Mapping[str, StoredElement],
    links: Iterable[Link],
    names: Mapping[str, str],
) -> MemoryView:
    pinned = [elements[name] for name in memory.elements if name in elements]
    unknown = [name for name in memory.elements if name not in elements]
    shown = memory.model_dump(exclude={"scope", "claims", "elements"})
    return MemoryView(
        **shown,
        project=memory.scope.project,
        claims=tuple(str(claim) for claim in memory.claims),
        elements=tuple(sorted([*unknown, *(one.element.ref for one in pinned)])),
        retired_elements=tuple(sorted(one.element.ref for one in pinned if one.retired_at is not None)),
        links=tuple(
            LinkView(
                raw=parts.codec.open(memory.scope, link.id, "link", 1, link.raw),
                kind=link.target_kind,
                target=link.target,
                name=names.get(link.target, ""),
            )
            for link in links
        ),
    )


def _last_of(unit: ReadUnit, named: list[Named]) -> list[Named]:
    """Return those that no other of them took the place of: a merged memory's title is its successor's alias."""
    ids = {one.memory for one in named}
    return [one for one in named if ids.isdisjoint(successors(unit, one.superseded_by))] if len(named) > 1 else named


def _groups(named: Sequence[Named]) -> tuple[list[Named], ...]:
    live = [one for one in named if one.state is State.LIVE]
    return (
        [one for one in live if not one.by_alias],
        [one for one in live if one.by_alias],
        [one for one in named if one.state is not State.LIVE],
    )
