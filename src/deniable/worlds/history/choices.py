"""What propagation leaves open, as choices: one literal (person, value) per person, seats that literals use up.

A seat is a value of a group that more of its open members may have than there are copies left; other copies never
bind and are dropped. People who compete for no seat are independent: the connected parts are decided one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel, work
from deniable.worlds.arrays import Bools, Floats, Int64s, offsets
from deniable.worlds.components import breadth_first
from deniable.worlds.history.equations import Equations
from deniable.worlds.history.histories import Words, counts
from deniable.worlds.history.propagation import only_value

_HEAVY = 4  # steps for each seat that somebody may use


class Choices(NamedTuple):
    """Open people are numbered anew; literals of one are neighbours, in rising order of value."""

    person: Int64s  # who each open person is
    offsets: Int64s  # of each open person's literals
    value: Int64s  # of each literal
    owner: Int64s
    use_offsets: Int64s  # of each literal
    uses: Int64s  # its seats
    holder_offsets: Int64s  # of each seat
    holders: Int64s  # literals that use it
    left: Int64s  # copies of each seat
    group: Int64s  # that each seat is in
    tight: Bools  # whether all copies belong to members: the group has no counterfeits
    order: Int64s  # open people, part by part, neighbours near each other
    parts: Int64s  # where each part starts in `order`
    part: Int64s  # of each open person
    arrival: Int64s  # open people, part by part: who came first, and of those who leaves first
    weight: Floats  # of each literal, over 0 and at most 1; worlds weigh the product. 1: they count alike

    def members(self, part: int) -> list[int]:
        """The open people of one part."""
        return [int(q) for q in self.order[self.parts[part] : self.parts[part + 1]]]

    def literals(self, q: int) -> range:
        """The literals of an open person."""
        return range(int(self.offsets[q]), int(self.offsets[q + 1]))

    @property
    def is_weighted(self) -> bool:
        """Whether some worlds count for more than others."""
        return bool((self.weight != 1).any())

    def seats(self, literal: int) -> list[int]:
        """What a literal uses up."""
        return [int(s) for s in self.uses[self.use_offsets[literal] : self.use_offsets[literal + 1]]]


def choices(system: Equations, words: Words) -> Choices:
    """The open people of a propagated system, split into parts."""
    left_over = counts(words)
    person = np.flatnonzero(left_over > 1)
    starts = offsets(left_over[person])
    number = np.full(len(words), -1, np.int64)
    number[person] = np.arange(len(person))
    many = np.diff(system.group_offsets)[person] * left_over[person]  # seats that each may use, at most
    with work(_HEAVY * (int(many.sum()) + len(system.members)) + words.shape[1] * 64 * len(person)):
        value, owner = _literals(words, person, starts)
        room = np.empty((2, int(many.sum())), np.int64)
        ends = np.empty((2, len(system.values)), np.int64)
        seats, filled = _seats(system, words, number, starts, value, room[0], room[1], ends[0], ends[1])
        (seat, literal), (left, group) = room[:, :filled], ends[:, :seats].copy()
        by_literal, by_seat = np.argsort(literal, kind="stable"), np.argsort(seat, kind="stable")
        use_offsets = offsets(np.bincount(literal, minlength=len(value)))
        holder_offsets = offsets(np.bincount(seat, minlength=len(left)))
        uses, holders = seat[by_literal], literal[by_seat]
        order, parts = breadth_first(use_offsets[starts], uses, holder_offsets, owner[holders])
    tight = _has_no_counterfeits(system)[group]
    part = np.empty(len(person), np.int64)
    part[order] = np.repeat(np.arange(len(parts) - 1), np.diff(parts))
    arrival = _by_arrival(order, part, use_offsets[starts], group[uses])
    using = use_offsets, uses, holder_offsets, holders, left, group, tight
    return Choices(person, starts, value, owner, *using, order, parts, part, arrival, np.ones(len(value)))


def _has_no_counterfeits(system: Equations) -> Bools:
    total = offsets(system.copies)
    return np.asarray(np.diff(total[system.value_offsets]) == np.diff(system.member_offsets))


def _by_arrival(order: Int64s, part: Int64s, starts: Int64s, groups: Int64s) -> Int64s:
    """Order people of a part by their first and their last group that counts; `starts` of each person's in `groups`."""
    low, high = np.full(len(order), 1 << 30), np.zeros(len(order), np.int64)
    some = np.flatnonzero(np.diff(starts))
    if len(some):
        low[some] = np.minimum.reduceat(groups, starts[some])
        high[some] = np.maximum.reduceat(groups, starts[some])
    return order[np.lexsort((high[order], low[order], part[order]))]


@kernel()
def _literals(words, person, offsets):  # type: ignore[no-untyped-def]
    """The value and the owner of each literal."""
    value, owner = np.empty(offsets[-1], np.int64), np.empty(offsets[-1], np.int64)
    i = 0
    for q in range(len(person)):
        for v in range(64 * words.shape[1]):
            if (words[person[q], v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
                value[i], owner[i] = v, q
                i += 1
    return value, owner


@kernel()
def _seats(system, words, number, offsets, value, seat, literal, left, group):  # type: ignore[no-untyped-def]
    """Enter pairs (seat, literal), and of each seat the copies left and its group; how many seats and pairs."""
    member_offsets, members, values = system.member_offsets, system.members, system.values
    filled, seats = 0, 0
    for g in range(len(member_offsets) - 1):
        for j in range(system.value_offsets[g], system.value_offsets[g + 1]):
            v, copies, before = values[j], system.copies[j], filled
            for i in range(member_offsets[g], member_offsets[g + 1]):
                p = members[i]
                q = number[p]
                if q < 0:
                    if only_value(words, p) == v:
                        copies -= 1
                    continue
                for x in range(offsets[q], offsets[q + 1]):
                    if value[x] == v:
                        seat[filled], literal[filled] = seats, x
                        filled += 1
            if filled - before <= copies:
                filled = before
                continue
            left[seats], group[seats] = copies, g
            seats += 1
    return seats, filled
