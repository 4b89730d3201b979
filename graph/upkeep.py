"""What keeps memories true: confirm, archive, rename, history, citations; and the list of projects."""

from collections.abc import Sequence
from datetime import timedelta

from graph.bounds import refuse
from graph.changing import Writer, archived, change, confirmed
from graph.errors import Ambiguous, Fault, InvalidInput, Unknown
from graph.finding import find, find_live, find_visible, home, refuse_taken_title, show
from graph.heartbeat import beat, hear
from graph.indexing import by_id, embed
from graph.linking import attach_links
from graph.memories import Checkout, EventKind, Memory, State
from graph.naming import exact, title_faults
from graph.parts import Parts
from graph.scopes import Project, Scope
from graph.secrets import secret_faults
from graph.stores.port import ReadUnit, WriteUnit
from graph.terms import title_key
from graph.views import HistoryEntry, MemoryView


def project(parts: Parts, organisation: str, identity: str) -> Project:
    """Return the project with this id or identity; raise Unknown with the known ones."""
    found = parts.store.find_project(organisation, identity)
    if found is None:
        raise Unknown(
            f"there is no project {identity!r}",
            id=identity,
            next_step="run `archmem init` in its repository, or name one of the known projects",
            candidates=[known.id for known in parts.store.projects(organisation)],
        )
    return found


def add_project(parts: Parts, organisation: str, identity: str, name: str, aliases: Sequence[str]) -> Project:
    """Return the project that the identity or an alias leads to, made when there is none; keep all as aliases."""
    identities = tuple(sorted({identity, *aliases}))
    known = next((p for p in (parts.store.find_project(organisation, one) for one in (identity, *aliases)) if p), None)
    if known is None:
        known = Project(
            organisation=organisation,
            id=identity,
            name=name or identity,
            identities=identities,
            created_at=parts.clock(),
        )
    elif set(identities) <= set(known.identities) and name in ("", known.name):
        return known
    else:
        merged = tuple(sorted({*known.identities, *identities}))
        known = known.model_copy(
            update={"name": name or known.name, "identities": merged, "version": known.version + 1}
        )
    parts.store.put_project(known)
    return known


def set_repository(parts: Parts, organisation: str, identity: str, repository: str, branch: str) -> Project:
    """Keep which repository a server checks for a project by itself, and the branch that it follows there."""
    known = project(parts, organisation, identity)
    if (repository, branch) == (known.repository, known.branch):
        return known
    changed = {"repository": repository, "branch": branch, "version": known.version + 1}
    kept = known.model_copy(update=changed)
    parts.store.put_project(kept)
    return kept


def memory(parts: Parts, scope: Scope, name: str) -> MemoryView:
    """Return one memory by id, title or alias, in any state."""

    def work(unit: ReadUnit) -> MemoryView:
        return show(parts, unit, (find(parts, unit, name),))[0]

    return parts.store.read(home(parts, scope, name), work)


def memories(parts: Parts, scope: Scope, *, states: Sequence[State], after: str, limit: int) -> tuple[MemoryView, ...]:
    """Return the scope's memories by id, after the given one."""

    def work(unit: ReadUnit) -> tuple[MemoryView, ...]:
        records = unit.listed(states, after=after, limit=limit)
        return show(parts, unit, map(parts.codec.open_memory, records))

    return parts.store.read(scope, work)


def confirm(
    parts: Parts,
    scope: Scope,
    name: str,
    *,
    actor: str,
    checkout: Checkout | None,
    version: int | None,
    session: str = "",
) -> MemoryView:
    """Say that it still holds."""
    writer = Writer(actor=actor, checkout=checkout, session=session)

    def work(unit: WriteUnit) -> MemoryView:
        known = find_live(parts, unit, name, version)
        return show(parts, unit, (confirmed(parts, unit, known, writer),))[0]

    view = parts.store.write(home(parts, scope, name), work)
    hear(parts, scope, session)
    return view


def archive(parts: Parts, scope: Scope, name: str, *, actor: str, reason: str, version: int | None) -> MemoryView:
    """Take it out of recall."""
    refuse("the memory cannot be archived", secret_faults([("reason", reason)]))

    def work(unit: WriteUnit) -> MemoryView:
        known = find_live(parts, unit, name, version)
        gone = archived(parts, unit, known, Writer(actor=actor), note=reason)
        return show(parts, unit, (gone,))[0]

    return parts.store.write(home(parts, scope, name), work)


def rename(parts: Parts, scope: Scope, name: str, title: str, *, actor: str, version: int | None) -> MemoryView:
    """Give it another title and keep the old one as an alias; embed it anew before the change is made."""
    scope, title = home(parts, scope, name), exact(title)
    faults = [Fault(where="title", what=what) for what in title_faults(title)] + secret_faults([("title", title)])
    if faults:
        raise InvalidInput("the memory cannot be renamed", id=name, next_step="give another title", faults=faults)

    def renamed(unit: ReadUnit) -> Memory:
        known = find_live(parts, unit, name, version)
        former = {title_key(t): t for t in (*known.aliases, known.title) if not title_faults(t)}
        former.pop(title_key(title), None)
        return known.model_copy(update={"title": title, "aliases": tuple(former.values())})

    draft, elements = parts.store.read(scope, lambda unit: (renamed(unit), by_id(unit.elements())))
    embedding = embed(parts, [(draft, elements)]).get(draft.id)

    def work(unit: WriteUnit) -> MemoryView:
        changed = renamed(unit)
        refuse_taken_title(parts, unit, title, but=changed.id)
        kept = change(parts, unit, changed, EventKind.RENAMED, Writer(actor=actor), note=title)
        if embedding is not None:
            unit.put_vectors(kept.id, embedding)
        attach_links(parts, unit, title)
        return show(parts, unit, (kept,))[0]

    return parts.store.write(scope, work)


def history(parts: Parts, scope: Scope, name: str) -> tuple[HistoryEntry, ...]:
    """Return its events, oldest first."""

    def work(unit: ReadUnit) -> tuple[HistoryEntry, ...]:
        events = [parts.codec.open_event(e) for e in unit.history(find(parts, unit, name).id)]
        views = show(parts, unit, [event.after for event in events])
        return tuple(
            HistoryEntry(kind=e.kind, at=e.at, actor=e.actor, note=e.note, session=e.session, after=view)
            for e, view in zip(events, views, strict=True)
        )

    return parts.store.read(home(parts, scope, name), work)


def cite(parts: Parts, scope: Scope, session: str, names: Sequence[str]) -> tuple[str, ...]:
    """Record what a session relied on; return the names that lead to no memory, or to several."""
    if not session.strip():
        raise InvalidInput("a citation needs a session's id", next_step="pass the session's id")

    def work(unit: WriteUnit) -> tuple[str, ...]:
        cited, unmatched = [], []
        for name in names:
            try:
                cited.append(find_visible(parts, unit, name).id)
            except (Ambiguous, Unknown):
                unmatched.append(name)
        beat(parts, unit, session)
        unit.cite(session, cited, parts.clock())
        return tuple(unmatched)

    return parts.store.write(scope, work)


def lease(parts: Parts, scope: Scope, name: str, holder: str, seconds: int) -> bool:
    """Take or renew a named lease; False while another holds it."""
    now = parts.clock()
    until = now + timedelta(seconds=seconds)
    return parts.store.write(scope, lambda unit: unit.lease(name, holder, until, now))
