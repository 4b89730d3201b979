"""How much of a source changed, in lines."""

from collections.abc import Sequence

from drift.changes import Change
from drift.significance import Significance


def changed_share(
    changes: Sequence[Change], unchanged: Sequence[str], significance: Significance, sample: int
) -> float:
    """Return the changed part of the lines, 0 to 1, from the changes and the blobs of what stayed.

    Of more than `sample` unchanged files some are read and the others taken to be as long.
    """
    extents = [significance.extent(change) for change in changes]
    changed, total = (sum(column) for column in zip(*extents, strict=True)) if extents else (0, 0)
    step = max(1, -(-len(unchanged) // sample)) if sample else 0
    lengths = [significance.length(blob) for blob in (unchanged[::step] if step else ())]
    if lengths:
        total += round(sum(lengths) * len(unchanged) / len(lengths))
    elif unchanged and changes:
        total += round(total * len(unchanged) / len(changes))
    return round(min(1.0, changed / total), 4) if total else 0.0
