"""The tokens of a file without what is comment, each with what stood before it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from drift.directives import directives
from drift.layouts import JSX, SCRIPTS, STYLES, Layout
from drift.lexing import Kind, Token, tokens

_MOST_RESTARTS = 200
_UNBROKEN = re.compile(r"(?<!\\)\n")
_HEREDOC = re.compile(r"<<-?\s*['\"]?\\?(\w+)")
_REGION = re.compile(r"#\s*(?:end)?region\b[^\n]*\s*$")
_DOCUMENTED = re.compile(r"[A-Za-z]{0,3}[\"']")


class Piece(NamedTuple):
    """A token that counts, and the gap before it: line breaks, white space, the line's indentation, its column."""

    kind: Kind
    text: str
    breaks: int
    space: str
    indent: str
    column: int


def pieces(lexer: str, layout: Layout, text: str) -> Iterator[Piece]:
    """Yield what counts in a file, lazily; the last piece is empty and carries the gap at the end."""
    keep_head = lexer == "python" and "# /// script" in text
    breaks, space, indent, column = 0, "", "", 0
    kind, before, unsure, continued = Kind.SPACE, "", False, False
    for token in _found(lexer, text):
        said = token.text
        at, line_start = column, column == 0
        column = len(said) - said.rfind("\n") - 1 if "\n" in said else column + len(said)
        token_kind = _kind(lexer, token)
        if token_kind is Kind.SPACE or said == "\\\n":
            if said == "\\\n":
                continued = True
            elif "\n" in said:
                breaks += 0 if continued and lexer == "docker" and not breaks else said.count("\n")
                unsure = False
            if line_start or "\n" in said:
                indent = said[said.rfind("\n") + 1 :]
            space += said if "\n" not in said else " "
            continue
        if line_start:
            indent = ""
        if token_kind is Kind.COMMENT and not unsure and not _is_code(lexer, layout, said, kind, before, space):
            kept = [said] if keep_head and not before else directives(lexer, said, token.line)
            for each in kept:
                yield Piece(Kind.COMMENT, each, breaks, space, indent, at)
                breaks, space = 0, ""
            breaks += 0 if continued and lexer == "docker" else said.count("\n")
            space += " "
            continue
        unsure = unsure or token_kind is Kind.ERROR
        if token_kind is Kind.COMMENT:
            token_kind = Kind.TEXT
        yield Piece(token_kind, said, breaks, space, indent, at)
        ends = token_kind is Kind.PREPROCESSOR and said.endswith("\n")
        breaks, space, kind, before, continued = int(ends), "", token_kind, said, False
    yield Piece(Kind.SPACE, "", breaks, space, indent, column)


def _kind(lexer: str, token: Token) -> Kind:
    if token.kind is Kind.PREPROCESSOR and lexer == "csharp" and _REGION.match(token.text):
        return Kind.COMMENT
    if token.kind is not Kind.DOC:
        return token.kind
    return Kind.STRING if _DOCUMENTED.match(token.text) else Kind.COMMENT


def _is_code(lexer: str, layout: Layout, comment: str, kind: Kind, before: str, space: str) -> bool:
    """Say whether what a lexer took for a comment is part of an address, or of a string that it did not see."""
    if not comment.startswith("//"):
        return False
    if not space and ((before.endswith(":") and lexer in SCRIPTS) or (before[-1:] in (":", "(") and lexer in STYLES)):
        return True
    return layout.preprocessor and kind is Kind.PREPROCESSOR and before.count('"') % 2 == 1


def _found(lexer: str, text: str) -> Iterator[Token]:
    """Yield the tokens; where a lexer plainly lost its way it starts anew, or the rest is text."""
    if lexer in JSX:
        return _without_comment_braces(_script_tokens(lexer, text))
    if lexer in SCRIPTS:
        return _script_tokens(lexer, text)
    if lexer == "docker":
        return _docker_tokens(text)
    return _shell_tokens(text) if lexer == "bash" else tokens(lexer, text)


def _script_tokens(lexer: str, text: str) -> Iterator[Token]:
    """Yield tokens of a script; an apostrophe in the words of a JSX element opens no string."""
    start, lines = 0, 0
    for _ in range(_MOST_RESTARTS):
        end, previous = start, Kind.SPACE
        for token in tokens(lexer, text[start:]):
            said = token.text
            if token.kind is Kind.STRING and said[0] in "'\"" and (previous is Kind.NAME or _UNBROKEN.search(said)):
                yield Token(Kind.TEXT, said[0], token.line + lines)
                lines += token.line - 1
                start = end + 1
                break
            yield token if not lines else token._replace(line=token.line + lines)
            end += len(said)
            previous = token.kind
        else:
            return
    yield Token(Kind.TEXT, text[start:], lines + 1)


def _without_comment_braces(found: Iterator[Token]) -> Iterator[Token]:
    """Leave out the braces that hold nothing but a comment between JSX elements."""
    held: list[Token] = []
    before = ""
    for token in found:
        if held and len(held) == 1 and token.kind is Kind.COMMENT:
            held.append(token)
            continue
        if len(held) == 2 and token.text == "}":
            yield Token(Kind.COMMENT, f"{{{held[1].text}}}", held[0].line)
            held.clear()
            continue
        yield from held
        held.clear()
        if token.text == "{" and before in (">", "}"):
            held.append(token)
            continue
        if token.kind not in (Kind.SPACE, Kind.COMMENT):
            before = token.text
        yield token
    yield from held


def _docker_tokens(text: str) -> Iterator[Token]:
    """Yield tokens of a Dockerfile; a line between those of one command is a comment when it starts with `#`."""
    continued, comment = False, False
    for token in tokens("docker", text):
        breaks = token.kind is Kind.SPACE and "\n" in token.text
        comment = not breaks and (comment or (continued and token.text.startswith("#")))
        if token.kind is not Kind.SPACE:
            continued = token.text == "\\\n" or comment
        yield token._replace(kind=Kind.COMMENT) if comment else token


def _shell_tokens(text: str) -> Iterator[Token]:
    """Yield tokens of a shell script; a here-document that seems to end inside of a line hides where it does end."""
    end = 0
    for token in tokens("bash", text):
        word = _HEREDOC.match(token.text) if token.kind is Kind.STRING else None
        last = token.text.rsplit("\n", 1)[-1]
        after = text[end + len(token.text) : end + len(token.text) + 1]
        if word and (last.strip("\t") != word[1] or after not in ("", "\n")):
            yield Token(Kind.TEXT, text[end:], token.line)
            return
        yield token
        end += len(token.text)
