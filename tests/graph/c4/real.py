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


def real_dsl() -> list[str]:
    """Return the Structurizr DSL files below the folder; none where it is not there."""
    if not REAL.is_dir():
        return []
    with (REAL / "MANIFEST.tsv").open(encoding="utf-8", newline="") as rows:
        local = [row["local"] for row in csv.DictReader(rows, delimiter="\t")]
    embedded = [str(path.relative_to(REAL)) for path in (REAL / "structurizr-json").glob("*.dsl")]
    return sorted([name for name in local if name.startswith("structurizr-dsl/") or "UKHomeOffice" in name] + embedded)


def real_json() -> list[str]:
    """Return the workspaces in JSON below the folder; none where it is not there."""
    return sorted(f"structurizr-json/{path.name}" for path in (REAL / "structurizr-json").glob("*.json"))
