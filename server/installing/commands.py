"""How a client starts archmem: the executable, and the line that the client's shell understands."""

import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

_PLAIN = re.compile(r"[\w./:~-]+", re.ASCII)
_OURS = re.compile(r"(?:archmem|server\.cli)(?:\.exe)?[\"']?\s+hook\s+(?:session-start|pre-edit|session-end)\b")


def executable() -> tuple[str, ...]:
    """Return how this archmem is started from anywhere: its command's absolute path, else this Python with -m."""
    beside = shutil.which("archmem", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("archmem")
    return (str(Path(found).absolute()),) if found else (sys.executable, "-m", "server.cli")


def shell_line(words: Sequence[str], *, windows: bool, powershell: bool) -> str:
    """Return one line for a shell: POSIX, or on Windows PowerShell or Git's bash.

    A path without spaces needs no quotes with forward slashes, and then every shell of Windows takes it. A quoted one
    is no command to PowerShell without `&`, and bash eats backslashes.
    """
    if not windows:
        return shlex.join(words)
    slashed = [words[0].replace("\\", "/"), *words[1:]]
    if all(_PLAIN.fullmatch(word) for word in slashed):
        return " ".join(slashed)
    if powershell:
        quoted = (word if _PLAIN.fullmatch(word) else "'" + word.replace("'", "''") + "'" for word in slashed)
        return f"& {' '.join(quoted)}"
    return shlex.join(slashed)


def runs_our_hook(line: object) -> bool:
    """Say whether a command line of a hook starts a hook of archmem."""
    return isinstance(line, str) and _OURS.search(line) is not None
