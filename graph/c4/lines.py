"""The lexical rules of the Structurizr DSL: decoding, logical lines, tokens, substitution."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

_LINE_END = re.compile(r"\r\n|\n|\r")
_COMMENT = re.compile(r"\s*(//|#)")
_NAME = re.compile(r"\$\{([a-zA-Z0-9\-_.]+?)\}")
_TEXT_BLOCK = '"""'
# A quote after a backslash ends no word. White space is Java's, to which a no-break space is a letter.
_SPACE = r"\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000"
_TOKEN = re.compile(rf'"([^"]*(?:(?<=\\)"[^"]*)*)"?|([^{_SPACE}"][^{_SPACE}]*)')
_LONGEST_TOKEN = 20_000


@dataclass(frozen=True, slots=True)
class Line:
    """A logical line and where it begins; `block` is the text block that ends it, `unclosed` if nothing ended that."""

    file: str
    number: int
    text: str
    block: str | None = None
    unclosed: bool = False

    @property
    def where(self) -> str:
        return f"{self.file}:{self.number}"


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a line; a quoted one is never punctuation."""

    text: str
    quoted: bool = False


def decode(content: bytes) -> tuple[str, bool]:
    """Return the text, and whether it had to be read as Latin-1 because it is no UTF-8; NUL is in no text."""
    text, is_latin1 = _decoded(content)
    return text.replace("\0", "\ufffd"), is_latin1


def _decoded(content: bytes) -> tuple[str, bool]:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace"), False
    try:
        return content.decode("utf-8-sig"), False
    except UnicodeDecodeError:
        return content.decode("latin-1"), True


def physical_lines(file: str, text: str) -> Iterator[Line]:
    """Yield every line as it stands, blank ones too."""
    return (Line(file, number, row) for number, row in enumerate(_LINE_END.split(text), start=1))


def logical_lines(file: str, text: str) -> Iterator[Line]:
    """Yield the lines with continuations joined and text blocks attached, without blank and `//` or `#` lines."""
    joined = ""
    start = 0
    rows = enumerate(_LINE_END.split(text), start=1)
    for number, row in rows:
        comment = _COMMENT.match(row) is not None
        start = start or number
        if not comment and row.endswith("\\"):
            joined += row[:-1]
            continue
        # White space is taken only from the line that ends the statement: inside quotes the others keep theirs.
        joined += row.lstrip() if joined else row
        if not comment and row.endswith(_TEXT_BLOCK):
            yield _with_block(Line(file, start, joined[: -len(_TEXT_BLOCK)]), rows)
        elif joined.strip() and not _COMMENT.match(joined):
            yield Line(file, start, joined)
        joined, start = "", 0
    if joined.strip():
        yield Line(file, start, joined)


def _with_block(line: Line, rows: Iterator[tuple[int, str]]) -> Line:
    if _TEXT_BLOCK in line.text:  # opened and closed on one line
        before, within = line.text.split(_TEXT_BLOCK, 1)
        return replace(line, text=before, block=within)
    block: list[str] = []
    indent = -1
    for _, row in rows:
        if row.endswith(_TEXT_BLOCK):
            break
        if indent < 0:
            indent = len(row) - len(row.lstrip())
        block.append(row[indent:])
    else:
        return replace(line, block="\n".join(block), unclosed=True)
    return replace(line, block="\n".join(block))


def tokenize(line: Line) -> list[Token]:
    """Return the words of a line: split at white space, `"` opens a quoted word only where a word begins."""
    tokens = [
        Token(match[1] if match[2] is None else match[2], quoted=match[2] is None)
        for match in _TOKEN.finditer(line.text.strip())
    ]
    if line.block is not None:
        tokens.append(Token(line.block, quoted=True))
    return tokens


def split_tags(word: str) -> list[str]:
    """Return the tags of a word that lists them with commas."""
    return [tag.strip() for tag in word.split(",") if tag.strip()]


def substitute(text: str, names: Mapping[str, str]) -> str:
    """Return the text with `${NAME}` replaced by what `!const` and `!var` gave; an unknown name stays as it is."""
    if "${" not in text:
        return text
    length = len(text)

    def put(match: re.Match[str]) -> str:
        # A variable can be defined by itself twice over; without a bound its value doubles with every line.
        nonlocal length
        value = names.get(match[1], match[0])
        length += len(value)
        return value if length <= _LONGEST_TOKEN else match[0]

    return _NAME.sub(put, text)
