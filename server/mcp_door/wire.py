"""Standard input and output as the protocol's own: nothing else in the process can write between its lines.

Only the standard library is imported here: a client waits for the first answer.
"""

import os
import sys
from typing import BinaryIO

LONGEST = 4 * 2**20
"""How many bytes a message may have, as over HTTP."""


class Wire:
    """Lines in and out, as bytes."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    @classmethod
    def claim(cls) -> "Wire":
        """Take the streams for the protocol: what others print goes to standard error, what they read is empty.

        That holds for C libraries and for programs that are started, too, since the descriptors themselves are turned.
        """
        if sys.stdout is not None:
            sys.stdout.flush()
        incoming, outgoing = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return cls(os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb"))

    @property
    def is_typed(self) -> bool:
        """Whether a person writes the lines."""
        return self._incoming.isatty()

    def read(self) -> bytes | None:
        """Return the next line that is not blank, None at the end; of one that is too long, only more than LONGEST."""
        while line := self._incoming.readline(LONGEST + 1):
            if len(line) > LONGEST:
                self._skip_line(line)
            if line.strip():
                return line
        return None

    def write(self, message: bytes) -> None:
        """Write a message, which holds no line feed, as a line."""
        self._outgoing.write(message + b"\n")
        self._outgoing.flush()

    def _skip_line(self, begun: bytes) -> None:
        while begun and not begun.endswith(b"\n"):
            begun = self._incoming.readline(LONGEST)
