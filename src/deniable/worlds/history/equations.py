"""The groups of a history that say something, and which of them overlap.

A group is implied by another one that has all its members and no more copies of any value than it: it is dropped.
So a group that is published again unchanged, or with leavers' values kept as counterfeits, costs nothing twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import Int64s, offsets
from deniable.worlds.history.histories import History

PAIRED = 128  # people in two groups up to which their difference is looked at
_SHARED = 2  # people in common from which it says more than the two groups do


class Equations(NamedTuple):
    """The groups that say something, and who is in them; arrays of one width, so that kernels are compiled once."""

    member_offsets: Int64s
    members: Int64s
    value_offsets: Int64s
    values: Int64s  # different ones
    copies: Int64s
    group_offsets: Int64s  # of each person
    groups: Int64s
    first: Int64s  # of each pair of overlapping groups
    second: Int64s
    pair_offsets: Int64s  # of each group
    pairs: Int64s


def equations(history: History) -> Equations:
    """Drop what is implied, find overlapping groups."""
    value_offsets, values, copies = history.distinct
    starts, groups = history.memberships
    of_value = value_offsets, values, copies
    kept, one, two = _overlaps(history.member_offsets, history.members, *of_value, starts, starts[:-1].copy())
    number = np.cumsum(kept) - 1
    mine = np.repeat(kept, np.diff(history.member_offsets))
    own = np.repeat(kept, np.diff(value_offsets))
    of_person = kept[groups]
    alive = kept[one] & kept[two]
    one, two = number[one[alive]], number[two[alive]]
    both = np.concatenate([one, two])
    return Equations(
        offsets(np.diff(history.member_offsets)[kept]),
        history.members[mine].astype(np.int64),
        offsets(np.diff(value_offsets)[kept]),
        values[own].astype(np.int64),
        copies[own].astype(np.int64),
        offsets(of_person)[starts],
        number[groups[of_person]],
        one,
        two,
        offsets(np.bincount(both, minlength=int(kept.sum()))),
        np.argsort(both, kind="stable") % max(len(one), 1),
    )


@kernel()
def _implies(g, h, offsets, values, copies):  # type: ignore[no-untyped-def]
    """Whether h has at least g's copies of every value."""
    j = offsets[h]
    for i in range(offsets[g], offsets[g + 1]):
        while j < offsets[h + 1] and values[j] < values[i]:
            j += 1
        if j == offsets[h + 1] or values[j] != values[i] or copies[j] < copies[i]:
            return False
    return True


@kernel()
def _longer(numbers):  # type: ignore[no-untyped-def]
    """The same numbers, and room for as many more."""
    longer = np.empty(2 * len(numbers), np.int64)
    for i in range(len(numbers)):
        longer[i] = numbers[i]
    return longer


@kernel()
def _overlaps(member_offsets, members, offsets, values, copies, starts, filled):  # type: ignore[no-untyped-def]
    """Which groups are not implied by another, and pairs of groups that share people."""
    total = len(offsets) - 1
    kept, shared, touched = np.empty(total, np.bool_), np.zeros(total, np.int32), np.empty(total, np.int32)
    so_far = np.empty(len(members), np.int32)  # each person's groups so far, from their `starts` to where it is filled
    one, two = np.empty(1024, np.int64), np.empty(1024, np.int64)
    pairs = 0
    for g in range(total):
        size = member_offsets[g + 1] - member_offsets[g]
        kept[g] = size > 0
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
            h = np.int64(touched[t])
            common, other = np.int64(shared[h]), member_offsets[h + 1] - member_offsets[h]
            shared[h] = 0
            if not kept[g] or not kept[h]:
                continue
            if common == size and _implies(h, g, offsets, values, copies):
                kept[g] = False
            elif common == other and _implies(g, h, offsets, values, copies):
                kept[h] = False
            elif common >= _SHARED and size + other - common <= PAIRED:
                if pairs == len(one):
                    one, two = _longer(one), _longer(two)
                one[pairs], two[pairs] = h, g
                pairs += 1
        if not kept[g]:
            pairs = before
            continue
        for i in range(member_offsets[g], member_offsets[g + 1]):
            p = members[i]
            so_far[filled[p]] = g
            filled[p] += 1
    return kept, one[:pairs], two[:pairs]
