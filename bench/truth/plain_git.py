"""What the oracle asks git: plain commands, shared with nothing that is judged."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_RENAME_LIMIT = "4000"


@dataclass(frozen=True)
class Point:
    """A first-parent commit: its place counted from the oldest, its id, and its committer time in seconds."""

    place: int
    oid: str
    time: int


class PlainGit:
    """The first-parent history of one repository as of a commit; close it, or use it in a `with`."""

    def __init__(self, folder: Path, at: str = "HEAD") -> None:
        self.folder = folder
        self.at = at
        lines = self.run("log", "--first-parent", "--reverse", "--format=%H %ct", at, "--").split("\n")
        self.points = [
            Point(place, oid, int(time)) for place, (oid, time) in enumerate(line.split() for line in lines if line)
        ]
        self._places = {point.oid: point for point in self.points}
        self._renames: list[tuple[int, Mapping[str, str]]] | None = None
        self._reader: subprocess.Popen[bytes] | None = None
        self.tree = lru_cache(maxsize=None)(self._tree)
        self.blob = lru_cache(maxsize=4096)(self._blob)

    def __enter__(self) -> "PlainGit":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads blobs."""
        if self._reader:
            self._reader.communicate()
            self._reader = None

    def run(self, *arguments: str, given: bytes | None = None, env: Mapping[str, str] | None = None) -> str:
        """Return what a git command prints; a failing one raises CalledProcessError."""
        command = ["git", f"--git-dir={self.folder}", "-c", "core.quotepath=false", *arguments]
        done = subprocess.run(command, input=given, env=env, check=True, capture_output=True)
        return done.stdout.decode("utf-8", "surrogateescape")

    def point(self, commit: str) -> Point:
        """Return the place of a first-parent commit, given by its full id or the beginning of it."""
        if commit in self._places:
            return self._places[commit]
        found = [point for point in self.points if point.oid.startswith(commit)]
        if len(found) != 1:
            raise KeyError(f"{commit} names no first-parent commit of {self.folder}")
        return found[0]

    def follow(self, path: str, early: Point, late: Point) -> str | None:
        """Return where a file of the early commit stands in the late one, renames followed; None when it is gone."""
        now = path
        for place, renames in self._all_renames():
            if early.place < place <= late.place:
                now = renames.get(now, now)
        tree = self.tree(late.oid)
        return now if now in tree else path if path in tree else None

    def _all_renames(self) -> Sequence[tuple[int, Mapping[str, str]]]:
        if self._renames is None:
            options = ("--first-parent", "-m", "--reverse", "-M", f"-l{_RENAME_LIMIT}", "--diff-filter=R")
            told = self.run("log", *options, "--name-status", "--format=commit %H", self.at, "--", "*.py")
            self._renames = []
            for block in told.split("commit ")[1:]:
                oid, *lines = [line for line in block.split("\n") if line]
                renamed = dict(line.split("\t")[1:3] for line in lines if line.startswith("R"))
                self._renames.append((self._places[oid].place, renamed))
        return self._renames

    def _tree(self, commit: str) -> Mapping[str, str]:
        entries = (line.split("\t", 1) for line in self.run("ls-tree", "-r", "-z", commit).split("\0") if line)
        return {path: head.split()[2] for head, path in entries if head.split()[1] == "blob"}

    def _blob(self, oid: str) -> bytes:
        if self._reader is None:
            command = ["git", f"--git-dir={self.folder}", "cat-file", "--batch"]
            self._reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._reader.stdin
        assert self._reader.stdout
        self._reader.stdin.write(f"{oid}\n".encode())
        self._reader.stdin.flush()
        head = self._reader.stdout.readline().split()
        if len(head) != 3:
            raise LookupError(f"{oid} is not in {self.folder}")
        return self._reader.stdout.read(int(head[2]) + 1)[:-1]
