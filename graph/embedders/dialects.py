"""How providers are asked for vectors, and how their answers are read."""

from collections.abc import Sequence
from typing import Any, Protocol


class Dialect(Protocol):
    """One provider's way of saying it."""

    provider: str
    path: str

    def model(self, name: str) -> str:
        """Return the model's one name, however it was given."""

    def body(self, model: str, texts: Sequence[str], dimensions: int | None) -> dict[str, Any]:
        """Return the request."""

    def vectors(self, answer: Any) -> list[Any]:
        """Return the vectors in the order of the texts, unchecked; raise ValueError saying what is wrong."""


class OpenAI:
    """`/embeddings` as OpenAI has it, and many others after it; the address ends in `/v1`."""

    provider = "openai"
    path = "/embeddings"

    def model(self, name: str) -> str:
        return name

    def body(self, model: str, texts: Sequence[str], dimensions: int | None) -> dict[str, Any]:
        asked: dict[str, Any] = {"model": model, "input": list(texts)}
        return asked if dimensions is None else {**asked, "dimensions": dimensions}

    def vectors(self, answer: Any) -> list[Any]:
        rows = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ValueError("an answer without `data`")
        by_index = {row.get("index"): row.get("embedding") for row in rows}
        if by_index.keys() != set(range(len(rows))):
            raise ValueError("vectors whose `index` is missing or double")
        return [by_index[number] for number in range(len(rows))]


class Ollama:
    """Ollama's `/api/embed`; a text is never cut off silently (`truncate`)."""

    provider = "ollama"
    path = "/api/embed"

    def model(self, name: str) -> str:
        return name.removesuffix(":latest")

    def body(self, model: str, texts: Sequence[str], dimensions: int | None) -> dict[str, Any]:
        asked: dict[str, Any] = {"model": model, "input": list(texts), "truncate": False}
        return asked if dimensions is None else {**asked, "dimensions": dimensions}

    def vectors(self, answer: Any) -> list[Any]:
        rows = answer.get("embeddings") if isinstance(answer, dict) else None
        if not isinstance(rows, list):
            raise ValueError("an answer without `embeddings`")
        return rows
