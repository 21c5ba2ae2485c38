"""Values that a history excludes for each person, by propagation to a fixpoint.

Within a group: a value stays possible for a member only if the rest can be matched to the values left (Regin's filter).
Two groups with members A+C and B+C and values S, T: with c(v) the number of C's members who have v, and the
counterfeits at most K and L, S(v) - K - |A may have v| <= c(v) <= S(v) - |A surely has v|, the same for B and T;
so C, A and B each have bounds for every value, and the same filter applies. Nothing that is possible is excluded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel, work
from deniable.worlds.arrays import Bools, Int8s, Int64s
from deniable.worlds.history.equations import PAIRED, Equations, equations
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld, Words, candidates, counts
from deniable.worlds.history.regin_filter import LOCAL, narrow

_HEAVY = 4  # steps for each member and value of a group, which is looked at more than once


def propagate(history: History, known: KnownValues = NOTHING) -> tuple[Words, Equations]:
    """The values left to each person, as rows of bits, and the equations that say so."""
    with work(_HEAVY * effort(history)):
        system = equations(history)
        words = candidates(history, known)
        if not counts(words).all() or not _run(system, words, _space(system, words.shape[1]), _agenda(system, words)):
            raise NoWorld("no assignment of values fits all releases and what is known")
    return words, system


def effort(history: History) -> int:
    """Members times different values, group by group: the steps to look at everything once."""
    return int(np.dot(np.diff(history.member_offsets), np.diff(history.distinct[0])))


class _Space(NamedTuple):
    """Room for one filter."""

    masks: Words
    local: Int64s
    low: Int64s
    high: Int64s
    at: Int64s
    taken: Int64s
    into: Int64s
    queue: Int64s
    row: Words
    bounds: Int64s  # eight rows: copies in both groups (_union), then _tally
    sizes: Int64s  # people only in the one, only in the other, in both
    fakes: Int64s  # counterfeits of both


class _Agenda(NamedTuple):
    """What is left of each group, and what is to be looked at again."""

    members: Int64s  # those with several values before the others
    ends: Int64s  # of them
    left: Int64s  # copies
    queue: Int64s  # groups
    waiting: Bools
    later: Int64s  # pairs
    delayed: Bools
    side: Int8s  # of each person
    parts: Int64s
    changed: Int64s  # people


def _space(system: Equations, width: int) -> _Space:
    most = max(int(np.diff(system.member_offsets).max(initial=0)), PAIRED)
    each = max(int(np.diff(system.value_offsets).max(initial=0)), 2 * LOCAL) + 2
    local, low, high, taken, into, queue = np.zeros((6, each), np.int64)
    masks, at = np.zeros(most, np.uint64), np.zeros(most, np.int64)
    bounds, row = np.zeros((8, each), np.int64), np.zeros(width, np.uint64)
    sizes, fakes = np.zeros(3, np.int64), np.zeros(2, np.int64)
    return _Space(masks, local, low, high, at, taken, into, queue, row, bounds, sizes, fakes)


def _agenda(system: Equations, words: Words) -> _Agenda:
    groups, pairs = len(system.member_offsets) - 1, len(system.first)
    most = max(int(np.diff(system.member_offsets).max(initial=0)), 3 * PAIRED)
    return _Agenda(
        system.members.copy(),
        system.member_offsets[1:].copy(),
        system.copies.copy(),
        np.arange(groups),
        np.ones(groups, np.bool_),
        np.arange(pairs),
        np.ones(pairs, np.bool_),
        np.zeros(len(words), np.int8),
        np.empty((3, PAIRED), np.int64),
        np.empty(most, np.int64),
    )


@kernel()
def _bits(x):  # type: ignore[no-untyped-def]
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel()
def only_value(words, p):  # type: ignore[no-untyped-def]
    """The person's value if one is left; -1 if several, -2 if none."""
    found = -2
    for w in range(words.shape[1]):
        x = words[p, w]
        if x == 0:
            continue
        if found != -2 or x & (x - np.uint64(1)):
            return -1
        found = 64 * w + _bits(x - np.uint64(1))
    return found


@kernel()
def _mask(words, p, local, k):  # type: ignore[no-untyped-def]
    """The person's values among local[:k], as bits."""
    mask = np.uint64(0)
    for t in range(k):
        v = local[t]
        mask |= ((words[p, v >> 6] >> np.uint64(v & 63)) & np.uint64(1)) << np.uint64(t)
    return mask


