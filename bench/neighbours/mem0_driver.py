"""Measures mem0; runs inside its environment: python mem0_driver.py JOB.json

No language model: `infer=False`. Vectors in its default store, qdrant in a local folder; embeddings by its `openai`
embedder from the address that the job names.
"""

import json
import sys
import time
import uuid
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

_ONE_BY_ONE = 2_000
_BATCH = 100
_USER = {"user_id": "bench"}


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    memory = open_memory(job)
    facts, questions = job["facts"], job["questions"]
    start = time.perf_counter()
    how = add(memory, facts) if len(facts) <= _ONE_BY_ONE else insert(memory, facts)
    written = time.perf_counter() - start

    def search(question: str) -> list[Any]:
        found: list[Any] = memory.search(question, filters=_USER, top_k=job["limit"])["results"]
        return found

    for question in job["warm_up"]:
        search(question)
    timed = [milliseconds(search, question) for question in questions]
    embeds = [milliseconds(memory.embedding_model.embed, question) for question in questions]
    result = {
        "system": "mem0",
        "version": version("mem0ai"),
        "memories": memory.vector_store.client.count(memory.collection_name).count,
        "write_seconds": written,
        "write_how": how,
        "search_ms": [spent for spent, _ in timed],
        "embed_ms": [spent for spent, _ in embeds],
        "answered": sum(bool(hits) for _, hits in timed),
    }
    memory.close()
    print(json.dumps(result), flush=True)


def open_memory(job: dict[str, Any]) -> Any:
    """Return mem0 with everything that it keeps inside the job's folder."""
    from mem0 import Memory

    folder = job["folder"]
    served = {"openai_base_url": job["embedding_url"], "api_key": "none"}
    store = {"path": f"{folder}/qdrant", "embedding_model_dims": job["dimensions"]}
    return Memory.from_config(
        {
            "embedder": {
                "provider": "openai",
                "config": {**served, "model": job["model"], "embedding_dims": job["dimensions"]},
            },
            # It is made with the rest and never asked: nothing is inferred.
            "llm": {"provider": "openai", "config": served},
            "vector_store": {"provider": "qdrant", "config": store},
            "history_db_path": f"{folder}/history.db",
        }
    )


def add(memory: Any, facts: list[str]) -> str:
    """Add each fact as a user of mem0 does."""
    for fact in facts:
        memory.add(fact, infer=False, **_USER)
    return "`add(infer=False)` one by one"


def insert(memory: Any, facts: list[str]) -> str:
    """Put what `add` would have stored into the vector store, in batches."""
    for first in range(0, len(facts), _BATCH):
        batch = facts[first : first + _BATCH]
        memory.vector_store.insert(
            vectors=memory.embedding_model.embed_batch(batch),
            payloads=[{**_USER, "data": fact, "role": "user", "text_lemmatized": fact} for fact in batch],
            ids=[str(uuid.uuid4()) for _ in batch],
        )
    return f"its vector store, {_BATCH} at a time, without its history"


def milliseconds(work: Callable[[str], Any], question: str) -> tuple[float, Any]:
    """Return how long it took, and what it gave."""
    start = time.perf_counter()
    given = work(question)
    return (time.perf_counter() - start) * 1e3, given


if __name__ == "__main__":
    main()
