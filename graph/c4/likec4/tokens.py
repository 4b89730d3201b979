"""The words of LikeC4: names, three kinds of strings, links, punctuation."""

import re
from collections.abc import Iterator
from textwrap import dedent
from typing import NamedTuple

# Each alternative consumes what the next cannot, so that no text is scanned twice.
_TOKEN = re.compile(
    r"""
    (?P<space>[\s\ufeff]+|//[^\n]*|/\*[\s\S]*?\*/)
    |(?P<uri>\w+://\S+|\.{0,2}/(?![/*\s])\S+|@[\w-]*/\S+)
    |(?P<icon>(?:aws|azure|bootstrap|gcp|tech):[-\w]+)
    |(?P<markdown>'''[\s\S]*?'''|\"\"\"[\s\S]*?\"\"\")
    |(?P<unclosed>/\*|'''|\"\"\")
    |(?P<string>"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*')
    |(?P<word>(?:[a-zA-Z]|_+[a-zA-Z0-9])(?:\w|-(?![>\[]))*)
    |(?P<number>\d[\w.]*%?)
    |(?P<sign>->|-\[|\]->|<->|<-|[\s\S])
    """,
    re.VERBOSE | re.ASCII,
)
_UNCLOSED = {"/*": "this comment is never closed", '"': "this string is never closed"}
_ESCAPE = re.compile(r"\\([\s\S])")
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}


class Token(NamedTuple):
    """One word: its kind is word, string, uri, icon, number, sign, unclosed or end.

    The text of a string is what it says, of `unclosed` the fault. `glued`: to a word before it; `first`: of its line.
    """

    kind: str
    text: str
    line: int
    glued: bool = False
    first: bool = False


def tokenize(text: str) -> Iterator[Token]:
    """Yield the words of a text with `\\n` as line end; a string or comment that nothing closes is the last one."""
    line, glued, first = 1, False, True
    for match in _TOKEN.finditer(text):  # its last alternative takes any character: nothing is passed over
        group, found = match.lastgroup or "", match[0]
        if group == "space":
            first = first or "\n" in found
            glued = False
            line += found.count("\n")
            continue
        if group == "unclosed" or found in ("'", '"'):
            yield Token("unclosed", _UNCLOSED.get(found, _UNCLOSED['"']), line)
            break
        if group in ("string", "markdown"):
            quotes = 3 if group == "markdown" else 1
            yield Token("string", _said(found[quotes:-quotes]), line, glued, first)
            line += found.count("\n")
        else:
            yield Token(group, found, line, glued, first)
        glued, first = group == "word", False
    yield Token("end", "the end of the file", line, first=True)


def _said(text: str) -> str:
    """Return a string without its escapes and the indentation of its lines."""
    if "\\" in text:
        text = _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text)
    return dedent(text).strip() if "\n" in text else text.strip()
