"""What a reader has to say about the files: faults, which refuse the model, and warnings, which do not."""

from graph.errors import Fault


class Findings:
    """Collects faults and warnings, each with its file and line, each once."""

    def __init__(self) -> None:
        self._faults: dict[Fault, None] = {}
        self._warnings: dict[Fault, None] = {}

    def fault(self, where: str, what: str) -> None:
        """Note that the model cannot be read because of this."""
        self._faults[Fault(where=where, what=what)] = None

    def warn(self, where: str, what: str) -> None:
        """Note that this was left out or read with a guess."""
        self._warnings[Fault(where=where, what=what)] = None

    def add(self, other: "Findings") -> None:
        """Take over what another reader noted."""
        self._faults |= other._faults
        self._warnings |= other._warnings

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(self._faults)

    @property
    def warnings(self) -> tuple[Fault, ...]:
        return tuple(self._warnings)
