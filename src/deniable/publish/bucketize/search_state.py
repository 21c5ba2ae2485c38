"""What the search for safe groups works on: arrays with names, which compiled loops take as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel
from deniable.publish.bucketize.proof import ROOM
from deniable.worlds.arrays import Floats, Int32s, Int64s

CELLS = 2000  # on either side, in the order of similarity, that are looked at


class People(NamedTuple):
    """Rows: their value, their signature in each attribute set, and all sets' priors and odds on top of each other."""

    signs: Int32s
    values: Int32s
    priors: Floats
    odds: Floats


class GroupsMade(NamedTuple):
    """Groups so far: group g is members[g, :sizes[g]]; those that were dissolved have size 0."""

    members: Int32s
    sizes: Int32s


class Limit(NamedTuple):
    """What is asked, of statistics fitted to the groups too or not, and memory to check it in."""

    r: float
    limit: float
    fitted: bool
    floats: Floats
    ints: Int32s
    trial: Int32s


class GroupPlaces(NamedTuple):
    """Cells in their order of similarity: features of all sets (set s has columns starts[s]:starts[s+1]) and groups.

    The groups of a cell are a chain: the first is head[cell], the one after g is link[g], -1 is the end.
    near[s, :found[s]] are the cells near the one that is worked on, set s counting most; the last row: all alike.
    """

    points: Floats
    starts: Int64s
    head: Int64s
    link: Int64s
    near: Int64s
    found: Int64s


def people_of(signatures: Sequence[Int32s], priors: Sequence[Floats], values: Int32s) -> People:
    """Stack the attribute sets."""
    signs = np.empty((len(values), len(signatures)), np.int32)
    base = 0
    for s, (codes, matrix) in enumerate(zip(signatures, priors, strict=True)):
        np.add(codes, base, out=signs[:, s], casting="unsafe")
        base += len(matrix)
    stack = np.ascontiguousarray(np.vstack(priors), np.float64)
    with np.errstate(divide="ignore"):
        odds = stack / (1.0 - stack)
    return People(signs, values, stack, odds)


def smallest_size(r: float) -> int:
    """The least number of people a group can have: 1/N must not exceed 1/r."""
    size = math.ceil(r)
    return size - 1 if size > 1 and 1.0 / (size - 1) <= 1.0 / r else size


def most_people(r: float) -> int:
    """The largest group that the search tries."""
    return 6 * smallest_size(r) + 8


def judge_of(r: float, fitted: bool) -> Limit:
    """A judge for groups of up to `most_people`."""
    most = most_people(r)
    return Limit(
        r, 1.0 / r, fitted, np.empty(ROOM + 3 * most * most), np.empty(5 * most, np.int32), np.empty(most + 1, np.int32)
    )


def made_of(groups: int, most: int) -> GroupsMade:
    """Room for so many groups."""
    return GroupsMade(np.empty((groups, most), np.int32), np.zeros(groups, np.int32))


def places_of(points: Floats, starts: Int64s, groups: int) -> GroupPlaces:
    """Cells, and room for so many groups."""
    sets, width = len(starts) - 1, min(len(points), 2 * CELLS + 1)
    near, found = np.empty((sets + 1, width), np.int64), np.zeros(sets + 1, np.int64)
    return GroupPlaces(points, starts, np.full(len(points), -1), np.full(groups, -1), near, found)


@kernel()
def list_groups(group_of, made):  # type: ignore[no-untyped-def]
    """Fill the groups' members from group_of[row], -1 for rows without a group."""
    members, sizes = made.members, made.sizes
    for row in range(len(group_of)):
        g = group_of[row]
        if g >= 0:
            members[g, sizes[g]] = row
            sizes[g] += 1


@kernel()
def number_groups(made, group_of):  # type: ignore[no-untyped-def]
    """The way back; dissolved groups have no number."""
    for row in range(len(group_of)):
        group_of[row] = -1
    number = 0
    for g in range(len(made.sizes)):
        for i in range(made.sizes[g]):
            group_of[made.members[g, i]] = number
        if made.sizes[g] > 0:
            number += 1


@kernel()
def chain(g, cell, places):  # type: ignore[no-untyped-def]
    """Group g stands at the cell, before the others."""
    places.link[g] = places.head[cell]
    places.head[cell] = g


@kernel()
def copy_rows(source, count, target, at):  # type: ignore[no-untyped-def]
    """target[at : at + count] = source[:count], which compiles much faster as a loop."""
    for i in range(count):
        target[at + i] = source[i]


@kernel()
def leave_out(source, place, count, target):  # type: ignore[no-untyped-def]
    """target[:count] = source without what is at `place`."""
    for i in range(count):
        target[i] = source[i if i < place else i + 1]
