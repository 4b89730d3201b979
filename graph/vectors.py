"""Vectors as values; numpy is imported where it is used, for a start without it must be quick."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
else:
    Vector = Any


def cosines(question: Vector, vectors: Mapping[str, Vector]) -> dict[str, float]:
    """Return the cosine of the question with each vector (all of unit length), in double precision."""
    if not vectors:
        return {}
    import numpy as np

    asked = question.astype(np.float64)
    return {name: float(vector.astype(np.float64) @ asked) for name, vector in vectors.items()}
