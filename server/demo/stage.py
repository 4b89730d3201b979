"""Where the demo plays: the sample in a temporary git repository, with a store of its own."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from graph.errors import Unavailable
from server.demo.sample import MEMORIES, Edit

_SETTINGS = ("commit.gpgsign=false", "core.autocrlf=false", "core.hooksPath=", "gc.auto=0")


class Stage:
    """The demo's repository and its store."""

    def __init__(self, folder: Path, sample: Path, environment: Mapping[str, str]) -> None:
        self._environment = _of_nobody(environment)
        self.repository = folder / sample.name
        self.store = folder / "archmem.db"
        shutil.copytree(sample, self.repository, ignore=shutil.ignore_patterns(MEMORIES, "__pycache__"))
        self._git("init", "--quiet")
        self._commit("The bookshop")

    def change(self, edits: Sequence[Edit], message: str) -> None:
        """Change the code and commit it."""
        for edit in edits:
            file = self.repository / edit.path
            content = file.read_text("utf-8")
            if edit.find not in content:
                raise Unavailable(
                    f"the sample's {edit.path} has no {edit.find!r}", id=edit.path, next_step="install archmem again"
                )
            file.write_text(content.replace(edit.find, edit.replace, 1), encoding="utf-8", newline="\n")
        self._commit(message)

    def _commit(self, message: str) -> None:
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", "--message", message)

    def _git(self, *arguments: str) -> None:
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        try:
            subprocess.run(
                ["git", *settings, *arguments],
                cwd=self.repository,
                env=self._environment,
                check=True,
                capture_output=True,
            )
        except FileNotFoundError as error:
            raise Unavailable("git is not found on PATH", id="git", next_step="install git") from error
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode("utf-8", "replace").strip()
            raise Unavailable(
                f"git {arguments[0]} failed: {said}", id="git", next_step="run `archmem doctor`"
            ) from error


@contextmanager
def staged(sample: Path, environment: Mapping[str, str]) -> Iterator[Stage]:
    """Give a prepared stage, which is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="archmem-demo-", ignore_cleanup_errors=True) as folder:
        yield Stage(Path(folder), sample, environment)


def _of_nobody(environment: Mapping[str, str]) -> Mapping[str, str]:
    # A hook that started the demo would point git to its own repository.
    kept = {name: value for name, value in environment.items() if not name.startswith("GIT_")}
    named = {f"GIT_{role}_{what}": "demo" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {**kept, **named}
