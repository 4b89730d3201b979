"""Measures basic-memory; runs inside its environment: python basic_memory_driver.py JOB.json

Its own MCP tool `search_notes`, called by an MCP client in the same process, as it is by default: words and vectors
together. Embeddings by its `openai` provider from the address that the job names. Its file watcher is off.

Its own ways to write, `write_note` and `reindex`, take 0.1 s a note and more: 10,000 would be half an hour. So what
search reads is put into its index in batches, and `write_note` is timed on a few notes, after the questions.
"""

import asyncio
import json
import os
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

_BATCH = 500
_TRIED = 10


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    notes = Path(job["folder"], "notes")
    notes.mkdir()
    os.environ.update(settings(job, notes))
    print(json.dumps(asyncio.run(measure(job))), flush=True)


def settings(job: dict[str, Any], notes: Path) -> dict[str, str]:
    """Return the settings that keep everything in the job's folder and embed with the model served."""
    chosen = {
        "HOME": str(notes),
        "CONFIG_DIR": str(Path(job["folder"], "settings")),
        "SEMANTIC_EMBEDDING_PROVIDER": "openai",
        "SEMANTIC_EMBEDDING_MODEL": job["model"],
        "SEMANTIC_EMBEDDING_API_BASE": job["embedding_url"],
        "SEMANTIC_EMBEDDING_API_KEY": "none",
        "SEMANTIC_EMBEDDING_DIMENSIONS": str(job["dimensions"]),
        "SEMANTIC_EMBEDDING_SYNC_BATCH_SIZE": "64",
        "INDEX_CHANGES": "false",
        "AUTO_UPDATE": "false",
        "LOGFIRE_ENABLED": "false",
    }
    return {"LOGFIRE_IGNORE_NO_CONFIG": "1"} | {f"BASIC_MEMORY_{name}": value for name, value in chosen.items()}


async def measure(job: dict[str, Any]) -> dict[str, Any]:
    """Write the facts, ask the questions, and return the result."""
    from basic_memory.config import init_mcp_logging
    from basic_memory.mcp import tools  # noqa: F401  (registers them)
    from basic_memory.mcp.server import mcp
    from fastmcp import Client

    init_mcp_logging()
    async with Client(mcp) as client:
        written = await insert(job["facts"])

        async def search(question: str) -> bool:
            asked = {"query": question, "page_size": job["limit"], "output_format": "json"}
            told = await client.call_tool("search_notes", asked)
            return bool(json.loads(told.content[0].text)["results"])

        for question in job["warm_up"]:
            await search(question)
        timed = [await milliseconds(search(question)) for question in job["questions"]]
        notes = [{"title": f"Tried {n}", "content": f"A note to try {n}.", "directory": "tried"} for n in range(_TRIED)]
        tried = [await milliseconds(client.call_tool("write_note", note)) for note in notes]
    provider = embedder()
    embeds = [await milliseconds(provider.embed_query(question)) for question in job["questions"]]
    return {
        "system": "basic-memory",
        "version": version("basic-memory"),
        "memories": len(job["facts"]),
        "write_seconds": written,
        "write_how": f"its index alone, in batches (`write_note` takes {median(spent for spent, _ in tried):.0f} ms)",
        "search_ms": [spent for spent, _ in timed],
        "embed_ms": [spent for spent, _ in embeds],
        "answered": sum(found for _, found in timed),
    }


async def insert(facts: list[str]) -> float:
    """Put the rows that search reads into its index, through its repositories; return the seconds."""
    from basic_memory import db
    from basic_memory.config import ConfigManager
    from basic_memory.repository import ProjectRepository
    from basic_memory.repository.search_repository import create_search_repository

    config = ConfigManager().config
    start = time.perf_counter()
    _, sessions = await db.get_or_create_db(db_path=config.database_path, db_type=db.DatabaseType.FILESYSTEM)
    async with db.scoped_session(sessions) as session:
        project = (await ProjectRepository().get_active_projects(session))[0].id
    repository = create_search_repository(sessions, project_id=project, app_config=config)
    for first in range(0, len(facts), _BATCH):
        numbered = list(enumerate(facts[first : first + _BATCH], first))
        async with db.scoped_session(sessions) as session:
            entities = [entity(project, number) for number, _ in numbered]
            session.add_all(entities)
            await session.flush()
            rows = [row(held, fact) for held, (_, fact) in zip(entities, numbered, strict=True)]
            await repository.bulk_index_items(rows, session)
            names = [held.id for held in entities]
        done = await repository.sync_entity_vectors_batch(names)
        if done.entities_synced != len(names):
            raise RuntimeError(f"{done.entities_synced} of {len(names)} notes have vectors")
    return time.perf_counter() - start


def entity(project: int, number: int) -> Any:
    """Return the note as its index knows it."""
    from basic_memory.models import Entity

    return Entity(
        title=f"Fact {number}",
        note_type="note",
        content_type="text/markdown",
        project_id=project,
        permalink=f"main/fact-{number}",
        file_path=f"Fact {number}.md",
    )


def row(held: Any, fact: str) -> Any:
    """Return the note as its full-text search knows it."""
    from basic_memory.repository.search_index_row import SearchIndexRow

    now = datetime.now(UTC)
    return SearchIndexRow(
        project_id=held.project_id,
        id=held.id,
        entity_id=held.id,
        type="entity",
        title=held.title,
        content_stems="\n".join((held.title, fact, held.permalink, held.file_path)),
        content_snippet=fact,
        permalink=held.permalink,
        file_path=held.file_path,
        metadata={"note_type": "note"},
        created_at=now,
        updated_at=now,
    )


def embedder() -> Any:
    """Return its own embedding client."""
    from basic_memory.config import ConfigManager
    from basic_memory.repository.embedding_provider_factory import create_embedding_provider

    return create_embedding_provider(ConfigManager().config)


async def milliseconds(work: Any) -> tuple[float, Any]:
    """Return how long it took, and what it gave."""
    start = time.perf_counter()
    given = await work
    return (time.perf_counter() - start) * 1e3, given


if __name__ == "__main__":
    main()
