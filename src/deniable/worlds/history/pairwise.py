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
from numpy.typing import NDArray

from deniable.worlds.history.histories import (
    NOTHING,
    History,
    Ints,
    Knowledge,
    NoWorld,
    Small,
    Words,
    candidates,
    counts,
)
from deniable.worlds.history.propagation import only_value


class _Story(NamedTuple):
    """The history's arrays, for compiled code."""

    member_offsets: Ints
    members: Small
    value_offsets: Ints
    values: Small  # different ones
    copies: Small
    starts: Ints  # of each person's groups
    groups: Small
    signature: Small
    real: NDArray[np.bool_]  # no counterfeits


def pairs(story: History, known: Knowledge = NOTHING) -> Words:
    """The values that the pairs adversary leaves to each person, as rows of bits; never too few."""
    words = candidates(story, known)
    sizes = np.diff(story.member_offsets)
    real = np.diff(story.value_offsets) == sizes
    arrays = _Story(story.member_offsets, story.members, *story.distinct, *story.memberships, signatures(story), real)
    group_of = np.repeat(np.arange(story.groups), np.diff(arrays.value_offsets))
    holders = np.empty(int(sizes.max(initial=1)), np.int32)
    if not story.groups and counts(words).all():
        return words
    if not counts(words).all() or not _run(arrays, words, holders, group_of):
        raise NoWorld("no assignment of values fits all releases and what is known")
    return words


def signatures(story: History) -> Small:
    """A number for each group, the same for equal multisets of values."""
    numbers: dict[bytes, int] = {}
    ends, codes = story.value_offsets, story.codes
    return np.array(
        [numbers.setdefault(codes[i:j].tobytes(), len(numbers)) for i, j in itertools.pairwise(ends.tolist())],
        np.int32,
    )


@njit(cache=True)
def _inside(p, g, story):  # type: ignore[no-untyped-def]
    """Whether the person is in the group."""
    low, high = story.starts[p], story.starts[p + 1]
    while low < high:
        middle = (low + high) // 2
        if story.groups[middle] < g:
            low = middle + 1
        else:
            high = middle
    return low < story.starts[p + 1] and story.groups[low] == g


@njit(cache=True)
def _holders(h, v, story, words, holders):  # type: ignore[no-untyped-def]
    """Who in the group may have the value; how many, and how many surely do."""
    n, sure = 0, 0
    for i in range(story.member_offsets[h], story.member_offsets[h + 1]):
        p = story.members[i]
        if (words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
            holders[n] = p
            n += 1
            sure += only_value(words, p) == v
    return n, sure


@njit(cache=True)
def _wake(p, v, story, queue, waiting, ring):  # type: ignore[no-untyped-def]
    """Have this value looked at again in all groups of the person: behind the ring[1] items from ring[0] on."""
    for s in range(story.starts[p], story.starts[p + 1]):
        j = story.value_offsets[story.groups[s]]
        while j < story.value_offsets[story.groups[s] + 1] and story.values[j] < v:
            j += 1
        if j < story.value_offsets[story.groups[s] + 1] and story.values[j] == v and not waiting[j]:
            waiting[j] = True
            queue[(ring[0] + ring[1]) % len(queue)] = j
            ring[1] += 1


@njit(cache=True)
def _drop(g, h, v, story, words, queue, waiting, ring):  # type: ignore[no-untyped-def]
    """Take the value from members of g: if g = h those not known to have it, else those not in h.

    False if that leaves somebody none.
    """
    for i in range(story.member_offsets[g], story.member_offsets[g + 1]):
        p = story.members[i]
        if not (words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
            continue
        known = only_value(words, p) == v
        if known if g == h else _inside(p, h, story):
            continue
        if known:
            return False
        words[p, v >> 6] ^= np.uint64(1) << np.uint64(v & 63)
        _wake(p, v, story, queue, waiting, ring)
        last = only_value(words, p)
        if last >= 0:
            _wake(p, last, story, queue, waiting, ring)
    return True


@njit(cache=True)
def _correlated(h, n, holders, story, found):  # type: ignore[no-untyped-def]
    """Groups to which theorem 1 applies from h (without counterfeits) and that have all these members of h."""
    first, last = story.starts[holders[0]], story.starts[holders[0] + 1]
    second, end = (story.starts[holders[1]], story.starts[holders[1] + 1]) if n > 1 else (0, 0)
    many = 0
    for t in range(first, last):
        g = story.groups[t]
        while second < end and story.groups[second] < g:
            second += 1
        if g == h or story.signature[g] != story.signature[h] or (n > 1 and second == end):
            continue
        if n > 1 and story.groups[second] != g:
            continue
        shared = 2
        while shared < n and _inside(holders[shared], g, story):
            shared += 1
        if shared >= n:
            found[many] = g
            many += 1
    return many


@njit(cache=True)
def _run(story, words, holders, group_of):  # type: ignore[no-untyped-def]
    """Visit values of groups whose holders changed; False: somebody has no value left.

    What follows by hc-pvr depends on who may have the value in h: nothing new while they are as many as `before`.
    """
    total = len(group_of)
    queue, waiting, ring = np.arange(total), np.ones(total, np.bool_), np.array([0, total])
    before = np.diff(story.member_offsets)[group_of]
    alone, found = np.full((len(words), 2), -1, np.int32), np.empty(np.diff(story.starts).max() + 1, np.int32)
    while ring[1]:
        j = queue[ring[0]]
        ring[0] = (ring[0] + 1) % total
        ring[1] -= 1
        waiting[j] = False
        h, v = group_of[j], story.values[j]
        n, sure = _holders(h, v, story, words, holders)
        if sure > story.copies[j] or (n == 0 and story.real[h]):
            return False
        if n > sure == story.copies[j] and not _drop(h, h, v, story, words, queue, waiting, ring):
            return False
        if n == 0 or n == before[j] or not story.real[h]:
            continue
        before[j] = n
        if n == 1:  # the same from every group of this signature that the person is in
            if alone[holders[0], 0] == v and alone[holders[0], 1] == story.signature[h]:
                continue
            alone[holders[0], 0], alone[holders[0], 1] = v, story.signature[h]
        for t in range(_correlated(h, n, holders, story, found)):
            if not _drop(found[t], h, v, story, words, queue, waiting, ring):
                return False
    return True
