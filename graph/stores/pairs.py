"""Which memories are near each other: every pair of content vectors, block by block, in bounded work and memory."""

from collections.abc import Iterator

from graph.stores.port import NearPair, NearPairs
from graph.vectors import Vector

_BLOCK = 512
_MOST_PRODUCTS = 210_000_000
"""How many pairs are looked at: all of 20,000 memories, and of more those of the newest."""

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
        found.extend(_block_pairs(held, first, last, at_least))
        if len(found) > 2 * most:
            found = _nearest(found, most)
            at_least = max(at_least, found[-1].cosine)
    return NearPairs(tuple(_nearest(found, most)), compared, count)


def _block_pairs(held: Held, first: int, last: int, at_least: float) -> Iterator[NearPair]:
    """Yield the near pairs of the rows of a block with each other and with all before them."""
    import numpy as np

    ids, rows = held
    cosines = rows[first:last] @ rows[:last].T
    for at, other in np.argwhere(cosines >= at_least).tolist():
        if other < first + at:
            # Single precision is right to about 1e-7, and each store multiplies in its own order.
            yield NearPair(ids[other], ids[first + at], min(1.0, round(float(cosines[at, other]), 6)))


def _nearest(found: list[NearPair], most: int) -> list[NearPair]:
    return sorted(found, key=lambda pair: (-pair.cosine, pair.one, pair.other))[:most]
