"""Ghosts' seats for newcomers, batch by batch, compiled.

The ghosts of a group are replaced at once, by at least n newcomers with the same values, so that all that is told is
that these leavers and these newcomers have the same values (hc-safety of degree n, Riboni & Bettini, Definition 7).
A batch is committed only if the newcomers left stay m-eligible (no value above 1/m of them), or lack no more.
Seats are filled in random order, each by a newcomer of its value who is near the group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import Bools, Float32s, Floats, Int32s, Int64s

GHOST, SHED = -1, -2
LOOKED_AT = 128  # newcomers of a value that are compared for one seat
_PASSED_OVER = 1 / 64  # of the ghosts keep their seat by lot, so that no ghost is known to lack newcomers of its value
_MIDDLE = np.float32(0.05)  # of the distance to the middle of a box, beside how far it is stretched
FAR = np.float32(1e30)


class Newcomers(NamedTuple):
    """Rows of value v in random order: rows[starts[v] : starts[v] + left[v]] are still free; changed in place."""

    starts: Int64s
    left: Int64s
    rows: Int64s
    tally: Int64s  # how many values have this many newcomers left
    points: Float32s  # where each of `rows` is, by column: many are compared at once


class SeatPlaces(NamedTuple):
    """The seats of all groups: the row that holds each, GHOST or SHED, changed in place; a random lot for each.

    `sheds`: groups that may give up a ghost of each value.
    """

    starts: Int64s
    values: Int32s
    row: Int64s
    lots: Floats
    sheds: Bools


def points_of(codes: Int32s, scale: Floats) -> Float32s:
    """Where everybody is, with ranges that can be compared (`coordinates`)."""
    return np.multiply(codes, scale, dtype=np.float32, casting="unsafe")


def newcomers(values: Int32s, rows: Int64s, points: Float32s, kinds: int, rng: np.random.Generator) -> Newcomers:
    """The pool of newcomers, in random order."""
    rows = rng.permutation(rows)
    left = np.bincount(values[rows], minlength=kinds)
    rows = rows[np.argsort(values[rows], kind="stable")]
    return Newcomers(
        np.cumsum(left) - left, left, rows, np.bincount(left, minlength=2), np.ascontiguousarray(points[rows].T)
    )


@kernel()
def _top(pool, top):  # type: ignore[no-untyped-def]
    """The most newcomers that a value has left, at most `top`."""
    while top > 0 and pool.tally[top] == 0:
        top -= 1
    return top


@kernel()
def _move(pool, value, step):  # type: ignore[no-untyped-def]
    """One newcomer of the value more or less."""
    pool.tally[pool.left[value]] -= 1
    pool.left[value] += step
    pool.tally[pool.left[value]] += 1


@kernel()
def _open_seats(first, last, groups, places, pool, seats):  # type: ignore[no-untyped-def]
    """Ghosts of a run of groups that newcomers are left for, in random order; how many ghosts, how many such seats.

    Some are passed over by lot.
    """
    ghosts, found = 0, 0
    for i in range(first, last):
        g = groups[i]
        for seat in range(places.starts[g], places.starts[g + 1]):
            if places.row[seat] != GHOST:
                continue
            ghosts += 1
            if pool.left[places.values[seat]] == 0 or places.lots[seat] < _PASSED_OVER:
                continue
            insert(seat, places.lots, seats, found)
            found += 1
    return ghosts, found


@kernel()
def insert(seat, lots, seats, found):  # type: ignore[no-untyped-def]
    """Put a seat among seats[:found], which are in the order of their lots."""
    at = found
    while at > 0 and lots[seats[at - 1]] > lots[seat]:
        seats[at] = seats[at - 1]
        at -= 1
    seats[at] = seat


@kernel()
def _shed(g, seats, found, places, n):  # type: ignore[no-untyped-def]
    """Give up one ghost of each value if that leaves n open seats; whether it was done.

    A seat without newcomers goes before one that could be filled: `seats[:found]` are those that could.
    """
    first, last = places.starts[g], places.starts[g + 1]
    size = 0
    for seat in range(first, last):
        size += int(places.values[seat] == places.values[first])
    size = (last - first) // size
    open_left, done = found, 0
    for seat in range(first, last):
        if places.row[seat] != GHOST or done == size:
            continue
        value, is_open, taken = places.values[seat], False, False
        for other in range(first, last):
            taken = taken or (places.row[other] == SHED and places.values[other] == value)
        for i in range(found):
            is_open = is_open or seats[i] == seat
        if not taken:
            places.row[seat] = SHED
            done += 1
            open_left -= int(is_open)
    if done == size and open_left >= n:
        return True
    _keep(g, places)
    return False


@kernel()
def _reserve(seats, found, places, pool, top, total, m):  # type: ignore[no-untyped-def]
    """Take newcomers for the seats out of the counts, as far as there are any; how many seats (first in `seats`)."""
    lack = max(m * top - total, 0)
    kept = 0
    for i in range(found):
        value = places.values[seats[i]]
        if pool.left[value] > 0:
            _move(pool, value, -1)
            seats[kept], seats[i] = seats[i], seats[kept]
            kept += 1
    if m * _top(pool, top) - (total - kept) <= lack:
        return kept
    _release(seats, kept, places, pool)
    return 0


@kernel()
def _release(seats, kept, places, pool):  # type: ignore[no-untyped-def]
    """Put reserved newcomers back."""
    for i in range(kept):
        _move(pool, places.values[seats[i]], 1)


@kernel()
def _keep(g, places):  # type: ignore[no-untyped-def]
    """Take seats back that were to be given up."""
    for seat in range(places.starts[g], places.starts[g + 1]):
        if places.row[seat] == SHED:
            places.row[seat] = GHOST


@kernel()
def box(groups, starts, rows, points, low, high):  # type: ignore[no-untyped-def]
    """The ranges of the people of some groups."""
    for c in range(len(low)):
        low[c], high[c] = FAR, -FAR
    for g in groups:
        for seat in range(starts[g], starts[g + 1]):
            row = rows[seat]
            if row >= 0:
                for c in range(len(low)):
                    low[c] = min(low[c], points[row, c])
                    high[c] = max(high[c], points[row, c])


@kernel()
def _nearest(points, first, looked_at, low, high, costs):  # type: ignore[no-untyped-def]
    """With whom the box is narrowest, of so many newcomers from `first` on, or else who is nearest to its middle.

    Column by column, so that the processor does many at once; twice the precision for the middle, which is halfway
    between two codes.
    """
    for i in range(looked_at):
        costs[i] = 0
    for c in range(len(points)):
        least, most, middle = low[c], high[c], np.float64(low[c] + high[c]) / 2
        column = points[c, first : first + looked_at]
        for i in range(looked_at):
            at = column[i]
            off = _MIDDLE * abs(np.float64(at) - middle)
            costs[i] = np.float64(costs[i]) + (np.float64(max(most, at) - min(least, at)) + off)
    found = 0
    for i in range(looked_at):
        if costs[i] < costs[found]:
            found = i
    return first + found


@kernel()
def pick(value, free, looked_at, pool, low, high, costs):  # type: ignore[no-untyped-def]
    """Take the nearest of the first `looked_at` newcomers of the value out of the `free` ones; where they are now.

    The ranges get wide enough for whom is taken.
    """
    first = pool.starts[value]
    found, last = _nearest(pool.points, first, looked_at, low, high, costs), first + free - 1
    pool.rows[found], pool.rows[last] = pool.rows[last], pool.rows[found]
    for c in range(len(low)):
        points = pool.points[c]
        points[found], points[last] = points[last], points[found]
        low[c] = min(low[c], points[last])
        high[c] = max(high[c], points[last])
    return last


@kernel()
def _fill(seats, kept, places, pool, low, high, costs):  # type: ignore[no-untyped-def]
    """Give the seats, in their order, to newcomers who were reserved.

    As many newcomers are compared for each seat: the nearest of many would be nearer, and tell a frequent value.
    """
    looked_at = len(costs)
    for i in range(kept):
        looked_at = min(looked_at, pool.left[places.values[seats[i]]] + 1)
    for i in range(kept):
        value = places.values[seats[i]]
        behind = 0
        for j in range(i + 1, kept):
            behind += int(places.values[seats[j]] == value)
        taken = pick(value, pool.left[value] + behind + 1, looked_at, pool, low, high, costs)
        places.row[seats[i]] = pool.rows[taken]


def refill(
    run_starts: Int64s,
    run_groups: Int64s,
    places: SeatPlaces,
    pool: Newcomers,
    points: Float32s,
    m: int,
    n: int,
    is_whole: bool,
    least: int,
    looked_at: int = LOOKED_AT,
) -> Bools:
    """Refill runs of groups, run r being run_groups[run_starts[r]:run_starts[r + 1]]; which runs were refilled.

    `is_whole`: a run is refilled only if all its ghosts are. Stops when `least` seats were taken.
    """
    done = np.zeros(len(run_starts) - 1, np.bool_)
    low, high = np.empty((2, points.shape[1]), np.float32)
    room = _Room(np.empty(len(places.row), np.int64), low, high, np.empty(looked_at, np.float32))
    _refill(run_starts, run_groups, places, pool, points, m, n, is_whole, least, int(pool.left.sum()), room, done)
    return done


class _Room(NamedTuple):
    """Memory for the seats of a run, its box, and what newcomers cost."""

    seats: Int64s
    low: Float32s
    high: Float32s
    costs: Float32s


@kernel()
def _refill(starts, groups, places, pool, points, m, n, is_whole, least, total, room, done):  # type: ignore[no-untyped-def]
    """Refill runs; `total` newcomers are left, all values together."""
    seats, top, filled = room.seats, len(pool.tally) - 1, 0
    for r in range(len(done)):
        if filled >= least:
            break
        first, last, alone = starts[r], starts[r + 1], groups[starts[r]]
        ghosts, found = _open_seats(first, last, groups, places, pool, seats)
        if n <= found < ghosts and places.sheds[alone] and not is_whole and _shed(alone, seats, found, places, n):
            ghosts, found = _open_seats(first, last, groups, places, pool, seats)
        if found < n or (is_whole and found < ghosts):
            continue
        top = _top(pool, top)
        kept = _reserve(seats, found, places, pool, top, total, m)
        if kept < n or (is_whole and kept < ghosts):
            _release(seats, kept, places, pool)
            _keep(alone, places)
            continue
        box(groups[first:last], places.starts, places.row, points, room.low, room.high)
        _fill(seats, kept, places, pool, room.low, room.high, room.costs)
        total -= kept
        filled += kept
        done[r] = True
