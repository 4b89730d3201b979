"""What git says about two states: changed files, and the commits that changed them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

SUBMODULE = "160000"
SYMLINK = "120000"


@dataclass(frozen=True, slots=True)
class Change:
    """One file in two states; an absent side has an empty path, mode and blob."""

    old: str
    new: str
    old_blob: str
    new_blob: str
    old_mode: str = "100644"
    new_mode: str = "100644"

    @property
    def added(self) -> bool:
        return not self.old

    @property
    def removed(self) -> bool:
        return not self.new

    @property
    def renamed(self) -> bool:
        return bool(self.old and self.new and self.old != self.new)

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for path in (self.old, self.new) if path))


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the branch with what it changed against its first parent; `committed` is in seconds since 1970."""

    oid: str
    parents: tuple[str, ...]
    committed: int
    author: str
    changes: tuple[Change, ...] = ()

    @property
    def committed_at(self) -> datetime:
        return datetime.fromtimestamp(self.committed, UTC)


def changes_of_blobs(old: Mapping[str, str], tree: Mapping[str, str], covered: Iterable[str]) -> tuple[Change, ...]:
    """Return the changes from recorded blobs to a tree, of which `covered` are the paths that may be additions.

    A file that went and whose very blob stands at a path unknown before is a rename.
    """
    changed = [Change(path, path, blob, tree[path]) for path, blob in old.items() if path in tree]
    added = {path: tree[path] for path in covered if path not in old}
    gone = {path: blob for path, blob in old.items() if path not in tree}
    homes: dict[str, list[str]] = {}
    if gone:
        wanted = set(gone.values())
        for path, blob in tree.items():
            if blob in wanted and path not in old:
                homes.setdefault(blob, []).append(path)
    for path, blob in gone.items():
        candidates = homes.get(blob, [])
        home = max(candidates, key=lambda candidate: (_tail(path, candidate), candidate in added), default="")
        if home:
            candidates.remove(home)
            added.pop(home, None)
            changed.append(Change(path, home, blob, blob))
        else:
            changed.append(Change(path, "", blob, "", new_mode=""))
    changed.extend(Change("", path, "", blob, old_mode="") for path, blob in added.items())
    return tuple(change for change in changed if change.old_blob != change.new_blob or change.renamed)


def _tail(one: str, other: str) -> int:
    """Count the trailing parts that two paths share."""
    count = 0
    for left, right in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if left != right:
            break
        count += 1
    return count
