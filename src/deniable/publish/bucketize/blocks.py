"""Blocks: neighbours with equal signatures, cut without a look at anybody's value, in whom groups are drawn by lot.

A cell's people are cut into blocks along their quasi-identifiers: two, four or a multiple of eight. A block bears its
values where none has more than 1/r of it. Where one of two neighbours does not, both are one run, and so on with runs
of two, of four: the cell bears its values. What is asked of a run is how many of its people have each value, nothing
else; and that two are one says the same of both. A run that took in the next one until it bore its values would tell
which of them did not: whoever guesses that its first people have its most frequent value gains 15 points at r = 2.
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import kernel
from deniable.publish.bucketize.anatomy import as_records, cut
from deniable.worlds.arrays import Int32s, Int64s, offsets

_FOLD = 8  # people of a block, in groups of the smallest size; up to twice as many


@frozen
class Blocks:
    """Rows block by block, where each block begins among them, and which is each cell's first block."""

    rows: Int32s
    starts: Int64s
    of_cell: Int64s


def blocks_of(columns: list[Int32s], rows: Int32s, cells: Int64s, size: int) -> Blocks:
    """Cut each cell rows[cells[c]:cells[c + 1]] into blocks of neighbours. Rows are in a random order inside a cell.

    It is the cut that makes groups of different values, and everybody's value is another one to it: so it minds none.
    What it makes are pieces as small as groups, of which blocks are made: so no block has people whom groups waste.
    """
    people = np.diff(cells)
    pieces = np.maximum(people // size, 1)
    room = np.maximum(people // (_FOLD * size), 1)
    counts = np.where(room < 2, 1, np.where(room < 4, 2, np.where(room < 8, 4, room // 8 * 8)))
    alone = np.arange(len(rows), dtype=np.int32)
    piece = np.zeros(len(rows), np.int32)
    wanted = np.column_stack([cells[:-1], cells[1:], pieces, np.zeros_like(pieces)])
    cut(as_records([column[rows] for column in columns], alone, alone), wanted, piece)
    cell = np.repeat(np.arange(len(people)), people)
    first = offsets(counts)
    block = first[cell] + piece * counts[cell] // pieces[cell]
    order = np.argsort(block, kind="stable")
    return Blocks(rows[order], offsets(np.bincount(block, minlength=int(first[-1]))), first)


@kernel()
def _bears(rows, values, limit, counts):  # type: ignore[no-untyped-def]
    """Whether no value has too many of some people; `counts` is zero before and after."""
    most = 0
    for row in rows:
        counts[values[row]] += 1
        most = max(most, counts[values[row]])
    for row in rows:
        counts[values[row]] = 0
    return len(rows) == 0 or most / len(rows) <= limit


@kernel("i8(i8[::1], i4[::1], i8[::1], i4[::1], f8, i8[::1], i8[:, ::1])")
def _settle(of_cell, rows, starts, values, limit, counts, found):  # type: ignore[no-untyped-def]
    """Fill `found` with the runs of all cells, [first row, last); returns how many there are."""
    blocks = len(starts) - 1
    end, waits = np.arange(1, blocks + 1), np.zeros(blocks, np.bool_)
    count = 0
    for cell in range(len(of_cell) - 1):
        first, last = of_cell[cell], of_cell[cell + 1]
        for block in range(first, last):
            waits[block] = not _bears(rows[starts[block] : starts[block + 1]], values, limit, counts)
        width = 1
        while width < last - first:
            for low in range(first, last, 2 * width):
                middle, high = low + width, min(low + 2 * width, last)
                if middle < last and (waits[low] or waits[middle]):
                    end[low], waits[middle] = high, False
                    waits[low] = not _bears(rows[starts[low] : starts[high]], values, limit, counts)
            width *= 2
        block = first
        while block < last:
            found[count, 0], found[count, 1] = starts[block], starts[end[block]]
            count += 1
            block = end[block]
    return count


def runs_of(blocks: Blocks, values: Int32s, r: float) -> Int64s:
    """The runs of blocks in which groups are drawn, as ends [first row, last) in `blocks.rows`."""
    found = np.zeros((len(blocks.starts) - 1, 2), np.int64)
    counts = np.zeros(int(values.max(initial=0)) + 1, np.int64)
    count = _settle(blocks.of_cell, blocks.rows, blocks.starts, values, 1.0 / r, counts, found)
    return found[:count]
