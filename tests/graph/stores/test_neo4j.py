"""The Neo4j store alone, on both lines: what it refuses and says, what several servers share, what survives a crash."""

import socket
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from graph.errors import ArchmemError, DuplicateTitle, StoreMismatch, Unavailable
from graph.scopes import Scope
from graph.stores.port import ReadUnit, WriteUnit
from tests.graph.stores.samples import (
    HERE,
    MODEL,
    NOW,
    THERE,
    WIDE,
    asking,
    embedding,
    keys,
    nominated,
    put,
    put_vectors,
    record,
    vector,
)
from tests.neo4j.launcher import LINES
from tests.neo4j.serving import Servers

pytest.importorskip("neo4j", reason="the extra `neo4j` is not installed")

from neo4j import GraphDatabase

from graph.stores.neo4j import Address, Neo4jStore, schema


@pytest.fixture(params=list(LINES))
def line(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def address(neo4j_servers: Servers, line: str) -> Address:
    return neo4j_servers.empty(line)


@pytest.fixture
def pair(address: Address) -> Iterator[tuple[Neo4jStore, Neo4jStore]]:
    """Two servers' stores on one database."""
    both = Neo4jStore(address), Neo4jStore(address)
    yield both
    for store in both:
        store.close()


def ask(address: Address, statement: str, **parameters: object) -> list[object]:
    with GraphDatabase.driver(address.url, auth=(address.user, address.password)) as driver:
        return [record.values() for record in driver.execute_query(statement, parameters).records]


def refused(address: Address, kind: type[ArchmemError], what: str) -> ArchmemError:
    with pytest.raises(kind, match=what) as caught:
        Neo4jStore(address)
    assert caught.value.next_step
    assert address.url in caught.value.id
    assert not address.password or address.password not in str(caught.value)
    return caught.value


def test_a_wrong_password_is_told(address: Address) -> None:
    error = refused(address._replace(password="wrong-word"), Unavailable, "refused 'neo4j'")
    assert "ARCHMEM_NEO4J_PASSWORD" in error.next_step


def test_an_expired_password_is_told(address: Address) -> None:
    with GraphDatabase.driver(address.url, auth=(address.user, address.password)) as driver:
        driver.execute_query("CREATE OR REPLACE USER late SET PASSWORD 'first-word'", database_="system")
    try:
        refused(address._replace(user="late", password="first-word"), Unavailable, "password of 'late' has expired")
    finally:
        with GraphDatabase.driver(address.url, auth=(address.user, address.password)) as driver:
            driver.execute_query("DROP USER late", database_="system")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_host_that_does_not_answer_is_told_at_once(scheme: str) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
    refused(Address(f"{scheme}://127.0.0.1:{port}", password="any-word"), Unavailable, "does not answer")


def test_a_database_that_is_not_there_is_told(address: Address) -> None:
    refused(address._replace(database="nowhere"), StoreMismatch, "no database 'nowhere'")


def test_a_database_with_other_data_is_refused_and_left_as_it_is(address: Address) -> None:
    ask(address, "CREATE (:Film {title: 'Theirs'})")
    refused(address, StoreMismatch, "other data")
    assert ask(address, "MATCH (x) RETURN labels(x), x.title") == [[["Film"], "Theirs"]]


def test_a_newer_schema_stops_old_readers_and_writers(address: Address) -> None:
    store = Neo4jStore(address)
    put(store, record("m1"))
    ask(address, "MATCH (a:Archmem) SET a.version = 9, a.min_writer = 9")
    assert store.read(HERE, lambda unit: len(unit.memories(("m1",)))) == 1
    with pytest.raises(StoreMismatch, match="needs schema 9"):
        put(store, record("m2"))
    ask(address, "MATCH (a:Archmem) SET a.min_reader = 9")
    with pytest.raises(StoreMismatch, match="needs schema 9"):
        store.read(HERE, lambda unit: unit.memories(("m1",)))
    store.close()
    assert ask(address, "MATCH (m:Memory) RETURN count(m)") == [[1]]


def test_an_older_schema_is_migrated_and_a_migration_may_run_again(address: Address) -> None:
    store = Neo4jStore(address)
    put(store, record("m1"))
    store.close()
    ask(address, "MATCH (a:Archmem) SET a.version = 0")
    store = Neo4jStore(address)
    assert store.read(HERE, lambda unit: len(unit.memories(("m1",)))) == 1
    assert ask(address, "MATCH (a:Archmem) RETURN a.version") == [[schema.VERSION]]
    store.close()


def test_the_servers_version_is_told(address: Address, line: str) -> None:
    store = Neo4jStore(address)
    assert f" {line}." in store.version, store.version
    assert store.version.endswith("community")
    store.close()


def test_six_servers_may_open_an_empty_database_at_once(address: Address) -> None:
    stores: list[Neo4jStore] = []
    threads = [threading.Thread(target=lambda: stores.append(Neo4jStore(address))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 6
    for n, store in enumerate(stores):
        put(store, record(f"m{n}"))
    assert len(stores[0].read(HERE, lambda unit: unit.unpinned())) == 6
    for store in stores:
        store.close()


def test_what_one_server_writes_the_other_finds_at_once(pair: tuple[Neo4jStore, Neo4jStore]) -> None:
    one, other = pair
    for n in range(20):
        writer, reader = (one, other) if n % 2 else (other, one)
        put(writer, record(f"m{n}"), keys(terms=("a", f"t{n}")))
        put_vectors(writer, f"m{n}", vector(1, n, 0))
        assert nominated(reader, asking((f"t{n}",))) == [f"m{n}"]
        assert len(nominated(reader, asking(("a",)))) == n + 1
        near = reader.read(HERE, lambda unit, n=n: unit.near_contents(vector(1, n, 0), MODEL, 0.999999))  # type: ignore[misc]
        assert f"m{n}" in [name for name, _ in near]


def test_two_servers_keep_all_of_400_concurrent_writes(pair: tuple[Neo4jStore, Neo4jStore]) -> None:
    failures: list[BaseException] = []

    def work(store: Neo4jStore, name: str) -> None:
        try:
            for n in range(200):
                one = record(f"{name}{n:03}", HERE if n % 2 else THERE)
                put(store, one, keys(terms=("a",), title=one.id))
                assert one.id in nominated(store, asking(("a",)), one.scope)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(store, name)) for store, name in zip(pair, "xy", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for store in pair:
        assert sum(len(nominated(store, asking(("a",)), scope)) for scope in (HERE, THERE)) == 400


def test_of_two_writes_of_one_title_at_once_one_wins(pair: tuple[Neo4jStore, Neo4jStore]) -> None:
    for round_ in range(10):
        ready, outcomes = threading.Barrier(2), list[str]()

        def work(
            store: Neo4jStore,
            name: str,
            round_: int = round_,
            ready: threading.Barrier = ready,
            told: list[str] = outcomes,
        ) -> None:
            ready.wait()
            try:
                put(store, record(f"{name}{round_}"), keys(title=f"t{round_}"))
                told.append("kept")
            except DuplicateTitle:
                told.append("refused")

        threads = [threading.Thread(target=work, args=(store, name)) for store, name in zip(pair, "xy", strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["kept", "refused"]


def test_a_lease_is_one_servers_until_it_runs_out(pair: tuple[Neo4jStore, Neo4jStore]) -> None:
    one, other = pair
    until, late = NOW + timedelta(minutes=1), NOW + timedelta(minutes=2)
    assert one.write(HERE, lambda unit: unit.lease("job", "one", until, NOW))
    assert not other.write(HERE, lambda unit: unit.lease("job", "other", late, NOW))
    assert one.write(HERE, lambda unit: unit.lease("job", "one", until, NOW))
    assert other.write(HERE, lambda unit: unit.lease("job", "other", late, until))
    one.write(HERE, lambda unit: unit.release("job", "one"))
    assert not one.write(HERE, lambda unit: unit.lease("job", "one", late, until))
    other.write(HERE, lambda unit: unit.release("job", "other"))
    assert one.write(HERE, lambda unit: unit.lease("job", "one", late, until))


def test_a_kill_during_writes_loses_nothing_that_was_acknowledged(neo4j_servers: Servers, line: str) -> None:
    server = neo4j_servers.server(line)
    store = Neo4jStore(neo4j_servers.empty(line), retry_seconds=60)
    kept: list[str] = []
    failed: list[str] = []
    warm, done = threading.Event(), threading.Event()

    def work() -> None:
        n = 0
        while not done.is_set():
            n += 1
            name = f"m{n:05}"
            try:
                put(store, record(name), keys(terms=("a",), title=name))
                kept.append(name)
            except ArchmemError:
                failed.append(name)
            if n == 30:
                warm.set()

    writer = threading.Thread(target=work)
    writer.start()
    assert warm.wait(60)
    server.kill()
    server.start()
    before = len(kept)
    for _ in range(600):
        if len(kept) >= before + 10:
            break
        done.wait(0.1)
    done.set()
    writer.join()
    assert len(kept) >= before + 10
    assert len(failed) <= 1
    there = set(nominated(store, asking(("a",))))
    assert set(kept) <= there <= {*kept, *failed}
    store.close()


def test_a_first_question_beside_a_writer_is_answered(pair: tuple[Neo4jStore, Neo4jStore]) -> None:
    one, other = pair
    put(one, record("m1"), keys(terms=("a",)))
    put_vectors(one, "m1", vector(1, 0, 0))
    one.read(HERE, lambda unit: unit.term_stats(("a",)))

    def meanwhile(unit: ReadUnit) -> object:
        # The words are held, the vectors are not; a statement later another server's memory is there.
        put(other, record("m2"), keys(terms=("a",)))
        put_vectors(other, "m2", vector(0, 1, 0))
        return unit.embedded(MODEL)

    one.read(HERE, meanwhile)
    for store in pair:
        assert store.read(HERE, lambda unit: unit.embedded(MODEL)).embedded == 2
        assert set(nominated(store, asking(vector=vector(1, 1, 0)))) == {"m1", "m2"}


def test_what_a_failed_write_embedded_is_near_nothing(pair: tuple[Neo4jStore, Neo4jStore]) -> None:
    one, other = pair
    put(one, record("m1"), keys(content="1"))
    put_vectors(one, "m1", vector(1, 0, 0))

    def fail(unit: WriteUnit) -> None:
        assert [name for name, _ in unit.near_contents(vector(1, 0, 0), MODEL, 0.9)] == ["m1"]
        unit.put_vectors("m1", embedding(vector(0, 1, 0)))
        assert unit.near_contents(vector(1, 0, 0), MODEL, 0.9) == ()
        assert [name for name, _ in unit.near_contents(vector(0, 1, 0), MODEL, 0.9)] == ["m1"]
        put(other, record("m2", THERE), keys(content="2"))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        one.write(HERE, fail)
    for store in pair:
        near = store.read(HERE, lambda unit: unit.near_contents(vector(1, 0, 0), MODEL, 0.9))
        assert [name for name, _ in near] == ["m1"]


def test_a_new_projects_first_write_keeps_no_other_waiting(pair: tuple[Neo4jStore, Neo4jStore]) -> None:
    one, other = pair
    put(other, record("m1"))
    begun, done = threading.Event(), threading.Event()

    def long(unit: WriteUnit) -> None:
        begun.set()
        unit.put(record("m2", THERE), keys(content="2"))
        assert done.wait(30)

    writer = threading.Thread(target=one.write, args=(THERE, long))
    writer.start()
    assert begun.wait(30)
    put(other, record("m3"), keys(content="3"))
    assert writer.is_alive()
    done.set()
    writer.join()


def test_an_export_of_all_meets_no_deadlock_with_the_organisations_writers(
    pair: tuple[Neo4jStore, Neo4jStore],
) -> None:
    one, other = pair
    for n in range(4):
        put(one, record(f"p{n}", Scope(project=f"p{n}")), keys(content="c"))
    put(one, record("w", WIDE))
    ending, failures = threading.Event(), list[BaseException]()

    def write() -> None:
        version = 1
        while not ending.is_set():
            version += 1
            other.write(WIDE, lambda unit, v=version: (unit.put(record("w", WIDE, version=v), keys()), unit.projects()))  # type: ignore[misc]

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(20):
            one.dump(WIDE, lambda unit: list(unit.entries("memory")), whole=True)
    except ArchmemError as error:
        failures.append(error)
    ending.set()
    writer.join()
    assert failures == []


def test_what_the_server_refuses_is_told_with_its_code(address: Address) -> None:
    store = Neo4jStore(address)
    with pytest.raises(Unavailable, match=r"refused what archmem asked: Neo\.\S+; nothing was written"):
        put(store, record("m" * 9_000))
    store.close()


def test_a_store_is_known_by_itself_however_it_is_addressed(address: Address) -> None:
    stores = [Neo4jStore(address._replace(url=address.url.replace("bolt", scheme))) for scheme in ("bolt", "neo4j")]
    assert stores[0].identity == stores[1].identity != ""
    for store in stores:
        store.close()
