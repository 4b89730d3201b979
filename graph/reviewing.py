"""The review inbox: what a person should look at, each entry with its reason in words and what fits to be done."""

from collections.abc import Mapping, Sequence

from graph.dedup import contradiction_signals
from graph.errors import Fault, InvalidInput
from graph.finding import last_findings, live_titles, nearest, show
from graph.parts import Parts
from graph.proposing import opened
from graph.quoting import HEADER, age, one_line, quote_memory, quoted, warnings
from graph.review_views import Action, Inbox, InboxEntry
from graph.reviews import Proposal, Why
from graph.scopes import Scope
from graph.stores.port import Ignored, Link, NearPair, ReadUnit
from graph.views import MemoryView
from graph.waiting import Waiting, Waits, order_of, vectors_of
from graph.wiki_links import link_targets

_NOTHING = "Nothing waits for a look."
_NEAR_TITLES = 3
_ACTIONS: Mapping[Why, tuple[Action, ...]] = {
    Why.DRIFTED: ("confirm", "supersede", "archive", "dismiss"),
    Why.IGNORED: ("supersede", "archive", "dismiss"),
    Why.UNREVIEWED: ("confirm", "supersede", "archive", "dismiss"),
    Why.PROPOSED: ("accept", "reject"),
    Why.NEAR_DUPLICATE: ("merge", "archive", "dismiss"),
    Why.PENDING_LINK: ("remember", "supersede", "dismiss"),
}
WORDS: Mapping[Why, str] = {
    Why.DRIFTED: "drifted",
    Why.IGNORED: "ignored",
    Why.UNREVIEWED: "unreviewed",
    Why.PROPOSED: "proposed",
    Why.NEAR_DUPLICATE: "near duplicate",
    Why.PENDING_LINK: "pending link",
}


def inbox(
    parts: Parts, scope: Scope, *, why: Sequence[Why], after: str, limit: int | None, budget: int | None
) -> Inbox:
    """Return one page of the exact scope's inbox; see WorkGraph.inbox."""
    policy = parts.policy.inbox
    limit = policy.limit if limit is None else limit
    faults = []
    if not 1 <= limit <= policy.max_limit:
        faults.append(Fault(where="limit", what=f"is not from 1 to {policy.max_limit}"))
    if budget is not None and budget < 1:
        faults.append(Fault(where="budget", what="is not a positive number of characters"))
    if faults:
        raise InvalidInput("the inbox cannot be listed", next_step="correct each field named above", faults=faults)
    start = order_of(after) if after else None
    model = vectors_of(parts)

    def work(unit: ReadUnit) -> Inbox:
        waits = Waits(parts, unit, model)
        waiting = {one: waits.of(one) for one in Why if not why or one in why}
        rest = [one for group in waiting.values() for one in group if start is None or one.order > start]
        page = _Page(parts, unit, rest[:limit])
        counts = {one: len(group) for one, group in waiting.items()}
        return page.tell(counts, waits.notices, budget, more=len(rest) > limit)

    return parts.store.read(scope, work)


