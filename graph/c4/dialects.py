"""Structurizr DSL or LikeC4: the two share the ending `.c4` and the word `model`."""

import re
from enum import Enum, auto

LIKEC4_ENDINGS = (".c4", ".likec4", ".like-c4")

_FLAGS = re.MULTILINE | re.IGNORECASE
# A text in quotes may hold what would begin a comment outside it: `"see services/*"`.
_COMMENT = re.compile(r"(?P<quoted>\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+')|/\*[\s\S]*?(?:\*/|\Z)|(?<!:)//[^\n]*")
_FIRST = re.compile(
    r"^[ \t]*+(?:(?P<workspace>workspace\b.*[{\\])|(?P<model>model\s*+\{)"
    r"|(?:specification|global|likec4lib|deployment)\s*+\{|views\b[^{\n]*\{|import\b.*\bfrom\b)",
    _FLAGS,
)
# `person "P"`: here a kind is a keyword, and names a new element without an identifier; directives begin with `!`.
_DSL = re.compile(
    r"^[ \t]*+(?:![a-z]|(?:person|softwaresystem|container|component|element|group|deploymentenvironment)[ \t]+\")",
    _FLAGS,
)
_DSL_ELEMENT = re.compile(r"^[ \t]*+\w++[ \t]*+=[ \t]*+(?:person|softwaresystem|element|group)[ \t]+\"", _FLAGS)
_LIKEC4 = re.compile(
    r"^[ \t]*+(?:specification\s*+\{|extend[ \t]+\w|metadata\s*+\{|style\s*+\{|icon[ \t]|link[ \t]|[\w.]*+[ \t]*+-\[\w"
    r"|\w++[ \t]*+=[ \t]*+\w++[ \t]*+(?:['{]|$)|\w++[ \t]++\w++[ \t]*+(?:['\"{]|$))",
    _FLAGS,
)


class Dialect(Enum):
    """A language of model files."""

    STRUCTURIZR = auto()
    LIKEC4 = auto()


def dialect_of(path: str, text: str) -> Dialect | None:
    """Return the language of a text with `\\n` as line end; None when neither begins in it.

    The first block tells. With a model and nothing before it, what stands in it does: first what only the Structurizr
    DSL knows, then what only LikeC4 knows, and the file's ending where nothing else tells.
    """
    text = _COMMENT.sub(lambda found: found["quoted"] or "", text)
    first = _FIRST.search(text)
    if first is None:
        return None
    if first["workspace"]:
        return Dialect.STRUCTURIZR
    if not first["model"]:
        return Dialect.LIKEC4
    if _DSL.search(text):
        return Dialect.STRUCTURIZR
    if _LIKEC4.search(text) or path.lower().endswith(LIKEC4_ENDINGS) or not _DSL_ELEMENT.search(text):
        return Dialect.LIKEC4
    return Dialect.STRUCTURIZR
