"""Access keys in a store."""

from datetime import UTC, datetime

from graph.access import AccessKey, Right
from graph.stores.transfer import Store

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def key(name: str, organisation: str = "local") -> AccessKey:
    return AccessKey(
        id=f"id-{name}",
        organisation=organisation,
        name=name,
        right=Right.WRITE,
        projects=("example.org/shop",),
        digest="d" * 64,
        created_at=NOW,
        created_by="test",
    )


def test_a_key_is_kept_as_it_is_and_changed_in_place(store: Store) -> None:
    one, two = key("one"), key("two")
    for made in (two, one, key("three", "elsewhere")):
        store.put_access_key(made)
    assert store.access_keys("local") == (one, two)
    assert store.access_key("id-three") == key("three", "elsewhere")
    assert store.access_key("nothing") is None
    over = one.model_copy(update={"revoked_at": NOW, "revoked_by": "test"})
    store.put_access_key(over)
    assert store.access_keys("local") == (over, two)
    assert store.access_key(one.id) == over
