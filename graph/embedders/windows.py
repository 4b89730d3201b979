"""Texts that are too long for a model: cut into windows, whose vectors are averaged by length into one."""

import re
from collections.abc import Sequence

from graph.vectors import Vector

MOST_WINDOWS = 32
MOST_CHARACTERS = 65_536
# WordPiece turns a word of more than 100 characters into one [UNK]: all long runs of base64 would look alike.
_LONG_RUN = re.compile(r"[^\s!-/:-@\[-`{-~]{100}(?=[^\s!-/:-@\[-`{-~])")


def readable(text: str) -> str:
    """Return the text as a tokenizer takes it: valid Unicode, bounded in length, no run too long for a word."""
    return _LONG_RUN.sub(r"\g<0> ", text[:MOST_CHARACTERS].encode("utf-8", "replace").decode())


def token_windows(ids: Sequence[int], size: int) -> list[list[int]]:
    """Return the tokens in windows of `size`, at least one and at most 32; what lies beyond does not count."""
    starts = range(0, max(1, min(len(ids), size * MOST_WINDOWS)), size)
    return [list(ids[start : start + size]) for start in starts]


def character_windows(text: str, size: int) -> list[str]:
    """Return the text in windows of at most `size` characters, cut at white space where some is near; none is blank."""
    windows, start = [], 0
    while start < len(text):
        end = start + size
        if end < len(text):
            near = max(text.rfind(" ", end - size // 4, end), text.rfind("\n", end - size // 4, end))
            end = near if near > start else end
        windows.append(text[start:end])
        start = end
    return [window for window in windows if window.strip()]


def averaged(vectors: Sequence[Vector], weights: Sequence[int]) -> Vector:
    """Return the unit vector of the weighted sum; the first vector when they cancel each other out."""
    import numpy as np

    total = sum((w * v for w, v in zip(weights, vectors, strict=True)), np.zeros(len(vectors[0]), np.float32))
    length = np.linalg.norm(total)
    vector: Vector = (total / length).astype(np.float32) if length else vectors[0]
    return vector


def unit(numbers: object) -> Vector | None:
    """Return a flat list of numbers as a unit vector; None when it is anything else, has a NaN, or is zero."""
    import numpy as np

    try:
        values = np.asarray(numbers)
    except (ValueError, OverflowError):
        return None
    if values.ndim != 1 or not values.size or values.dtype.kind not in "fi":
        return None
    wide = values.astype(np.float64)
    length = float(np.linalg.norm(wide))
    if not np.isfinite(length) or length == 0:
        return None
    vector: Vector = (wide / length).astype(np.float32)
    return vector
