"""The edit that repairs a model after its code moved: where each gone path of a source lives now."""

from collections import Counter
from collections.abc import Collection, Mapping
from posixpath import commonpath, dirname

from drift.coverage import covered_sorted, static_prefix
from graph.paths import clean_path, covers, is_glob


def repairs(
    source: tuple[str, ...], renames: Mapping[str, str], before: Collection[str], now: Collection[str]
) -> dict[str, str]:
    """Return the new home of each pattern that covered something before, covers nothing now, and whose files moved."""
    found: dict[str, str] = {}
    old, new, kept = sorted(before), sorted(now), set(now)
    for pattern in source:
        gone = covered_sorted((pattern,), old)
        pairs = [(path, renames[path]) for path in gone if path in renames]
        if not pairs or covered_sorted((pattern,), new):
            continue
        if clean_path(pattern) not in before and is_glob(pattern) and all(home in kept for _, home in pairs):
            continue  # the rest of the source covers them already
        found[pattern] = _home(pattern, pairs)
    return found


def _home(pattern: str, pairs: list[tuple[str, str]]) -> str:
    literal = clean_path(pattern)
    if len(pairs) == 1 and pairs[0][0] == literal:
        return pairs[0][1]
    wild = is_glob(pattern)
    prefix = static_prefix(pattern)
    folder = prefix[: prefix.rfind("/") + 1].rstrip("/") if wild else literal
    votes: Counter[str] = Counter()
    for old, new in pairs:
        rest = old[len(folder) :].lstrip("/")
        if new == rest or new.endswith(f"/{rest}"):
            votes[new[: -len(rest)].rstrip("/")] += 1
    home = votes.most_common(1)[0][0] if votes else commonpath([dirname(new) or "." for _, new in pairs])
    if wild:
        candidate = "/".join(part for part in (home, literal[len(folder) :].lstrip("/")) if part)
        if any(covers(candidate, new) for _, new in pairs):
            return candidate
    return home or "."
