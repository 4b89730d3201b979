"""Damages model files in ways that people and tools do, and insists that each is read or refused, never more.

Run: python -m bench.mutations FOLDER… [--count 10000] [--seed 1]

Every `.dsl` and `.json` file below the folders is damaged in turn, with the other files beside it as they are.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.machine import machine
from graph.c4 import read_model
from graph.checking import refuse_faulty
from graph.elements import ArchitectureModel
from graph.errors import Fault, Unknown, UnreadableModel

_ENDINGS = (".dsl", ".c4", ".json")
LONGEST = 10.0


@dataclass(frozen=True)
class Base:
    """A file to damage, the file that the model begins with, and all files beside both."""

    damaged: str
    main: str
    files: Mapping[str, bytes]


class Files:
    """A tree in memory, for a model that no disk has."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def paths(self) -> Collection[str]:
        return self._files.keys()

    def read(self, path: str) -> bytes:
        if path not in self._files:
            raise Unknown(f"there is no file {path!r}", id=path, next_step="check the path")
        return self._files[path]


def bases(folder: Path) -> Iterator[Base]:
    """Yield every model file below the folder, one in which no workspace begins as a part of what lies beside it."""
    for place in sorted({path.parent for path in folder.rglob("*") if path.suffix in _ENDINGS}):
        files = {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}
        named = sorted(name for name in files if name.endswith(_ENDINGS) and "/" not in name)
        mains = [name for name in named if b"workspace" in files[name] or name.endswith(".json")]
        for name in named:
            # Most folders hold models that have nothing to do with each other.
            yield from (Base(name, main, files) for main in ([name] if name in mains else mains[:1]))
        for part in sorted(name for name in files if "/" in name):
            yield from (Base(part, main, files) for main in mains[:1])


def mutated(random: Random, content: bytes, other: bytes) -> bytes:
    """Return the content with one to four damages; `other` is what a splice takes its lines from."""
    for _ in range(random.randint(1, 4)):
        content = random.choice(_DAMAGES)(random, content, other)
    return content


def read(base: Base, content: bytes) -> ArchitectureModel | None:
    """Read the model with this content in the damaged file's place; None when it is refused as it should be.

    Raises AssertionError for a model that nobody could take over, and whatever a reader raises that it must not.
    """
    began = time.perf_counter()
    tree = Files({**base.files, base.damaged: content})
    model, findings = _read(tree, base.main)
    assert time.perf_counter() - began < LONGEST, "reading took too long"
    for finding in findings:
        file, _, line = finding.where.rpartition(":")
        is_placed = file and line.isdigit() and finding.what
        assert is_placed, f"{finding} names no place"
    return model


def _read(tree: Files, main: str) -> tuple[ArchitectureModel | None, Sequence[Fault]]:
    try:
        model = read_model(tree, [main])
    except UnreadableModel as refused:
        if not refused.faults:
            raise
        return None, refused.faults
    refuse_faulty(model)
    model.model_dump_json()
    return model, model.warnings


def _flip(random: Random, content: bytes, _: bytes) -> bytes:
    damaged = bytearray(content)
    for _unused in range(min(len(damaged), random.randint(1, 8))):
        damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
    return bytes(damaged)


def _insert(random: Random, content: bytes, _: bytes) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + random.choice(_PIECES) + content[at:]


def _delete_lines(random: Random, content: bytes, _: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    at = random.randint(0, len(lines))
    return b"".join(lines[:at] + lines[at + random.randint(1, 5) :])


def _repeat_lines(random: Random, content: bytes, _: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    at, count = random.randint(0, len(lines)), random.randint(1, 30)
    return b"".join(lines[: at + count] + lines[at:])


def _swap_lines(random: Random, content: bytes, _: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    if lines:
        one, other = random.randrange(len(lines)), random.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _drop_mark(random: Random, content: bytes, _: bytes) -> bytes:
    mark = random.choice((b"{", b"}", b'"', b"[", b"]", b",", b"->", b"="))
    parts = content.split(mark)
    at = random.randint(1, len(parts))
    return mark.join(parts[:at]) + mark.join(parts[at:])


def _truncate(random: Random, content: bytes, _: bytes) -> bytes:
    return content[: random.randint(0, len(content))]


def _splice(random: Random, content: bytes, other: bytes) -> bytes:
    lines, others = content.splitlines(keepends=True), other.splitlines(keepends=True)
    at, start = random.randint(0, len(lines)), random.randint(0, len(others))
    return b"".join(lines[:at] + others[start : start + random.randint(1, 40)] + lines[at:])


_PIECES = (
    *(
        b"{",
        b"}",
        b'"',
        b"\\",
        b"\\\n",
        b'"""',
        b'"""\n',
        b"/*",
        b"*/",
        b"#",
        b"//",
        b"->",
        b"=",
        b" = ",
        b"\r",
        b"\x00",
    ),
    *(b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xc2\xa0", b"\xe2\x80\xa8", b"${NAME}", b"${", b"null"),
    *(b"!include .", b"!include workspace.dsl", b"\n!include ..\n", b"\nworkspace extends workspace.dsl {\n"),
    *(b"\n!const A B\n", b"\n!var A ${A}${A}\n", b'\n!elements "element==*" {\n', b'\n!elements "->a->" {\n}\n'),
    *(
        b'\n!relationships "*->*" {\n',
        b"\n!script groovy {\n",
        b"\ngroup G {\n",
        b"\nmodel {\n",
        b"\nviews {\n",
        b"\\ud800",
    ),
    *(b'"people": {}, ', b'"model": 1, ', b'"name": "", ', b'"relationships": [[]], ', b"[" * 5_000, b'{"a":' * 5_000),
)
_DAMAGES: Sequence[Callable[[Random, bytes, bytes], bytes]] = (
    _flip,
    _insert,
    _delete_lines,
    _repeat_lines,
    _swap_lines,
    _drop_mark,
    _truncate,
    _splice,
)


def run(found: Sequence[Base], count: int, seed: int) -> tuple[Counter[str], float]:
    """Damage and read so many times; return how they ended, and the longest reading in seconds."""
    ends: Counter[str] = Counter()
    longest = 0.0
    for number in range(count):
        random = Random(seed * 1_000_003 + number)
        base, other = found[number % len(found)], random.choice(found)
        content = mutated(random, base.files[base.damaged], other.files[other.damaged])
        began = time.perf_counter()
        try:
            model = read(base, content)
        except BaseException:
            print(f"number {number} of seed {seed}: {base.damaged} for {base.main}", file=sys.stderr)
            raise
        longest = max(longest, time.perf_counter() - began)
        ends["refused" if model is None else "read with warnings" if model.warnings else "read"] += 1
    return ends, longest


def main() -> None:
    """Say how many were read and how many refused; an undocumented error ends the run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    found = [base for folder in chosen.folders for base in bases(folder)]
    began = time.perf_counter()
    ends, longest = run(found, chosen.count, chosen.seed)
    told = ", ".join(f"{count} {end}" for end, count in ends.most_common())
    print(f"{chosen.count} damages of {len(found)} files: {told}; none more")
    print(f"{time.perf_counter() - began:.0f} s, the longest reading {longest:.2f} s; {machine()}")


if __name__ == "__main__":
    main()
