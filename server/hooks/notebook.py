"""What the hooks of one client session tell each other, in the user's state folder.

Each hook is a process of its own, and several may run at once; so what happens once is a file that is made once.
"""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

_NOTES = "notes.json"
_OLD_SECONDS = 7 * 86_400


class Notebook:
    """The folder of one client session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of(cls, client: str, session: str) -> "Notebook":
        """Return the notebook of a client's session, by that client's id."""
        return cls(_shelf() / sha256(f"{client}\0{session}".encode()).hexdigest()[:32])

    def read(self) -> dict[str, Any] | None:
        """Return what was noted at the start; None when nothing was, or it cannot be read."""
        try:
            notes = json.loads((self._folder / _NOTES).read_bytes())
        except (OSError, ValueError):
            return None
        return notes if isinstance(notes, dict) else None

    def write(self, notes: dict[str, Any]) -> None:
        """Keep notes, at once and for this user alone."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        made = self._folder / f"{_NOTES}.{time.monotonic_ns()}"
        made.touch(mode=0o600)
        made.write_text(json.dumps(notes), encoding="utf-8")
        made.replace(self._folder / _NOTES)

    def write_nothing(self) -> None:
        """Note that there is nothing to tell here, so that no edit has to find that out again."""
        if self.read() is None:
            self.write({"root": "", "session": "", "elements": [], "texts": {}})

    def is_first(self, kind: str, name: str) -> bool:
        """Say whether this is the first time that the name comes up, of all processes of the session."""
        try:
            self._mark(kind, name).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def came_up(self, kind: str, name: str) -> bool:
        """Say whether the name came up before."""
        return self._mark(kind, name).exists()

    def forget(self, kind: str) -> None:
        """Let every name of this kind come up for the first time again."""
        for mark in self._folder.glob(f"{kind}-*"):
            mark.unlink(missing_ok=True)

    def edited(self, path: str) -> None:
        """Note that a file of the repository is being edited."""
        mark = self._mark("edit", path)
        if not mark.exists():
            mark.write_text(path, encoding="utf-8")

    def edits(self) -> tuple[str, ...]:
        """Return the files that were edited."""
        return tuple(sorted(mark.read_text(encoding="utf-8") for mark in self._folder.glob("edit-*")))

    def close(self) -> None:
        """Throw the notebook away."""
        import shutil

        shutil.rmtree(self._folder, ignore_errors=True)

    def _mark(self, kind: str, name: str) -> Path:
        return self._folder / f"{kind}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def left_behind() -> Iterator[Notebook]:
    """Yield the notebooks that nobody closed for long: their clients ended without saying so."""
    before = time.time() - _OLD_SECONDS
    with suppress(OSError):  # no folder yet, or no right to look into it
        for folder in list(_shelf().iterdir()):
            with suppress(FileNotFoundError):  # another session's start threw it away meanwhile
                if folder.stat().st_mtime < before:
                    yield Notebook(folder)


def _shelf() -> Path:
    import platformdirs

    return platformdirs.user_state_path("archmem", appauthor=False) / "hooks"
