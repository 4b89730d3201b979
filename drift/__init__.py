"""The documented model held against the repository: reads git, never writes the graph."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drift.acceptance import ACCEPTED_FILE, accept, parse_accepted, read_accepted, write_accepted
    from drift.addresses import RepositoryAddress, Way, parse_address
    from drift.check import check_drift
    from drift.checked import ChangeReport, Checked, MemoryNote, judge_report
    from drift.clones import clone_of, fetch_clone
    from drift.coverage import Coverage
    from drift.dead_sources import find_dead_sources
    from drift.evidence import check_claims
    from drift.policy import DriftPolicy, FailOn
    from drift.project import read_project
    from drift.ratchet import BASELINE_FILE, KnownFindings, known_of, parse_known, read_known, undecided_of, write_known
    from drift.remotes import normalised_remote
    from drift.rendering import FORMATS, MARKER, render_text
    from drift.repository import Repository
    from drift.results import results_of
    from drift.touching import touched_elements
    from drift.trees import GitTree

__all__ = [
    "ACCEPTED_FILE",
    "BASELINE_FILE",
    "FORMATS",
    "MARKER",
    "ChangeReport",
    "Checked",
    "Coverage",
    "DriftPolicy",
    "FailOn",
    "GitTree",
    "KnownFindings",
    "MemoryNote",
    "Repository",
    "RepositoryAddress",
    "Way",
    "accept",
    "check_claims",
    "check_drift",
    "clone_of",
    "fetch_clone",
    "find_dead_sources",
    "judge_report",
    "known_of",
    "normalised_remote",
    "parse_accepted",
    "parse_address",
    "parse_known",
    "read_accepted",
    "read_known",
    "read_project",
    "render_text",
    "results_of",
    "touched_elements",
    "undecided_of",
    "write_accepted",
    "write_known",
]

_ROOMS = {
    "ACCEPTED_FILE": "acceptance",
    "BASELINE_FILE": "ratchet",
    "FORMATS": "rendering",
    "MARKER": "rendering",
    "ChangeReport": "checked",
    "Checked": "checked",
    "Coverage": "coverage",
    "DriftPolicy": "policy",
    "FailOn": "policy",
    "GitTree": "trees",
    "KnownFindings": "ratchet",
    "MemoryNote": "checked",
    "Repository": "repository",
    "RepositoryAddress": "addresses",
    "Way": "addresses",
    "accept": "acceptance",
    "check_claims": "evidence",
    "check_drift": "check",
    "clone_of": "clones",
    "fetch_clone": "clones",
    "find_dead_sources": "dead_sources",
    "judge_report": "checked",
    "known_of": "ratchet",
    "normalised_remote": "remotes",
    "parse_accepted": "acceptance",
    "parse_known": "ratchet",
    "parse_address": "addresses",
    "read_accepted": "acceptance",
    "read_known": "ratchet",
    "read_project": "project",
    "render_text": "rendering",
    "results_of": "results",
    "touched_elements": "touching",
    "write_accepted": "acceptance",
    "undecided_of": "ratchet",
    "write_known": "ratchet",
}


def __getattr__(name: str) -> object:
    """Import what is asked for and no more: a recall needs the repository, and neither readers nor verdicts."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
