"""What a file says, apart from how it is laid out: a stream of atoms that two files share when they say the same."""

import re
from collections.abc import Iterator

from drift.layouts import MARKUP, PYTHON, SCRIPTS, STYLES, Breaks, Layout, layout_of
from drift.lexing import Kind
from drift.pieces import Piece, pieces

_BREAK, _DEEPER, _BACK, _GAP = "\n", "\n>", "\n<", " "
_CLOSERS = {")": "(", "]": "[", "}": "{"}
_OPENERS = frozenset(_CLOSERS.values())
_GLUE = frozenset("+-*/%&|^<>=!~?:.@$#\\")
_GOES_ON_AFTER = re.compile(r"[-+*/%&|^<=~:.,;([{]$|=>$|->$|(?<![!?])\?$")
_MAY_END = frozenset({"++", "--", "*", "&", "<"})
_GOES_ON_WITH = re.compile(r"(?!\.\.)[)\]},;.?:=|]|!=|&&|<=|>=")
_OPEN_WORDS = frozenset(
    "else do try finally in of instanceof new typeof case const let var val extends implements".split()
)
_FOLLOWING_WORDS = frozenset({"else", "catch", "finally"})
_HEADS = frozenset({"if", "for", "while", "with", "catch", "switch"})
_CALLED = frozenset({")", "]", ">"})
_PLAIN_STRING = re.compile(r"([A-Za-z]{0,3})(['\"])([^'\"\\\n]*)\2")
_BLANKS = re.compile(r"[ \t\f\v]+")
_SPACES = re.compile(r"\s+")
_ATTRIBUTE = re.compile(r"\w+|\S")
_STYLE_CLOSE = frozenset("{};,>")
_STYLE_OPEN = frozenset("{};,>:(")
_SHOWS_SPACE = re.compile(r"<(?:pre|textarea)\b|xml:space|white-space", re.I)


def normal_form(lexer: str, text: str) -> Iterator[str]:
    """Yield the atoms of a file lazily; the language must have a layout."""
    layout = layout_of(lexer)
    assert layout is not None, "only a language whose layout is known has a normal form"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text if text.endswith("\n") else f"{text}\n"
    if lexer in MARKUP and _SHOWS_SPACE.search(text):
        yield text
        return
    form = _Form(lexer, layout)
    for piece in pieces(lexer, layout, text):
        yield from form.atoms(piece)


class _Bracket:
    """An open bracket: whether it calls something, how many commas stood in it, whether it is left out."""

    __slots__ = ("called", "commas", "head", "left_out", "sign")

    def __init__(self, sign: str, called: bool, head: bool, left_out: bool) -> None:
        self.sign, self.called, self.head, self.left_out, self.commas = sign, called, head, left_out, 0


