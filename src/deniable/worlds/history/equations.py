"""The groups of a history that say something, and which of them overlap.

A group is implied by another one that has all its members and no more copies of any value than it: it is dropped.
So a group that is published again unchanged, or with leavers' values kept as counterfeits, costs nothing twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from deniable.worlds.arrays import Int32s, Int64s, offsets
from deniable.worlds.history.histories import History

PAIRED = 128  # people in two groups up to which their difference is looked at
_SHARED = 2  # people in common from which it says more than the two groups do


class Equations(NamedTuple):
    """The groups that say something, and who is in them; arrays only, so that compiled code can take it."""

    member_offsets: Int64s
    members: Int32s
    value_offsets: Int64s
    values: Int32s  # different ones
    copies: Int32s
    group_offsets: Int64s  # of each person
    groups: Int32s
    first: Int32s  # of each pair of overlapping groups
    second: Int32s
    pair_offsets: Int64s  # of each group
    pairs: Int32s


def equations(history: History) -> Equations:
    """Drop what is implied, find overlapping groups."""
    value_offsets, values, copies = history.distinct
    starts, groups = history.memberships
    room = np.diff(history.value_offsets)
    kept, one, two = _overlaps(
        history.member_offsets, history.members, room, value_offsets, values, copies, starts, groups
    )
    number = np.cumsum(kept) - 1
    mine = np.repeat(kept, np.diff(history.member_offsets))
    own = np.repeat(kept, np.diff(value_offsets))
    of_person = kept[groups]
    alive = kept[one] & kept[two]
    one, two = number[one[alive]].astype(np.int32), number[two[alive]].astype(np.int32)
    both = np.concatenate([one, two])
    return Equations(
        offsets(np.diff(history.member_offsets)[kept]),
        history.members[mine],
        offsets(np.diff(value_offsets)[kept]),
        values[own],
        copies[own],
        offsets(of_person)[starts],
        number[groups[of_person]].astype(np.int32),
        one,
        two,
        offsets(np.bincount(both, minlength=int(kept.sum()))),
        (np.argsort(both, kind="stable") % max(len(one), 1)).astype(np.int32),
    )


@njit(cache=True)
def _implies(g, h, offsets, values, copies):  # type: ignore[no-untyped-def]
    """Whether h has at least g's copies of every value."""
    j = offsets[h]
    for i in range(offsets[g], offsets[g + 1]):
        while j < offsets[h + 1] and values[j] < values[i]:
            j += 1
        if j == offsets[h + 1] or values[j] != values[i] or copies[j] < copies[i]:
            return False
    return True


@njit(cache=True)
def _overlaps(member_offsets, members, room, offsets, values, copies, starts, groups):  # type: ignore[no-untyped-def]
    """Which groups are not implied by another, and pairs of groups that share people."""
    total = len(room)
    kept = np.ones(total, np.bool_)
    shared = np.zeros(total, np.int32)
    touched = np.empty(total, np.int32)
    filled = starts[:-1].copy()  # each person's groups so far, over the front of their own list
    so_far = np.empty(len(groups), np.int32)
    one, two = np.empty(1024, np.int32), np.empty(1024, np.int32)
    pairs = 0
    for g in range(total):
        size = member_offsets[g + 1] - member_offsets[g]
        n = 0
        for i in range(member_offsets[g], member_offsets[g + 1]):
            p = members[i]
            for j in range(starts[p], filled[p]):
                h = so_far[j]
                if shared[h] == 0:
                    touched[n] = h
                    n += 1
                shared[h] += 1
        before = pairs
        for t in range(n):
            h = touched[t]
            common, other = shared[h], member_offsets[h + 1] - member_offsets[h]
            shared[h] = 0
            if not kept[g] or not kept[h]:
                continue
            if common == size and _implies(h, g, offsets, values, copies):
                kept[g] = False
            elif common == other and _implies(g, h, offsets, values, copies):
                kept[h] = False
            elif common >= _SHARED and size + other - common <= PAIRED:
                if pairs == len(one):
                    one = np.concatenate((one, np.empty_like(one)))
                    two = np.concatenate((two, np.empty_like(two)))
                one[pairs], two[pairs] = h, g
                pairs += 1
        if not kept[g] or size == 0:
            pairs = before
            kept[g] = False
            continue
        for i in range(member_offsets[g], member_offsets[g + 1]):
            p = members[i]
            so_far[filled[p]] = g
            filled[p] += 1
    return kept, one[:pairs], two[:pairs]
