"""How much of a source changed, in lines."""

from collections import Counter
from collections.abc import Sequence

from drift.changes import Change
from drift.significance import Significance


def changed_share(
    changes: Sequence[Change], unchanged: Sequence[tuple[str, str]], significance: Significance, sample: int
) -> float:
    """Return the changed part of the lines, 0 to 1, from the changes and the (path, blob) of what stayed.

    Of more than `sample` unchanged files some are read and the others taken to be as long; what has no lines
    (binary files, submodules, links) counts as one.
    """
    changed = total = 0
    for change in changes:
        old = _lines(significance, change.old_blob)
        new = _lines(significance, change.new_blob)
        if old is None or new is None:
            changed, total = changed + 1, total + 1
            continue
        removed, added = old - new, new - old
        changed += max(removed.total(), added.total(), 1 if old.total() == new.total() else 0)
        total += max(old.total(), new.total(), 1)
    step = max(1, -(-len(unchanged) // sample)) if sample else 0
    read = unchanged[::step] if step else ()
    lengths = [_length(significance, blob) for _, blob in read]
    if lengths:
        total += round(sum(lengths) * len(unchanged) / len(lengths))
    elif unchanged and changes:
        total += round(total * len(unchanged) / len(changes))
    return round(min(1.0, changed / total), 4) if total else 0.0


def _lines(significance: Significance, blob: str) -> Counter[str] | None:
    lines = significance.lines(blob)
    return None if lines is None else Counter(lines)


def _length(significance: Significance, blob: str) -> int:
    lines = significance.lines(blob)
    return 1 if lines is None else max(1, len(lines))
