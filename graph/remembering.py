"""remember: store a fact, or confirm the memory that already holds it."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeVar

from graph.changing import Writer, anchors_of, keep, restated, superseded
from graph.claims import parse_claim
from graph.dedup import contradiction_signals, normalised
from graph.errors import ArchmemError, Fault, InvalidInput, KeyReused
from graph.finding import find, find_live, home, refuse_taken_title, show
from graph.heartbeat import hear
from graph.indexing import by_id, digest, embed
from graph.linking import attach_links, lead_on, make_links
from graph.memories import Checkout, Draft, EventKind, Memory
from graph.parts import Parts
from graph.pinning import find_pin
from graph.scopes import Scope
from graph.secrets import redact, secret_faults
from graph.stores.port import Embedding, ReadUnit, StoredElement, WriteUnit
from graph.terms import title_key
from graph.views import Remembered, Similar


class Replaced(NamedTuple):
    """What a new memory supersedes, by id or title (empty: nothing), and the version at which it was read."""

    name: str
    version: int | None


_BATCH = 64
_TEXTS = ("title", "content", "why", "how_to_apply", "when_to_use")
_NOTHING = Replaced("", None)

T = TypeVar("T")


def remember(
    parts: Parts,
    scope: Scope,
    draft: Draft,
    *,
    actor: str,
    checkout: Checkout | None = None,
    supersedes: str = "",
    version: int | None = None,
    key: str = "",
    session: str = "",
) -> Remembered:
    """Store a fact or confirm the one that is there; see MemoryGraph.remember."""
    asked = scope
    if supersedes:
        scope = home(parts, scope, supersedes)
    replaced = Replaced(supersedes, version)
    writer = Writer(actor=actor, checkout=checkout, session=session)
    request = digest(json.dumps([draft.model_dump(mode="json"), *replaced], sort_keys=True))

    def replay(unit: ReadUnit) -> Remembered | None:
        return _replayed(parts, unit, key, request) if key else None

    def prepare(unit: ReadUnit) -> Remembered | tuple[Memory, tuple[StoredElement, ...]]:
        return replay(unit) or draft_memory(parts, unit, draft, replaced, actor)

    prepared = parts.store.read(scope, prepare)
    if isinstance(prepared, Remembered):
        return prepared
    memory, stored = prepared
    # Embedding is slow, so it happens before the lock is taken; what it decides is looked up again inside.
    embedding = embed(parts, [(memory, by_id(stored))]).get(memory.id)

    def work(unit: WriteUnit) -> Remembered:
        done = replay(unit)
        if done is not None:
            return done
        answer = write_memory(parts, unit, memory, embedding, replaced, writer)
        if key:
            sealed = parts.codec.seal(scope, key, "reply", 1, answer.model_dump_json())
            unit.remember_reply(parts.codec.key(scope, key), request, sealed, parts.clock())
        return answer

    made = parts.store.write(scope, work)
    hear(parts, asked, session)
    return made


def remember_all(
    parts: Parts,
    scope: Scope,
    drafts: Iterable[Draft],
    *,
    actor: str,
    checkout: Checkout | None = None,
    session: str = "",
) -> Iterator[Remembered | ArchmemError]:
    """Store facts batch by batch, each batch embedded at once and kept whole; see MemoryGraph.remember_all."""
    writer = Writer(actor=actor, checkout=checkout, session=session)
    waiting = iter(drafts)
    while batch := list(islice(waiting, _BATCH)):
        yield from _remember_batch(parts, scope, batch, writer)
        hear(parts, scope, session)


def _remember_batch(
    parts: Parts, scope: Scope, batch: Sequence[Draft], writer: Writer
) -> list[Remembered | ArchmemError]:
    def prepare(unit: ReadUnit) -> list[tuple[Memory, tuple[StoredElement, ...]] | ArchmemError]:
        return [_or_refused(partial(draft_memory, parts, unit, one, _NOTHING, writer.actor)) for one in batch]

    prepared = parts.store.read(scope, prepare)
    made = embed(parts, [(one[0], by_id(one[1])) for one in prepared if not isinstance(one, ArchmemError)])

    def work(unit: WriteUnit) -> list[Remembered | ArchmemError]:
        # What is refused here has written nothing yet, so the others are kept.
        return [
            one
            if isinstance(one, ArchmemError)
            else _or_refused(partial(write_memory, parts, unit, one[0], made.get(one[0].id), _NOTHING, writer))
            for one in prepared
        ]

    return parts.store.write(scope, work)


def _or_refused(work: Callable[[], T]) -> T | ArchmemError:
    try:
        return work()
    except ArchmemError as error:
        return error


def draft_memory(
    parts: Parts, unit: ReadUnit, draft: Draft, replaced: Replaced, actor: str
) -> tuple[Memory, tuple[StoredElement, ...]]:
    """Return the memory that the draft describes, pins resolved, and the stored elements; raise with every fault."""
    draft = without_secrets(draft)
    faults = secret_faults(_written(draft))
    if not draft.content.strip():
        faults.append(Fault(where="content", what="is empty"))
    if not replaced.name and replaced.version is not None:
        faults.append(Fault(where="version", what="is given, but nothing that the memory supersedes"))
    claims = []
    for text in draft.claims:
        try:
            claims.append(parse_claim(text))
        except InvalidInput as error:
            faults.extend(error.faults)
    if faults:
        raise InvalidInput("the memory cannot be stored", next_step="correct each field named above", faults=faults)
    stored = unit.elements()
    pins = [one.id for name in draft.elements for one in find_pin(stored, name)]
    title, kind = draft.title, draft.kind
    if (old := _old(parts, unit, replaced)) is not None:
        given = draft.model_fields_set
        title = title if "title" in given else old.title
        kind = kind if "kind" in given else old.kind
        # Nobody could give a pin that left the model anew, so it is not handed on.
        present = {one.id for one in stored if one.retired_at is None}
        pins = pins if "elements" in given else [pin for pin in old.elements if pin in present]
    now = parts.clock()
    memory = Memory(
        id=parts.ids(),
        scope=unit.scope,
        kind=kind,
        title=title,
        content=draft.content,
        why=draft.why,
        how_to_apply=draft.how_to_apply,
        when_to_use=draft.when_to_use,
        claims=tuple(dict.fromkeys(claims)),
        elements=tuple(sorted(set(pins))),
        created_at=now,
        created_by=actor,
        confirmed_at=now,
        confirmed_by=actor,
        unreviewed=draft.unreviewed,
    )
    return memory, stored


def without_secrets(draft: Draft) -> Draft:
    """Return a captured draft with its secrets redacted; one that somebody wrote as it is, to be refused."""
    if not draft.unreviewed:
        return draft
    told = {name: value for name in _TEXTS if (value := redact(getattr(draft, name))) != getattr(draft, name)}
    claims = tuple(map(redact, draft.claims))
    return draft.model_copy(update=told if claims == draft.claims else {**told, "claims": claims})


def _written(draft: Draft) -> Iterator[tuple[str, str]]:
    yield from ((name, getattr(draft, name)) for name in _TEXTS)
    yield from ((f"claims.{number}", claim) for number, claim in enumerate(draft.claims))


def write_memory(
    parts: Parts,
    unit: WriteUnit,
    memory: Memory,
    embedding: Embedding | None,
    replaced: Replaced,
    writer: Writer,
) -> Remembered:
    """Keep a drafted memory, or confirm the one that holds its fact; what it replaces gives way."""
    old = _old(parts, unit, replaced)
    near = [pair for pair in _near(parts, unit, memory, embedding) if old is None or pair[0].id != old.id]
    same = _restated(parts, memory, near)
    if same is not None:
        if old is not None:
            # The fact is known elsewhere already: the old memory gives way to that one.
            superseded(parts, unit, old, same.id, writer)
            lead_on(unit, old.id, same.id)
        return _confirm_same(parts, unit, memory, same, writer, replaced=old.id if old else "")
    if memory.title:
        refuse_taken_title(parts, unit, memory.title, but=old.id if old else "")
    if old is not None:
        superseded(parts, unit, old, memory.id, writer)
    keep(parts, unit, memory, EventKind.CREATED, writer)
    if embedding is not None:
        unit.put_vectors(memory.id, embedding)
    unit.put_anchors(memory.id, anchors_of(unit, memory, writer.checkout))
    links = make_links(parts, unit, memory)
    unit.put_links(memory.id, links)
    if old is not None:
        lead_on(unit, old.id, memory.id)
    attached = attach_links(parts, unit, memory.title) if memory.title else 0
    return Remembered(
        memory=show(parts, unit, (memory,))[0],
        replaced=old.id if old else "",
        similar_to=tuple(
            Similar(id=m.id, title=m.title, content=m.content, cosine=round(cosine, 4), differs=_signs(memory, m))
            for m, cosine in near[: parts.policy.dedup.similar_shown]
        ),
        pending_links=tuple(
            parts.codec.open(memory.scope, link.id, "link", 1, link.raw) for link in links if not link.target
        ),
        attached=attached,
        embedded=embedding is not None,
    )


def _old(parts: Parts, unit: ReadUnit, replaced: Replaced) -> Memory | None:
    return find_live(parts, unit, replaced.name, replaced.version) if replaced.name else None


def _near(parts: Parts, unit: ReadUnit, memory: Memory, embedding: Embedding | None) -> list[tuple[Memory, float]]:
    """Return the near live memories of the scope with their cosine, nearest first; equal texts count as 1."""
    key = parts.codec.key(unit.scope, digest(normalised(memory.content)))
    cosine = dict.fromkeys(unit.same_content(key), 1.0)
    if embedding is not None:
        policy = parts.policy.dedup
        for name, value in unit.near_contents(embedding.content, embedding.model, policy.similar_at):
            cosine.setdefault(name, min(1.0, value))
    ordered = sorted(cosine, key=lambda name: (-cosine[name], name))
    return [(m, cosine[m.id]) for m in map(parts.codec.open_memory, unit.memories(ordered))]


def _restated(parts: Parts, memory: Memory, near: Sequence[tuple[Memory, float]]) -> Memory | None:
    """Return the memory that the new one only says again."""
    for known, cosine in near:
        if cosine >= parts.policy.dedup.confirm_at and not _signs(memory, known):
            return known
    return None


def _signs(memory: Memory, known: Memory) -> tuple[str, ...]:
    """Return every sign that the new memory says something else, or something more."""
    signs = [] if memory.kind is known.kind else ["kind"]
    signs.extend(contradiction_signals(memory.content, known.content))
    for field in ("why", "how_to_apply", "when_to_use"):
        told = getattr(memory, field)
        if told and normalised(told) != normalised(getattr(known, field)):
            signs.append(field)
    if not set(memory.claims) <= set(known.claims):
        signs.append("claims")
    if bool(memory.elements) != bool(known.elements):
        signs.append("pins")
    names = {title_key(name) for name in (known.title, *known.aliases)}
    if memory.title and known.title and title_key(memory.title) not in names:
        signs.append("title")
    return tuple(signs)


def _confirm_same(
    parts: Parts, unit: WriteUnit, memory: Memory, same: Memory, writer: Writer, *, replaced: str
) -> Remembered:
    """Confirm the memory that holds the fact: it takes over new pins, and the new title when it has none.

    Who writes deliberately what a machine had captured has looked at it.
    """
    update: dict[str, object] = {
        "elements": tuple(sorted({*same.elements, *memory.elements})),
        "unreviewed": same.unreviewed and memory.unreviewed,
    }
    is_new_name = bool(memory.title) and not same.title
    if is_new_name:
        refuse_taken_title(parts, unit, memory.title)
        update["title"] = memory.title
    kept = restated(parts, unit, same.model_copy(update=update), writer)
    return Remembered(
        memory=show(parts, unit, (kept,))[0],
        deduplicated=True,
        replaced=replaced,
        attached=attach_links(parts, unit, memory.title) if is_new_name else 0,
        embedded=parts.embedder is not None,
    )


def _replayed(parts: Parts, unit: ReadUnit, key: str, request: str) -> Remembered | None:
    found = unit.replayed(parts.codec.key(unit.scope, key))
    if found is None:
        return None
    if found[0] != request:
        raise KeyReused(
            f"the key {key!r} was used for another request", id=key, next_step="use a new key for a new request"
        )
    answer = Remembered.model_validate_json(parts.codec.open(unit.scope, key, "reply", 1, found[1]))
    # The memory may have changed since: a retry is told how it stands.
    now = show(parts, unit, (find(parts, unit, answer.memory.id),))[0]
    return answer.model_copy(update={"replayed": True, "memory": now})
