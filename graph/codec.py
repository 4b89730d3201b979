"""Between façade and store: what a person wrote becomes a sealed body, and names become look-up keys."""

from functools import lru_cache

from pydantic import Field, TypeAdapter

from graph.frozen import Frozen, Moment, is_empty
from graph.memories import Event, EventKind, Evidence, Kind, Memory, State
from graph.scopes import Scope

_WRITTEN = {"title", "content", "why", "how_to_apply", "when_to_use", "claims", "aliases"}
_written = TypeAdapter(dict[str, object])


class Record(Frozen):
    """A memory as a store keeps it: its place and state in the open, all that a person wrote in `body`."""

    id: str
    scope: Scope
    kind: Kind
    state: State
    version: int
    elements: tuple[str, ...]
    created_at: Moment
    created_by: str
    confirmed_at: Moment
    confirmed_by: str
    superseded_by: str
    drifted_at: Moment | None
    evidence: Evidence
    unreviewed: bool = Field(default=False, exclude_if=is_empty)
    body: str


class EventRecord(Frozen):
    """An event as a store keeps it."""

    id: str
    memory: str
    kind: EventKind
    at: Moment
    actor: str
    note: str
    session: str
    after: Record


class Codec:
    """Seals and opens what a person wrote: plain JSON, its keys the names themselves.

    A record's scope, id, field and version are what a sealed text is bound to, so every call passes them.
    """

    def __init__(self) -> None:
        # Recall opens the same few memories again and again.
        self._opened = lru_cache(maxsize=4_096)(self._open_memory)

    def seal(self, scope: Scope, record: str, field: str, version: int, text: str) -> str:  # noqa: ARG002
        """Return the text as it is stored."""
        return text

    def open(self, scope: Scope, record: str, field: str, version: int, stored: str) -> str:  # noqa: ARG002
        """Return the text that was sealed for this place."""
        return stored

    def key(self, scope: Scope, name: str) -> str:  # noqa: ARG002
        """Return the look-up key of a name: equal names of a scope have equal keys."""
        return name

    def seal_memory(self, memory: Memory) -> Record:
        """Return the memory as a store keeps it."""
        written = memory.model_dump_json(include=_WRITTEN, exclude_defaults=True)
        body = self.seal(memory.scope, memory.id, "body", memory.version, written)
        return Record(**memory.model_dump(exclude=_WRITTEN), body=body)

    def open_memory(self, record: Record) -> Memory:
        """Return the memory as it was written."""
        return self._opened(record)

    def _open_memory(self, record: Record) -> Memory:
        written = self.open(record.scope, record.id, "body", record.version, record.body)
        return Memory(**record.model_dump(exclude={"body"}), **_written.validate_json(written))

    def seal_event(self, event: Event) -> EventRecord:
        """Return the event as a store keeps it."""
        note = self.seal(event.after.scope, event.id, "note", 1, event.note)
        whole = event.model_dump(exclude={"after", "note"})
        return EventRecord(**whole, note=note, after=self.seal_memory(event.after))

    def open_event(self, record: EventRecord) -> Event:
        """Return the event as it was written."""
        note = self.open(record.after.scope, record.id, "note", 1, record.note)
        whole = record.model_dump(exclude={"after", "note"})
        return Event(**whole, note=note, after=self.open_memory(record.after))
