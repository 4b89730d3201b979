"""Comments that change what code does, or what is built from it."""

import re

_EVERYWHERE = r"[#@] ?sourceMappingURL="
_SCRIPT = (
    r"@ts-(?:ignore|expect-error|nocheck|check)\b|^\s*///\s*<|@jsx\w*\s|@flow\b|webpack\w+:|@vite-ignore|"
    r"[#@]__\w+__|@(?:jest|vitest)-environment"
)
_LINES = {
    "go": r"^\s*//(?:go:|line |export )|^\s*//\s*\+build\b",
    **dict.fromkeys(("javascript", "typescript", "jsx", "tsx", "vue"), _SCRIPT),
    **dict.fromkeys(("python", "cython"), r"^\s*#\s*(?:type:(?!\s*ignore\b)|cython:|distutils:)"),
    "ruby": r"^\s*#\s*(?:-\*-|(?:frozen_string_literal|(?:en)?coding|warn_indent|shareable_constant_value|typed):)",
    "java": r"^\s*//(?:DEPS|REPOS|SOURCES|JAVA|FILES|/usr/bin/env)\b",
    "bash": r"^\s*#(?:SBATCH|PBS|BSUB|compdef|autoload)\b|^#\$ ",
    "docker": r"^\s*#\s*(?:syntax|escape|check)\s*=",
    "sql": (
        r"^\s*--\s*(?:name:|\+(?:goose|migrate|micrate)|migrate:|depends:|liquibase|changeset|rollback|preconditions)|"
        r"^\s*-->\s*statement-breakpoint"
    ),
    "yaml": r"^#cloud-config\b|^\s*#@",
    "swift": r"^\s*//\s*swift-tools-version:",
    "dart": r"^\s*//\s*@dart\b",
    "php": r"^\s*#\[",
    "powershell": r"^\s*#\s*requires\b",
    "r": r"^\s*#'\s*@(?:export|import|useDynLib|rawNamespace)",
}
_WHOLE = {
    "go": r"^\s*(?:/\*|//)?\s*#\s*(?:cgo|include|define)\b",
    "sql": r"^\s*(?:/\*|--)[+!]",
    "php": r"@[A-Z\\]\w*|@(?:dataProvider|depends|test)\b",
    "haskell": r"^\s*\{-#",
    **dict.fromkeys(("html", "vue"), r"^\s*<!--\s*(?:\[if|#\w|/?ko\b)|<!\[endif"),
}
_CODING = re.compile(r"^\s*#.*?coding[:=][ \t]*[-\w.]+")
_LINE_PATTERNS = {
    name: re.compile(f"{pattern}|{_EVERYWHERE}", re.I if name in ("powershell", "docker") else 0)
    for name, pattern in _LINES.items()
}
_WHOLE_PATTERNS = {name: re.compile(pattern, re.M) for name, pattern in _WHOLE.items()}
_ANY = re.compile(_EVERYWHERE)


def directives(lexer: str, comment: str, line: int) -> list[str]:
    """Return what in a comment, or in comments that follow each other, counts as code; `line` is where it starts."""
    if line == 1 and comment.startswith("#!"):
        return [comment.split("\n", 1)[0].rstrip()]
    whole = _WHOLE_PATTERNS.get(lexer)
    if whole is not None and whole.search(comment):
        return [" ".join(comment.split())]
    pattern = _LINE_PATTERNS.get(lexer, _ANY)
    return [
        " ".join(each.split())
        for number, each in enumerate(comment.splitlines(), line)
        if pattern.search(each) or (number <= 2 and lexer in ("python", "cython") and _CODING.match(each))
    ]
