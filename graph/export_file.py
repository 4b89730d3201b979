"""The export file: JSON lines between a header and an end that seals them; the format is a promise (ADR 14).

Any change of a byte, any line that is missing or added is noticed before the end is reached.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from graph.claims import Anchor
from graph.errors import Fault, InvalidInput
from graph.frozen import Frozen
from graph.memories import State
from graph.scopes import Scope
from graph.stores.transfer import (
    AcceptedEntry,
    AnchorEntry,
    CitedEntry,
    Entry,
    EntryKind,
    LinkEntry,
    MemoryEntry,
    ProposalEntry,
    ServedEntry,
    SnapshotEntry,
    VectorsEntry,
)

FORMAT: Final = "archmem export"
VERSION = 1

_entry: TypeAdapter[Entry] = TypeAdapter(Annotated[Entry, Field(discriminator="kind")])
_NEXT = "export again, or give a whole file that `archmem export` wrote"


class Header(Frozen):
    """The first line; without a `project` the whole organisation, with an empty one its own part alone."""

    format: Literal["archmem export"] = FORMAT
    version: int = VERSION
    organisation: str
    project: str | None
    vectors: bool
    counts: Mapping[EntryKind, int]


def line_of(value: Frozen) -> bytes:
    """Return a header or an entry as its line."""
    return value.model_dump_json().encode() + b"\n"


class Seal:
    """The digest of the lines so far."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._lines = 0

    def add(self, line: bytes) -> None:
        """Take a line in."""
        self._digest.update(line)
        self._lines += 1

    def end(self) -> bytes:
        """Return the last line, which seals those before it."""
        return b'{"kind":"end","lines":%d,"sha256":"%s"}\n' % (self._lines, self.sha256.encode())

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


def read_header(lines: Iterable[bytes], name: str) -> Header:
    """Return the header of a file; raise InvalidInput for a foreign or a newer one."""
    try:
        found = json.loads(next(iter(lines), b""))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _refusal(name, [Fault(where=f"{name}:1", what="is no header of an export of archmem")])
    version = found.get("version")
    if isinstance(version, int) and version > VERSION:
        fault = Fault(where=f"{name}:1", what=f"is of format {version}; this archmem knows formats up to {VERSION}")
        raise _refusal(name, [fault], "upgrade archmem, then import the file")
    try:
        header = Header.model_validate(found)
    except ValidationError as error:
        raise _refusal(name, _told(error, f"{name}:1")) from error
    if header.version != VERSION:
        raise _refusal(name, [Fault(where=f"{name}:1", what=f"there is no format {header.version}")])
    return header


def read_entries(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, Entry]]:
    """Yield the entries with their line numbers; raise InvalidInput with every fault at the end.

    So what was yielded counts only when the end was reached.
    """
    rest = iter(lines)
    first = next(rest, b"")
    header = read_header((first,), name)
    seal, sense = Seal(), _Sense(header)
    seal.add(first)
    faults: list[Fault] = []
    number, held = 1, next(rest, b"")
    for following in rest:
        number += 1
        seal.add(held)
        where = f"{name}:{number}"
        try:
            entry = _entry.validate_json(held)
        except ValidationError as error:
            faults.extend(_told(error, where))
        else:
            if told := sense.missed(entry):
                faults.append(Fault(where=where, what=told))
            else:
                yield number, entry
        held = following
    where = f"{name}:{number + 1}"
    if not held.startswith(b'{"kind":"end"'):
        faults.append(Fault(where=where, what="is not the last line of an export: the file was cut short"))
    elif held != seal.end():
        faults.append(Fault(where=where, what="does not seal the lines above: some were changed, lost or added"))
    elif (counts := sense.counts()) != header.counts and not faults:
        faults.append(Fault(where=f"{name}:1", what=f"counts {dict(header.counts)}, but there are {counts}"))
    if faults:
        raise _refusal(name, faults)


class _Sense:
    """What was read so far, as far as later entries name it."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._counts: Counter[EntryKind] = Counter()
        self._live: dict[str, tuple[Scope, bool]] = {}
        self._states: set[tuple[Scope, str, str]] = set()

    def counts(self) -> dict[EntryKind, int]:
        return dict(self._counts)

    def missed(self, entry: Entry) -> str:
        """Return what keeps the entry from having sense here; nothing when it has."""
        self._counts[entry.kind] += 1
        scope = entry.scope
        if scope.organisation != self._header.organisation or self._header.project not in (None, scope.project):
            return f"belongs to {scope.organisation}/{scope.project}, which the header does not name"
        match entry:
            case MemoryEntry(record=record):
                self._live[record.id] = (scope, record.state is State.LIVE)
            case SnapshotEntry(anchor=Anchor() as anchor):
                self._states.add((scope, anchor.element, anchor.state))
            case VectorsEntry(memory=memory):
                return self._lost(memory, (scope,), is_live=True) or _uneven(entry)
            case LinkEntry(link=link):
                return self._lost(link.memory, (scope,))
            case ProposalEntry(proposal=proposal):
                return self._lost(proposal.memory, (scope,))
            case ServedEntry(memory=memory) | CitedEntry(memory=memory):
                return self._lost(memory, scope.visible)
            case AnchorEntry(memory=memory, element=element, state=state):
                return self._lost(memory, (scope,)) or self._stateless(scope, element, state)
            case AcceptedEntry(element=element, state=state):
                return self._stateless(scope, element, state)
        return ""

    def _lost(self, memory: str, scopes: tuple[Scope, ...], *, is_live: bool = False) -> str:
        home, live = self._live.get(memory, (None, False))
        if home in scopes and live >= is_live:
            return ""
        return f"names memory {memory}, which no line above has{' as a live one' if is_live else ''}"

    def _stateless(self, scope: Scope, element: str, state: str) -> str:
        is_known = (scope, element, state) in self._states
        return "" if is_known else f"names the state {state} of element {element}, which no line above has"


def _uneven(entry: VectorsEntry) -> str:
    sizes = len(entry.search), len(entry.content)
    return "" if sizes[0] == sizes[1] and sizes[0] and not sizes[0] % 4 else "holds no two vectors of one size"


def _told(error: ValidationError, where: str) -> list[Fault]:
    return [
        Fault(where=where, what=f"{'.'.join(map(str, one['loc'])) or 'the line'}: {one['msg']}")
        for one in error.errors(include_url=False, include_input=False)
    ]


def _refusal(name: str, faults: list[Fault], next_step: str = _NEXT) -> InvalidInput:
    return InvalidInput(
        f"{name} cannot be imported; nothing was written", id=faults[0].where, faults=faults, next_step=next_step
    )
