"""What Python's own `ast` finds in a module: definitions by qualified name, and what can be said of each."""

import ast
import builtins
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LONGEST_VALUE = 40
_BUILTIN = frozenset(dir(builtins))
_SHORTEST_CALL = 5


@dataclass(frozen=True)
class Definition:
    """A function, method, class or assigned name; `source` is the text of an assigned value of one line."""

    name: str
    node: ast.AST
    source: str = ""


Module = Mapping[str, Sequence[Definition]]


@lru_cache(maxsize=8192)
def read_module(content: bytes) -> Module | None:
    """Return a module's definitions by qualified name; None when this Python cannot parse it.

    Nested functions are part of their function; definitions below `if`, `try` and `with` count as the module's own.
    """
    tree = parsed(content)
    if tree is None:
        return None
    found: dict[str, list[Definition]] = {}
    lines = content.splitlines()
    for name, node in _definitions(tree.body, ""):
        found.setdefault(name, []).append(Definition(name, node, _one_line(lines, _assigned(node))))
    return found


def parsed(content: bytes) -> ast.Module | None:
    """Return the syntax tree; None when this Python cannot parse it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(content)
        except (SyntaxError, ValueError):
            return None


def same_code(one: bytes, other: bytes, *, docstrings: bool = True) -> bool:
    """Say whether two files are one program: equal syntax trees, with or without their docstrings."""
    trees = [parsed(one), parsed(other)]
    if trees[0] is None or trees[1] is None:
        return one == other
    if not docstrings:
        trees = [_without_docstrings(tree) for tree in trees if tree]
    return ast.dump(trees[0]) == ast.dump(trees[1]) if trees[0] and trees[1] else False


def literal(node: ast.AST | None) -> str | None:
    """Return the `repr` of a literal's value; None for anything that has to be executed."""
    if node is None:
        return None
    try:
        return repr(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def constant(found: Definition) -> str | None:
    """Return the literal that a name is assigned."""
    return literal(_assigned(found.node))


def parameters(found: Definition) -> dict[str, ast.expr | None] | None:
    """Return a function's parameters with their defaults, without `self` and `cls`."""
    if not isinstance(found.node, _FUNCTIONS):
        return None
    given = found.node.args
    named = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(named) - len(given.defaults)) + list(given.defaults)
    pairs = {one.arg: default for one, default in zip(named, defaults, strict=True)}
    pairs |= {one.arg: default for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)}
    return {name: default for name, default in pairs.items() if name not in ("self", "cls")}


def signature(found: Definition) -> str | None:
    """Return a function's parameters as they are written in a call's documentation: no annotations, no `self`."""
    if not isinstance(found.node, _FUNCTIONS):
        return None
    bare = ast.parse(f"def f({ast.unparse(found.node.args)}): pass").body[0]
    assert isinstance(bare, ast.FunctionDef)
    every = [*bare.args.posonlyargs, *bare.args.args, *bare.args.kwonlyargs]
    for one in [*every, *(one for one in (bare.args.vararg, bare.args.kwarg) if one)]:
        one.annotation = None
    if "." in found.name and bare.args.args and bare.args.args[0].arg in ("self", "cls"):
        del bare.args.args[0]
    return ast.unparse(bare.args)


def bases(found: Definition) -> list[str]:
    """Return the last names of a class's bases; `object` says nothing."""
    listed = found.node.bases if isinstance(found.node, ast.ClassDef) else []
    return [name for base in listed if (name := _last_name(base)) not in ("", "object")]


def decorators(found: Definition) -> list[str]:
    """Return the last names of the decorators."""
    listed = found.node.decorator_list if isinstance(found.node, (*_FUNCTIONS, ast.ClassDef)) else []
    return [name for one in listed if (name := _last_name(one.func if isinstance(one, ast.Call) else one))]


def raised(found: Definition) -> list[str]:
    """Return the exceptions that a function raises by name."""
    nodes = (node.exc for node in _own(found.node) if isinstance(node, ast.Raise) and node.exc)
    names = (_last_name(node.func if isinstance(node, ast.Call) else node) for node in nodes)
    return list(dict.fromkeys(name for name in names if name and name[:1].isupper()))


def calls(found: Definition) -> list[str]:
    """Return the last names of what a function calls, in the order of the text, each once; no built-ins."""
    nodes = [node for node in _own(found.node) if isinstance(node, ast.Call)] if _is_function(found) else []
    nodes.sort(key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0))
    names = (_last_name(node.func) for node in nodes)
    telling = (name for name in names if len(name) >= _SHORTEST_CALL and name not in _BUILTIN)
    return list(dict.fromkeys(telling))


def returned(found: Definition) -> str | None:
    """Return the one short expression that a function returns; None when it returns several, or nothing."""
    nodes = [node for node in _own(found.node) if isinstance(node, ast.Return)] if _is_function(found) else []
    if len(nodes) != 1 or nodes[0].value is None:
        return None
    text = ast.unparse(nodes[0].value)
    return text if len(text) <= _LONGEST_VALUE else None


def is_short(text: str) -> bool:
    """Say whether a value fits into a sentence."""
    return 0 < len(text) <= _LONGEST_VALUE and "\n" not in text and "`" not in text


def _is_function(found: Definition) -> bool:
    return isinstance(found.node, _FUNCTIONS)


def _definitions(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
    for node in body:
        if isinstance(node, _FUNCTIONS):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _definitions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((prefix + target.id, node) for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            for part in ("body", "orelse", "finalbody"):
                yield from _definitions(getattr(node, part, []), prefix)
            for handler in getattr(node, "handlers", []):
                yield from _definitions(handler.body, prefix)


def _assigned(node: ast.AST) -> ast.expr | None:
    return node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None


def _one_line(lines: Sequence[bytes], value: ast.expr | None) -> str:
    """Return the text of an expression; empty when it has several lines."""
    if value is None or value.lineno != value.end_lineno or value.lineno > len(lines):
        return ""
    return lines[value.lineno - 1][value.col_offset : value.end_col_offset].decode("utf-8", "replace")


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a function's own body, not those of the functions and classes inside it."""
    for child in getattr(node, "body", []) if isinstance(node, _FUNCTIONS) else ast.iter_child_nodes(node):
        if not isinstance(child, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield child
            yield from _own(child)


def _last_name(node: ast.AST) -> str:
    if isinstance(node, ast.Subscript):  # a generic class with its arguments
        return _last_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *_FUNCTIONS)) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:] or [ast.Pass()]
    return tree
