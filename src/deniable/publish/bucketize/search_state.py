"""What the search for safe groups works on: arrays with names, which compiled loops take as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from deniable.publish.bucketize.proof import ROOM
from deniable.worlds.arrays import Floats, Int32s, Int64s


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
    """What is asked, and memory to check it in."""

    r: float
    limit: float
    floats: Floats
    ints: Int32s
    trial: Int32s


class GroupPlaces(NamedTuple):
    """Cells in their order of similarity: features of all sets (set s has columns starts[s]:starts[s+1]) and groups.

    The groups of a cell are a chain: the first is head[cell], the one after g is link[g], -1 is the end.
    """

    points: Floats
    starts: Int64s
    head: Int64s
    link: Int64s


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


def judge_of(r: float) -> Limit:
    """A judge for groups of up to `most_people`."""
    most = most_people(r)
    return Limit(
        r, 1.0 / r, np.empty(ROOM + 3 * most * most), np.empty(5 * most, np.int32), np.empty(most + 1, np.int32)
    )


def made_of(group_of: Int32s, groups: int, spare: int, most: int) -> GroupsMade:
    """Groups as lists of members, with room for `spare` more."""
    made = GroupsMade(np.empty((groups + spare, most), np.int32), np.zeros(groups + spare, np.int32))
    _fill(group_of, made.members, made.sizes)
    return made


@njit("void(i4[::1], i4[:, ::1], i4[::1])", cache=True)
def _fill(group_of, members, sizes):  # type: ignore[no-untyped-def]
    for row in range(len(group_of)):
        g = group_of[row]
        if g >= 0:
            members[g, sizes[g]] = row
            sizes[g] += 1


@njit("void(i4[:, ::1], i4[::1], i4[::1])", cache=True)
def number_groups(members, sizes, group_of):  # type: ignore[no-untyped-def]
    """The way back: group_of[row], -1 for rows without a group; dissolved groups have no number."""
    group_of[:] = -1
    number = 0
    for g in range(len(sizes)):
        for i in range(sizes[g]):
            group_of[members[g, i]] = number
        number += sizes[g] > 0


def places_of(points: Floats, starts: Int64s, made: GroupsMade, groups: int, cells: Int64s) -> GroupPlaces:
    """Chain the groups to the cells of their first members, `cells` by row."""
    places = GroupPlaces(points, starts, np.full(len(points), -1), np.full(len(made.sizes), -1))
    _chain(made.members, groups, cells, places.head, places.link)
    return places


@njit("void(i4[:, ::1], i8, i8[::1], i8[::1], i8[::1])", cache=True)
def _chain(members, groups, cells, head, link):  # type: ignore[no-untyped-def]
    for g in range(groups - 1, -1, -1):
        cell = cells[members[g, 0]]
        link[g] = head[cell]
        head[cell] = g
