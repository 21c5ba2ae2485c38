"""Newcomers of one value exchange their places between groups where that makes the boxes narrower, compiled.

Whoever came in this release has told nothing yet: any other newcomer of the same value could have the seat. Each
two of a circle (`circles`) are tried, some times over.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.publish.again.stable.circles import Circles, in_circles
from deniable.publish.again.stable.refilling import FAR
from deniable.worlds.arrays import Float32s, Int32s, Int64s

_TURNS = 4  # more gain little
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
    exchange(in_circles(fresh, values, group, rng), starts, group, rows, points)


def exchange(circles: Circles, starts: Int64s, group: Int64s, rows: Int64s, points: Float32s) -> None:
    """Exchange the holders of the seats of circles."""
    seats, place = circles.seats, np.full(len(rows), -1, np.int64)
    trials = np.maximum(circles.sizes - 1, 0) // 2  # others after each, so that no two are tried twice
    gains = np.empty(int(trials.max(initial=0)), np.float32)
    own, low, high = np.empty((3, points.shape[1], len(seats)), np.float32)
    _exchange(seats, circles.starts, trials, _TURNS, group, starts, rows, points, place, own, low, high, gains)


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
def _exchange(seats, circle_starts, trials, turns, group, starts, rows, points, place, own, low, high, gains):  # type: ignore[no-untyped-def]
    """Exchange the holders of seats, which are given circle by circle; changes rows. The last five are memory."""
    for i in range(len(seats)):
        place[seats[i]] = i
        for c in range(len(own)):
            own[c, i] = points[rows[seats[i]], c]
        _without(seats[i], group[seats[i]], i, starts, rows, points, low, high)
    for _ in range(turns):
        for v in range(len(trials)):
            end, count = circle_starts[v + 1], circle_starts[v + 1] - circle_starts[v]
            for i in range(circle_starts[v], end):
                j, last = i + 1, i + 1 + trials[v]
                while j < last:
                    if j == end:  # go on with the first of the circle
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