@kernel()
def _keep(words, p, mask, local, k, row):  # type: ignore[no-untyped-def]
    """Leave the person only the values of the mask; whether that changed anything."""
    for w in range(len(row)):
        row[w] = 0
    for t in range(k):
        if (mask >> np.uint64(t)) & np.uint64(1):
            v = local[t]
            row[v >> 6] |= np.uint64(1) << np.uint64(v & 63)
    changed = False
    for w in range(len(row)):
        both = words[p, w] & row[w]
        changed = changed or both != words[p, w]
        words[p, w] = both
    return changed


@kernel()
def _settle(first, start, end, g, values, words, members, ends, left):  # type: ignore[no-untyped-def]
    """Move members with one value left behind the others, and take their copies away; False: none is left to take."""
    i = first
    while i < ends[g]:
        v = only_value(words, members[i])
        if v == -1:
            i += 1
            continue
        j = start
        while j < end and values[j] != v:
            j += 1
        if j == end or left[j] == 0:
            return False
        left[j] -= 1
        ends[g] -= 1
        members[i], members[ends[g]] = members[ends[g]], members[i]
    return True


@kernel()
def _exhaust(first, start, end, g, values, words, members, ends, left):  # type: ignore[no-untyped-def]
    """Exclude only values without a copy left, for more different values than a mask has bits; False as `_settle`."""
    while True:
        before = ends[g]
        for i in range(first, before):
            p = members[i]
            for j in range(start, end):
                v = values[j]
                if left[j] == 0:
                    words[p, v >> 6] &= ~(np.uint64(1) << np.uint64(v & 63))
        if not _settle(first, start, end, g, values, words, members, ends, left):
            return False
        if ends[g] == before:
            return True


@kernel()
def _narrow(n, k, space):  # type: ignore[no-untyped-def]
    return narrow(n, k, space.masks, space.low, space.high, space.at, space.taken, space.into, space.queue)


@kernel()
def _local(start, end, values, left, space):  # type: ignore[no-untyped-def]
    """Enter the values with copies left and how often they may be had; how many, and no more than LOCAL of them."""
    local, low, high, k = space.local, space.low, space.high, 0
    for j in range(start, end):
        if left[j] > 0:
            if k < LOCAL:
                local[k], low[k], high[k] = values[j], 0, left[j]
            k += 1
    return k


@kernel()
def _visit(g, system, words, space, todo):  # type: ignore[no-untyped-def]
    """Filter one group; how many people changed (listed in `changed`), or -1 for a contradiction."""
    members, ends, left, changed, values = todo.members, todo.ends, todo.left, todo.changed, system.values
    first, start, end = system.member_offsets[g], system.value_offsets[g], system.value_offsets[g + 1]
    if not _settle(first, start, end, g, values, words, members, ends, left):
        return -1
    last, found, full = ends[g], 0, True
    k = _local(start, end, values, left, space)
    if k > LOCAL:
        if not _exhaust(first, start, end, g, values, words, members, ends, left):
            return -1
        for i in range(first, last):  # whoever may have changed
            changed[found] = members[i]
            found += 1
        return found
    masks, local, row = space.masks, space.local, space.row
    for i in range(first, last):
        mask = _mask(words, members[i], local, k)
        full = full and mask == (np.uint64(1) << np.uint64(k)) - np.uint64(1)
        masks[i - first] = mask
    if not full and not _narrow(last - first, k, space):
        return -1
    for i in range(first, last):
        p = members[i]
        if _keep(words, p, masks[i - first], local, k, row):
            changed[found] = p
            found += 1
    return found


@kernel()
def _union(i, last, j, end, values, copies, local, bounds):  # type: ignore[no-untyped-def]
    """The values of both groups into `local`, their copies into bounds 0 and 1; how many, at most LOCAL + 1."""
    k = 0
    while (i < last or j < end) and k <= LOCAL:
        v = values[i] if i < last else values[j]
        if j < end:
            v = min(v, values[j])
        local[k] = v
        bounds[0, k] = bounds[1, k] = 0
        if i < last and values[i] == v:
            bounds[0, k] = copies[i]
            i += 1
        if j < end and values[j] == v:
            bounds[1, k] = copies[j]
            j += 1
        k += 1
    return k


@kernel()
def _split(g, h, member_offsets, members, side, parts, sizes):  # type: ignore[no-untyped-def]
    """People only in g, only in h, in both, as three lists; `side` is 0 for everyone before and after."""
    sizes[0] = sizes[1] = sizes[2] = 0
    start, end = member_offsets[h], member_offsets[h + 1]
    for i in range(start, end):
        side[members[i]] = 1
    for i in range(member_offsets[g], member_offsets[g + 1]):
        p = members[i]
        part = 2 if side[p] == 1 else 0
        side[p] = 0
        parts[part, sizes[part]] = p
        sizes[part] += 1
    for i in range(start, end):
        p = members[i]
        if side[p] == 1:
            parts[1, sizes[1]] = p
            sizes[1] += 1
        side[p] = 0


