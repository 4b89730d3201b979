"""The one room of tree-sitter: a file's syntax tree, by the grammar that its name asks for."""

from functools import lru_cache
from importlib import import_module
from posixpath import basename, splitext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language
    from tree_sitter import Node as Node

_GRAMMARS = {
    "python": ("tree_sitter_python", "language", ".py .pyi .pyw .pyx"),
    "javascript": ("tree_sitter_javascript", "language", ".js .mjs .cjs .jsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript", ".ts .mts .cts"),
    "tsx": ("tree_sitter_typescript", "language_tsx", ".tsx"),
    "go": ("tree_sitter_go", "language", ".go"),
    "java": ("tree_sitter_java", "language", ".java"),
    "rust": ("tree_sitter_rust", "language", ".rs"),
    "c": ("tree_sitter_c", "language", ".c"),
    "cpp": ("tree_sitter_cpp", "language", ".h .hh .hpp .hxx .cc .cpp .cxx .cu .cuh"),
    "csharp": ("tree_sitter_c_sharp", "language", ".cs"),
    "kotlin": ("tree_sitter_kotlin", "language", ".kt .kts"),
    "php": ("tree_sitter_php", "language_php", ".php"),
    "ruby": ("tree_sitter_ruby", "language", ".rb .rake"),
}
_BY_SUFFIX = {suffix: name for name, (_, _, suffixes) in _GRAMMARS.items() for suffix in suffixes.split()}


def parse(path: str, content: bytes) -> "Node | None":
    """Return the root of a file's syntax tree; None when no grammar is installed for such a file."""
    name = _BY_SUFFIX.get(splitext(basename(path))[1].lower(), "")
    language = _language(name) if name else None
    if language is None:
        return None
    from tree_sitter import Parser

    return Parser(language).parse(content).root_node


@lru_cache
def _language(name: str) -> "Language | None":
    module, function, _ = _GRAMMARS[name]
    try:
        from tree_sitter import Language

        return Language(getattr(import_module(module), function)())
    except ImportError:
        return None
