"""What wiki links lead to: decided when they are written, when a name appears, and when what they led to is gone."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from graph.codec import Codec
from graph.memories import Memory, State
from graph.naming import exact, folded
from graph.parts import Parts
from graph.stores.port import Link, ReadUnit, TargetKind, WriteUnit
from graph.terms import title_key
from graph.wiki_links import find_links, link_targets

Target = tuple[TargetKind, str]


def make_links(parts: Parts, unit: ReadUnit, memory: Memory) -> tuple[Link, ...]:
    """Return the memory's links, each resolved as far as it can be; a link to itself is none."""
    found = find_links("\n".join((memory.content, memory.why, memory.how_to_apply, memory.when_to_use)))
    if not found:
        return ()
    targets = Targets(parts.codec, unit)
    links = []
    for link in found:
        name, scope = parts.ids(), memory.scope
        keys = tuple(dict.fromkeys(parts.codec.key(scope, title_key(target)) for target in link.targets))
        kind, target = targets.resolve(link.targets)
        if target != memory.id:
            raw = parts.codec.seal(scope, name, "link", 1, link.raw)
            links.append(Link(id=name, memory=memory.id, raw=raw, keys=keys, target_kind=kind, target=target))
    return tuple(links)


def attach_links(parts: Parts, unit: WriteUnit, title: str) -> int:
    """Resolve again every link that may name this title; return how many led nowhere before."""

    def naming(one: WriteUnit) -> tuple[Link, ...]:
        return one.links_naming((parts.codec.key(one.scope, title_key(title)),))

    return sum(_resolve(parts, one, naming(one)) for one in _reached_from(unit))


def attach_pending(parts: Parts, unit: WriteUnit) -> int:
    """Resolve again every link that leads nowhere; return how many lead somewhere now."""
    return _resolve(parts, unit, unit.pending_links())


def let_go(parts: Parts, unit: WriteUnit, gone: str) -> None:
    """Resolve again the links that led to a memory which is no longer live."""
    for one in _reached_from(unit):
        _resolve(parts, one, one.links_to((gone,)))


def lead_on(unit: WriteUnit, old: str, successor: str) -> None:
    """Lead the links that led to a memory to its successor; the successor's own become pending."""
    for one in _reached_from(unit):
        for link in one.links_to((old,)):
            is_own = link.memory == successor
            one.attach(link.id, None if is_own else "memory", "" if is_own else successor)


def live_end(unit: ReadUnit, name: str) -> str:
    """Return the id of the live memory at the end of the chain of successors; empty when it was archived."""
    last = list(successors(unit, name))[-1:]
    return next((one.id for one in unit.memories(last) if one.state is State.LIVE), "")


def successors(unit: ReadUnit, name: str) -> Iterator[str]:
    """Yield the chain of memories that begins with this one (by id), each superseded by the next."""
    seen: set[str] = set()
    while name and name not in seen:
        seen.add(name)
        yield name
        name = next((record.superseded_by for record in unit.memories((name,))), "")


class Targets:
    """What a name leads to, never fuzzy: the scope's memory, element or decision, else the organisation's memory."""

    def __init__(self, codec: Codec, unit: ReadUnit) -> None:
        self._codec = codec
        self._unit = unit
        self._organisation = unit.organisation()
        self._elements = _Spelled()
        self._decisions = _Spelled()
        for one in unit.elements():
            if one.retired_at is None:
                self._elements.add(("element", one.id), (one.element.ref, one.element.name))
        for known in unit.decisions():
            if known.retired_at is None:
                self._decisions.add(("decision", known.id), (known.decision.ref, known.decision.title))

    def resolve(self, names: Sequence[str]) -> Target | tuple[None, str]:
        """Return what the first telling name leads to; nothing when that name is ambiguous."""
        for name in names:
            for found in self._groups(name):
                if found:
                    return next(iter(found)) if len(found) == 1 else (None, "")
        return None, ""

    def _groups(self, name: str) -> Iterator[set[Target]]:
        """Yield what has the name, rank by rank; the first rank with anything in it decides."""
        yield from self._memories(self._unit, name)
        for spelling in (exact, folded):
            yield self._elements.called(name, spelling)
            yield self._decisions.called(name, spelling)
        if self._organisation is not None:
            yield from self._memories(self._organisation, name)

    def _memories(self, unit: ReadUnit, name: str) -> Iterator[set[Target]]:
        named = unit.named(self._codec.key(unit.scope, title_key(name)))
        yield {("memory", one.memory) for one in named if one.state is State.LIVE and not one.by_alias}
        yield {("memory", one.memory) for one in named if one.state is State.LIVE and one.by_alias}
        ends = (live_end(unit, one.superseded_by) for one in named if one.state is State.SUPERSEDED)
        yield {("memory", end) for end in ends if end}


class _Spelled:
    """Elements or decisions by their names, exactly and folded."""

    def __init__(self) -> None:
        self._known: dict[tuple[Callable[[str], str], str], set[Target]] = {}

    def add(self, target: Target, names: Iterable[str]) -> None:
        for name in filter(folded, names):
            for spelling in (exact, folded):
                self._known.setdefault((spelling, spelling(name)), set()).add(target)

    def called(self, name: str, spelling: Callable[[str], str]) -> set[Target]:
        return self._known.get((spelling, spelling(name)), set())


def _reached_from(unit: WriteUnit) -> tuple[WriteUnit, ...]:
    """Return the scopes whose links may lead to a memory of this one: its own, then an organisation's projects.

    Its own comes first: a project sees the organisation's links too, and they are settled by then.
    """
    return (unit, *unit.projects())


def _resolve(parts: Parts, unit: WriteUnit, links: Sequence[Link]) -> int:
    """Lead each link to what it names now; one that leads to a live memory stays, whatever has the name by now."""
    if not links:
        return 0
    targets = Targets(parts.codec, unit)
    led_to = unit.memories([link.target for link in links if link.target_kind == "memory"])
    live = {record.id for record in led_to if record.state is State.LIVE}
    attached = 0
    for link in links:
        raw = parts.codec.open(unit.scope, link.id, "link", 1, link.raw)
        kind, target = targets.resolve(link_targets(raw))
        if target == link.memory:
            kind, target = None, ""
        # An element or a decision gives way to a memory, and to nothing else.
        may_move = kind == "memory" or link.target_kind in (None, "memory")
        if link.target not in live and may_move and target != link.target:
            unit.attach(link.id, kind, target)
            attached += not link.target
    return attached