@kernel()
def _tally(words, parts, k, space):  # type: ignore[no-untyped-def]
    """How many people of each part surely have each value (bounds 2, 3, 4) and may have it (5, 6, 7); counterfeits."""
    bounds, sizes, local = space.bounds, space.sizes, space.local
    for t in range(k):
        for row in range(2, 8):
            bounds[row, t] = 0
    for part in range(3):
        for i in range(sizes[part]):
            mask = _mask(words, parts[part, i], local, k)
            single = mask & (mask - np.uint64(1)) == 0
            for t in range(k):
                if (mask >> np.uint64(t)) & np.uint64(1):
                    bounds[5 + part, t] += 1
                    if single:
                        bounds[2 + part, t] += 1
    for s in range(2):
        space.fakes[s] = -sizes[s] - sizes[2]
        for t in range(k):
            space.fakes[s] += bounds[s, t]


@kernel()
def _says_more(bounds, fakes, k):  # type: ignore[no-untyped-def]
    """Whether the two groups bound what they share differently; else each group's own filter says as much."""
    for t in range(k):
        low, high = bounds[4, t], bounds[7, t]
        if min(high, bounds[0, t] - bounds[2, t]) != min(high, bounds[1, t] - bounds[3, t]):
            return True
        if max(low, bounds[0, t] - fakes[0] - bounds[5, t]) != max(low, bounds[1, t] - fakes[1] - bounds[6, t]):
            return True
    return False


@kernel()
def _limits(part, k, space):  # type: ignore[no-untyped-def]
    """How many of one part have each value, from the tally; False if no number is possible."""
    bounds, fakes = space.bounds, space.fakes
    for t in range(k):
        low, high = bounds[4, t], bounds[7, t]
        for s in range(2):
            low = max(low, bounds[s, t] - fakes[s] - bounds[5 + s, t])
            high = min(high, bounds[s, t] - bounds[2 + s, t])
        if low > high:
            return False
        space.low[t] = low if part == 2 else max(0, bounds[part, t] - fakes[part] - high)
        space.high[t] = high if part == 2 else bounds[part, t] - low
    return True


@kernel()
def _visit_pair(g, h, system, words, space, todo):  # type: ignore[no-untyped-def]
    """Filter what two groups share and what they do not; as `_visit`."""
    local, masks, sizes, parts, starts = space.local, space.masks, space.sizes, todo.parts, system.value_offsets
    k = _union(starts[g], starts[g + 1], starts[h], starts[h + 1], system.values, system.copies, local, space.bounds)
    if k > LOCAL:
        return 0
    _split(g, h, system.member_offsets, system.members, todo.side, parts, sizes)
    _tally(words, parts, k, space)
    found = 0
    if not _says_more(space.bounds, space.fakes, k):
        return found
    for part in (2, 0, 1):
        n = sizes[part]
        for i in range(n):
            masks[i] = _mask(words, parts[part, i], local, k)
        if not _limits(part, k, space) or not _narrow(n, k, space):
            return -1
        for i in range(n):
            p = parts[part, i]
            if _keep(words, p, masks[i], local, k, space.row):
                todo.changed[found] = p
                found += 1
    return found


@kernel()
def _run(system, words, space, todo):  # type: ignore[no-untyped-def]
    """Visit groups whose people changed, and pairs when no group is waiting; False: no world."""
    queue, waiting, later, delayed = todo.queue, todo.waiting, todo.later, todo.delayed
    total, pairs = len(queue), len(later)
    first, length, start, many = 0, total, 0, pairs
    while length or many:
        if length:
            g = queue[first]
            first, length = (first + 1) % total, length - 1
            waiting[g] = False
            found = _visit(g, system, words, space, todo)
            for i in range(system.pair_offsets[g], system.pair_offsets[g + 1]):
                pair = system.pairs[i]
                if not delayed[pair]:
                    delayed[pair] = True
                    later[(start + many) % pairs] = pair
                    many += 1
        else:
            g = -1
            pair = later[start]
            start, many = (start + 1) % pairs, many - 1
            delayed[pair] = False
            found = _visit_pair(system.first[pair], system.second[pair], system, words, space, todo)
        if found < 0:
            return False
        for c in range(found):
            p = todo.changed[c]
            for i in range(system.group_offsets[p], system.group_offsets[p + 1]):
                h = system.groups[i]
                if h != g and not waiting[h]:
                    waiting[h] = True
                    queue[(first + length) % total] = h
                    length += 1
    return True
