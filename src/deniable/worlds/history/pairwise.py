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

from deniable.kernels import kernel, work
from deniable.worlds.arrays import Bools, Int32s, Int64s, first_from
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld, Words, candidates, counts
from deniable.worlds.history.propagation import effort, only_value

_HEAVY = 4  # steps for each member and value of a group


class _Arrays(NamedTuple):
    """The history's arrays, for compiled code."""

    member_offsets: Int64s
    members: Int64s
    value_offsets: Int64s
    values: Int64s  # different ones
    copies: Int64s
    starts: Int64s  # of each person's groups
    groups: Int64s
    signature: Int64s
    real: Bools  # no counterfeits
    group: Int64s  # of each value


class _Agenda(NamedTuple):
    """Values of groups that are to be looked at again."""

    queue: Int64s
    waiting: Bools
    ring: Int64s  # where the queue starts, and how long it is
    before: Int64s  # how many could have each value of each group when it was last looked at
    alone: Int64s  # each person's value and signature of groups where only they could have it
    holders: Int64s
    found: Int64s


def pairs(history: History, known: KnownValues = NOTHING) -> Words:
    """The values that the pairs adversary leaves to each person, as rows of bits; never too few."""
    words = candidates(history, known)
    if not history.groups and counts(words).all():
        return words
    arrays = _arrays(history)
    with work(_HEAVY * effort(history)):
        if not counts(words).all() or not _run(arrays, words, _agenda(arrays)):
            raise NoWorld("no assignment of values fits all releases and what is known")
    return words


def _arrays(history: History) -> _Arrays:
    real = np.diff(history.value_offsets) == np.diff(history.member_offsets)
    starts, of_member = history.memberships
    value_offsets, *of_value = history.distinct
    group = np.repeat(np.arange(history.groups), np.diff(value_offsets))
    wide = (of.astype(np.int64) for of in (history.members, *of_value, of_member, signatures(history)))
    members, values, copies, groups, signature = wide
    return _Arrays(
        history.member_offsets, members, value_offsets, values, copies, starts, groups, signature, real, group
    )


def _agenda(arrays: _Arrays) -> _Agenda:
    total, people, sizes = len(arrays.values), len(arrays.starts) - 1, np.diff(arrays.member_offsets)
    return _Agenda(
        np.arange(total),
        np.ones(total, np.bool_),
        np.array([0, total]),
        sizes[arrays.group],
        np.full((people, 2), -1),
        np.empty(int(sizes.max(initial=1)), np.int64),
        np.empty(int(np.diff(arrays.starts).max(initial=0)) + 1, np.int64),
    )


def signatures(history: History) -> Int32s:
    """A number for each group, the same for equal multisets of values."""
    numbers: dict[bytes, int] = {}
    ends, codes = history.value_offsets, history.codes
    return np.array(
        [numbers.setdefault(codes[i:j].tobytes(), len(numbers)) for i, j in itertools.pairwise(ends.tolist())],
        np.int32,
    )


@kernel()
def _inside(p, g, starts, groups):  # type: ignore[no-untyped-def]
    """Whether the person is in the group."""
    at = first_from(groups, starts[p], starts[p + 1], g)
    return at < starts[p + 1] and groups[at] == g


@kernel()
def _holders(h, v, arrays, words, holders):  # type: ignore[no-untyped-def]
    """Who in the group may have the value; how many, and how many surely do."""
    n, sure = 0, 0
    for i in range(arrays.member_offsets[h], arrays.member_offsets[h + 1]):
        p = arrays.members[i]
        if (words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
            holders[n] = p
            n += 1
            if only_value(words, p) == v:
                sure += 1
    return n, sure


@kernel()
def _wake(p, v, arrays, todo):  # type: ignore[no-untyped-def]
    """Have this value looked at again in all groups of the person."""
    values, waiting, queue, ring = arrays.values, todo.waiting, todo.queue, todo.ring
    for s in range(arrays.starts[p], arrays.starts[p + 1]):
        g = arrays.groups[s]
        j, end = arrays.value_offsets[g], arrays.value_offsets[g + 1]
        while j < end and values[j] < v:
            j += 1
        if j < end and values[j] == v and not waiting[j]:
            waiting[j] = True
            queue[(ring[0] + ring[1]) % len(queue)] = j
            ring[1] += 1


@kernel()
def _drop(g, h, v, arrays, words, todo):  # type: ignore[no-untyped-def]
    """Take the value from members of g: if g = h those not known to have it, else those not in h.

    False if that leaves somebody none.
    """
    for i in range(arrays.member_offsets[g], arrays.member_offsets[g + 1]):
        p = arrays.members[i]
        if not (words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
            continue
        known = only_value(words, p) == v
        if known if g == h else _inside(p, h, arrays.starts, arrays.groups):
            continue
        if known:
            return False
        words[p, v >> 6] ^= np.uint64(1) << np.uint64(v & 63)
        _wake(p, v, arrays, todo)
        last = only_value(words, p)
        if last >= 0:
            _wake(p, last, arrays, todo)
    return True


@kernel()
def _correlated(h, n, holders, arrays, found):  # type: ignore[no-untyped-def]
    """Groups to which theorem 1 applies from h (without counterfeits) and that have all these members of h."""
    starts, groups, signature = arrays.starts, arrays.groups, arrays.signature
    second, end, many = 0, 0, 0
    if n > 1:
        second, end = starts[holders[1]], starts[holders[1] + 1]
    for t in range(starts[holders[0]], starts[holders[0] + 1]):
        g = groups[t]
        while second < end and groups[second] < g:
            second += 1
        if g == h or signature[g] != signature[h] or (n > 1 and second == end):
            continue
        if n > 1 and groups[second] != g:
            continue
        shared = 2
        while shared < n and _inside(holders[shared], g, starts, groups):
            shared += 1
        if shared >= n:
            found[many] = g
            many += 1
    return many


@kernel()
def _run(arrays, words, todo):  # type: ignore[no-untyped-def]
    """Visit values of groups whose holders changed; False: somebody has no value left.

    What follows by hc-pvr depends on who may have the value in h: nothing new while they are as many as `before`.
    """
    ring, before, alone, holders, found = todo.ring, todo.before, todo.alone, todo.holders, todo.found
    while ring[1]:
        j = todo.queue[ring[0]]
        ring[0] = (ring[0] + 1) % len(before)
        ring[1] -= 1
        todo.waiting[j] = False
        h, v = arrays.group[j], arrays.values[j]
        n, sure = _holders(h, v, arrays, words, holders)
        if sure > arrays.copies[j] or (n == 0 and arrays.real[h]):
            return False
        if n > sure == arrays.copies[j] and not _drop(h, h, v, arrays, words, todo):
            return False
        if n == 0 or n == before[j] or not arrays.real[h]:
            continue
        before[j] = n
        if n == 1:  # the same from every group of this signature that the person is in
            p = holders[0]
            if alone[p, 0] == v and alone[p, 1] == arrays.signature[h]:
                continue
            alone[p, 0], alone[p, 1] = v, arrays.signature[h]
        for t in range(_correlated(h, n, holders, arrays, found)):
            if not _drop(found[t], h, v, arrays, words, todo):
                return False
    return True
