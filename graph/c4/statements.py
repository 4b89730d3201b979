"""From lines to statements: the words, the identifier before `=`, and whether a block opens."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from graph.c4.lines import Line, Token, substitute, tokenize


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its words without the identifier and the brace, constants put in."""

    line: Line
    words: tuple[str, ...]
    identifier: str = ""
    opens: bool = False
    closes: bool = False

    @property
    def keyword(self) -> str:
        return self.words[0].lower() if self.words else ""

    def word(self, index: int, default: str = "") -> str:
        """Return a word, or the default when the statement is shorter."""
        return self.words[index] if index < len(self.words) else default


def statements(line: Line, constants: Mapping[str, str], warn: Callable[[str, str], None]) -> Iterator[Statement]:
    """Yield the statements of a line: one, or three when a whole block stands on it (`person "A" { tags "b" }`)."""
    tokens = _without_comment(line, tokenize(line), warn)
    opening = next((i for i, token in enumerate(tokens[:-1]) if _is(token, "{")), -1)
    parts = [tokens]
    if opening > 0 and _is(tokens[-1], "}"):
        warn(line.where, "a whole block on one line; other tools refuse it")
        parts = [tokens[: opening + 1], tokens[opening + 1 : -1], tokens[-1:]]
    elif opening > 0:
        warn(line.where, "what follows `{` on its line was left out")
        parts = [tokens[: opening + 1]]
    for part in parts:
        if part:
            yield _statement(line, part, constants)


def _statement(line: Line, tokens: list[Token], constants: Mapping[str, str]) -> Statement:
    if _is(tokens[0], "}"):
        return Statement(line, (), closes=True)
    opens = _is(tokens[-1], "{")
    words = tuple(_unescape(substitute(token.text, constants)) for token in (tokens[:-1] if opens else tokens))
    if len(tokens) >= 3 and len(words) >= 2 and words[1] == "=" and not tokens[1].quoted:
        return Statement(line, words[2:], identifier=words[0], opens=opens)
    return Statement(line, words, opens=opens)


def _unescape(word: str) -> str:
    return word.replace('\\"', '"').replace("\\n", "\n")


def _without_comment(line: Line, tokens: list[Token], warn: Callable[[str, str], None]) -> list[Token]:
    """Cut a comment after a statement: not in the language, but written. The second word may be a value, `/` say."""
    for index, token in enumerate(tokens):
        if index >= 2 and not token.quoted and (token.text.startswith("//") or token.text == "#"):
            warn(line.where, "a comment after a statement; other tools refuse it")
            return tokens[:index]
    return tokens


def _is(token: Token, mark: str) -> bool:
    return token.text == mark and not token.quoted
