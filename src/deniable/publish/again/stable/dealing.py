"""Who of the newcomers gets which seat of the groups that are refilled: whoever is near, compiled.

How near a newcomer is to a group may not tell the value. So there are as many newcomers for a seat, whatever its value,
and those of a circle are compared (`circles`). Groups come in the order of how wide they are:
a wide one has room for whoever is left at the end.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.publish.again.stable.circles import Circles, in_circles
from deniable.publish.again.stable.exchange import exchange
from deniable.publish.again.stable.refilling import Newcomers, box, pick
from deniable.worlds.arrays import Float32s, Int32s, Int64s, different, expand, offsets


def deal_near(
    fresh: Int64s,
    newcomers: Int64s,
    values: Int32s,
    table_values: Int32s,
    starts: Int64s,
    group: Int64s,
    rows: Int64s,
    points: Float32s,
    rng: np.random.Generator,
) -> None:
    """Give the fresh seats to newcomers; rows[seat] is who holds it, below 0 nobody, and is changed in place."""
    if not len(fresh):
        return
    circles = in_circles(fresh, values, group, rng)
    pool = _pool(circles, rng.permutation(newcomers), table_values, points)
    rows[fresh] = -1
    touched = different(group[fresh])
    width, ranges = np.zeros(len(starts) - 1), np.empty((2, points.shape[1]), np.float32)
    _measure(touched, starts, rows, points, width, *ranges)
    width[touched] += 1e-6 * rng.random(len(touched))
    of = group[circles.seats]
    order = np.lexsort((rng.random(len(fresh)), of, width[of]))
    seats, circle, costs = circles.seats[order], circles.circle[order], np.empty(int(pool.left.max()), np.float32)
    _deal(seats, circle, circles.sizes > 0, pool, group, starts, rows, points, *ranges, costs)
    exchange(circles, starts, group, rows, points)


def _pool(circles: Circles, newcomers: Int64s, values: Int32s, points: Float32s) -> Newcomers:
    """Newcomers for each circle, as many for a seat in all of a class."""
    kinds, sizes, value = int(values.max()) + 1, np.diff(circles.starts), circles.values
    there, wanted = np.bincount(values[newcomers], minlength=kinds), np.bincount(value, weights=sizes, minlength=kinds)
    least = np.full(int(circles.of_class.max()) + 1, np.inf)
    np.minimum.at(least, circles.of_class, there[value] / wanted[value])
    count = np.maximum((least[circles.of_class] * sizes + 1e-9).astype(np.int64), sizes)
    by_value = np.argsort(value, kind="stable")
    taken = np.bincount(value, weights=count, minlength=kinds).astype(np.int64)
    ordered = newcomers[np.argsort(values[newcomers], kind="stable")]
    first = np.empty(len(sizes), np.int64)
    first[by_value] = offsets(count[by_value])[:-1]
    rows = ordered[expand(offsets(there)[:-1], taken)]
    return Newcomers(first, count, rows, count[:0], np.ascontiguousarray(points[rows].T))


@kernel()
def _measure(groups, starts, rows, points, width, low, high):  # type: ignore[no-untyped-def]
    """The semiperimeter of the box of each of these groups."""
    for i in range(len(groups)):
        box(groups[i : i + 1], starts, rows, points, low, high)
        for c in range(len(low)):
            width[groups[i]] += high[c] - low[c]


@kernel()
def _compared(i, last, circle, left):  # type: ignore[no-untyped-def]
    """How many newcomers can be compared for each seat of a group, seats[i:last]."""
    least = left[circle[i]]
    for j in range(i, last):
        same = 0
        for k in range(i, j):
            same += int(circle[k] == circle[j])
        least = min(least, left[circle[j]] - same)
    return least


@kernel()
def _deal(seats, circle, is_even, pool, group, starts, rows, points, low, high, costs):  # type: ignore[no-untyped-def]
    """Each seat, group by group, to the nearest of its circle; as many are compared in a group if circles differ."""
    together, last = 0, 0
    for i in range(len(seats)):
        v = circle[i]
        if i == last:
            while last < len(seats) and group[seats[last]] == group[seats[i]]:
                last += 1
            together = _compared(i, last, circle, pool.left)
            box(group[seats[i : i + 1]], starts, rows, points, low, high)
        taken = pick(v, pool.left[v], pool.left[v] if is_even[v] else together, pool, low, high, costs)
        pool.left[v] -= 1
        rows[seats[i]] = pool.rows[taken]
