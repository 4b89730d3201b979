"""The doors on a store in Neo4j: what is told of it, what several servers share, what a migration carries."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from neo4j import GraphDatabase

from graph.memories import Draft
from graph.scopes import Scope
from server.bootstrap import bootstrap
from server.settings import load_settings
from tests.neo4j.launcher import LINES
from tests.neo4j.serving import Servers
from tests.server.shop import IDENTITY, Cli, cli_with
from tests.server.test_serving import serving


@pytest.fixture(params=list(LINES))
def cli(request: pytest.FixtureRequest, neo4j_servers: Servers, shop: Path, home: Path) -> Cli:
    """A command line in the shop, whose store is an empty Neo4j."""
    address = neo4j_servers.empty(request.param)
    return cli_with(
        shop,
        home,
        ARCHMEM_STORE=address.url.replace("bolt://", "neo4j://"),
        ARCHMEM_NEO4J_USER=address.user,
        ARCHMEM_NEO4J_PASSWORD=address.password,
        ARCHMEM_NEO4J_DATABASE=address.database,
    )


def ask(cli: Cli, statement: str, database: str | None = None, **parameters: object) -> list[list[object]]:
    environment = cli.environment
    auth = environment["ARCHMEM_NEO4J_USER"], environment["ARCHMEM_NEO4J_PASSWORD"]
    database = database or environment["ARCHMEM_NEO4J_DATABASE"] or None
    with GraphDatabase.driver(environment["ARCHMEM_STORE"], auth=auth) as driver:
        return [list(one.values()) for one in driver.execute_query(statement, parameters, database_=database).records]


def changed(cli: Cli, **environment: str) -> Cli:
    return Cli(cli.folder, {**cli.environment, **environment}, cli.prefix)


def test_what_is_remembered_is_recalled_and_the_doctor_tells_the_version(cli: Cli) -> None:
    cli("init")
    cli("remember", "The gateway strips headers longer than 8KB", "--title", "Header limit")
    assert "8KB" in cli("recall", "headers of the gateway").out
    told = cli("doctor").out
    assert "opens: Neo4j Kernel" in told
    assert "driver" in told


def test_a_session_holds_its_element_and_of_two_finishes_at_once_one_writes(cli: Cli) -> None:
    cli("init")
    cli("remember", "The gateway strips headers longer than 8KB", "--title", "Header limit", "--element", "API")
    made = cli("session", "start", "Look", "--element", "API", "--exclusive", "--json").json
    assert "Header limit" in made["briefing"]
    assert "is held alone" in cli("session", "start", "Look too", "--element", "Shop", code=1).out
    assert ask(cli, "MATCH (:Session)-[l:LEASES]->(:Element) RETURN l.exclusive") == [[True]]
    end = [sys.executable, "-m", "server.cli", "session", "finish", made["session"]]
    end += ["--summary", "Looked", "--used", "Header limit", "--json"]
    both = [subprocess.Popen(end, cwd=cli.folder, env=cli.environment, stdout=subprocess.PIPE) for _ in range(2)]
    told = [json.loads(one.communicate()[0]) for one in both]
    assert sorted(one["repeated"] for one in told) == [False, True]
    assert told[0]["outcome"]["id"] == told[1]["outcome"]["id"]
    assert ask(cli, "MATCH (:Session)-[l:LEASES]->() RETURN count(l)") == [[0]]
    assert ask(cli, "MATCH (m:Memory {kind: 'session_outcome'}) RETURN count(m)") == [[1]]


@pytest.mark.parametrize(
    ("variable", "value", "what"),
    [
        ("ARCHMEM_NEO4J_PASSWORD", "wrong-word", "ARCHMEM_NEO4J_PASSWORD"),
        ("ARCHMEM_NEO4J_DATABASE", "nowhere", "no database 'nowhere'"),
        ("ARCHMEM_STORE", "neo4j://127.0.0.1:1", "does not answer"),
        ("ARCHMEM_STORE", "neo4j://me:secret-word@host", "ARCHMEM_NEO4J_PASSWORD"),
    ],
)
def test_a_store_that_cannot_be_opened_ends_with_2(cli: Cli, variable: str, value: str, what: str) -> None:
    told = changed(cli, **{variable: value})("recall", "anything", code=2)
    assert what in told.err
    assert "Next: " in told.err
    assert "secret-word" not in told.err
    assert ask(cli, "MATCH (x) RETURN count(x)") == [[0]]


def test_an_expired_password_ends_with_2(cli: Cli) -> None:
    ask(cli, "CREATE OR REPLACE USER late SET PASSWORD 'first-word'", "system")
    try:
        late = changed(cli, ARCHMEM_NEO4J_USER="late", ARCHMEM_NEO4J_PASSWORD="first-word")
        assert "password of 'late' has expired" in late("recall", "anything", code=2).err
    finally:
        ask(cli, "DROP USER late", "system")


def test_a_newer_schema_ends_with_2_and_an_older_one_is_migrated(cli: Cli) -> None:
    cli("init")
    cli("remember", "Prices are in cents", "--title", "Cents")
    before = ask(cli, "MATCH (x) WHERE NOT x:Archmem RETURN count(x)")
    ask(cli, "MATCH (a:Archmem) SET a.version = 9, a.min_reader = 9, a.min_writer = 9")
    for command in (("recall", "prices"), ("remember", "Prices are in euros")):
        told = cli(*command, code=2).err
        assert "needs schema 9" in told
        assert "Next: " in told
    assert ask(cli, "MATCH (x) WHERE NOT x:Archmem RETURN count(x)") == before
    ask(cli, "MATCH (a:Archmem) SET a.version = 0, a.min_reader = 1, a.min_writer = 1")
    assert "in cents" in cli("recall", "prices").out


def test_what_one_server_keeps_the_other_recalls_at_once(cli: Cli) -> None:
    cli("init")
    with serving(cli) as one, serving(cli) as other:
        rest = [httpx.Client(base_url=url, params={"project": IDENTITY}, timeout=60) for url in (one, other)]
        for n in range(10):
            writer, reader = rest[n % 2], rest[1 - n % 2]
            kept = writer.post("/api/memories", json={"content": f"Limit number{n} applies", "title": f"Limit {n}"})
            assert kept.status_code == 200
            answer = reader.post("/api/recall", json={"question": f"number{n}"}).json()
            assert kept.json()["memory"]["id"] in [hit["id"] for hit in answer["hits"]]
        again = rest[0].post("/api/memories", json={"content": "Another limit applies to all", "title": "Limit 1"})
        assert again.status_code == 409
        for client in rest:
            client.close()


def fill(cli: Cli, count: int) -> None:
    graph = bootstrap(load_settings({}, {**cli.environment, "ARCHMEM_EMBEDDER": "none"}))
    drafts = [Draft(content=f"Setting number{n} of module{n}", title=f"Setting {n}") for n in range(count)]
    for _ in graph.remember_all(Scope(project=IDENTITY), drafts, actor="agent/test"):
        pass
    graph.close()


def test_a_migration_there_and_back_gives_the_same_export_also_when_it_was_killed(cli: Cli, tmp_path: Path) -> None:
    first, last = str(tmp_path / "first.db"), str(tmp_path / "last.db")
    here = changed(cli, ARCHMEM_STORE=first)
    here("init")
    fill(here, 1_200)
    here("remember", "The gateway strips headers [[Setting 7]]", "--element", "Shop.API", "--title", "Header limit")
    here("drift", "check", "--json")
    before = here("export", "--all").out
    there = cli.environment["ARCHMEM_STORE"]
    for source, target in ((first, there), (there, last)):
        command = [sys.executable, "-m", "server.cli", "migrate", "--from", source, "--to", target, "--json"]
        counted = changed(cli, ARCHMEM_STORE=target)
        process = subprocess.Popen(command, cwd=cli.folder, env=cli.environment, stderr=subprocess.DEVNULL)
        # Killed when some of it is there and more is to come.
        while not (kept := _memories(counted)):
            time.sleep(0.05)
            assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        done = json.loads(cli("migrate", "--from", source, "--to", target, "--json").out)
        assert done["counts"]["memory"] == 1_201
        assert 0 < done["new"].get("memory", 0) + done["new"].get("event", 0) <= 2 * 1_201 - min(kept, 500)
    assert changed(cli, ARCHMEM_STORE=last)("export", "--all").out == before
    assert cli("export", "--all").out == before


def _memories(cli: Cli) -> int:
    """Return how many memories the store holds, as far as it can be opened yet."""
    if not cli.environment["ARCHMEM_STORE"].endswith(".db"):
        return int(str(ask(cli, "MATCH (m:Memory) RETURN count(m)")[0][0]))
    path = Path(cli.environment["ARCHMEM_STORE"])
    if not path.exists():
        return 0
    found = subprocess.run(
        [sys.executable, "-c", "import apsw,sys;print(apsw.Connection(sys.argv[1]).execute("
         "'SELECT count(*) FROM memories').get)", str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return int(found.stdout or 0)


def test_a_migration_into_itself_or_from_nothing_is_refused(cli: Cli, tmp_path: Path) -> None:
    there = cli.environment["ARCHMEM_STORE"]
    assert "into itself" in cli("migrate", "--from", there, "--to", there, code=2).err
    gone = tmp_path / "gone.db"
    assert "there is no store" in cli("migrate", "--from", str(gone), "--to", there, code=2).err
    assert not gone.exists()
    assert ask(cli, "MATCH (x) WHERE NOT x:Archmem RETURN count(x)") == [[0]]


def test_the_demo_plays_there(cli: Cli) -> None:
    told = cli("--store", cli.environment["ARCHMEM_STORE"], "demo").out
    assert told.count("what this memory claims still stands") == 1
    assert told.count("[VERIFY") == 1
    assert "deduplicated: true" in told
