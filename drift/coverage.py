"""Which files of a tree an element's source covers: through symlinks, down to a submodule, quickly."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from drift.trees import GitTree
from graph.paths import clean_path, is_glob, matcher

_MAGIC = "*?[{"
_AFTER_ALL = "\U0010ffff"


def covered_sorted(source: Iterable[str], paths: Sequence[str]) -> list[str]:
    """Return the paths, which are sorted, that the source covers."""
    found: set[str] = set()
    for pattern in source:
        prefix = static_prefix(pattern)
        test = matcher((pattern,))
        start = bisect_left(paths, prefix)
        end = bisect_left(paths, prefix + _AFTER_ALL, start)
        found.update(path for path in paths[start:end] if test(path))
    return sorted(found)


def static_prefix(pattern: str) -> str:
    """Return what every covered path starts with."""
    literal = clean_path(pattern)
    return next((literal[:i] for i, character in enumerate(literal) if character in _MAGIC), literal)


class Coverage:
    """The files of one tree by source."""

    def __init__(self, tree: GitTree) -> None:
        self.tree = tree
        self._known: dict[tuple[str, ...], tuple[str, ...]] = {}

    def paths(self, source: tuple[str, ...]) -> tuple[str, ...]:
        """Return the covered paths, sorted; a submodule stands for what lies in it."""
        if source not in self._known:
            self._known[source] = tuple(covered_sorted(self.patterns(source), self.tree.sorted_paths))
        return self._known[source]

    def patterns(self, source: tuple[str, ...]) -> tuple[str, ...]:
        """Return the source with what its symlinks lead to and the submodules that it reaches into."""
        found = dict.fromkeys(source)
        for pattern in source:
            found.update(dict.fromkeys(self._through_links(clean_path(pattern), self.tree.links)))
            found.update(
                (mount, None) for mount in self.tree.submodules if static_prefix(pattern).startswith(f"{mount}/")
            )
        return tuple(found)

    def blobs(self, source: tuple[str, ...]) -> dict[str, str]:
        """Return the blob ids of the covered paths."""
        blobs = self.tree.blobs()
        return {path: blobs[path] for path in self.paths(source)}

    def case_twin(self, source: tuple[str, ...]) -> str:
        """Return a path that a literal of the source would cover if case did not count; empty when there is none."""
        for pattern in source:
            wanted = clean_path(pattern).casefold()
            if wanted and not is_glob(pattern):
                for path, folded in self.tree.folded_paths:
                    if folded == wanted or folded.startswith(f"{wanted}/"):
                        return path[: len(wanted)]
        return ""

    @staticmethod
    def _through_links(pattern: str, links: Mapping[str, str]) -> list[str]:
        found: list[str] = []
        for _ in range(8):  # a link may lead through another one, or to itself
            link = next((link for link in links if pattern == link or pattern.startswith(f"{link}/")), None)
            if link is None:
                break
            pattern = f"{links[link]}{pattern[len(link) :]}".strip("/")
            if not pattern or pattern in found:  # a link to the root covers everything: that says nothing
                break
            found.append(pattern)
        return found
