"""The kinds of statements: what can be said of a definition, when it still holds, and how an agent would write it.

`cited` texts name the code in code spans, the first with the file, the second in the form of a claim, the third with
the symbol alone; `prose` says the same without naming any code. Nothing here knows how archmem reads them.
"""

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bench.truth.oracle import (
    Definition,
    bases,
    calls,
    constant,
    decorators,
    is_short,
    literal,
    parameters,
    raised,
    returned,
    signature,
)

Said = tuple[str, ...]


@dataclass(frozen=True)
class Kind:
    """One kind: what it can say of a definition, whether that holds of another, and the texts."""

    name: str
    about: str
    sayable: Callable[[Definition], Sequence[Said]]
    holds: Callable[[Definition, Said], bool]
    cited: tuple[str, str, str]
    prose: str = ""


def words(name: str) -> str:
    """Return an identifier as words: `DEFAULT_RETRIES` and `defaultRetries` are "default retries"."""
    return " ".join(part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name))


def in_words(value: str) -> str:
    """Return a literal as prose says it."""
    plain = {"True": "on", "False": "off", "None": "nothing", "''": "empty", '""': "empty"}
    return plain.get(value, value.strip("\"'"))


def _parsed(text: str) -> str | None:
    try:
        return literal(ast.parse(text, mode="eval").body)
    except SyntaxError:
        return None


def _constants(found: Definition) -> list[Said]:
    return [(found.source,)] if constant(found) is not None and is_short(found.source) else []


def _defaults(found: Definition) -> list[Said]:
    given = (parameters(found) or {}).items()
    texts = ((name, ast.unparse(node)) for name, node in given if node is not None and literal(node) is not None)
    return [(name, text) for name, text in texts if is_short(text)]


def _default_holds(found: Definition, said: Said) -> bool:
    node = (parameters(found) or {}).get(said[0])
    return node is not None and literal(node) == _parsed(said[1])


def _signatures(found: Definition) -> list[Said]:
    text = signature(found)
    return [(text,)] if text and len(text) <= 100 and "`" not in text else []


def _each(read: Callable[[Definition], Sequence[str]]) -> Callable[[Definition], list[Said]]:
    return lambda found: [(name,) for name in read(found)]


def _among(read: Callable[[Definition], Sequence[str]]) -> Callable[[Definition, Said], bool]:
    return lambda found, said: said[0] in read(found)


def _orders(found: Definition) -> list[Said]:
    named = calls(found)
    return list(pairwise(named))


def _order_holds(found: Definition, said: Said) -> bool:
    named = calls(found)
    return said[0] in named and said[1] in named and named.index(said[0]) < named.index(said[1])


def _steps(found: Definition) -> list[Said]:
    named = calls(found)
    return [tuple(named)] if 2 <= len(named) <= 6 else []


def _returns(found: Definition) -> list[Said]:
    text = returned(found)
    return [(text,)] if text and is_short(text) else []


def _has_parameters(found: Definition) -> list[str]:
    return list(parameters(found) or {})


def _always(_: Definition) -> list[Said]:
    return [()]


