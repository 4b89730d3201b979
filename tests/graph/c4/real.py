"""Where model files lie that real teams wrote, beside the repository or where ARCHMEM_SHARED says."""

import csv
import os
from pathlib import Path

SHARED = Path(os.environ.get("ARCHMEM_SHARED") or Path(__file__).resolve().parents[4] / "shared")
REAL = SHARED / "real" / "c4"
MISSING = f"no folder with real model files at {REAL}; ARCHMEM_SHARED can name another"


def manifest() -> list[str]:
    """Return the main files of the manifest, below the folder; none where it is not there."""
    if not REAL.is_dir():
        return []
    with (REAL / "MANIFEST.tsv").open(encoding="utf-8", newline="") as rows:
        return [row["local"] for row in csv.DictReader(rows, delimiter="\t")]
