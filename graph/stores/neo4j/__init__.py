"""The store for many machines: one Neo4j database, shared by any number of servers."""

from graph.stores.neo4j.connection import Address, driver_version
from graph.stores.neo4j.store import Neo4jStore

__all__ = ["Address", "Neo4jStore", "driver_version"]
