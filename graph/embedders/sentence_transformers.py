"""The embedder of any sentence-transformers model (extra `sentence-transformers`), by hub name or by folder."""

import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graph.embedders.windows import averaged, readable, token_windows, unit
from graph.errors import Unavailable
from graph.vectors import Vector

_PROVIDER = "sentence-transformers"
_LIBRARY = "sentence_transformers"
_INSTALL = "install archmem with the extra `sentence-transformers`"
_BATCH = 32
_PROBE = "archmem"
_LOOKS_LIKE_A_PATH = re.compile(r"^(?:[.~/\\]|[A-Za-z]:)|\\|/.*/")
_FINGERPRINTED = ("modules.json", "sentence_bert_config.json", "*.safetensors", "*.bin", "[0-9]*_*/*")
_CHUNK = 65_536


def available() -> bool:
    """Say whether the extra `sentence-transformers` is installed, without importing it."""
    return find_spec(_LIBRARY) is not None


class SentenceTransformersEmbedder:
    """Embeds with a model that lies on this machine; nothing is ever downloaded. Cheap to make, slow to load."""

    def __init__(self, model: str, *, dimensions: int | None = None) -> None:
        self._model = model
        self._asked = dimensions
        self._lock = threading.Lock()
        self._running = threading.Lock()
        self._loaded: Any = None
        self._known = ""

    @property
    def name(self) -> str:
        """`sentence-transformers:model`, with the dimensions once they are known."""
        return self._known or f"{_PROVIDER}:{Path(self._model).name if _is_path(self._model) else self._model}"

    @property
    def identity(self) -> str:
        """`sentence-transformers:model:dimensions`; a folder's model is its name and a fingerprint of its files.

        Loads the model, for its size is known by a vector only.
        """
        if not self._known:
            self.embed([_PROBE])
        return self._known

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit vector a text.

        A text longer than the model's window is embedded in windows whose vectors are averaged by length; the bounds
        are those of the local embedder. Raises Unavailable when the extra or the model is not on this machine.
        """
        model = self._load()
        try:
            with self._running:
                vectors: list[Vector] = model.embed([readable(text) for text in texts])
        except (RuntimeError, ValueError, IndexError) as error:
            raise Unavailable(
                f"the model {self.name} fails: {error}", id=self.name, next_step="try another model"
            ) from error
        for vector in vectors:
            self._check(len(vector))
        return vectors

    def _check(self, size: int) -> None:
        known = f"{_PROVIDER}:{self._loaded.name}:{size}"
        if self._asked not in (None, size) or self._known not in ("", known):
            raise Unavailable(
                f"the model {self.name} gives vectors of {size} numbers, not of {self._asked}",
                id=self.name,
                next_step="correct or unset ARCHMEM_EMBEDDER_DIMENSIONS",
            )
        self._known = known

    def _load(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = _Loaded(self._model, self._asked)
            return self._loaded


class _Loaded:
    """A loaded model, with what its tokenizer sets around a text."""

    def __init__(self, model: str, dimensions: int | None) -> None:
        place = Path(model).expanduser()
        if _is_path(model) and not place.is_dir():
            raise Unavailable(f"there is no model folder {model}", id=model, next_step="correct ARCHMEM_EMBEDDER_MODEL")
        self._dimensions = dimensions
        self._model = _read(str(place) if _is_path(model) else model)
        self._model.eval()
        self.name = f"{place.resolve().name}@{_fingerprint(place)}" if _is_path(model) else model
        self._prompt = self._model.prompts.get(self._model.default_prompt_name) or ""
        self._tokenizer = self._model.tokenizer
        self._size = 0
        limit = self._model.max_seq_length
        if isinstance(limit, int) and hasattr(self._tokenizer, "pad"):
            self._before, self._after = self._around()
            self._size = limit - len(self._before) - len(self._after)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        told = [self._prompt + text for text in texts]
        if self._size <= 0:
            # A model without a window (static vectors) takes any length.
            return list(map(self._unit, self._model.encode(told, show_progress_bar=False)))
        windows = [token_windows(self._ids(text), self._size) for text in told]
        rows = [[*self._before, *window, *self._after] for each in windows for window in each]
        pooled = iter(self._pooled(rows))
        lengths = iter(map(len, rows))
        return [averaged([next(pooled) for _ in each], [next(lengths) for _ in each]) for each in windows]

    def _pooled(self, rows: Sequence[list[int]]) -> list[Vector]:
        import torch

        # Rows of like length share a batch: nothing is spent on padding.
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        found: dict[int, Vector] = {}
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            padded = self._tokenizer.pad({"input_ids": [rows[i] for i in batch]}, return_tensors="pt")
            with torch.inference_mode():
                made = self._model({name: value.to(self._model.device) for name, value in padded.items()})
            found.update(zip(batch, made["sentence_embedding"].float().cpu().numpy(), strict=True))
        return [self._unit(found[i]) for i in range(len(rows))]

    def _unit(self, numbers: Any) -> Vector:
        vector = unit(numbers[: self._dimensions])
        if vector is None:
            raise ValueError("a vector is zero or not finite")
        return vector

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)["input_ids"])

    def _around(self) -> tuple[list[int], list[int]]:
        """Return the special tokens before and after a text: a model's template is told by an example alone."""
        plain, full = self._ids(_PROBE), list(self._tokenizer(_PROBE)["input_ids"])
        start = next((i for i in range(len(full)) if full[i : i + len(plain)] == plain), 0)
        return full[:start], full[start + len(plain) :]


def _read(model: str) -> Any:
    if not available():
        raise Unavailable("sentence-transformers is not installed", id=model, next_step=_INSTALL)
    try:
        import sentence_transformers
        from transformers.utils import logging
    except ImportError as error:
        raise Unavailable(
            f"sentence-transformers is installed but does not load: {error}", id=model, next_step=_INSTALL
        ) from error
    logging.disable_progress_bar()
    try:
        return sentence_transformers.SentenceTransformer(model, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, ImportError, RuntimeError, KeyError, AttributeError) as error:
        if isinstance(error, OSError) and not _is_path(model):
            raise Unavailable(
                f"the model {model} is not on this machine, and nothing is downloaded",
                id=model,
                next_step=f"run `hf download {model}` once, or set ARCHMEM_EMBEDDER_MODEL to a model's folder",
            ) from error
        first = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise Unavailable(
            f"the model {model} cannot be loaded: {first[:200]}",
            id=model,
            next_step="set ARCHMEM_EMBEDDER_MODEL to a model that sentence-transformers loads without remote code",
        ) from error


def _is_path(model: str) -> bool:
    return bool(_LOOKS_LIKE_A_PATH.search(model)) or Path(model).is_dir()


def _fingerprint(folder: Path) -> str:
    """Return what tells two models in folders of one name apart: sizes, small files, and samples of the large ones."""
    found = hashlib.sha256()
    for path in _told_by(folder):
        size = path.stat().st_size
        found.update(f"{path.relative_to(folder).as_posix()}:{size}\n".encode())
        with path.open("rb") as file:
            for place in sorted({0, size // 2, max(0, size - _CHUNK)}):
                file.seek(place)
                found.update(file.read(_CHUNK))
    return found.hexdigest()[:8]


def _told_by(folder: Path) -> Iterator[Path]:
    yield from sorted({path for pattern in _FINGERPRINTED for path in folder.glob(pattern) if path.is_file()})
