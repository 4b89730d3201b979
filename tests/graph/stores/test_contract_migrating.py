"""The contract of a migration: from every store to every store, stopped anywhere, and compared at the end."""

from typing import get_args

import pytest

from graph.errors import Conflict, InvalidInput
from graph.migrating import migrate
from graph.scopes import Scope
from graph.stores.port import WriteUnit
from graph.stores.transfer import BATCH, EntryKind, Store
from graph.views import Progress
from tests.graph.stores.filled import fill, fill_all
from tests.graph.stores.samples import HERE, keys, put, record
from tests.graph.stores.test_contract_transfer import dumped


class Stopped(Exception):
    """The process ended."""


def test_everything_is_copied_and_compared(store: Store, target: Store) -> None:
    fill_all(store)
    told: list[Progress] = []
    done = migrate(store, target, progress=told.append)
    assert dumped(target) == dumped(store)
    assert done.organisations == ("local",)
    assert list(done.counts) == list(get_args(EntryKind))
    assert done.new == done.counts
    assert (told[-1].done, told[-1].left) == (2 * len(dumped(store)), 0)


def test_whoever_was_stopped_goes_on(store: Store, target: Store) -> None:
    fill(store)
    for stop in (1, 5, 9, 14):

        def stopped(progress: Progress, stop: int = stop) -> None:
            if len({entry.kind for entry in dumped(target)}) >= stop or progress.left == 0:
                raise Stopped

        with pytest.raises(Stopped):
            migrate(store, target, progress=stopped)
    before = len(dumped(target))
    done = migrate(store, target)
    assert sum(done.new.values()) == len(dumped(store)) - before > 0
    assert dumped(target) == dumped(store)
    assert sum(migrate(store, target).new.values()) == 0


def test_other_data_in_the_target_is_told_and_stays(store: Store, target: Store) -> None:
    fill(store)
    put(target, record("h-live", content="another text"), keys("another title"))
    before = dumped(target)
    with pytest.raises(Conflict) as told:
        migrate(store, target)
    assert [fault.what for fault in told.value.faults] == ["memory h-live: the store holds something else"]
    assert [entry for entry in dumped(target) if entry.kind == "memory"] == list(before)


def test_what_the_target_holds_beyond_is_told(store: Store, target: Store) -> None:
    fill(store)
    put(target, record("more"), keys("t"))
    with pytest.raises(Conflict, match="the stores differ in local"):
        migrate(store, target)


def test_an_organisation_that_the_target_alone_holds_is_told(store: Store, target: Store) -> None:
    fill(store)
    put(target, record("other", Scope(organisation="other")), keys("t"))
    with pytest.raises(Conflict, match="the stores differ in other"):
        migrate(store, target)


def test_a_store_is_not_migrated_into_itself(store: Store) -> None:
    fill(store)
    with pytest.raises(InvalidInput, match="into itself"):
        migrate(store, store)


def test_an_empty_store_is_copied_too(store: Store, target: Store) -> None:
    assert migrate(store, target).counts == {}
    assert dumped(target) == ()


def test_more_than_a_batch_is_copied(store: Store, target: Store) -> None:
    def write(unit: WriteUnit) -> None:
        for n in range(BATCH + 1):
            unit.put(record(f"m{n:04}", HERE), keys(f"t{n}", ("a",)))

    store.write(HERE, write)
    assert migrate(store, target).counts == {"memory": BATCH + 1}
    assert len(dumped(target)) == BATCH + 1
