"""Which waiting groups to merge so that their ghosts make a batch, compiled.

Merging says nothing: the values of the whole are the sum of the parts'. What is told afterwards, when j seats of a
part with k copies of each value were refilled in a whole with K copies, is that the people who came have K - k more
of each value than those j; whoever is one of the j is pinned down by the j - 1 others and the K - k + 1 people
with the same value, n in all if j + K - k >= n. So parts are merged only if that holds for each of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import Floats, Int32s, Int64s, expand, offsets

_FAR = np.int32(2147483647)  # no code is beyond


class Boxes(NamedTuple):
    """The least and the largest code of each group's people, by column, and what makes their ranges comparable."""

    low: Int32s
    high: Int32s
    scale: Floats


def boxes(starts: Int64s, row: Int64s, codes: Int32s, scale: Floats) -> Boxes:
    """The boxes of groups whose seats are held by these rows, below 0 by nobody."""
    held, who, low, high = row >= 0, np.maximum(row, 0), [], []
    for column in codes.T:
        code = column[who]
        low.append(np.minimum.reduceat(np.where(held, code, _FAR), starts[:-1]))
        high.append(np.maximum.reduceat(np.where(held, code, -1), starts[:-1]))
    return Boxes(np.ascontiguousarray(np.stack(low, axis=1)), np.ascontiguousarray(np.stack(high, axis=1)), scale)


def runs(
    waiting: Int64s, ghosts: Int64s, copies: Int64s, signature: Int32s, near: Boxes, n: int, cap: int
) -> tuple[Int64s, Int64s, Floats]:
    """Runs of waiting groups, which are side by side (run starts, groups), and how much wider each makes rows."""
    starts, kept = np.zeros(len(waiting) + 1, np.int64), np.empty(len(waiting), np.int64)
    found = _gather(waiting, ghosts, copies, signature, n, cap, starts, kept)
    starts = starts[: found + 1]
    groups = waiting[kept[: starts[-1]]]
    return starts, groups, widening(starts, groups, copies, *near)


def side_by_side(waiting: Int64s, signature: Int32s, near: Boxes) -> Int64s:
    """The groups signature by signature, neighbours near each other."""
    middle = (near.low[waiting].astype(np.int64) + near.high[waiting]) * (0.5 * near.scale)
    order = np.lexsort((_along_a_curve(middle), signature[waiting]))
    return waiting[order]


def _along_a_curve(points: Floats) -> Int64s:
    """A number for each point such that near numbers are near points: the bits of all coordinates interleaved."""
    if not points.size:
        return np.zeros(len(points), np.int64)
    bits = max(1, 60 // points.shape[1])
    least = points.min(axis=0)
    cells = ((points - least) / max(float((points - least).max()), 1e-9) * (2 ** min(bits, 10) - 1)).astype(np.int64)
    key = np.zeros(len(points), np.int64)
    for bit in range(min(bits, 10) - 1, -1, -1):
        for c in range(points.shape[1]):
            key = (key << 1) | ((cells[:, c] >> bit) & 1)
    return key


def in_order(starts: Int64s, groups: Int64s, key: Floats) -> tuple[Int64s, Int64s, Int64s]:
    """The runs with the least key first: run starts, groups, and which run each was."""
    order = np.argsort(key, kind="stable")
    sizes = np.diff(starts)[order]
    return offsets(sizes), groups[expand(starts[:-1][order], sizes)], order


@kernel()
def _is_enough(first, last, waiting, ghosts, copies, n):  # type: ignore[no-untyped-def]
    """Whether the groups may be refilled together."""
    seats, whole = 0, 0
    for i in range(first, last):
        seats += ghosts[waiting[i]]
        whole += copies[waiting[i]]
    if seats < n:
        return False
    for i in range(first, last):
        g = waiting[i]
        if ghosts[g] + whole - copies[g] < n:
            return False
    return True


@kernel()
def _gather(waiting, ghosts, copies, signature, n, cap, starts, kept):  # type: ignore[no-untyped-def]
    """Cut the row of groups into the shortest runs that are enough: their starts, the places kept; how many runs."""
    found, filled, first, whole = 0, 0, 0, 0
    for i in range(len(waiting)):
        g = waiting[i]
        if i > first and signature[g] != signature[waiting[first]]:
            first, whole = i, 0
        whole += copies[g]
        while whole > cap and first < i:
            whole -= copies[waiting[first]]
            first += 1
        if i > first and whole <= cap and _is_enough(first, i + 1, waiting, ghosts, copies, n):
            for j in range(first, i + 1):
                kept[filled] = j
                filled += 1
            found += 1
            starts[found] = filled
            first, whole = i + 1, 0
    return found


def widening(starts: Int64s, groups: Int64s, copies: Int64s, low: Int32s, high: Int32s, scale: Floats) -> Floats:
    """By how much the semiperimeter grows, summed over the copies of each run."""
    cost = np.zeros(len(starts) - 1)
    _widen(starts, groups, copies, low, high, scale, cost)
    return cost


@kernel()
def _widen(starts, groups, copies, low, high, scale, cost):  # type: ignore[no-untyped-def]
    """Add it to cost."""
    for r in range(len(cost)):
        first, last, whole = starts[r], starts[r + 1], 0
        for i in range(first, last):
            whole += copies[groups[i]]
        for c in range(len(scale)):
            least, most = np.int64(low[groups[first], c]), np.int64(high[groups[first], c])
            for i in range(first, last):
                g = groups[i]
                start, end = np.int64(low[g, c]), np.int64(high[g, c])
                least, most = min(least, start), max(most, end)
                cost[r] -= copies[g] * (end - start) * scale[c]
            cost[r] += whole * (most - least) * scale[c]
