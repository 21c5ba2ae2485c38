"""Newcomers of one value exchange their places between groups where that makes the boxes narrower, compiled.

Whoever came in this release, to a refilled or to a new group, has told nothing yet: any other newcomer of the same
value could have the seat. Whoever is tried for more others comes to be nearer, and that would tell a frequent value:
so in a group either everybody who came is tried for equally many others, each once, or nobody is. The order is random.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from deniable.publish.history.past import Ints, Longs
from deniable.publish.history.stable_merge import Floats

_TRIALS = (32, 16, 8)  # others that one is tried for, and is tried for by; fewer where too many would be left out


def tighten(
    fresh: Longs,
    starts: Longs,
    values: Ints,
    group: Longs,
    rows: Longs,
    codes: Ints,
    scale: Floats,
    rng: np.random.Generator,
) -> None:
    """Exchange the holders of the fresh seats; rows[seat] is who holds it, below 0 nobody, and is changed in place."""
    fresh = rng.permutation(fresh)
    for trials in _TRIALS:
        tried = _with_enough_others(fresh, values, group, trials)
        if 2 * len(tried) >= len(fresh):
            break
    turn = rng.permutation(int(values.max(initial=0)) + 1)[values[tried]]  # which value goes first would tell it apart
    value_starts = np.concatenate([[0], np.cumsum(np.bincount(turn))])
    by_value = tried[np.argsort(turn, kind="stable")]
    _exchange(by_value, value_starts, trials, group, starts, rows, codes, scale)


def _with_enough_others(fresh: Longs, values: Ints, group: Longs, trials: int) -> Longs:
    """The seats of groups in which each who came has 2 * trials others of the value, who are in such groups as well."""
    while True:
        alone = np.bincount(values[fresh])[values[fresh]] <= 2 * trials
        if not alone.any():
            return fresh
        few = np.zeros(int(group[-1]) + 1, np.bool_)
        few[group[fresh[alone]]] = True
        fresh = fresh[~few[group[fresh]]]


@njit(cache=True)
def _without(seat, g, starts, rows, codes, low, high):  # type: ignore[no-untyped-def]
    """The ranges of the people of a group but for one seat."""
    for c in range(len(low)):
        low[c], high[c] = 2147483647, -1
    for other in range(starts[g], starts[g + 1]):
        row = rows[other]
        if row < 0 or other == seat:
            continue
        for c in range(len(low)):
            low[c] = min(low[c], codes[row, c])
            high[c] = max(high[c], codes[row, c])


@njit(cache=True, fastmath=True)
def _gain(i, j, own, scale, low, high):  # type: ignore[no-untyped-def]
    """By how much two boxes get narrower if i and j change places; low and high are the boxes without them."""
    total = 0.0
    for c in range(len(scale)):
        a, b = own[i, c], own[j, c]
        first, last, start, end = low[i, c], high[i, c], low[j, c], high[j, c]
        before = max(last, a) - min(first, a) + max(end, b) - min(start, b)
        after = max(last, b) - min(first, b) + max(end, a) - min(start, a)
        total += (before - after) * scale[c]
    return total


@njit(cache=True)
def _exchange(seats, value_starts, trials, group, starts, rows, codes, scale):  # type: ignore[no-untyped-def]
    """Exchange the holders of seats, which are given value by value; changes rows."""
    shape = (len(seats), codes.shape[1])
    own, low, high = np.empty(shape, np.int32), np.empty(shape, np.int32), np.empty(shape, np.int32)
    place = np.full(len(rows), -1, np.int64)
    for i in range(len(seats)):
        place[seats[i]] = i
        own[i] = codes[rows[seats[i]]]
        _without(seats[i], group[seats[i]], starts, rows, codes, low[i], high[i])
    for v in range(len(value_starts) - 1):
        first, count = value_starts[v], value_starts[v + 1] - value_starts[v]
        for i in range(first, first + count):
            for t in range(trials):
                j = first + (i - first + 1 + t) % count
                if _gain(i, j, own, scale, low, high) <= 1e-9 or group[seats[i]] == group[seats[j]]:
                    continue
                for c in range(shape[1]):
                    own[i, c], own[j, c] = own[j, c], own[i, c]
                one, two = rows[seats[i]], rows[seats[j]]
                rows[seats[i]], rows[seats[j]] = two, one
                for g in (group[seats[i]], group[seats[j]]):
                    for seat in range(starts[g], starts[g + 1]):
                        at = place[seat]
                        if at >= 0:
                            _without(seat, g, starts, rows, codes, low[at], high[at])
