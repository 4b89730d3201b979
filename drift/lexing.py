"""The one room of Pygments: which lexer reads a file, and its tokens, lazily and without exceptions."""

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from posixpath import basename, splitext
from typing import Any, NamedTuple

_SUFFIXES = {
    suffix: name
    for line in """
    python .py .pyi .pyw .bzl
    cython .pyx .pxd .pxi
    javascript .js .mjs .cjs
    jsx .jsx
    typescript .ts .mts .cts
    tsx .tsx
    vue .vue
    go .go
    java .java
    kotlin .kt .kts
    groovy .groovy .gradle
    scala .scala .sc .sbt
    csharp .cs
    fsharp .fs .fsi .fsx
    vbnet .vb
    rust .rs
    c .c .h
    cpp .cpp .cc .cxx .hpp .hh .hxx .ino .cu .cuh
    objective-c .m
    objective-c++ .mm
    swift .swift
    dart .dart
    zig .zig
    ruby .rb .rake .gemspec .ru
    php .php .phtml
    lua .lua
    elixir .ex .exs
    erlang .erl .hrl
    haskell .hs
    elm .elm
    julia .jl
    r .r
    bash .sh .bash .zsh .ksh
    powershell .ps1 .psm1 .psd1
    sql .sql
    yaml .yaml .yml
    toml .toml
    json .json .jsonc
    ini .ini .cfg
    properties .properties
    terraform .tf .tfvars .hcl
    protobuf .proto
    graphql .graphql .gql
    solidity .sol
    html .html .htm .xhtml
    xml .xml .xsd .xsl .xslt .xaml .csproj .fsproj .vbproj .props .targets .plist .svg .resx .config
    css .css
    scss .scss
    less .less
    make .mk .mak
    cmake .cmake
    """.splitlines()
    if line.strip()
    for name, *suffixes in [line.split()]
    for suffix in suffixes
}
_NAMES = {
    "dockerfile": "docker",
    "containerfile": "docker",
    "makefile": "make",
    "gnumakefile": "make",
    "cmakelists.txt": "cmake",
    "gemfile": "ruby",
    "rakefile": "ruby",
    "podfile": "ruby",
    "vagrantfile": "ruby",
    "fastfile": "ruby",
    "jenkinsfile": "groovy",
    "build": "python",
    "workspace": "python",
    ".bashrc": "bash",
    ".profile": "bash",
}
_INTERPRETERS = {
    "python": "python",
    "pypy": "python",
    "sh": "bash",
    "bash": "bash",
    "dash": "bash",
    "zsh": "bash",
    "ksh": "bash",
    "node": "javascript",
    "deno": "typescript",
    "ruby": "ruby",
    "php": "php",
    "lua": "lua",
    "elixir": "elixir",
    "groovy": "groovy",
    "make": "make",
    "pwsh": "powershell",
    "Rscript": "r",
}
_OBJECTIVE = re.compile(r"^\s*(?:#import|@interface|@implementation|@protocol|@class|@import)\b", re.M)
_CPP = re.compile(r"^\s*(?:class|namespace|template|using|public:|private:|protected:)\b", re.M)
_LEXED_CHARACTERS = 1_000_000


class Kind(Enum):
    """What a token is, as far as any language is concerned."""

    SPACE = "white space"
    COMMENT = "comment"
    PREPROCESSOR = "preprocessor"
    STRING = "string"
    DOC = "documentation"
    INTERPOLATION = "interpolation"
    NUMBER = "number"
    KEYWORD = "keyword"
    NAME = "name"
    OPERATOR = "operator"
    TEXT = "text"
    ERROR = "error"


class Token(NamedTuple):
    """A piece of a file; `line` counts from 1."""

    kind: Kind
    text: str
    line: int


