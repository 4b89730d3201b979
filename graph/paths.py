"""The path matcher: which files of the repository a source (paths and globs) covers."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from posixpath import normpath

from bracex import ExpansionLimitException, expand
from wcmatch import glob

MOST_ALTERNATIVES = 256
"""As many patterns may the braces of one stand for: each costs a millisecond to read, and time at every match."""

# A model of 2,000 elements asks for each source and for each of its patterns; less than that, and a scan empties it.
_KEPT = 8_192
_FLAGS = glob.GLOBSTAR | glob.DOTGLOB | glob.CASE | glob.FORCEUNIX
_MAGIC = frozenset("*?[{")


def clean_path(path: str) -> str:
    """Return a repository path with `/`, without a leading `./` and without a trailing `/`."""
    path = path.strip().replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path.strip("/") if path not in (".", "") else ""


def plain_path(path: str) -> str | None:
    """Return a clean path with every `..` resolved; None when it leaves the repository."""
    plain = clean_path(normpath(clean_path(path) or "."))
    return None if plain.split("/", 1)[0] == ".." else plain


def is_glob(pattern: str) -> bool:
    """Say whether the pattern has a wildcard (a literal path may still hold its characters)."""
    return any(character in _MAGIC for character in pattern)


def covers(pattern: str, path: str) -> bool:
    """Say whether a path or glob covers a file: a file itself, a folder all below it; `*` crosses no `/`."""
    return matcher((pattern,))(path)


def is_matchable(pattern: str) -> bool:
    """Say whether the pattern's braces stand for few enough patterns; one that is not matches as a literal alone."""
    return _without_braces(clean_path(pattern)) is not None


@lru_cache(maxsize=_KEPT)
def matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Return the test of a whole source; literal names win: `app/[id]/page.tsx` is a file, no character class."""
    literals = tuple(clean_path(pattern) for pattern in patterns)
    folders = tuple(f"{literal}/" for literal in literals if literal)
    exact = frozenset(literals)
    everything = "" in exact
    globs = [
        one
        for pattern, literal in zip(patterns, literals, strict=True)
        if is_glob(literal)
        for one in _without_braces(f"{literal}/**" if pattern.rstrip().endswith("/") else literal) or ()
    ]
    compiled = glob.compile(globs, flags=_FLAGS, limit=0) if globs else None

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


def _without_braces(pattern: str) -> list[str] | None:
    """Return the patterns that the braces stand for, in their order; None when they are too many or too deep."""
    if "{" not in pattern:
        return [pattern]
    try:
        return list(expand(pattern, keep_escapes=True, limit=MOST_ALTERNATIVES))
    except (ExpansionLimitException, RecursionError):
        return None
