"""The one family of errors: each says what was wrong, with which id, and the next step."""

from collections.abc import Sequence
from typing import ClassVar

from graph.frozen import Frozen


class Fault(Frozen):
    """One thing that is wrong: where it stands (`file:line`, a field, an id) and what it is."""

    where: str
    what: str


class ArchmemError(Exception):
    """Base of every error that a caller can meet; doors translate the class, never the text."""

    code: ClassVar[str] = "error"

    def __init__(self, what: str, *, next_step: str, id: str = "", faults: Sequence[Fault] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.id = id
        self.next_step = next_step
        self.faults = tuple(faults)

    def __str__(self) -> str:
        lines = [self.what, *(f"  {fault.where}: {fault.what}" for fault in self.faults)]
        return "\n".join([*lines, f"Next: {self.next_step}"])


class InvalidInput(ArchmemError):
    """The request cannot be understood; `faults` lists every fault."""

    code = "invalid_input"


class UnreadableModel(InvalidInput):
    """A model file cannot be read at all; `faults` lists file, line and reason."""

    code = "unreadable_model"


class Unknown(ArchmemError):
    """Nothing in this scope has that name; `candidates` are the near ones."""

    code = "unknown"

    def __init__(self, what: str, *, next_step: str, id: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(what, next_step=next_step, id=id)
        self.candidates = tuple(candidates)


class Ambiguous(ArchmemError):
    """Several things have that name; `candidates` lists them."""

    code = "ambiguous"

    def __init__(self, what: str, *, next_step: str, id: str, candidates: Sequence[str]) -> None:
        super().__init__(what, next_step=next_step, id=id)
        self.candidates = tuple(candidates)


class Conflict(ArchmemError):
    """What is stored forbids the change."""

    code = "conflict"


class DuplicateTitle(Conflict):
    """A live memory of the scope has this title already; `id` is that memory."""

    code = "duplicate_title"


class VersionConflict(Conflict):
    """Somebody changed the record since it was read."""

    code = "version_conflict"


class NotLive(Conflict):
    """The memory was superseded or archived; it is read, not changed."""

    code = "not_live"


class KeyReused(Conflict):
    """The client key was used before for another request."""

    code = "key_reused"


class Unauthorised(ArchmemError):
    """Nobody knows who asks: an access key is missing, or not good any more."""

    code = "unauthorised"


class Forbidden(ArchmemError):
    """Whoever asks may not do this."""

    code = "forbidden"


class TooMany(ArchmemError):
    """Somebody asked too often; `seconds` is how long to wait."""

    code = "too_many_requests"

    def __init__(self, what: str, *, next_step: str, seconds: float) -> None:
        super().__init__(what, next_step=next_step)
        self.seconds = seconds


class StoreMismatch(ArchmemError):
    """The store was written by another version of archmem, or is no store at all."""

    code = "store_mismatch"


class StoreBusy(ArchmemError):
    """Another process held the store for too long; nothing was written."""

    code = "store_busy"


class Unavailable(ArchmemError):
    """Something that is needed is not installed or does not answer."""

    code = "unavailable"


class CannotDecide(ArchmemError):
    """The facts at hand do not allow a verdict: neither kept nor violated."""

    code = "cannot_decide"
