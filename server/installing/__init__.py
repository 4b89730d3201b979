"""Installing archmem into coding agents: what would change in their files, and the change itself."""

from server.installing.clients import CLIENTS, Where, client_named
from server.installing.installing import FileChange, Installation, apply_changes, plan

__all__ = ["CLIENTS", "FileChange", "Installation", "Where", "apply_changes", "client_named", "plan"]
