"""Clones that a server keeps of repositories elsewhere: bare, made once, brought up to date before each run."""

import hashlib
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drift.addresses import RepositoryAddress, Way
from graph.errors import Unavailable

_POLL = 0.2  # seconds
_PATIENCE = 2.0  # seconds
_SAFELY = (
    # Nothing of a foreign repository runs here, and no submodule is followed to where it may lead.
    *("-c", "core.hooksPath=/dev/null", "-c", "fetch.recurseSubmodules=false", "-c", "core.fsmonitor=false"),
    # Commits that a rebase left behind may anchor memories.
    *(
        "-c",
        "gc.autoDetach=false",
        "-c",
        "maintenance.autoDetach=false",
        "-c",
        "gc.pruneExpire=never",
        "-c",
        "protocol.ext.allow=never",
    ),
)
_SECRET = re.compile(r"(?<=://)[^@/\s]+@")
_LONGEST_COMPLAINT = 500


def clone_of(clones: Path, address: RepositoryAddress, branch: str) -> Path:
    """Return the folder in which the clone of an address lies, or will lie."""
    identity = hashlib.sha256(f"{address.text}\n{branch}".encode()).hexdigest()
    return clones / f"{identity[:32]}.git"


def fetch_clone(
    clones: Path, address: RepositoryAddress, branch: str, *, seconds: float, go_on: Callable[[], None]
) -> Path:
    """Make the clone or bring it up to date, so that its HEAD is what the branch (none: HEAD) is there; return it.

    `go_on` is called now and then, and ends it by raising. Raise Unavailable when git cannot fetch, or does not within
    the time; then an older clone stays as it was.
    """
    clone = clone_of(clones, address, branch)
    fetch = _Fetch(address, branch, time.monotonic() + seconds, go_on)
    if clone.is_dir():
        fetch.into(clone)
        return clone
    try:
        clones.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f"{clone.stem[:8]}-", dir=clones))
    except OSError as error:
        raise Unavailable(
            f"the folder of clones {clones} cannot be made: {error.strerror}",
            id=str(clones),
            next_step="give another one by ARCHMEM_CLONES",
        ) from error
    try:
        fetch.run("init", "--quiet", "--bare", "--initial-branch=archmem", "--template=", str(made))
        fetch.run(f"--git-dir={made}", "config", "remote.origin.url", address.text)
        fetch.into(made)
        try:
            made.rename(clone)
        except OSError:
            if not clone.is_dir():  # else another process made it meanwhile
                raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return clone


class _Fetch:
    """One fetch: git commands that share what is left of the time."""

    def __init__(self, address: RepositoryAddress, branch: str, until: float, go_on: Callable[[], None]) -> None:
        self._address = address
        self._branch = branch
        self._until = until
        self._go_on = go_on
        # An empty name of a program keeps git from asking anybody for a password.
        self._environment = {
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "GIT_ALLOW_PROTOCOL": "file" if address.way is Way.FILE else "https:http:ssh",
        }

    def into(self, folder: Path) -> None:
        """Fetch every branch, and the followed one as what HEAD leads to, rewritten or not."""
        followed = f"refs/heads/{self._branch}" if self._branch else "HEAD"
        heads = ("+refs/heads/*:refs/remotes/origin/*", f"+{followed}:refs/heads/archmem")
        options = ("--quiet", "--force", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
        self.run(f"--git-dir={folder}", "fetch", *options, "--", self._address.text, *heads)

    def run(self, *arguments: str) -> None:
        """Run git until it is done, the time is over, or `go_on` raises."""
        try:
            import git
        except ImportError as error:  # GitPython looks for the git command when it is imported
            raise Unavailable("git cannot be used", next_step="install git and see that it is on PATH") from error
        command = ["git", *_SAFELY, *arguments]
        started: Any = git.Git().execute(
            command, as_process=True, istream=subprocess.DEVNULL, env=self._environment, universal_newlines=False
        )
        process: subprocess.Popen[bytes] = started.proc
        try:
            complaint = self._wait(process)
        finally:
            _end(process)
        if process.returncode:
            raise self._failure(complaint or f"status {process.returncode}")

    def _wait(self, process: "subprocess.Popen[bytes]") -> str:
        while True:
            try:
                _, errors = process.communicate(timeout=_POLL)
                return errors.decode("utf-8", "replace").strip()
            except subprocess.TimeoutExpired:
                self._go_on()
                if time.monotonic() > self._until:
                    raise self._failure("it took too long") from None

    def _failure(self, complaint: str) -> Unavailable:
        # What rewrites addresses on this machine (`insteadOf`) may put a token into them.
        told = _SECRET.sub("", " ".join(complaint.split()))[:_LONGEST_COMPLAINT]
        return Unavailable(
            f"{self._address.text} cannot be fetched: {told}",
            id=self._address.text,
            next_step="see that `git fetch` works there for the server's user, without being asked for anything",
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End git if it still runs; what it started may keep its pipes open, so nobody waits for their end."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
