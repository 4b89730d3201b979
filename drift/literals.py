"""Literals as they are equal in any language: quotes, digits' separators and suffixes do not count."""

import re
from dataclasses import dataclass

_NUMBER = re.compile(
    r"([+-]?)(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_']*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d+)"
)
_SUFFIX = re.compile(r"(?:[uU]?[lL]{1,2}|[uU]|[fFdDmMn]|[iu](?:8|16|32|64|128|size)|f32|f64)$")
_QUOTED = re.compile(r"""[rRbBuU]?(\"\"\"|'''|["'`])(.*)\1""", re.DOTALL)
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), "true"),
    **dict.fromkeys(("false", "False", "FALSE"), "false"),
    **dict.fromkeys(("null", "None", "nil", "NULL", "nullptr"), "null"),
}
_NAME = re.compile(r"[A-Za-z_$]")


def literal(text: str) -> str:
    """Return one spelling of a number, a quoted text, a truth or nothing; empty for what is no literal."""
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    quoted = _QUOTED.fullmatch(text)
    if quoted and quoted[1] not in quoted[2]:
        return f'"{quoted[2]}"'
    return _number(text)


@dataclass(frozen=True)
class Value:
    """What a name is given: as written, its literal's one spelling (empty when it is computed), and its tokens."""

    written: str
    literal: str
    tokens: tuple[str, ...]

    @classmethod
    def of(cls, written: str, tokens: tuple[str, ...]) -> "Value":
        """Return the value that an expression spells."""
        return cls(" ".join(written.split()), literal(written), tokens)

    @property
    def plain(self) -> str:
        """As it is written, a text without its quotes."""
        return self.literal[1:-1] if self.literal.startswith('"') else self.written

    def is_like(self, claimed: str) -> bool:
        """Say whether a claim's value is this one; a claim may leave a text's quotes out."""
        wanted = literal(claimed) or claimed
        if self.literal:
            return self.literal in (wanted, f'"{claimed.strip()}"')
        return _bare(self.written) == _bare(claimed)

    def holds(self, claimed: str) -> bool:
        """Say whether a computed value has the claimed literal in it."""
        wanted = literal(claimed)
        return bool(wanted) and any(literal(token) == wanted for token in self.tokens)

    @property
    def shape(self) -> tuple[str, ...]:
        """Its tokens with every literal left open."""
        return tuple("…" if literal(token) else token for token in self.tokens)

    @property
    def is_constant(self) -> bool:
        """Whether nothing but literals makes it up."""
        return all(literal(token) or not _NAME.match(token) for token in self.tokens)


def _bare(text: str) -> str:
    plain = "".join(text.split()).replace("'", '"')
    return re.sub(r",(?=[)\]}]|$)", "", plain)


def _number(text: str) -> str:
    bare = text if text.lower().startswith("0x") else _SUFFIX.sub("", text)
    match = _NUMBER.fullmatch(bare)
    if match is None:
        return ""
    sign, digits = match[1].replace("+", ""), match[2].replace("_", "").replace("'", "")
    try:
        if digits[:2].lower() in ("0x", "0b", "0o"):
            return f"{sign}{int(digits, 0)}"
        number = float(digits)
        whole = re.fullmatch(r"\d+", digits)
        return f"{sign}{int(digits)}" if whole else f"{sign}{int(number) if number.is_integer() else number}"
    except (ValueError, OverflowError):
        return ""
