"""What machine a figure was measured on."""

import os
import platform
from importlib.metadata import version

import apsw


def machine() -> str:
    """Return processor count, system and the versions that matter, in one line."""
    return (
        f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}, "
        f"SQLite {apsw.sqlite_lib_version()}, archmem {version('archmem')}"
    )
