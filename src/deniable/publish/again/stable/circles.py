"""Circles: the seats of a value that newcomers are dealt out to, and inside which newcomers exchange their places.

Whoever is compared with more others comes to be nearer, and that would tell a frequent value. So circles are about as
large for all values, and on average (of the logarithm, since twice as many are nearer by as much) as large as the
rarest value of a class allows: into how many a value is cut is drawn by lot. In a group all seats are in one class.
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Int32s, Int64s, expand

_LEAST = (256, 128, 64, 32, 16, 8, 4)  # seats of each value of a class; with fewer, little is gained


@frozen(eq=False)
class Circles:
    """Seats in random order, circle by circle, each with the value and the class of its circle.

    Seats of the last class have values that too few have for circles: all of a value are together there.
    """

    seats: Int64s
    starts: Int64s
    values: Int32s
    of_class: Int64s

    @property
    def circle(self) -> Int64s:
        """The circle of each seat."""
        return np.repeat(np.arange(len(self.values)), np.diff(self.starts))

    @property
    def sizes(self) -> Int64s:
        """How many seats each has that may be exchanged; 0 for those of the last class."""
        return np.where(self.of_class < len(_LEAST), np.diff(self.starts), 0)


def in_circles(fresh: Int64s, values: Int32s, group: Int64s, rng: np.random.Generator) -> Circles:
    """Put the fresh seats into circles, those of groups with rare values into smaller ones."""
    seats, circle, classes, left, begun = [], [], [], fresh, 0
    for place, least in enumerate((*_LEAST, 0)):
        tried = _with_enough_others(left, values, group, least)
        part, parts = _cut(values[tried], least > 0, rng)
        seats.append(tried)
        circle.append(begun + part)
        classes.append(np.full(parts, place))
        begun += parts
        left = np.setdiff1d(left, tried, assume_unique=True)
    all_seats, turn = np.concatenate(seats), rng.permutation(begun)  # which value is first would tell it apart
    of = turn[np.concatenate(circle)]
    order = np.lexsort((rng.random(len(of)), of))
    starts = np.flatnonzero(np.diff(of[order], prepend=-1))
    of_class = np.empty(begun, np.int64)
    of_class[turn] = np.concatenate(classes)
    first = all_seats[order][starts]
    return Circles(all_seats[order], np.append(starts, len(order)), values[first], of_class)


def _with_enough_others(fresh: Int64s, values: Int32s, group: Int64s, least: int) -> Int64s:
    """The seats of groups in which each who came has a value that so many have, who are in such groups as well."""
    while len(fresh):
        is_rare = np.bincount(values[fresh])[values[fresh]] < least
        if not is_rare.any():
            break
        few = np.zeros(int(group[-1]) + 1, np.bool_)
        few[group[fresh[is_rare]]] = True
        fresh = fresh[~few[group[fresh]]]
    return fresh


def _cut(values: Int32s, is_even: bool, rng: np.random.Generator) -> tuple[Int64s, int]:
    """The part of each, those of a value in parts as large on average as the rarest value, and how many parts."""
    counts = np.bincount(values)
    times = np.maximum(counts / counts[counts > 0].min(initial=len(values) + 1), 1) if is_even else np.ones(len(counts))
    few = np.floor(times)
    is_few = rng.random(len(counts)) < np.log((few + 1) / times) / np.log((few + 1) / few)
    parts = np.where(counts > 0, np.where(is_few, few, few + 1), 0).astype(np.int64)
    order = np.lexsort((rng.random(len(values)), values))
    of = values[order]
    part = np.empty(len(values), np.int64)
    part[order] = (np.cumsum(parts) - parts)[of] + expand(0, counts) * parts[of] // np.maximum(counts[of], 1)
    return part, int(parts.sum())
