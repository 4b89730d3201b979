"""How long it takes to look for secrets: in the files of a folder, and in texts that are made to take long.

Run: python -m bench.secrets FOLDER

Beside the megabytes a second it tells what was found in the folder's files, by kind and place, to be read by hand.
"""

import argparse
import time
from pathlib import Path

from bench.machine import machine
from graph.secrets import find_secrets

_LARGEST = 2_000_000  # bytes of a file
_EIGHTHS = 8
HOSTILE = {
    "beginnings of web tokens": "eyJ" * 300_000,
    "names without values": "password: " * 100_000,
    "beginnings of private keys": "-----BEGIN PRIVATE KEY-----" * 40_000,
    "a private key that never ends": "-----BEGIN PRIVATE KEY-----" + "A" * 64 + "-" * 900_000,
    "groups of a Slack token": "xoxb-" + "1-" * 400_000,
    "an address without end": "a" * 500_000 + "://" + "b" * 400_000 + ":",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    files, size, took = 0, 0, 0.0
    for path in sorted(folder.rglob("*")):
        if ".git" in path.parts or not path.is_file() or path.stat().st_size > _LARGEST:
            continue
        try:
            text = path.read_text("utf-8")
        except ValueError:
            continue
        start = time.perf_counter()
        found = find_secrets(text)
        took += time.perf_counter() - start
        files, size = files + 1, size + len(text)
        for one in found:
            print(f"{path.relative_to(folder)}:{text.count(chr(10), 0, one.start) + 1}: {one.kind}")
    print(f"{machine()}\n\n{files:,} files, {size / 1e6:.1f} MB in {took:.1f} s\n")
    print("| hostile text | MB | seconds | an eighth of it | ratio |\n|---|---|---|---|---|")
    for name, text in HOSTILE.items():
        whole, eighth = timed(text), timed(text[: len(text) // _EIGHTHS])
        print(f"| {name} | {len(text) / 1e6:.1f} | {whole:.2f} | {eighth:.3f} | {whole / eighth:.1f} |")


def timed(text: str) -> float:
    start = time.perf_counter()
    find_secrets(text)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
