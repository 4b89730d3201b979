"""The embedded store: one SQLite file, shared by every process of a machine."""

from graph.stores.sqlite.connection import sqlite_version
from graph.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore", "sqlite_version"]
