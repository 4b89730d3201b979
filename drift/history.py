"""The branch as it was built: its first-parent commits, newest first, read once and only as far as needed."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from drift.changes import Change, Commit
from drift.repository import Repository

_FIRST_CHUNK = 250


@dataclass(frozen=True, slots=True)
class Touch:
    """One change of one path at a position of the branch; position 0 is its tip."""

    position: int
    change: Change


@dataclass(frozen=True, slots=True)
class Clock:
    """When changes landed: never after `now`, and what the previous run could not see, never before that run.

    A fast-forward brings old commits late: their own times would hide that.
    """

    now: datetime
    unseen: int = 0
    seen_at: datetime | None = None

    def landed(self, position: int, committed_at: datetime) -> datetime:
        """Return the moment at which the commit at this position came to the branch."""
        if self.seen_at is not None and position < self.unseen:
            committed_at = max(committed_at, self.seen_at)
        return min(committed_at, self.now)


class History:
    """The first-parent commits of a target. A tree that is no commit yet stands on top as a commit of its own."""

    def __init__(self, repository: Repository, start: str, top: Commit | None = None) -> None:
        self._repository = repository
        self._start = start
        self._next = start
        self._chunk = _FIRST_CHUNK
        self._commits: list[Commit] = []
        self._touches: dict[str, list[Touch]] = {}
        self._positions: dict[str, int] | None = None
        self._depths: dict[str, int] = {}
        self._offset = 0
        self.truncated = False
        if top is not None:
            self._offset = 1
            self._add(top)

    def commit(self, position: int) -> Commit | None:
        """Return the commit at a position; None past the first one that is known."""
        while position >= len(self._commits) and self._load():
            pass
        return self._commits[position] if position < len(self._commits) else None

    def walk(self) -> Iterator[tuple[int, Commit]]:
        """Go from the tip to the oldest known commit."""
        position = 0
        while (commit := self.commit(position)) is not None:
            yield position, commit
            position += 1

    def oldest(self) -> Commit | None:
        """Return the oldest known commit."""
        self._load_all()
        return self._commits[-1] if self._commits else None

    def depth(self, base: str) -> int:
        """Return how many commits from the tip on are not reached by base."""
        if base not in self._depths:
            if self._positions is None:
                chain = self._repository.first_parents(self._start) if self._start else []
                self._positions = {oid: position for position, oid in enumerate(chain, self._offset)}
            position = self._positions.get(base)
            if position is None:
                position = self._offset + (self._repository.count_beyond(base, self._start) if self._start else 0)
            self._depths[base] = position
        return self._depths[base]

    def touches(self, path: str, depth: int | None = None) -> Iterator[Touch]:
        """Go through the changes of a path, newest first, among the first `depth` commits or all."""
        seen = 0
        while True:
            known = self._touches.get(path, [])
            while seen < len(known):
                if depth is not None and known[seen].position >= depth:
                    return
                yield known[seen]
                seen += 1
            if (depth is not None and len(self._commits) >= depth) or not self._load():
                return

    def all_paths(self) -> Collection[str]:
        """Return every path that any known commit changed."""
        self._load_all()
        return self._touches.keys()

    def touches_of(self, changes: Iterable[Change], depth: int | None) -> list[Touch]:
        """Return what led from one state to the other, newest first, each path back to the blob that it had then.

        Without a depth (the state's commit is not known) that blob is where a path's way ends.
        """
        found: dict[tuple[int, Change], Touch] = {}
        for change in changes:
            for path in change.paths:
                for touch in self.touches(path, depth):
                    found[touch.position, touch.change] = touch
                    if depth is None and touch.change.old_blob == change.old_blob:
                        break
        return sorted(found.values(), key=lambda touch: touch.position)

    def last(self, touches: Iterable[Touch], significant: Callable[[Change], bool]) -> Touch | None:
        """Return the newest touch that mattered, of touches that stand newest first."""
        newest = None
        for touch in touches:
            newest = newest or touch
            change = touch.change
            moved = change.added or change.removed
            if significant(change) and not (moved and self._only_moved(touch)):
                return touch
        return newest

    def _only_moved(self, touch: Touch) -> bool:
        """Say whether the same commit took the very content away elsewhere, or put it elsewhere."""
        blob = touch.change.new_blob or touch.change.old_blob
        changes = self._commits[touch.position].changes
        if touch.change.added:
            return any(other.removed and other.old_blob == blob for other in changes)
        return any(other.added and other.new_blob == blob for other in changes)

    def _load_all(self) -> None:
        while self._load():
            pass

    def _load(self) -> bool:
        if not self._next:
            return False
        loaded = self._repository.log(self._next, self._chunk)
        self._chunk *= 4
        self._next = ""
        for commit in loaded:
            cut = commit.oid in self._repository.shallow_commits
            self._add(Commit(commit.oid, (), commit.committed, commit.author) if cut else commit)
            self._next = commit.parents[0] if commit.parents else ""
            self.truncated = self.truncated or cut
        return bool(loaded)

    def _add(self, commit: Commit) -> None:
        position = len(self._commits)
        self._commits.append(commit)
        for change in commit.changes:
            touch = Touch(position, change)
            for path in change.paths:
                self._touches.setdefault(path, []).append(touch)
