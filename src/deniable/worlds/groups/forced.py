"""What exact counts of signatures and values force on groups, in whole numbers.

K(s,x) of a group is how many of its people of s have x: at least `low`, at most `high`, from how many there are and
which cells are possible. Where the sum of all highs is the count of the table, every group is at its high; where that
of the lows is, at its low; either makes cells impossible, which moves other ends, and so on until nothing moves.
Whatever weights fit to the counts, they can only do so in the worlds that are left.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Bools, Int64s
from deniable.worlds.groups.batches import Groups
from deniable.worlds.groups.shapes import coordinates, places


@frozen
class Forced:
    """By cell of each group: whether it is possible, and between what its K lies. `loose`: signatures x values, what
    people in no group can have."""

    possible: Bools
    low: Int64s
    high: Int64s
    loose: Bools


def forced(groups: Groups, often: Int64s, counts: Int64s, apart: Int64s) -> Forced | None:
    """None: the counts contradict the groups."""
    spare = counts.sum(axis=0) - np.bincount(
        groups.values, groups.copies * np.repeat(often, np.diff(groups.value_offsets)), counts.shape[1]
    ).astype(np.int64)
    if (spare < 0).any() or (apart < 0).any() or spare.sum() != apart.sum():
        return None
    whole = _with_apart(groups, apart, spare)  # what is shown of counts holds of expected ones too
    shape, s, x = coordinates(whole)
    row, column = places(whole)
    n, c, times = whole.people[row].astype(np.int64), whole.copies[column].astype(np.int64), np.append(often, 1)[shape]
    possible = counts[s, x] > 0
    lines = ((row, n), (column, c))
    while True:
        low, high = _ends(possible, lines)
        least, most = np.zeros_like(counts), np.zeros_like(counts)
        np.add.at(least, (s, x), low * times)
        np.add.at(most, (s, x), high * times)
        if (low > high).any() or (least > counts).any() or (most < counts).any():
            return None
        before = int(possible.sum())
        open_ = (low < high) & (least < most)[s, x]
        down, up = open_ & (least == counts)[s, x], open_ & (most == counts)[s, x]
        possible[down & (low == 0)] = False
        for line, room in lines:
            # At its low because the others in the line take all they can: they are at their highs.
            up |= _beside(possible, down & (low > 0) & (low == room - _others(high, line)), line)
        for line, room in lines:
            # At its high because the others in the line take no more than they must, which may be nothing.
            possible[_beside(possible, up & (high == room - _others(low, line)), line) & (low == 0)] = False
        if int(possible.sum()) == before:
            break
    inside = shape < len(groups)
    loose = np.zeros(counts.shape, np.bool_)
    loose[s[~inside], x[~inside]] = possible[~inside]
    return Forced(possible[inside], low[inside], high[inside], loose)


def _with_apart(groups: Groups, apart: Int64s, spare: Int64s) -> Groups:
    """One group more: the people in none, and the values that nobody in a group has."""
    signatures, values = np.flatnonzero(apart).astype(np.int32), np.flatnonzero(spare).astype(np.int32)
    return Groups(
        np.append(groups.signature_offsets, groups.signature_offsets[-1] + len(signatures)),
        np.concatenate([groups.signatures, signatures]),
        np.concatenate([groups.people, apart[signatures].astype(np.int32)]),
        np.append(groups.value_offsets, groups.value_offsets[-1] + len(values)),
        np.concatenate([groups.values, values]),
        np.concatenate([groups.copies, spare[values].astype(np.int32)]),
    )


def _ends(possible: Bools, lines: Sequence[tuple[Int64s, Int64s]]) -> tuple[Int64s, Int64s]:
    """Between what the K of each cell lies, by what else its people can have and who else can have its copies."""
    low = np.zeros(len(possible), np.int64)
    high = np.where(possible, np.minimum(lines[0][1], lines[1][1]), 0)
    while True:
        before = int((high - low).sum())
        for line, room in lines:
            low, high = np.maximum(low, room - _others(high, line)), np.minimum(high, room - _others(low, line))
        if int((high - low).sum()) == before or (low > high).any():
            return low, high


def _others(ends: Int64s, line: Int64s) -> Int64s:
    """For each cell, the sum over the other cells of its line."""
    return np.bincount(line, ends, int(line.max(initial=-1)) + 1).astype(np.int64)[line] - ends


def _beside(possible: Bools, chosen: Bools, line: Int64s) -> Bools:
    """The other possible cells in the lines of some."""
    held = np.zeros(int(line.max(initial=-1)) + 1, np.bool_)
    held[line[chosen]] = True
    others: Bools = held[line] & possible & ~chosen
    return others
