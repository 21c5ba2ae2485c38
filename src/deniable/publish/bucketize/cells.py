"""Groups inside cells: people whose signatures agree in every attribute set.

They are exchangeable, so a group of N >= r of them with different values has posteriors 1/N for both adversaries,
whatever the priors, as long as none is 0 or 1
(docs/theory/linkage.md, "Groups that stay safe").
A cell with c_x holders of x has room for at most g such groups of N people, g the largest with sum of min(c_x, g)
>= N g: every group takes a value at most once. All other people of the cell are left over.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.kernels import kernel
from deniable.publish.bucketize.anatomy import as_records, cut
from deniable.worlds.arrays import Bools, Int32s, Int64s

_DENSE = 1 << 24  # cells that are numbered by counting instead of sorting
_FADE = 0.8  # what a cell still counts in the next one


def number(signatures: Sequence[Int32s]) -> tuple[Int64s, list[Int32s]]:
    """The cell of each row, and the signature in each set of each cell that occurs."""
    sizes = [int(codes.max(initial=0)) + 1 for codes in signatures]
    cells = float(np.prod(np.array(sizes, float)))
    if cells >= 2.0**62:
        raise ValueError("the attribute sets have too many signatures to be combined")
    joint = signatures[0].astype(np.int64)
    for codes, size in zip(signatures[1:], sizes[1:], strict=True):
        joint *= size
        joint += codes
    if cells <= min(_DENSE, 8 * len(joint) + 1024):
        there = np.bincount(joint, minlength=int(cells)) > 0
        found = np.flatnonzero(there)
        cell: Int64s = (np.cumsum(there) - 1)[joint]
    else:
        found, cell = np.unique(joint, return_inverse=True)
    parts: list[Int32s] = []
    for size in reversed(sizes):
        parts.append((found % size).astype(np.int32))
        found = found // size
    return cell, parts[::-1]


@kernel("Tuple((i8[::1], i4[::1]))(i8[::1], i8)")
def rows_by(codes, size):  # type: ignore[no-untyped-def]
    """Where each code's rows start, and the rows code by code; rows with a negative code are left out."""
    offsets = np.zeros(size + 1, np.int64)
    for code in codes:
        if code >= 0:
            offsets[code + 1] += 1
    at = np.empty(size, np.int64)
    for code in range(size):
        at[code] = offsets[code]
        offsets[code + 1] += offsets[code]
    rows = np.empty(offsets[size], np.int32)
    for row in range(len(codes)):
        code = codes[row]
        if code >= 0:
            rows[at[code]] = row
            at[code] += 1
    return offsets, rows


@kernel()
def _take(counts, size, recent):  # type: ignore[no-untyped-def]
    """How many groups there are room for; counts become how many holders of each value they take.

    What exceeds full groups is left over too, of values that are rare among those left over near by (`recent`): only
    people with different values can form groups there.
    """
    people = most = 0
    for c in counts:
        people += c
        most = max(most, c)
    groups = people // size
    while groups < most:
        room = 0
        for c in counts:
            room += min(c, groups)
        if room >= size * groups:
            break
        groups = room // size
    room = 0
    for x in range(len(counts)):
        recent[x] = _FADE * recent[x] + max(0, counts[x] - groups)
        counts[x] = min(counts[x], groups)
        room += counts[x]
    while room > size * groups:
        rarest = -1
        for x in range(len(counts)):
            if counts[x] > 0 and (rarest < 0 or recent[x] < recent[rarest]):
                rarest = x
        counts[rarest] -= 1
        recent[rarest] += 1.0
        room -= 1
    return groups


@kernel("i8(i8[::1], i4[::1], i4[::1], b1[::1], i8, i8, i8[:, ::1], i4[::1])")
def choose(offsets, rows, values, possible, size, codes, pieces, chosen):  # type: ignore[no-untyped-def]
    """Who goes into groups of `size`, cell by cell, for `halving`; pieces without groups are empty.

    Rows whose own value is impossible or certain for their signature are never taken. Returns how many are.
    """
    counts, recent = np.zeros(codes, np.int64), np.zeros(codes)
    at = number = 0
    for c in range(len(offsets) - 1):
        for x in range(codes):
            counts[x] = 0
        for i in range(offsets[c], offsets[c + 1]):
            if possible[rows[i]]:
                counts[values[rows[i]]] += 1
        groups = _take(counts, size, recent)
        first = at
        for i in range(offsets[c], offsets[c + 1]):
            row = rows[i]
            if possible[row] and counts[values[row]] > 0:
                counts[values[row]] -= 1
                chosen[at] = row
                at += 1
        pieces[c, 0], pieces[c, 1], pieces[c, 2], pieces[c, 3] = first, at, groups, number
        number += groups
    return at


def groups_in_cells(
    columns: Sequence[Int32s], values: Int32s, possible: Bools, offsets: Int64s, rows: Int32s, size: int
) -> tuple[Int32s, int]:
    """A group number for each row, -1 for those left over, and the number of groups."""
    pieces = np.empty((len(offsets) - 1, 4), np.int64)
    chosen = np.empty(len(rows), np.int32)
    taken = choose(offsets, rows, values, possible, size, int(values.max()) + 1, pieces, chosen)
    group_of = np.full(len(values), -1, np.int32)
    groups = int(pieces[-1, 2] + pieces[-1, 3])
    cut(as_records(columns, values, chosen[:taken]), np.ascontiguousarray(pieces[pieces[:, 2] > 0]), group_of)
    return group_of, groups