class _Page:
    """Some entries of the inbox, told on one consistent view of the store."""

    def __init__(self, parts: Parts, unit: ReadUnit, waiting: Sequence[Waiting]) -> None:
        self._parts = parts
        self._unit = unit
        self._waiting = waiting
        self._now = parts.clock()
        names = [one.memory for one in waiting]
        names += [one.of.other for one in waiting if isinstance(one.of, NearPair)]
        records = unit.memories(tuple(dict.fromkeys(names)))
        self._views = {view.id: view for view in show(parts, unit, map(parts.codec.open_memory, records))}
        is_ground_told = any(one.why is Why.DRIFTED for one in waiting)
        self._findings, self._claims = last_findings(unit) if is_ground_told else ({}, {})
        has_links = any(one.why is Why.PENDING_LINK for one in waiting)
        self._titles = live_titles(parts, unit) if has_links else {}

    def tell(self, counts: Mapping[Why, int], notices: Sequence[str], budget: int | None, *, more: bool) -> Inbox:
        told = [f"{count} {WORDS[why]}" for why, count in counts.items() if count]
        lines = [f"Waiting for a look: {', '.join(told)}.", HEADER] if told else [_NOTHING]
        lines += [f"({notice})" for notice in notices]
        left = None if budget is None else budget - sum(len(line) + 1 for line in lines)
        entries: list[InboxEntry] = []
        last = ""
        for one in self._waiting:
            entry = self._entry(one)
            text = self._quote(entry)
            if left is not None:
                left -= len(text) + 1
                if left < 0 and entries:
                    more = True
                    break
                # The first entry is told in any case, as far as it goes.
                text = text if left >= 0 else f"{text[: max(0, len(text) + left - 1)]}…"
            entries.append(entry)
            lines.append(text)
            last = one.place
        if more:
            lines.append(f"(more; continue after {last})")
        return Inbox(
            counts=counts,
            entries=tuple(entries),
            next=last if more else "",
            notices=tuple(notices),
            text="\n".join(lines),
        )

    def _entry(self, one: Waiting) -> InboxEntry:
        memory, actions = self._views[one.memory], _ACTIONS[one.why]
        match one.of:
            case Ignored(_, served_to, reported_to):
                said = f"served to {served_to} sessions; none cited it, though {reported_to} told what they used"
                return InboxEntry(
                    why=one.why,
                    said=said,
                    actions=actions,
                    memory=memory,
                    served_to=served_to,
                    reported_to=reported_to,
                )
            case NearPair(_, other, cosine):
                second = self._views[other]
                return InboxEntry(
                    why=one.why,
                    said=_likeness(memory, second, cosine),
                    actions=actions,
                    memory=memory,
                    other=second,
                    cosine=cosine,
                )
            case Link():
                return self._link(one, one.of)
            case Proposal():
                return self._proposal(one, one.of)
        if one.why is Why.DRIFTED:
            policy = self._parts.policy.ranking
            marks = warnings(memory, self._findings, policy, self._claims.get(memory.id, ()))
            said = " ".join(mark[1:-1] for mark in marks)
        else:
            who = f"{one_line(memory.created_by)}, {age(memory.created_at, self._now)}"
            said = f"captured by {who}; nobody has looked at it yet"
        return InboxEntry(why=one.why, said=said, actions=actions, memory=memory)

    def _link(self, one: Waiting, link: Link) -> InboxEntry:
        raw = self._parts.codec.open(self._unit.scope, link.id, "link", 1, link.raw)
        near = nearest(link_targets(raw)[-1], self._titles)[:_NEAR_TITLES]
        helping = f"; titles like it: {', '.join(near)}" if near else ""
        return InboxEntry(
            why=one.why,
            said=f"links to [[{one_line(raw)}]], which nothing is called, or more than one thing{helping}",
            actions=_ACTIONS[one.why],
            memory=self._views[one.memory],
            link=raw,
            near=near,
        )

    def _proposal(self, one: Waiting, proposal: Proposal) -> InboxEntry:
        memory = self._views[one.memory]
        told = opened(self._parts, self._unit.scope, proposal)
        reason = f": {one_line(told.reason)}" if told.reason else ""
        said = f"{one_line(told.by)} proposes to {told.kind} it{reason}"
        actions = _ACTIONS[one.why]
        if memory.state != "live":
            said, actions = f"{said} (it is {memory.state} by now)", ("reject",)
        return InboxEntry(why=one.why, said=said, actions=actions, memory=memory, proposal=told)

    def _quote(self, entry: InboxEntry) -> str:
        """Return an entry as an agent reads it; what people wrote is quoted, so that none can forge another one."""
        what = f"{WORDS[entry.why]}: {one_line(entry.said)} ({' | '.join(entry.actions)})"
        lines = [what]
        for memory in (entry.memory, entry.other):
            if memory is not None:
                # What was found about its ground is said above.
                told = quote_memory(memory, self._now, {}, self._parts.policy.ranking)
                lines.append(f"  {memory.id}\n{told}")
        if entry.proposal is not None:
            proposed = entry.proposal.draft
            lines.append(f"  proposal {entry.proposal.id}{f': {quoted(proposed.content)}' if proposed else ''}")
        return "\n".join(lines)


def _likeness(one: MemoryView, other: MemoryView, cosine: float) -> str:
    signs = contradiction_signals(one.content, other.content)
    differs = f"they differ in {', '.join(signs)}" if signs else "they say the same"
    return f"{cosine:.0%} alike; {differs}"
