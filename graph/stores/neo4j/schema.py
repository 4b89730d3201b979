"""The constraints and indexes of the Neo4j store, and how an older database becomes a current one: by addition only.

Every statement may be run again. `at` is a place's key (`Part.at`): one text that names it in the whole database.
"""

VERSION = 4
MIN_READER = 3
MIN_WRITER = 3

_UNIQUE = (
    ("Archmem", "one"),
    ("Scope", "at"),
    ("Identity", "at"),
    ("Memory", "id"),
    ("Memory", "n"),
    ("Memory", "live_title"),  # there only while the memory is live and has a title
    ("Key", "at"),
    ("Element", "id"),
    ("Element", "live_ref"),  # there only until the element is retired
    ("Decision", "id"),
    ("Link", "id"),
    ("Event", "id"),
    ("Reply", "at"),
    ("DriftRun", "id"),
    ("Snapshot", "at"),
    ("Session", "at"),
    ("Gap", "id"),
    ("Lease", "at"),
)
_INDEXES = (
    ("Scope", "organisation"),
    ("Memory", "scope_n, state"),
    ("Memory", "scope_n, seq"),
    ("Memory", "scope_n, content_seq"),
    ("Memory", "live_content"),
    ("Memory", "superseded_by"),  # there only when it is
    ("Element", "scope_n"),
    ("Element", "parent_at"),
    ("Decision", "scope_n"),
    ("Link", "target"),
    ("PendingLink", "scope_n"),
    ("Event", "memory"),
    ("Event", "scope_n, n"),
    ("Reply", "scope_n"),
    ("Session", "scope_n"),
    ("Snapshot", "scope_n"),
    ("DriftRun", "scope_n, n"),
    ("Gap", "scope_n, n"),
)


def _name(label: str, properties: str) -> str:
    return f"archmem_{label}_{properties.replace(', ', '_')}".lower()


def _on(properties: str) -> str:
    return ", ".join(f"x.{name}" for name in properties.split(", "))


MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        *(
            f"CREATE CONSTRAINT {_name(label, name)} IF NOT EXISTS FOR (x:{label}) REQUIRE x.{name} IS UNIQUE"
            for label, name in _UNIQUE
        ),
        *(
            f"CREATE INDEX {_name(label, names)} IF NOT EXISTS FOR (x:{label}) ON ({_on(names)})"
            for label, names in _INDEXES
        ),
    ),
    (),  # runs and events hold more; the database itself is as it was
    (
        "CREATE CONSTRAINT archmem_proposal_id IF NOT EXISTS FOR (x:Proposal) REQUIRE x.id IS UNIQUE",
        "CREATE CONSTRAINT archmem_dismissal_at IF NOT EXISTS FOR (x:Dismissal) REQUIRE x.at IS UNIQUE",
        "CREATE INDEX archmem_proposal_scope_n IF NOT EXISTS FOR (x:Proposal) ON (x.scope_n)",
        "CREATE INDEX archmem_dismissal_scope_n IF NOT EXISTS FOR (x:Dismissal) ON (x.scope_n)",
    ),
    (
        "CREATE CONSTRAINT archmem_accesskey_id IF NOT EXISTS FOR (x:AccessKey) REQUIRE x.id IS UNIQUE",
        "CREATE INDEX archmem_accesskey_organisation IF NOT EXISTS FOR (x:AccessKey) ON (x.organisation)",
    ),
)
