"""Which memories are near each other: every pair of content vectors, block by block, in bounded work and memory."""

from collections.abc import Iterator

from graph.stores.port import NearPair, NearPairs
from graph.vectors import Vector

_BLOCK = 512
_MOST_PRODUCTS = 210_000_000
"""How many pairs are looked at: all of 20,000 memories, and of more those of the newest."""
_PRECISION = 1e-6

Held = tuple[tuple[str, ...], Vector]
"""Ids in their order, which is that of their times, with a row each."""


def nearest_pairs(held: Held, at_least: float, most: int) -> NearPairs:
    """Return the pairs with a cosine from the bound on, nearest first, at most so many.

    The newest are compared first, each with all that are older, so that what came in last is never left out.
    """
    count = len(held[0])
    found: list[NearPair] = []
    compared = products = 0
    for last in range(count, 0, -_BLOCK):
        first = max(0, last - _BLOCK)
        products += (last - first) * last
        if products > _MOST_PRODUCTS:
            break
        compared += last - first
        found = _nearest([*found, *_block_pairs(held, first, last, at_least, most)], most)
        if len(found) == most:
            # What is equal but for single precision may still take a place, by its ids.
            at_least = max(at_least, found[-1].cosine - _PRECISION)
    return NearPairs(tuple(found), compared, count)


def _block_pairs(held: Held, first: int, last: int, at_least: float, most: int) -> Iterator[NearPair]:
    """Yield the nearest pairs of the rows of a block with each other and with all before them, at most so many."""
    import numpy as np

    ids, rows = held
    cosines = rows[first:last] @ rows[:last].T
    cosines[:, first:][np.triu_indices(last - first)] = -2  # each pair once, and none with itself
    at, other = np.nonzero(cosines >= at_least)
    # Single precision is right to about 1e-7, and each store multiplies in its own order.
    near = np.minimum(1.0, np.round(cosines[at, other].astype(np.float64), 6))
    if len(near) > most:
        # Where all say the same, all pairs are near: they are never objects all at once, nor sorted.
        bound = -np.partition(-near, most - 1)[most - 1]
        above, equal = np.flatnonzero(near > bound), np.flatnonzero(near == bound)
        places = other[equal] * last + at[equal]
        rest = most - len(above)
        kept = np.concatenate([above, equal[np.argpartition(places, rest - 1)[:rest]]])
        at, other, near = at[kept], other[kept], near[kept]
    for row, older, cosine in zip(at.tolist(), other.tolist(), near.tolist(), strict=True):
        yield NearPair(ids[older], ids[first + row], cosine)


def _nearest(found: list[NearPair], most: int) -> list[NearPair]:
    return sorted(found, key=lambda pair: (-pair.cosine, pair.one, pair.other))[:most]
