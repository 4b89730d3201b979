"""The path matcher: which files of the repository a source (paths and globs) covers."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from wcmatch import glob

_FLAGS = glob.GLOBSTAR | glob.DOTGLOB | glob.BRACE | glob.CASE | glob.FORCEUNIX
_MAGIC = frozenset("*?[{")


def clean_path(path: str) -> str:
    """Return a repository path with `/`, without a leading `./` and without a trailing `/`."""
    path = path.strip().replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path.strip("/") if path not in (".", "") else ""


def is_glob(pattern: str) -> bool:
    """Say whether the pattern has a wildcard (a literal path may still hold its characters)."""
    return any(character in _MAGIC for character in pattern)


def covers(pattern: str, path: str) -> bool:
    """Say whether a path or glob covers a file: a file itself, a folder all below it; `*` crosses no `/`."""
    return matcher((pattern,))(path)


@lru_cache(maxsize=4096)
def matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Return the test of a whole source; literal names win: `app/[id]/page.tsx` is a file, no character class."""
    literals = tuple(clean_path(pattern) for pattern in patterns)
    folders = tuple(f"{literal}/" for literal in literals if literal)
    exact = frozenset(literals)
    everything = "" in exact
    globs = [
        f"{literal}/**" if pattern.rstrip().endswith("/") else literal
        for pattern, literal in zip(patterns, literals, strict=True)
        if is_glob(literal)
    ]
    compiled = glob.compile(globs, flags=_FLAGS) if globs else None

    def test(path: str) -> bool:
        if everything or path in exact or path.startswith(folders):
            return True
        return compiled is not None and bool(compiled.match(path))

    return test


def covered(patterns: Iterable[str], paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that the source covers, in their own order."""
    test = matcher(tuple(patterns))
    return tuple(path for path in paths if test(path))


def specificity(pattern: str) -> int:
    """Return how narrow a pattern is: the length of its part before the first wildcard."""
    literal = clean_path(pattern)
    return next((i for i, character in enumerate(literal) if character in _MAGIC), len(literal) + 1)
