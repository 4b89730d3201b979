"""The documented model held against the repository: reads git, never writes the graph."""

from drift.acceptance import ACCEPTED_FILE, accept, parse_accepted, read_accepted, write_accepted
from drift.check import check_drift
from drift.coverage import Coverage
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
    "check_drift",
    "exit_code",
    "normalised_remote",
    "parse_accepted",
    "read_accepted",
    "read_project",
    "render_json",
    "render_text",
    "write_accepted",
]
