"""Goes through the words of a LikeC4 file: what comes next, what was expected, and where to go on after a fault."""

from collections.abc import Callable
from typing import NoReturn

from graph.c4.findings import Findings
from graph.c4.likec4.tokens import Token, tokenize

_DEEPEST = 30
MOST_FAULTS = 100
SKIPPED = frozenset(("views", "deployment", "global", "likec4lib"))
TOP_LEVEL = SKIPPED | {"specification", "model"}


class Unexpected(Exception):
    """The text goes on in a way that the language does not know; a fault for it is noted."""


class TooMuch(Exception):
    """More faults than anyone reads."""


class Cursor:
    """The place in a file that is being read, and its faults."""

    def __init__(self, path: str, text: str, findings: Findings) -> None:
        self._path = path
        self._findings = findings
        self._tokens = list(tokenize(text))
        self.at = 0
        self._depth = 0
        self._faults = 0

    # -- words --------------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self._tokens[self.at]

    def ahead(self, count: int = 1) -> Token:
        return self._tokens[min(self.at + count, len(self._tokens) - 1)]

    @property
    def line(self) -> int:
        return self.token.line

    def next(self) -> Token:
        token = self.token
        if token.kind not in ("end", "unclosed"):
            self.at += 1
        return token

    def since(self, at: int) -> list[Token]:
        """Return the words from there to here."""
        return self._tokens[at : self.at]

    def sees(self, sign: str) -> bool:
        return self.token.kind == "sign" and self.token.text == sign

    def take(self, sign: str) -> bool:
        found = self.sees(sign)
        self.at += found
        return found

    def expect(self, sign: str, where: str) -> Token:
        if not self.sees(sign):
            self.refuse(f"`{sign}` {where}")
        return self.next()

    def word(self, what: str) -> str:
        if self.token.kind != "word":
            self.refuse(what)
        return self.next().text

    def refuse(self, expected: str) -> NoReturn:
        token = self.token
        found = token.text if token.kind in ("end", "unclosed") else f"`{token.text[:40]}`"
        if token.kind == "unclosed":
            self.fault(token.line, token.text)
        else:
            self.fault(token.line, f"expected {expected}, found {found}")
        raise Unexpected

    def fault(self, line: int, what: str) -> None:
        self._faults += 1
        if self._faults > MOST_FAULTS:
            raise TooMuch
        self._findings.fault(f"{self._path}:{line}", what)

    # -- going on after a fault ---------------------------------------------------------------------------------------

    def _resume(self, start: int) -> None:
        """Go to the next line that may begin something, past the blocks that open on the way."""
        self.at = max(self.at, start + 1) if self._tokens[start].kind not in ("end", "unclosed") else self.at
        while self.token.kind not in ("end", "unclosed") and not self.sees("}"):
            if self.sees("{"):
                self.skip_block()
            elif self.token.first:
                return
            else:
                self.at += 1

    def skip_block(self) -> None:
        """Skip a block with the blocks in it."""
        opened = self.next()
        depth = 1
        while depth and self.token.kind not in ("end", "unclosed"):
            depth += self.sees("{") - self.sees("}")
            self.at += 1
        if depth:
            self._never_closed(opened)

    def _never_closed(self, opened: Token) -> None:
        if self.token.kind == "unclosed":
            self.fault(self.token.line, self.token.text)
        else:
            self.fault(opened.line, "this `{` is never closed")

    def block(self, read: Callable[[], None]) -> None:
        """Read the members of a block, each with `read`, until the block closes."""
        opened = self.expect("{", "that opens a block")
        if self._depth >= _DEEPEST:
            self.fault(opened.line, f"blocks are nested more than {_DEEPEST} deep; this one was left out")
            self.at -= 1
            self.skip_block()
            return
        self._depth += 1
        while not self.sees("}") and self.token.kind not in ("end", "unclosed"):
            if self.begins_top_level():
                name = self.token.text
                self.fault(self.line, f"`{name}` inside another block: a `}}` is missing before it")
                break
            start = self.at
            try:
                read()
            except Unexpected:
                self._resume(start)
        else:
            if not self.take("}"):
                self._never_closed(opened)
        self._depth -= 1

    def begins_top_level(self) -> bool:
        opens = self.ahead().text == "{" or (self.token.text == "views" and self.ahead(2).text == "{")
        return self.token.kind == "word" and self.token.first and self.token.text in TOP_LEVEL and opens
