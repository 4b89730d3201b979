"""The tables of the embedded store, and how an older file becomes a current one: by addition only."""

APPLICATION_ID = 0x61726D6D  # "armm": says that a SQLite file is a store of archmem
VERSION = 5
MIN_READER = 4  # runs and events hold what an older process refuses
MIN_WRITER = 4

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE meta(one INTEGER PRIMARY KEY CHECK(one = 1), version INTEGER NOT NULL, "
        "min_reader INTEGER NOT NULL, min_writer INTEGER NOT NULL)",
        "CREATE TABLE scopes(n INTEGER PRIMARY KEY, organisation TEXT NOT NULL, project TEXT NOT NULL, "
        "UNIQUE(organisation, project))",
        "CREATE TABLE projects(organisation TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, "
        "created_at INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY(organisation, id)) WITHOUT ROWID",
        "CREATE TABLE identities(organisation TEXT NOT NULL, identity TEXT NOT NULL, project TEXT NOT NULL, "
        "PRIMARY KEY(organisation, identity)) WITHOUT ROWID",
        # The model
        "CREATE TABLE elements(id TEXT PRIMARY KEY, scope_n INTEGER NOT NULL, ref TEXT NOT NULL, body TEXT NOT NULL, "
        "retired_at INTEGER, verdict TEXT NOT NULL, drifted_at INTEGER) WITHOUT ROWID",
        "CREATE UNIQUE INDEX active_ref ON elements(scope_n, ref) WHERE retired_at IS NULL",
        "CREATE INDEX elements_of ON elements(scope_n)",
        "CREATE TABLE relationships(scope_n INTEGER NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, "
        "body TEXT NOT NULL)",
        "CREATE INDEX relationships_of ON relationships(scope_n)",
        "CREATE TABLE decisions(id TEXT PRIMARY KEY, scope_n INTEGER NOT NULL, ref TEXT NOT NULL, body TEXT NOT NULL, "
        "retired_at INTEGER) WITHOUT ROWID",
        "CREATE INDEX decisions_of ON decisions(scope_n)",
        # Memories and what finds them
        "CREATE TABLE memories(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope_n INTEGER NOT NULL, "
        "kind TEXT NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL, "
        "created_by TEXT NOT NULL, confirmed_at INTEGER NOT NULL, confirmed_by TEXT NOT NULL, "
        "superseded_by TEXT NOT NULL, drifted_at INTEGER, evidence TEXT NOT NULL, body TEXT NOT NULL, "
        "title_key TEXT NOT NULL, content_key TEXT NOT NULL, search_key TEXT NOT NULL, "
        "terms TEXT NOT NULL, symbols TEXT NOT NULL)",
        "CREATE INDEX memories_of ON memories(scope_n, state, id)",
        "CREATE UNIQUE INDEX live_title ON memories(scope_n, title_key) WHERE state = 'live' AND title_key <> ''",
        "CREATE INDEX live_content ON memories(scope_n, content_key) WHERE state = 'live'",
        "CREATE TABLE names(scope_n INTEGER NOT NULL, key TEXT NOT NULL, memory_n INTEGER NOT NULL, "
        "by_alias INTEGER NOT NULL, PRIMARY KEY(scope_n, key, memory_n)) WITHOUT ROWID",
        "CREATE INDEX names_of ON names(memory_n)",
        "CREATE TABLE about(memory_n INTEGER NOT NULL, element TEXT NOT NULL, PRIMARY KEY(memory_n, element)) "
        "WITHOUT ROWID",
        "CREATE INDEX about_element ON about(element, memory_n)",
        "CREATE TABLE postings(scope_n INTEGER NOT NULL, term TEXT NOT NULL, memory_n INTEGER NOT NULL, "
        "PRIMARY KEY(scope_n, term, memory_n)) WITHOUT ROWID",
        "CREATE TABLE symbols(scope_n INTEGER NOT NULL, key TEXT NOT NULL, memory_n INTEGER NOT NULL, "
        "PRIMARY KEY(scope_n, key, memory_n)) WITHOUT ROWID",
        # One sequence over all vectors: a reader catches up from the last number it has seen.
        "CREATE TABLE vector_sequence(one INTEGER PRIMARY KEY CHECK(one = 1), last INTEGER NOT NULL)",
        "INSERT INTO vector_sequence VALUES(1, 0)",
        "CREATE TABLE vectors(memory_n INTEGER NOT NULL, space TEXT NOT NULL, scope_n INTEGER NOT NULL, "
        "seq INTEGER NOT NULL, model TEXT NOT NULL, search_key TEXT NOT NULL, data BLOB, "
        "PRIMARY KEY(memory_n, space))",
        "CREATE INDEX vectors_since ON vectors(scope_n, space, seq)",
        "CREATE TABLE links(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope_n INTEGER NOT NULL, "
        "memory_n INTEGER NOT NULL, raw TEXT NOT NULL, target_kind TEXT, target TEXT NOT NULL)",
        "CREATE INDEX links_of ON links(memory_n)",
        "CREATE INDEX links_at ON links(target)",
        "CREATE INDEX links_pending ON links(scope_n) WHERE target = ''",
        "CREATE TABLE link_keys(scope_n INTEGER NOT NULL, key TEXT NOT NULL, link_n INTEGER NOT NULL, "
        "position INTEGER NOT NULL, PRIMARY KEY(scope_n, key, link_n)) WITHOUT ROWID",
        "CREATE INDEX link_keys_of ON link_keys(link_n)",
        # History
        "CREATE TABLE events(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope_n INTEGER NOT NULL, "
        "memory TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL, body TEXT NOT NULL)",
        "CREATE INDEX events_of ON events(memory, n)",
        "CREATE TABLE replies(scope_n INTEGER NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL, "
        "at INTEGER NOT NULL, PRIMARY KEY(scope_n, key)) WITHOUT ROWID",
        # Drift
        "CREATE TABLE runs(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope_n INTEGER NOT NULL, "
        "at INTEGER NOT NULL, head TEXT NOT NULL, score REAL, body TEXT NOT NULL)",
        "CREATE INDEX runs_of ON runs(scope_n, n)",
        "CREATE TABLE snapshots(n INTEGER PRIMARY KEY, scope_n INTEGER NOT NULL, element TEXT NOT NULL, "
        "state TEXT NOT NULL, git_commit TEXT NOT NULL, body TEXT NOT NULL, UNIQUE(scope_n, element, state))",
        "CREATE TABLE anchors(memory_n INTEGER NOT NULL, element TEXT NOT NULL, snapshot_n INTEGER NOT NULL, "
        "PRIMARY KEY(memory_n, element)) WITHOUT ROWID",
        "CREATE TABLE accepted(scope_n INTEGER NOT NULL, element TEXT NOT NULL, snapshot_n INTEGER NOT NULL, "
        "at INTEGER NOT NULL, actor TEXT NOT NULL, PRIMARY KEY(scope_n, element)) WITHOUT ROWID",
        # Sessions, gaps, leases
        "CREATE TABLE sessions(id TEXT NOT NULL, scope_n INTEGER NOT NULL, seen_at INTEGER NOT NULL, "
        "reported_at INTEGER, PRIMARY KEY(scope_n, id)) WITHOUT ROWID",
        "CREATE TABLE served(memory_n INTEGER NOT NULL, scope_n INTEGER NOT NULL, session TEXT NOT NULL, "
        "at INTEGER NOT NULL, PRIMARY KEY(memory_n, scope_n, session)) WITHOUT ROWID",
        "CREATE TABLE cited(memory_n INTEGER NOT NULL, scope_n INTEGER NOT NULL, session TEXT NOT NULL, "
        "at INTEGER NOT NULL, PRIMARY KEY(memory_n, scope_n, session)) WITHOUT ROWID",
        "CREATE TABLE gaps(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope_n INTEGER NOT NULL, "
        "at INTEGER NOT NULL, body TEXT NOT NULL)",
        "CREATE INDEX gaps_of ON gaps(scope_n, n)",
        "CREATE TABLE leases(scope_n INTEGER NOT NULL, name TEXT NOT NULL, holder TEXT NOT NULL, "
        "until INTEGER NOT NULL, PRIMARY KEY(scope_n, name)) WITHOUT ROWID",
    ),
    (
        # What a process holds of memories follows the sequence too, so each change of one takes the next number.
        "ALTER TABLE memories ADD COLUMN seq INTEGER NOT NULL DEFAULT 0",
        "UPDATE memories SET seq = n",
        "UPDATE vector_sequence SET last = max(last, (SELECT coalesce(max(n), 0) FROM memories))",
        "CREATE INDEX memories_since ON memories(scope_n, seq)",
        *(
            f"CREATE TRIGGER {name} AFTER {event} BEGIN UPDATE vector_sequence SET last = last + 1; "
            f"UPDATE memories SET seq = (SELECT last FROM vector_sequence) WHERE {which}; END"
            for name, event, which in (
                ("memory_added", "INSERT ON memories", "n = NEW.n"),
                (
                    "memory_changed",
                    "UPDATE OF kind, state, confirmed_at, drifted_at, evidence, search_key, terms ON memories",
                    "n = NEW.n",
                ),
                ("memory_embedded", "INSERT ON vectors WHEN NEW.space = 'search'", "n = NEW.memory_n"),
                ("memory_cited", "INSERT ON cited", "n = NEW.memory_n"),
                (
                    "session_reported",
                    "UPDATE OF reported_at ON sessions",
                    "n IN (SELECT memory_n FROM served WHERE scope_n = NEW.scope_n AND session = NEW.id)",
                ),
            )
        ),
        "CREATE INDEX served_in ON served(scope_n, session)",
    ),
    (
        "ALTER TABLE projects ADD COLUMN repository TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE projects ADD COLUMN branch TEXT NOT NULL DEFAULT ''",
        "CREATE TABLE attempts(scope_n INTEGER PRIMARY KEY, body TEXT NOT NULL)",
    ),
    (
        # What a session declared; one that only was served or cited something has none.
        "ALTER TABLE sessions ADD COLUMN work TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE sessions ADD COLUMN is_open INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX open_sessions ON sessions(scope_n) WHERE is_open",
        # Derived: what is not here is made again.
        "CREATE TABLE element_vectors(element TEXT PRIMARY KEY, scope_n INTEGER NOT NULL, model TEXT NOT NULL, "
        "text_key TEXT NOT NULL, data BLOB NOT NULL)",
        "CREATE INDEX element_vectors_of ON element_vectors(scope_n)",
        # What waits for a person's look
        "ALTER TABLE memories ADD COLUMN unreviewed INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX unreviewed ON memories(scope_n, id) WHERE unreviewed AND state = 'live'",
        "CREATE TABLE proposals(id TEXT PRIMARY KEY, scope_n INTEGER NOT NULL, is_open INTEGER NOT NULL, "
        "body TEXT NOT NULL) WITHOUT ROWID",
        "CREATE INDEX proposals_of ON proposals(scope_n, is_open)",
        "CREATE TABLE dismissals(scope_n INTEGER NOT NULL, why TEXT NOT NULL, subject TEXT NOT NULL, "
        "cause TEXT NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL, PRIMARY KEY(scope_n, why, subject)) "
        "WITHOUT ROWID",
    ),
    (
        # Who may ask from elsewhere
        "CREATE TABLE access_keys(id TEXT PRIMARY KEY, organisation TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID",
        "CREATE INDEX access_keys_of ON access_keys(organisation)",
    ),
)
