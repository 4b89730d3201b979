"""The documented model held against the repository: reads git, never writes the graph."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.acceptance import ACCEPTED_FILE, accept, parse_accepted, read_accepted, write_accepted
    from drift.check import check_drift
    from drift.coverage import Coverage
    from drift.dead_sources import find_dead_sources
    from drift.evidence import check_claims
    from drift.policy import DriftPolicy
    from drift.project import read_project
    from drift.remotes import normalised_remote
    from drift.render import exit_code, render_json, render_text
    from drift.repository import Repository
    from drift.trees import GitTree

__all__ = [
    "ACCEPTED_FILE",
    "Coverage",
    "DriftPolicy",
    "GitTree",
    "Repository",
    "accept",
    "check_claims",
    "check_drift",
    "exit_code",
    "find_dead_sources",
    "normalised_remote",
    "parse_accepted",
    "read_accepted",
    "read_project",
    "render_json",
    "render_text",
    "write_accepted",
]

_ROOMS = {
    "ACCEPTED_FILE": "acceptance",
    "Coverage": "coverage",
    "DriftPolicy": "policy",
    "GitTree": "trees",
    "Repository": "repository",
    "accept": "acceptance",
    "check_claims": "evidence",
    "check_drift": "check",
    "exit_code": "render",
    "find_dead_sources": "dead_sources",
    "normalised_remote": "remotes",
    "parse_accepted": "acceptance",
    "read_accepted": "acceptance",
    "read_project": "project",
    "render_json": "render",
    "render_text": "render",
    "write_accepted": "acceptance",
}


def __getattr__(name: str) -> object:
    """Import what is asked for and no more: a recall needs the repository, and neither readers nor verdicts."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
