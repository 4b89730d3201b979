"""Blank the comments and the insides of strings, so that a pattern finds statements alone; positions stay."""

import re
from typing import NamedTuple

FILL = "\0"
"""What stands for each character inside a string; line ends stay."""

_INSIDE = re.compile(r"[^\n]")
_BEFORE_REGEX = frozenset("(,=:[!&|?{;+-*%~^")
_WORD_BEFORE_REGEX = re.compile(r"\b(?:return|typeof|case|in|of|delete|void|throw|await|yield|else|do)\s*$")
_REGEX = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/")

_IN_TEXT = -1
_PLAIN = r'"(?:\\.|[^"\\\n])*"' + "|" + r"'(?:\\.|[^'\\\n])*'"
_TEMPLATE_TEXT = re.compile(r"\\.|`|\$\{", re.DOTALL)
_TEMPLATE_EXPRESSION = re.compile(_PLAIN + r"|[`{}]", re.DOTALL)
_SLASHES = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
_PATTERNS = {
    "python": re.compile(r"#[^\n]*|\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|" + _PLAIN, re.DOTALL),
    "script": re.compile(_SLASHES + "|" + _PLAIN + "|[`/]", re.DOTALL),
    "go": re.compile(_SLASHES + "|" + _PLAIN + "|`[^`]*`", re.DOTALL),
    "jvm": re.compile(_SLASHES + r'|"""(?:\\.|[^\\])*?"""|' + _PLAIN, re.DOTALL),
}


class Blanked(NamedTuple):
    """A file as written and with nothing in it but code."""

    text: str
    code: str

    def line(self, at: int) -> int:
        """Return the line of a position, from 1."""
        return self.text.count("\n", 0, at) + 1


def blank(text: str, language: str) -> Blanked:
    """Return the file with each comment as spaces and each string as its quotes around FILL.

    An open quote (the apostrophe of a text in JSX) blanks nothing, an open comment or template all that follows. In
    scripts a template is one string, whatever is nested in it.
    """
    pattern = _PATTERNS[language]
    pieces: list[str] = []
    done, start = 0, 0
    while match := pattern.search(text, start):
        begin, end = match.span()
        start = end
        kind = text[begin]
        if match[0] == "`":
            end = _end_of_template(text, end)
        elif match[0] == "/":
            end = _end_of_regex(text, begin)
        if not end:
            continue
        is_comment = kind == "#" or (kind == "/" and text[begin + 1] in "/*")
        between = " " if is_comment else FILL
        margin = 0 if is_comment else 1
        inside = slice(begin + margin, max(begin + margin, end - margin))
        pieces.append(text[done : inside.start])
        pieces.append(_INSIDE.sub(between, text[inside]))
        done, start = inside.stop, end
    pieces.append(text[done:])
    return Blanked(text, "".join(pieces))


def _end_of_template(text: str, start: int) -> int:
    """Return where a template literal ends that begins before `start`; the text's end when it does not."""
    opened = [_IN_TEXT]  # what is open, outermost first: a template's text, or an expression with its open braces
    while match := (_TEMPLATE_TEXT if opened[-1] == _IN_TEXT else _TEMPLATE_EXPRESSION).search(text, start):
        part, start = match[0], match.end()
        if opened[-1] == _IN_TEXT:
            if part == "${":
                opened.append(0)
            elif part == "`":
                opened.pop()
                if not opened:
                    return start
        elif part == "`":
            opened.append(_IN_TEXT)
        elif part == "{":
            opened[-1] += 1
        elif part == "}" and opened[-1]:
            opened[-1] -= 1
        elif part == "}":
            opened.pop()
    return len(text)


def _end_of_regex(text: str, at: int) -> int:
    """Return where a regular expression ends that begins here; 0 when the slash divides, or closes a tag."""
    before = text[max(0, at - 200) : at].rstrip(" \t")
    if before and before[-1] not in _BEFORE_REGEX and before[-1] != "\n" and not _WORD_BEFORE_REGEX.search(before):
        return 0
    match = _REGEX.match(text, at)
    return match.end() if match else 0