def lexer_name(path: str, text: str = "") -> str:
    """Return the name of the lexer for a file, by its name, else by its first line; empty when there is none."""
    name = basename(path).lower()
    stem, suffix = splitext(name)
    found = _NAMES.get(name) or _SUFFIXES.get(suffix)
    if found is None and (stem in ("dockerfile", "containerfile") or suffix == ".dockerfile"):
        found = "docker"
    if found == "c" and suffix == ".h" and text:
        found = "objective-c" if _OBJECTIVE.search(text) else "cpp" if _CPP.search(text) else "c"
    if found is None and text.startswith("#!"):
        found = _interpreter(text[2:].split("\n", 1)[0])
    return found if found and _lexer(found) is not None else ""


def _interpreter(line: str) -> str | None:
    """Return the lexer for the program that a hashbang names, through `env` and its options."""
    for word in line.split():
        program = basename(word)
        if program != "env" and not word.startswith("-") and "=" not in word:
            return _INTERPRETERS.get(program) or _INTERPRETERS.get(program.rstrip("0123456789."))
    return None


def tokens(name: str, text: str) -> Iterator[Token]:
    """Yield a file's tokens in order, pieces of one string or comment joined; their texts add up to the file's.

    What the lexer cannot read, and what is longer than it can be expected to read in time, is one token of text.
    """
    lexer = _lexer(name)
    if lexer is None or len(text) > _LEXED_CHARACTERS:
        if text:
            yield Token(Kind.TEXT, text, 1)
        return
    line, kind, pieces = 1, Kind.TEXT, [""]
    for next_kind, piece in _pieces(lexer, text):
        if next_kind is kind and kind in _JOINED:
            pieces.append(piece)
            continue
        if joined := "".join(pieces):
            yield Token(kind, joined, line)
            line += joined.count("\n")
        kind, pieces = next_kind, [piece]
    if joined := "".join(pieces):
        yield Token(kind, joined, line)


def lexers_version() -> str:
    """Return the version of Pygments, for what is kept longer than a process."""
    from pygments import __version__

    return str(__version__)


_JOINED = (Kind.SPACE, Kind.COMMENT, Kind.STRING, Kind.DOC, Kind.PREPROCESSOR)


def _pieces(lexer: Any, text: str) -> Iterator[tuple[Kind, str]]:
    """Yield what the lexer says; from where it fails, the rest as text."""
    kinds = _kinds()
    end = 0
    try:
        for at, token, piece in lexer.get_tokens_unprocessed(text):
            if at != end:  # an embedded lexer that lost count
                break
            if not piece:
                continue
            end = at + len(piece)
            kind = kinds[token]
            yield (Kind.SPACE if piece.isspace() and kind in (Kind.TEXT, Kind.NAME) else kind), piece
    except Exception:  # a lexer is a heap of regular expressions by many hands: whatever it raises, the file is text
        pass
    if end < len(text):
        yield Kind.TEXT, text[end:]


@lru_cache(maxsize=256)
def _lexer(name: str) -> Any:
    from pygments.lexers import find_lexer_class_by_name
    from pygments.util import ClassNotFound

    try:
        return find_lexer_class_by_name(name)(stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=1)
def _kinds() -> "_Kinds":
    return _Kinds()


class _Kinds(dict[Any, Kind]):
    """The kind of each of Pygments' token types, found once."""

    def __missing__(self, token: Any) -> Kind:
        self[token] = found = next(
            (kind for kinds, kind in _families() if any(token in each for each in kinds)), Kind.TEXT
        )
        return found


@lru_cache(maxsize=1)
def _families() -> tuple[tuple[tuple[Any, ...], Kind], ...]:
    """Which types are what; the first that holds counts, since a preprocessor line is a Comment to Pygments."""
    from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

    return (
        ((Comment.Preproc, Comment.PreprocFile, Comment.Hashbang), Kind.PREPROCESSOR),
        ((Comment,), Kind.COMMENT),
        ((String.Doc,), Kind.DOC),
        ((String.Interpol,), Kind.INTERPOLATION),
        ((String,), Kind.STRING),
        ((Number,), Kind.NUMBER),
        ((Keyword, Operator.Word), Kind.KEYWORD),
        ((Name,), Kind.NAME),
        ((Operator, Punctuation), Kind.OPERATOR),
        ((Whitespace,), Kind.SPACE),
        ((Error,), Kind.ERROR),
    )
