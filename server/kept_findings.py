"""What drift runs found, kept between runs in a file of the user's cache folder.

A line holds a checksum, a key and a value. Processes append whole lines, so several can share a file; a line that is
cut off or damaged is passed over, and what cannot be written is found again by the next run.
"""

import json
import zlib
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

from drift import Repository, check_drift
from graph.drift_report import DriftReport
from graph.elements import ArchitectureModel

MOST_BYTES = 8_000_000


@contextmanager
def kept_findings(root: Path, *, folder: Path | None = None) -> Iterator[MutableMapping[str, str]]:
    """Give what was found in the repository at `root`; keep what is added, also when the run fails."""
    file = (folder or _folder()) / f"{blake2b(str(root).encode(), digest_size=12).hexdigest()}.txt"
    known = _read(file)
    found = dict(known)
    try:
        yield found
    finally:
        fresh = {key: value for key, value in found.items() if known.get(key) != value}
        if fresh:
            with suppress(OSError):
                _keep(file, found, fresh)


def check_from_kept(model: ArchitectureModel, repository: Repository, **options: Any) -> DriftReport:
    """Return the report of a drift check that starts from what earlier ones found."""
    with kept_findings(repository.root) as found:
        return check_drift(model, repository, found=found, **options)


def _folder() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("archmem", appauthor=False) / f"drift-{version('archmem')}"


def _read(file: Path) -> dict[str, str]:
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError:
        return {}
    found: dict[str, str] = {}
    for line in lines:
        checksum, _, rest = line.partition(b"\t")
        if checksum == _checksum(rest):
            key, value = json.loads(rest)
            found.pop(key, None)  # what was written last stands last
            found[key] = value
    return found


def _keep(file: Path, found: dict[str, str], fresh: dict[str, str]) -> None:
    """Append what is new; a file that grew too long is written anew without what was written first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = b"".join(map(_line, fresh.items()))
    size = file.stat().st_size if file.exists() else 0
    if size + len(lines) <= MOST_BYTES:
        with file.open("ab", buffering=0) as out:
            out.write(b"\n" + lines)  # a line that another process left unfinished ends here
        return
    kept: list[bytes] = []
    room = MOST_BYTES // 2
    for item in reversed(found.items()):
        line = _line(item)
        room -= len(line)
        if room < 0:
            break
        kept.append(line)
    other = file.with_name(f"{file.name}.{uuid4().hex}")
    try:
        other.write_bytes(b"".join(reversed(kept)))
        other.replace(file)
    finally:
        other.unlink(missing_ok=True)


def _line(item: tuple[str, str]) -> bytes:
    rest = json.dumps(item, separators=(",", ":")).encode()
    return _checksum(rest) + b"\t" + rest + b"\n"


def _checksum(rest: bytes) -> bytes:
    return b"%08x" % zlib.crc32(rest)
