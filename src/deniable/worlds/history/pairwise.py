"""The papers' adversary, who looks at one or two groups at a time (Riboni and Bettini 2010, definitions 2 to 4).

ct-pvr: a value all of whose copies in a group belong to people known to have it goes to nobody else there. hc-pvr: two
groups with equal multisets of values, common members C and rest R1, R2: the values of R1 and R2 are equal multisets
(theorem 1), so what nobody in R2 may have, nobody in R1 has. Both to a fixpoint; a person with one value left is known.
If group 1 has counterfeits, theorem 1 still gives values(R1) within values(R2), provided that group 2 has none.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from numba import njit

from deniable.worlds.arrays import Bools, Int32s, Int64s
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld, Words, candidates, counts
from deniable.worlds.history.propagation import only_value


class _Arrays(NamedTuple):
    """The history's arrays, for compiled code."""

    member_offsets: Int64s
    members: Int32s
    value_offsets: Int64s
    values: Int32s  # different ones
    copies: Int32s
    starts: Int64s  # of each person's groups
    groups: Int32s
    signature: Int32s
    real: Bools  # no counterfeits


def pairs(history: History, known: KnownValues = NOTHING) -> Words:
    """The values that the pairs adversary leaves to each person, as rows of bits; never too few."""
    words = candidates(history, known)
    sizes = np.diff(history.member_offsets)
    real = np.diff(history.value_offsets) == sizes
    arrays = _Arrays(
        history.member_offsets, history.members, *history.distinct, *history.memberships, signatures(history), real
    )
    group_of = np.repeat(np.arange(history.groups), np.diff(arrays.value_offsets))
    holders = np.empty(int(sizes.max(initial=1)), np.int32)
    if not history.groups and counts(words).all():
        return words
    if not counts(words).all() or not _run(arrays, words, holders, group_of):
        raise NoWorld("no assignment of values fits all releases and what is known")
    return words


def signatures(history: History) -> Int32s:
    """A number for each group, the same for equal multisets of values."""
    numbers: dict[bytes, int] = {}
    ends, codes = history.value_offsets, history.codes
    return np.array(
        [numbers.setdefault(codes[i:j].tobytes(), len(numbers)) for i, j in itertools.pairwise(ends.tolist())],
        np.int32,
    )


@njit(cache=True)
def _inside(p, g, arrays):  # type: ignore[no-untyped-def]
    """Whether the person is in the group."""
    low, high = arrays.starts[p], arrays.starts[p + 1]
    while low < high:
        middle = (low + high) // 2
        if arrays.groups[middle] < g:
            low = middle + 1
        else:
            high = middle
    return low < arrays.starts[p + 1] and arrays.groups[low] == g


@njit(cache=True)
def _holders(h, v, arrays, words, holders):  # type: ignore[no-untyped-def]
    """Who in the group may have the value; how many, and how many surely do."""
    n, sure = 0, 0
    for i in range(arrays.member_offsets[h], arrays.member_offsets[h + 1]):
        p = arrays.members[i]
        if (words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
            holders[n] = p
            n += 1
            sure += only_value(words, p) == v
    return n, sure


@njit(cache=True)
def _wake(p, v, arrays, queue, waiting, ring):  # type: ignore[no-untyped-def]
    """Have this value looked at again in all groups of the person: behind the ring[1] items from ring[0] on."""
    for s in range(arrays.starts[p], arrays.starts[p + 1]):
        j = arrays.value_offsets[arrays.groups[s]]
        while j < arrays.value_offsets[arrays.groups[s] + 1] and arrays.values[j] < v:
            j += 1
        if j < arrays.value_offsets[arrays.groups[s] + 1] and arrays.values[j] == v and not waiting[j]:
            waiting[j] = True
            queue[(ring[0] + ring[1]) % len(queue)] = j
            ring[1] += 1


@njit(cache=True)
def _drop(g, h, v, arrays, words, queue, waiting, ring):  # type: ignore[no-untyped-def]
    """Take the value from members of g: if g = h those not known to have it, else those not in h.

    False if that leaves somebody none.
    """
    for i in range(arrays.member_offsets[g], arrays.member_offsets[g + 1]):
        p = arrays.members[i]
        if not (words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
            continue
        known = only_value(words, p) == v
        if known if g == h else _inside(p, h, arrays):
            continue
        if known:
            return False
        words[p, v >> 6] ^= np.uint64(1) << np.uint64(v & 63)
        _wake(p, v, arrays, queue, waiting, ring)
        last = only_value(words, p)
        if last >= 0:
            _wake(p, last, arrays, queue, waiting, ring)
    return True


@njit(cache=True)
def _correlated(h, n, holders, arrays, found):  # type: ignore[no-untyped-def]
    """Groups to which theorem 1 applies from h (without counterfeits) and that have all these members of h."""
    first, last = arrays.starts[holders[0]], arrays.starts[holders[0] + 1]
    second, end = (arrays.starts[holders[1]], arrays.starts[holders[1] + 1]) if n > 1 else (0, 0)
    many = 0
    for t in range(first, last):
        g = arrays.groups[t]
        while second < end and arrays.groups[second] < g:
            second += 1
        if g == h or arrays.signature[g] != arrays.signature[h] or (n > 1 and second == end):
            continue
        if n > 1 and arrays.groups[second] != g:
            continue
        shared = 2
        while shared < n and _inside(holders[shared], g, arrays):
            shared += 1
        if shared >= n:
            found[many] = g
            many += 1
    return many


@njit(cache=True)
def _run(arrays, words, holders, group_of):  # type: ignore[no-untyped-def]
    """Visit values of groups whose holders changed; False: somebody has no value left.

    What follows by hc-pvr depends on who may have the value in h: nothing new while they are as many as `before`.
    """
    total = len(group_of)
    queue, waiting, ring = np.arange(total), np.ones(total, np.bool_), np.array([0, total])
    before = np.diff(arrays.member_offsets)[group_of]
    alone, found = np.full((len(words), 2), -1, np.int32), np.empty(np.diff(arrays.starts).max() + 1, np.int32)
    while ring[1]:
        j = queue[ring[0]]
        ring[0] = (ring[0] + 1) % total
        ring[1] -= 1
        waiting[j] = False
        h, v = group_of[j], arrays.values[j]
        n, sure = _holders(h, v, arrays, words, holders)
        if sure > arrays.copies[j] or (n == 0 and arrays.real[h]):
            return False
        if n > sure == arrays.copies[j] and not _drop(h, h, v, arrays, words, queue, waiting, ring):
            return False
        if n == 0 or n == before[j] or not arrays.real[h]:
            continue
        before[j] = n
        if n == 1:  # the same from every group of this signature that the person is in
            if alone[holders[0], 0] == v and alone[holders[0], 1] == arrays.signature[h]:
                continue
            alone[holders[0], 0], alone[holders[0], 1] = v, arrays.signature[h]
        for t in range(_correlated(h, n, holders, arrays, found)):
            if not _drop(found[t], h, v, arrays, words, queue, waiting, ring):
                return False
    return True
