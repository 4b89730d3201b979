"""The servers that tests use: one for each line, started when first asked for, emptied for each test."""

import os
from contextlib import ExitStack
from urllib.parse import unquote, urlsplit, urlunsplit

import pytest
from neo4j import GraphDatabase

from graph.stores.neo4j import Address
from tests.neo4j.launcher import LINES, URL, Server, Unmet, running


class Servers:
    """Every line's server; the one that `ARCHMEM_TEST_NEO4J_URL` names takes the place of its line's."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._servers: dict[str, Server | str] = {}
        self._addresses: dict[str, Address] = {}

    def empty(self, line: str) -> Address:
        """Return the address of a server of this line without data; skip the test where there can be none."""
        address = self._addresses.get(line)
        if address is None:
            address = self._addresses[line] = self._given(line) or self._started(line)
        with GraphDatabase.driver(address.url, auth=(address.user, address.password)) as driver:
            driver.execute_query("MATCH (x) DETACH DELETE x", database_=address.database or None)
        return address

    def server(self, line: str) -> Server:
        """Return the process behind a line, for tests that end it; skip where it is not ours."""
        self.empty(line)
        server = self._servers.get(line)
        if not isinstance(server, Server):
            pytest.skip(f"{URL} names a server that is not the tests' own")
        return server

    def _started(self, line: str) -> Address:
        known = self._servers.get(line)
        if known is None:
            try:
                known = self._stack.enter_context(running(LINES[line]))
            except Unmet as unmet:
                known = str(unmet)
            self._servers[line] = known
        if isinstance(known, str):
            pytest.skip(known)
        return Address(url=known.url, user=known.user, password=known.password)

    def _given(self, line: str) -> Address | None:
        given = os.environ.get(URL, "")
        if not given:
            return None
        parts = urlsplit(given)
        host = parts.netloc.rpartition("@")[2]
        address = Address(
            url=urlunsplit((parts.scheme, host, "", "", "")),
            user=unquote(parts.username or "neo4j"),
            password=unquote(parts.password or ""),
            database=parts.path.strip("/"),
        )
        with GraphDatabase.driver(address.url, auth=(address.user, address.password)) as driver:
            version = driver.get_server_info().agent.partition("/")[2]
        if not version.startswith(f"{line}."):
            pytest.skip(f"{URL} names a server of version {version}, not of {line}")
        return address