KINDS: Sequence[Kind] = (
    Kind(
        "constant",
        "value",
        _constants,
        lambda found, said: constant(found) is not None and constant(found) == _parsed(said[0]),
        (
            "`{name}` in `{path}` is `{a}`; measure before you change it.",
            "The limit that counts is `{path}::{name}={a}`.",
            "`{name} = {a}` is what everything here assumes.",
        ),
        "The {w} is {va}.",
    ),
    Kind(
        "default",
        "signature",
        _defaults,
        _default_holds,
        (
            "`{name}` in `{path}` has `{a}={b}` as its default.",
            "Mind `{path}::{name}`: unless it is given, `{a}` is `{b}`.",
            "`{name}` takes `{a}={b}` by default.",
        ),
        "Unless told otherwise, {w} goes with {va} {vb}.",
    ),
    Kind(
        "parameter",
        "signature",
        _each(_has_parameters),
        _among(_has_parameters),
        (
            "`{name}` (in `{path}`) accepts `{a}`.",
            "Pass `{a}` to `{path}::{name}`; it is made for this.",
            "`{name}` takes a parameter `{a}`.",
        ),
        "One can say which {wa} to use for {w}.",
    ),
    Kind(
        "signature",
        "signature",
        _signatures,
        lambda found, said: signature(found) == said[0],
        (
            "`{name}({a})` is the whole signature, see `{path}`.",
            "`{path}::{name}` is called with `({a})`.",
            "The signature is `{name}({a})`.",
        ),
    ),
    Kind(
        "defined",
        "existence",
        _always,
        lambda _found, _said: True,
        (
            "`{path}` defines `{name}`.",
            "For this, use `{path}::{name}`.",
            "There is `{name}` for this; do not write it again.",
        ),
        "{W} is there already; do not write it again.",
    ),
    Kind(
        "base",
        "class head",
        _each(bases),
        _among(bases),
        (
            "`{name}` in `{path}` inherits from `{a}`.",
            "`{path}::{name}` is a subclass of `{a}`.",
            "`{name}` extends `{a}`, so what `{a}` does holds for it too.",
        ),
        "A {w} is a kind of {wa}.",
    ),
    Kind(
        "decorated",
        "head",
        _each(decorators),
        _among(decorators),
        (
            "`{name}` in `{path}` is decorated with `@{a}`.",
            "`{path}::{name}` carries `@{a}`; keep it.",
            "`{name}` is an `@{a}`.",
        ),
    ),
    Kind(
        "raises",
        "body",
        _each(raised),
        _among(raised),
        (
            "`{name}` in `{path}` raises `{a}`.",
            "Callers of `{path}::{name}` must be ready for `{a}`.",
            "`{name}` can raise `{a}`.",
        ),
        "{W} may fail with a {wa}.",
    ),
    Kind(
        "calls",
        "body",
        _each(calls),
        _among(calls),
        (
            "`{name}` in `{path}` calls `{a}`.",
            "`{path}::{name}` goes through `{a}()`.",
            "`{name}` relies on `{a}()`.",
        ),
        "{W} goes through {wa}.",
    ),
    Kind(
        "order",
        "body",
        _orders,
        _order_holds,
        (
            "`{name}` in `{path}` calls `{a}` before `{b}`.",
            "In `{path}::{name}`, `{a}()` comes before `{b}()`; the order matters.",
            "`{name}` first calls `{a}`, then `{b}`.",
        ),
        "{W} comes to {wa} before it comes to {wb}.",
    ),
    Kind(
        "steps",
        "body",
        _steps,
        lambda found, said: tuple(calls(found)) == said,
        (
            "`{name}` in `{path}` calls {all}, in this order, and nothing else of note.",
            "What `{path}::{name}` does: {all}, in this order, no more.",
            "`{name}` is {all}, one after the other.",
        ),
    ),
    Kind(
        "returns",
        "body",
        _returns,
        lambda found, said: returned(found) == said[0],
        (
            "`{name}` in `{path}` returns `{a}`.",
            "`{path}::{name}` gives back `{a}`, nothing else.",
            "`{name}` returns `{a}` at its only exit.",
        ),
    ),
)
KIND = {kind.name: kind for kind in KINDS}


def text_of(kind: Kind, form: int, path: str, name: str, said: Said) -> str:
    """Return the statement as text: 0 to 2 are the cited forms, 3 is prose."""
    pattern = kind.prose if form == 3 else kind.cited[form]
    first, second = (*said, "", "")[:2]
    subject = words(name.replace(".__init__", "").replace(".", "_"))
    return pattern.format(
        path=path,
        name=name,
        a=first,
        b=second,
        all=", ".join(f"`{one}`" for one in said),
        w=subject,
        W=subject.capitalize(),
        wa=words(first),
        wb=words(second),
        va=in_words(first) if kind.name == "constant" else words(first),
        vb=in_words(second),
    )