class _Form:
    """The state between atoms."""

    def __init__(self, lexer: str, layout: Layout) -> None:
        self._lexer, self._layout = lexer, layout
        self._page = layout
        self._open: list[_Bracket] = []
        self._columns = [0]
        self._last = ""  # the last piece's text, operators in a run joined
        self._last_kind = Kind.SPACE
        self._head_closed = False
        self._comma = False  # a comma that may prove to be a trailing one
        self._documents = ""  # a string that may prove to stand alone
        self._statement_starts = True
        self._block: tuple[int, int] | None = None  # YAML: a block scalar's owner's column, and its own
        self._before, self._script_opens = "", False  # a page's tags

    def atoms(self, piece: Piece) -> Iterator[str]:
        gap = self._gap(piece)
        starts = self._last_kind is Kind.SPACE or (bool(gap) and gap[-1][0] == _BREAK)
        if self._documents:
            if not starts and piece.text:
                yield self._documents
            elif gap == [_BREAK]:
                gap = []
            self._documents = ""
        if self._comma:
            self._comma = False
            if not self._is_trailing(piece.text):
                yield ","
        yield from gap
        if not piece.text:
            return
        self._statement_starts = starts
        if piece.kind is Kind.OPERATOR:
            yield from self._operators(piece)
        else:
            yield from self._word(piece)
        self._last_kind = piece.kind
        if self._lexer in MARKUP:
            self._follow_tags(piece)

    # what stands between two pieces

    def _gap(self, piece: Piece) -> list[str]:
        layout = self._layout
        if self._last_kind is Kind.SPACE:
            self._columns[0] = len(piece.indent.expandtabs(8))
            return [f"{_BREAK}{piece.indent}"] if layout.breaks is Breaks.EXACT else []
        if self._block is not None and (block := self._block_gap(piece)):
            return block
        if not piece.breaks:
            if self._lexer == "yaml" and self._last == "-" and self._statement_starts:
                return self._item(piece)
            return self._space(piece)
        if self._open and self._open[-1].sign in layout.joins:
            return self._space(piece)
        if layout.breaks is Breaks.NOTHING:
            ends = layout.preprocessor and self._last_kind is Kind.PREPROCESSOR
            return [_BREAK] if ends and piece.text else self._space(piece)
        if layout.breaks is Breaks.EXACT:
            return [f"{_BREAK}{piece.indent}"] if piece.text else []
        if not piece.text and layout.breaks is Breaks.ENDS:
            return []
        if layout.continues and self._goes_on(piece):
            return self._space(piece)
        return [_BREAK] if layout.breaks is Breaks.ENDS else self._indentation(piece)

    def _space(self, piece: Piece) -> list[str]:
        if not self._layout.spaces or not (piece.space or piece.breaks) or not piece.text:
            return []
        if self._lexer in STYLES and (piece.text[0] in _STYLE_CLOSE or self._last[-1] in _STYLE_OPEN):
            return []
        if self._lexer in MARKUP and piece.kind is Kind.OPERATOR and piece.text[0] in ">/":
            return []
        exact = self._lexer == "yaml" and piece.kind is self._last_kind is Kind.TEXT and not piece.breaks
        return [piece.space if exact else _GAP]

    def _goes_on(self, piece: Piece) -> bool:
        """Say whether a statement plainly goes on over a line break."""
        last, text = self._last, piece.text
        if piece.kind is Kind.KEYWORD and text in _FOLLOWING_WORDS:
            return True
        if piece.kind is Kind.OPERATOR and _GOES_ON_WITH.match(text):
            return True
        if self._last_kind is Kind.OPERATOR:
            if self._head_closed or (last == ")" and text == "{" and self._lexer in SCRIPTS):
                return True
            return last not in _MAY_END and bool(_GOES_ON_AFTER.search(last))
        return self._last_kind is Kind.KEYWORD and last in _OPEN_WORDS

    def _indentation(self, piece: Piece) -> list[str]:
        """Return how the block structure goes on at a line's first piece."""
        column = len(piece.indent.expandtabs(8)) if piece.text else 0
        found: list[str] = []
        while self._columns[-1] > column:
            self._columns.pop()
            found.append(_BACK)
        if self._columns[-1] < column:
            self._columns.append(column)
            return [*found, _DEEPER]
        return [*found, _BREAK]

    # YAML

    def _item(self, piece: Piece) -> list[str]:
        """Return how what follows a dash stands: its column opens a block for the lines below it."""
        if piece.kind is Kind.OPERATOR and piece.text[0] in "|>":
            return [_GAP]
        if piece.column > self._columns[-1]:
            self._columns.append(piece.column)
        return [_DEEPER]

    def _block_gap(self, piece: Piece) -> list[str]:
        """Return the gap before a line of a block scalar, which is text; empty past its end."""
        assert self._block is not None
        owner, column = self._block
        if not piece.breaks:
            return [piece.space] if piece.space else []
        indent = len(piece.indent)
        if not piece.text or indent <= owner:
            self._block = None
            return []
        if column < 0:
            column = indent
            self._block = owner, column
        return [f"{_BREAK * piece.breaks}{indent - column}"]

    # pieces

    def _word(self, piece: Piece) -> Iterator[str]:
        text, kind = piece.text, piece.kind
        self._last, self._head_closed = text, False
        if kind is Kind.STRING:
            if self._layout.quotes and (plain := _PLAIN_STRING.fullmatch(text)):
                text = f'{plain[1]}"{plain[3]}"'
            if self._lexer in PYTHON and self._statement_starts and not self._open:
                self._documents = text
                return
        elif kind is Kind.PREPROCESSOR:
            yield from self._preprocessor(text)
            return
        elif kind is Kind.INTERPOLATION:
            self._interpolation(text)
        elif kind is Kind.TEXT and self._layout.spaces and self._lexer != "yaml":
            text = _SPACES.sub(" ", text)
        yield text

    def _preprocessor(self, text: str) -> Iterator[str]:
        if not self._layout.preprocessor:
            yield from _ATTRIBUTE.findall(text) if '"' not in text and "'" not in text else [text.strip()]
            return
        # An escaped line end is a space; what stands in quotes stays.
        lines = [line.strip() for line in text.replace("\\\n", " ").split("\n")]
        for number, line in enumerate(filter(None, lines)):
            if number:
                yield _BREAK
            yield line if '"' in line or "'" in line else _BLANKS.sub(" ", line).replace("# ", "#", 1)

    def _interpolation(self, text: str) -> None:
        """Follow the brackets that open and close an expression inside of a string."""
        if text[-1] in _OPENERS:
            self._open.append(_Bracket(text[-1], called=False, head=False, left_out=False))
        elif text[-1] in _CLOSERS:
            self._close(text[-1])

    def _operators(self, piece: Piece) -> Iterator[str]:
        yaml = self._lexer == "yaml"
        if yaml and piece.text[0] in "|>" and piece.text[-1] not in _CLOSERS and not self._open:
            self._block = self._columns[-1], -1
        glued = self._last_kind is Kind.OPERATOR and not piece.space and not piece.breaks
        for sign in piece.text:
            joined = glued and sign in _GLUE and self._last[-1:] in _GLUE
            glued = True
            if sign in _OPENERS:
                left_out = self._opened(sign)
                if left_out:
                    self._last, self._head_closed = sign, False
                    continue
            elif sign in _CLOSERS:
                if self._comma:
                    self._comma = False
                    if not self._is_trailing(sign):
                        yield ","
                bracket = self._close(sign)
                self._head_closed = bracket is not None and bracket.head
                if bracket is not None and bracket.left_out:
                    self._last = sign
                    continue
                self._last = sign
                yield sign
                continue
            elif sign == "," and self._open and self._open[-1].sign in self._layout.trailing:
                if self._comma:
                    yield ","
                self._comma = self._last not in (",", *_OPENERS)
                self._open[-1].commas += 1
                self._last, self._head_closed = sign, False
                if not self._comma:
                    yield ","
                continue
            if self._comma:
                self._comma = False
                yield ","
            self._last = self._last + sign if joined else sign
            self._head_closed = False
            yield f"\0{sign}" if joined else sign

    def _opened(self, sign: str) -> bool:
        """Note an open bracket; say whether it means nothing (`from a import (b)`)."""
        left_out = sign == "(" and self._lexer in PYTHON and self._last == "import"
        called = self._last_kind is Kind.NAME or self._last in _CALLED
        head = sign == "(" and self._last in _HEADS and self._layout.breaks is Breaks.ENDS
        self._open.append(_Bracket(sign, called, head, left_out))
        return left_out

    def _close(self, sign: str) -> _Bracket | None:
        wanted = _CLOSERS[sign]
        for depth in range(len(self._open) - 1, -1, -1):
            if self._open[depth].sign == wanted:
                bracket = self._open[depth]
                del self._open[depth:]
                return bracket
        return None

    def _is_trailing(self, text: str) -> bool:
        """Say whether the comma before this text means nothing: what closes there is no tuple of one."""
        bracket = self._open[-1] if self._open else None
        if bracket is None or text[:1] not in _CLOSERS or _CLOSERS[text[0]] != bracket.sign:
            return False
        if bracket.commas > 1 or bracket.left_out or bracket.sign == "{":
            return True
        subscript = bracket.called and self._lexer in PYTHON
        return bracket.called if bracket.sign == "(" else not subscript

    def _follow_tags(self, piece: Piece) -> None:
        """Follow a page's tags: a script in it is laid out like a script."""
        if piece.kind is Kind.NAME and self._before in ("<", "/"):
            self._script_opens = self._before == "<" and piece.text.lower() == "script"
            if self._before == "/":
                self._layout = self._page
        elif piece.text.endswith(">") and self._script_opens:
            self._script_opens = False
            self._layout, self._last_kind = layout_of("javascript") or self._page, Kind.SPACE
        self._before = piece.text[-1]
