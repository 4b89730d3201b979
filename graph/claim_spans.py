"""Claims that a text makes in its code spans: shyly, since a claim that nobody made is a false alarm to come."""

import re
from collections.abc import Iterable

from graph.claims import Claim
from graph.code_spans import code_ranges
from graph.paths import plain_path

_MOST = 50
_SHORTEST = 3
_SUFFIXES = """
    py pyi pyx js mjs cjs jsx ts mts cts tsx vue svelte java kt kts groovy gradle scala go rs c h cc cpp cxx hh hpp m mm
    cs fs vb swift dart php rb rake pl pm lua r jl ex exs erl clj zig sol ml mli sql proto graphql gql sh bash ps1 tf
    hcl json jsonc json5 yaml yml toml ini cfg conf properties xml html css scss less md mdx rst txt lock dsl c4 env
    csproj sln mk cmake dockerfile bzl
"""
_SUFFIX = rf"\.(?:{'|'.join(_SUFFIXES.split())})"
_SEGMENT = r"[\w.@+\-\[\]()]+"
_PATH = re.compile(
    rf"(?:\./)?(?P<path>(?:{_SEGMENT}/)+(?:{_SEGMENT})?|[\w.\-]*\w{_SUFFIX}|\.[\w.\-]+/)(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)?"
)
_FILE_END = re.compile(rf"{_SUFFIX}$|/(?:Dockerfile|Makefile|Jenkinsfile|\.[a-z]+)$")
_NAME = r"[A-Za-z_$][\w$]*"
_DOTTED = rf"{_NAME}(?:(?:\.|::|#|->){_NAME})*"
_DOTTED_WHOLE = re.compile(rf"@?{_NAME}")
_SYMBOL = re.compile(rf"(?P<symbol>{_DOTTED})(?P<call>\([^\n`]*\))?")
_VALUE = re.compile(rf"(?P<symbol>{_DOTTED})\s*=\s*(?P<value>\S.*)")
_LITERAL = re.compile(
    r"""[+-]?(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?[a-zA-Z]{0,3})|\"[^\"\n]*\"|'[^'\n]*'|[Tt]rue|[Ff]alse|null|None|nil"""
)
_INSIDE = re.compile(r"[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d]")
_WORD = re.compile(r"[A-Za-z_$][\w$]*|(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.]*\d)")
_NUMBER = re.compile(r"(?<![\w.\-/:#])\d[\d_]*(?:\.\d+)?(?![\w\-/:]|\.\d)")
_TEXT = re.compile(r"""(?P<quote>["'])(?P<text>[^"'\n]+)(?P=quote)""")
_SHAPED = re.compile(r"(?<![\w/.\-])[A-Za-z_$][\w$]*(?![\w/\-])")


def find_claims(texts: Iterable[str], *, pinned: bool) -> tuple[Claim, ...]:
    """Return the claims that code spans and fences make, each once; symbols without a path only of a `pinned` memory.

    A span is a claim as a whole or not at all, so that no command is one; in a fence only what has a path is. A plain
    name counts between backticks: whether the element's code defines it, the drift check finds out.
    """
    found: dict[Claim, None] = {}
    for text in texts:
        for kind, code in _codes(text):
            for part in code.splitlines() if kind == "fence" else (code,):
                claim = _claim(part.strip())
                if claim is not None and (claim.path or (pinned and kind == "span")):
                    found[claim] = None
    return tuple(found)[:_MOST]


def looks_like_code(symbol: str) -> bool:
    """Say whether a name can be nothing but code: `idArgumentResolvers`, `MAX_HEADER`, `Foo.bar`, not `Checkout`."""
    return _INSIDE.search(symbol) is not None or re.match(r"[A-Z]\w+(?:\.|::|#)[a-z_]", symbol) is not None


def find_details(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the names, numbers and texts that a memory mentions: all of a code span's, and what looks so in prose."""
    found: dict[str, None] = {}
    for text in texts:
        prose: list[str] = []
        at = 0
        for start, end, kind in code_ranges(text):
            prose.append(text[at:start])
            at = end
            if kind == "span":
                found.update(dict.fromkeys(_cited(text[start:end].strip("`").strip())))
        prose.append(text[at:])
        for part in prose:
            found.update(dict.fromkeys(_NUMBER.findall(part)))
            found.update((word, None) for word in _SHAPED.findall(part) if _INSIDE.search(word))
    return tuple(word.replace("_", "") if word[0].isdigit() else word for word in found if word not in ("0", "1"))


def _cited(code: str) -> Iterable[str]:
    """Return a span as a whole where it is more than a name, its words and its texts; of a path nothing."""
    if not code or _path(code) is not None:
        return ()
    place, separator, rest = code.partition("::")
    code = rest if separator and _path(place) is not None else code
    words = (*_WORD.findall(code), *(f'"{match["text"]}"' for match in _TEXT.finditer(code)))
    return words if _DOTTED_WHOLE.fullmatch(code) else (code, *words)


def _codes(text: str) -> Iterable[tuple[str, str]]:
    for start, end, kind in code_ranges(text):
        if kind == "span":
            yield kind, text[start:end].strip("`").strip()
        elif kind == "fence":
            yield kind, text[start:end]


def _claim(code: str) -> Claim | None:
    path, separator, rest = code.partition("::")
    if separator and (place := _path(path)) is not None:
        return _symbol(place, rest)
    if (place := _path(code)) is not None:
        return Claim(path=place)
    return _symbol("", code)


def _path(code: str) -> str | None:
    match = _PATH.fullmatch(code)
    if match is None or "//" in code:
        return None
    path = match["path"]
    is_certain = path.endswith("/") or _FILE_END.search(f"/{path}") is not None
    if not is_certain or path.startswith("../") or path.endswith("./"):
        return None
    return plain_path(path) or None


def _symbol(path: str, code: str) -> Claim | None:
    value = _VALUE.fullmatch(code)
    if value is not None and not value["value"].startswith(("=", ">", "~")):
        given = value["value"].rstrip(";,")
        return Claim(path=path, symbol=value["symbol"], value=given) if _is_literal(given) else None
    code = re.sub(r"\[[^\]]*\]$", "", code) if path else code
    match = _SYMBOL.fullmatch(code.replace("::", ".") if path else code)
    if match is None or (not path and match["call"] is None and not _may_be_code(match["symbol"])):
        return None
    return Claim(path=path, symbol=match["symbol"])


def _may_be_code(symbol: str) -> bool:
    """Say whether a name between backticks may be a definition's; the drift check looks whether it is one."""
    return looks_like_code(symbol) or (len(symbol) >= _SHORTEST and symbol.isidentifier() and not symbol.isupper())


def _is_literal(value: str) -> bool:
    """Say whether a value is a literal, or brackets and commas around some; a bare word is the shell's."""
    if _LITERAL.fullmatch(value):
        return True
    return re.fullmatch(r"[\s,:()\[\]{}]+", _LITERAL.sub("", value)) is not None
