"""Newcomers of one value exchange their places between groups where that makes the boxes narrower, compiled.

Whoever came in this release, to a refilled or to a new group, has told nothing yet: any other newcomer of the same
value could have the seat. Whoever is tried for more others comes to be nearer, and that would tell a frequent value:
so in a group either everybody who came is tried for equally many others, each once, or nobody is. The order is random.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.publish.again.stable.refilling import FAR
from deniable.worlds.arrays import Float32s, Int32s, Int64s, offsets

_TRIALS = (32, 16, 8)  # others that one is tried for, and is tried for by; fewer where too many would be left out
_LEAST = np.float32(1e-6)  # that boxes must get narrower: less is rounding


def tighten(
    fresh: Int64s,
    starts: Int64s,
    values: Int32s,
    group: Int64s,
    rows: Int64s,
    points: Float32s,
    rng: np.random.Generator,
) -> None:
    """Exchange the holders of the fresh seats; rows[seat] is who holds it, below 0 nobody, and is changed in place."""
    fresh = rng.permutation(fresh)
    for trials in _TRIALS:
        tried = _with_enough_others(fresh, values, group, trials)
        if 2 * len(tried) >= len(fresh):
            break
    turn = rng.permutation(int(values.max(initial=0)) + 1)[values[tried]]  # which value goes first would tell it apart
    value_starts = offsets(np.bincount(turn))
    by_value = tried[np.argsort(turn, kind="stable")]
    place, gains = np.full(len(rows), -1, np.int64), np.empty(trials, np.float32)
    own, low, high = np.empty((3, points.shape[1], len(tried)), np.float32)
    _exchange(by_value, value_starts, trials, group, starts, rows, points, place, own, low, high, gains)


def _with_enough_others(fresh: Int64s, values: Int32s, group: Int64s, trials: int) -> Int64s:
    """The seats of groups in which each who came has 2 * trials others of the value, who are in such groups as well."""
    while True:
        alone = np.bincount(values[fresh])[values[fresh]] <= 2 * trials
        if not alone.any():
            return fresh
        few = np.zeros(int(group[-1]) + 1, np.bool_)
        few[group[fresh[alone]]] = True
        fresh = fresh[~few[group[fresh]]]


@kernel()
def _without(seat, g, i, starts, rows, points, low, high):  # type: ignore[no-untyped-def]
    """The ranges of the people of a group but for one seat, the i-th of those that are tried."""
    for c in range(len(low)):
        low[c, i], high[c, i] = FAR, -FAR
    for other in range(starts[g], starts[g + 1]):
        row = rows[other]
        if row < 0 or other == seat:
            continue
        for c in range(len(low)):
            low[c, i] = min(low[c, i], points[row, c])
            high[c, i] = max(high[c, i], points[row, c])


@kernel()
def _gains(i, first, last, own, low, high, gains):  # type: ignore[no-untyped-def]
    """By how much two boxes get narrower if i changes places with each from `first` on; low and high are without them.

    Column by column, so that the processor does many at once.
    """
    for k in range(last - first):
        gains[k] = 0
    for c in range(len(own)):
        mine, least, most = own[c, i], low[c, i], high[c, i]
        width = max(most, mine) - min(least, mine)
        others, starts, ends = own[c, first:last], low[c, first:last], high[c, first:last]
        for k in range(last - first):
            other, start, end = others[k], starts[k], ends[k]
            before = width + (max(end, other) - min(start, other))
            after = (max(most, other) - min(least, other)) + (max(end, mine) - min(start, mine))
            gains[k] += before - after


@kernel()
def _swap(i, j, seats, group, starts, rows, points, place, own, low, high):  # type: ignore[no-untyped-def]
    """The holders of the i-th and the j-th seat change places; so do the ranges without each of their groups."""
    for c in range(len(own)):
        own[c, i], own[c, j] = own[c, j], own[c, i]
    one, two = seats[i], seats[j]
    rows[one], rows[two] = rows[two], rows[one]
    for g in (group[one], group[two]):
        for seat in range(starts[g], starts[g + 1]):
            if place[seat] >= 0:
                _without(seat, g, place[seat], starts, rows, points, low, high)


@kernel()
def _exchange(seats, value_starts, trials, group, starts, rows, points, place, own, low, high, gains):  # type: ignore[no-untyped-def]
    """Exchange the holders of seats, which are given value by value; changes rows. The last five are memory."""
    for i in range(len(seats)):
        place[seats[i]] = i
        for c in range(len(own)):
            own[c, i] = points[rows[seats[i]], c]
        _without(seats[i], group[seats[i]], i, starts, rows, points, low, high)
    for v in range(len(value_starts) - 1):
        end, count = value_starts[v + 1], value_starts[v + 1] - value_starts[v]
        for i in range(value_starts[v], end):
            j, last = i + 1, i + 1 + trials
            while j < last:
                if j == end:  # go on with the first of the value
                    j, last = j - count, last - count
                upto = min(last, end)
                _gains(i, j, upto, own, low, high, gains)
                k = 0
                while k < upto - j and (gains[k] <= _LEAST or group[seats[i]] == group[seats[j + k]]):
                    k += 1
                j += k
                if j < upto:
                    _swap(i, j, seats, group, starts, rows, points, place, own, low, high)
                    j += 1
