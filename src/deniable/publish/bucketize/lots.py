"""Groups drawn by lot: what is drawn hangs on how many people of a run have each value, and on nothing else.

In a cell, whose people have equal signatures, those are left over by lot for whose value there is no room. The people
of a run of its blocks are then dealt out value by value, those of one value by lot, so that no group has a value twice
if that can be. Give the values of a group to its people in another way, and the same groups are drawn with the same
chance, as long as they are of one block (docs/theory/linkage.md, "What the choice of groups says").
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import Int32s, Int64s, offsets


@kernel("void(i8[:, ::1], i4[::1], i4[::1], i8, f8, i8[::1], i8[::1], i8[::1])")
def _shared_out(runs, rows, values, size, limit, counts, groups, caps):  # type: ignore[no-untyped-def]
    """For each run how many groups there are, and how many holders of each value they take.

    All of them, where no value has too many: c holders and g groups make c / g, rounded up, of a group's n / g, rounded
    down. Else as many groups of `size` different values as there is room for: the sum of min(c, g) is g times that.
    """
    for run in range(len(runs)):
        first, last = runs[run, 0], runs[run, 1]
        n, most = last - first, 0
        for i in range(first, last):
            counts[values[rows[i]]] += 1
            most = max(most, counts[values[rows[i]]])
        g = n // size
        if n and most / n <= limit:
            while g > 1 and -(-most // g) / (n // g) > limit:
                g -= 1
            caps[run] = most
        else:
            while g:
                room = 0
                for i in range(first, last):  # each value once: what was looked at is below zero
                    x = values[rows[i]]
                    room += min(max(counts[x], 0), g)
                    counts[x] = -abs(counts[x])
                for i in range(first, last):
                    counts[values[rows[i]]] = abs(counts[values[rows[i]]])
                if room >= size * g:
                    break
                g = room // size
            caps[run] = g
        groups[run] = g
        for i in range(first, last):
            counts[values[rows[i]]] = 0


def drawn(rows: Int32s, runs: Int64s, values: Int32s, lot: Int32s, size: int, limit: float) -> Int32s:
    """A group number for each row, -1 for those left over. `lot` is a random order of all rows."""
    rows, run, groups = _taken(rows, runs, values, lot, size, limit)
    group_of = np.full(len(values), -1, np.int32)
    group_of[rows] = offsets(groups)[run] + _rank(run) % groups[run]
    return group_of


def room(rows: Int32s, cells: Int64s, values: Int32s, lot: Int32s, size: int, limit: float) -> tuple[Int32s, Int64s]:
    """Those of each cell rows[cells[c]:cells[c + 1]] for whom its values leave room, and where the cells begin then."""
    runs = np.column_stack([cells[:-1], cells[1:]])
    rows, cell, _ = _taken(rows, runs, values, lot, size, limit)
    order = np.lexsort((rows, cell))
    return rows[order], offsets(np.bincount(cell, minlength=len(runs)))


def _taken(
    rows: Int32s, runs: Int64s, values: Int32s, lot: Int32s, size: int, limit: float
) -> tuple[Int32s, Int64s, Int64s]:
    """Whom the groups of some runs take, value by value and by lot: rows, the run of each, the groups of each run."""
    groups, caps = np.zeros(len(runs), np.int64), np.zeros(len(runs), np.int64)
    counts = np.zeros(int(values.max(initial=0)) + 1, np.int64)
    _shared_out(runs, rows, values, size, limit, counts, groups, caps)
    run = np.repeat(np.arange(len(runs)), runs[:, 1] - runs[:, 0])
    order = np.lexsort((lot[rows], values[rows], run))
    rows, run = rows[order], run[order]
    taken = _rank(run, values[rows]) < caps[run]
    return rows[taken], run[taken], groups


def _rank(*keys: Int32s | Int64s) -> Int64s:
    """The place of each row among those with the same keys, which stand together."""
    is_new = np.zeros(len(keys[0]), np.bool_)
    is_new[:1] = True
    for key in keys:
        is_new[1:] |= key[1:] != key[:-1]
    at = np.arange(len(is_new))
    return np.asarray(at - np.maximum.accumulate(np.where(is_new, at, 0)), np.int64)
