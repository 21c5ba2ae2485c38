"""What propagation leaves open, as choices: one literal (person, value) per person, seats that literals use up.

A seat is a value of a group that more of its open members may have than there are copies left; other copies never
bind and are dropped. People who compete for no seat are independent: the connected parts are decided one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from deniable.worlds.arrays import Bools, Int32s, Int64s, offsets
from deniable.worlds.components import breadth_first
from deniable.worlds.history.equations import Equations
from deniable.worlds.history.histories import Words, counts
from deniable.worlds.history.propagation import only_value


class Choices(NamedTuple):
    """Open people are numbered anew; literals of one are neighbours, in rising order of value."""

    person: Int32s  # who each open person is
    offsets: Int64s  # of each open person's literals
    value: Int32s  # of each literal
    owner: Int32s
    use_offsets: Int64s  # of each literal
    uses: Int32s  # its seats
    holder_offsets: Int64s  # of each seat
    holders: Int32s  # literals that use it
    left: Int32s  # copies of each seat
    group: Int32s  # that each seat is in
    tight: Bools  # whether all copies belong to members: the group has no counterfeits
    order: Int32s  # open people, part by part, neighbours near each other
    parts: Int64s  # where each part starts in `order`
    part: Int64s  # of each open person

    def members(self, part: int) -> list[int]:
        """The open people of one part."""
        return [int(q) for q in self.order[self.parts[part] : self.parts[part + 1]]]

    def literals(self, q: int) -> range:
        """The literals of an open person."""
        return range(int(self.offsets[q]), int(self.offsets[q + 1]))

    def seats(self, literal: int) -> list[int]:
        """What a literal uses up."""
        return [int(s) for s in self.uses[self.use_offsets[literal] : self.use_offsets[literal + 1]]]


def choices(system: Equations, words: Words) -> Choices:
    """The open people of a propagated system, split into parts."""
    left_over = counts(words)
    person = np.flatnonzero(left_over > 1).astype(np.int32)
    starts = offsets(left_over[person])
    number = np.full(len(words), -1, np.int32)
    number[person] = np.arange(len(person), dtype=np.int32)
    value, owner = _literals(words, person, starts)
    seat_of, left, group, tight = _seats(system, words, number, person, starts, value)
    seat, literal = seat_of[:, 0], seat_of[:, 1]
    by_literal, by_seat = np.argsort(literal, kind="stable"), np.argsort(seat, kind="stable")
    use_offsets = offsets(np.bincount(literal, minlength=len(value)))
    holder_offsets = offsets(np.bincount(seat, minlength=len(left)))
    uses, holders = seat[by_literal].astype(np.int32), literal[by_seat].astype(np.int32)
    order, parts = breadth_first(use_offsets[starts], uses, holder_offsets, owner[holders])
    seats = use_offsets, uses, holder_offsets, holders, left, group, tight
    part = np.empty(len(person), np.int64)
    part[order] = np.repeat(np.arange(len(parts) - 1), np.diff(parts))
    return Choices(person, starts, value, owner, *seats, order, parts, part)


@njit(cache=True)
def _literals(words, person, offsets):  # type: ignore[no-untyped-def]
    """The value and the owner of each literal."""
    value, owner = np.empty(offsets[-1], np.int32), np.empty(offsets[-1], np.int32)
    for q in range(len(person)):
        i = offsets[q]
        for v in range(64 * words.shape[1]):
            if (words[person[q], v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
                value[i], owner[i] = v, q
                i += 1
    return value, owner


@njit(cache=True)
def _seats(system, words, number, person, offsets, value):  # type: ignore[no-untyped-def]
    """Pairs (seat, literal), and of each seat the copies left, its group and whether that has no counterfeits."""
    size = 0
    for p in person:
        size += (system.group_offsets[p + 1] - system.group_offsets[p]) * (offsets[number[p] + 1] - offsets[number[p]])
    pairs = np.empty((size, 2), np.int32)
    left, group = np.empty((2, len(system.values)), np.int32)
    tight = np.empty(len(system.values), np.bool_)
    filled, seats = 0, 0
    for g in range(len(system.member_offsets) - 1):
        first, last = system.member_offsets[g], system.member_offsets[g + 1]
        start, end = system.value_offsets[g], system.value_offsets[g + 1]
        no_fakes = system.copies[start:end].sum() == last - first
        for j in range(start, end):
            copies, before = system.copies[j], filled
            for i in range(first, last):
                q = number[system.members[i]]
                if q < 0:
                    copies -= only_value(words, system.members[i]) == system.values[j]
                    continue
                for literal in range(offsets[q], offsets[q + 1]):
                    if value[literal] == system.values[j]:
                        pairs[filled, 0], pairs[filled, 1] = seats, literal
                        filled += 1
            if filled - before <= copies:
                filled = before
                continue
            left[seats], group[seats], tight[seats] = copies, g, no_fakes
            seats += 1
    return pairs[:filled].copy(), left[:seats].copy(), group[:seats].copy(), tight[:seats].copy()
